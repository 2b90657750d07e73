// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/problem/GlobalMechanicalProblem.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/BlockPatterns.hpp>
#include <delassus/numerics/algebra/Rounding.hpp>
#include <limits>
#include <span>
#include <string>
#include <utility>

namespace delassus::numerics {
namespace {

const ProblemTraits globalMechanicalTraits{"GlobalMechanicalProblem", ResidualNorm::energy,
                                           "GlobalMechanicalProblem: M"};

std::shared_ptr<const SparseInverse> inverseOf(SparseMatrix M, const ProblemTraits& traits) {
  return std::make_shared<const SparseInverse>(std::move(M), std::string(traits.name) + ": M");
}

// bound += |H|ᵀ |x|
void addMagnitudes(const SparseMatrix& H, const std::vector<double>& x, double* bound) {
  for (std::size_t j = 0; j < H.size2(); ++j) {
    for (std::size_t k = columnStart(H, j); k < columnStart(H, j + 1); ++k) {
      bound[j] += std::abs(valueOf(H, k) * x[rowOf(H, k)]);
    }
  }
}

}  // namespace

GlobalMechanicalProblem::GlobalMechanicalProblem()
    : GlobalMechanicalProblem(globalMechanicalTraits, std::make_shared<const SparseInverse>(), SparseMatrix(), {}, {},
                              {}, {}, {}) {
}

GlobalMechanicalProblem::GlobalMechanicalProblem(SparseMatrix M, SparseMatrix H, Vector f, Vector b,
                                                 std::vector<Part> parts, Vector lower, Vector upper)
    : GlobalMechanicalProblem(inverseOf(std::move(M), globalMechanicalTraits), std::move(H), std::move(f), std::move(b),
                              std::move(parts), std::move(lower), std::move(upper)) {
}

GlobalMechanicalProblem::GlobalMechanicalProblem(std::shared_ptr<const SparseInverse> M, SparseMatrix H, Vector f,
                                                 Vector b, std::vector<Part> parts, Vector lower, Vector upper)
    : GlobalMechanicalProblem(globalMechanicalTraits, std::move(M), std::move(H), std::move(f), std::move(b),
                              std::move(parts), std::move(lower), std::move(upper)) {
}

GlobalMechanicalProblem::GlobalMechanicalProblem(const ProblemTraits& traits, std::shared_ptr<const SparseInverse> M,
                                                 SparseMatrix&& H, Vector&& f, Vector&& b, std::vector<Part> parts,
                                                 Vector lower, Vector upper)
    : ProblemOverSets(traits), f_(std::move(f)), b_(std::move(b)) {
  const std::string name(traits.name);
  if (M == nullptr) throw Error(name + ": M", "expected a matrix, got none.");
  requireSize(M->matrix(), f_.size(), f_.size(), name + ": M");
  requireSize(H, f_.size(), b_.size(), name + ": H");
  requireFinite(H, name + ": H");
  requireFinite(f_, name + ": f");
  requireFinite(b_, name + ": b");
  factors_ = std::make_shared<const SparseFactors>(std::move(M), std::move(H));
  parts_ = std::move(parts);
  std::size_t rows = 0;
  for (const Part& part : parts_) {
    offsets_.push_back(rows);
    rows += part.rows;
  }
  if (rows != b_.size()) {
    throw Error(name, "expected parts with as many rows as H has columns, " + std::to_string(b_.size()) + ", got " +
                          std::to_string(rows) + ".");
  }
  constexpr double infinity = std::numeric_limits<double>::infinity();
  lower_ = lower.size() > 0 ? std::move(lower) : Vector(rows, -infinity);
  upper_ = upper.size() > 0 ? std::move(upper) : Vector(rows, infinity);
  q_ = b_;
  solveForces();
  addData();
  validateVectors();
}

void GlobalMechanicalProblem::setForces(const Vector& f) {
  requireSize(f, f_.size(), std::string(traits().name) + ": f");
  requireFinite(f, std::string(traits().name) + ": f");
  assign(f, f_);
  solveForces();
  addData();
}

void GlobalMechanicalProblem::setFreeOutputs(const Vector& b) {
  requireSize(b, b_.size(), std::string(traits().name) + ": b");
  requireFinite(b, std::string(traits().name) + ": b");
  assign(b, b_);
  addData();
}

// Hᵀ M⁻¹ f, with what it may lack: that of M⁻¹ f, and the rounding of the product.
void GlobalMechanicalProblem::solveForces() {
  ofForces_.assign(size(), 0.L);
  left_.assign(size(), 0.);
  if (std::all_of(f_.begin(), f_.end(), [](double force) { return force == 0.; })) return;
  SparseInverse::Refined v;
  if (!factors_->inverse->refine({f_.begin(), f_.end()}, v)) {
    ofForces_.assign(size(), std::numeric_limits<long double>::quiet_NaN());
    return;
  }
  addExtendedTransposed(H(), v.x.data(), ofForces_.data());
  const std::vector<double> rounded(v.x.begin(), v.x.end());
  addRoundingTransposed(H(), rounded.data(), left_.data());
  for (double& entry : left_) entry *= extendedRounding;
  addMagnitudes(H(), v.left, left_.data());
}

void GlobalMechanicalProblem::addData() {
  fine_.resize(size());
  for (std::size_t i = 0; i < size(); ++i) {
    const long double q = ofForces_[i] + b_(i);
    q_(i) = static_cast<double>(q);
    fine_[i] = static_cast<double>(q - q_(i));
  }
}

Vector GlobalMechanicalProblem::velocities(const Vector& lambda) const {
  requireSize(lambda, size(), std::string(traits().name) + ": λ");
  Vector v = f_;
  delassus::multiply(1., H(), lambda, 1., v);
  factors_->inverse->solve(data(v));
  return v;
}

bool GlobalMechanicalProblem::requireMatrix() const {
  if (hasMatrix()) return true;
  if (!factors_->mayMultiply) return false;
  std::vector<std::size_t> sizes;
  for (const Part& part : parts_) sizes.push_back(part.rows);
  BlockSparseMatrix W = congruence(H(), sizes, *factors_->inverse);
  W.adoptStamp(factors_->stamp);
  built_ = std::make_shared<const BlockSparseMatrix>(std::move(W));
  matrix_ = built_.get();
  return true;
}

void GlobalMechanicalProblem::multiply(const double* lambda, double* w) const {
  if (v_.size() != degreesOfFreedom()) v_.resize(degreesOfFreedom(), false);
  delassus::multiply(1., H(), lambda, 0., data(v_));
  factors_->inverse->solve(data(v_));
  multiplyTransposed(1., H(), data(v_), 0., w);
}

// M⁻¹ H λ; null where it is not known. Certificates ask twice, for a bound and for the sums.
const SparseInverse::Refined* GlobalMechanicalProblem::refined(const double* lambda) const {
  const std::span<const double> asked(lambda, size());
  if (refinedFrom_.isMade() && std::equal(asked.begin(), asked.end(), refinedFrom_.source().begin())) return &refined_;
  refinedFrom_.forget();
  impulses_.assign(degreesOfFreedom(), 0.L);
  delassus::addExtended(1., H(), lambda, impulses_.data());
  if (!factors_->inverse->refine(impulses_, refined_)) return nullptr;
  asked_.assign(asked.begin(), asked.end());
  refinedFrom_.take(asked_);
  return &refined_;
}

void GlobalMechanicalProblem::addExtended(const double* lambda, long double* w) const {
  const SparseInverse::Refined* const v = refined(lambda);
  for (std::size_t i = 0; i < size(); ++i) {
    w[i] += v != nullptr ? fine_[i] : std::numeric_limits<long double>::quiet_NaN();
  }
  if (v != nullptr) addExtendedTransposed(H(), v->x.data(), w);
}

// The product is compared with that in extended precision, since a bound of M⁻¹ by its condition would be far above
// what happens. Beside that count the rounding of both products with H, which extended precision makes smaller, and
// what refinement leaves, which it does not: this is divided by the factor that certified() multiplies it with.
void GlobalMechanicalProblem::addRounding(const double* lambda, double* bound) const {
  const SparseInverse::Refined* const v = refined(lambda);
  if (v == nullptr) {
    std::fill_n(bound, size(), std::numeric_limits<double>::infinity());
    return;
  }
  impulses_.assign(size(), 0.L);
  addExtendedTransposed(H(), v->x.data(), impulses_.data());
  if (w_.size() != size()) w_.resize(size(), false);
  multiply(lambda, data(w_));
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  for (std::size_t i = 0; i < size(); ++i) {
    bound[i] += static_cast<double>(std::abs(impulses_[i] - w_(i))) + epsilon * std::abs(w_(i)) + std::abs(fine_[i]);
  }
  addRoundingOfProducts(lambda, *v, bound);
  uncertain_.assign(left_.begin(), left_.end());
  addMagnitudes(H(), v->left, uncertain_.data());
  for (std::size_t i = 0; i < size(); ++i) bound[i] += uncertain_[i] / extendedRounding;
}

// Adds the rounding of Hᵀ v, and that of H λ by way of M⁻¹.
void GlobalMechanicalProblem::addRoundingOfProducts(const double* lambda, const SparseInverse::Refined& v,
                                                    double* bound) const {
  const std::size_t n = degreesOfFreedom();
  uncertain_.resize(n);
  for (std::size_t i = 0; i < n; ++i) uncertain_[i] = static_cast<double>(v.x[i]);
  addRoundingTransposed(H(), uncertain_.data(), bound);
  uncertain_.assign(n, 0.);
  delassus::addRounding(H(), lambda, uncertain_.data());
  factors_->inverse->amplify(uncertain_);
  addMagnitudes(H(), uncertain_, bound);
}

void GlobalMechanicalProblem::diagonalBlock(std::size_t part, double* block) const {
  const std::size_t m = rows(part), first = offset(part);
  std::fill_n(block, m * m, 0.);
  for (std::size_t j = 0; j < m; ++j) {
    for (std::size_t k = columnStart(H(), first + j); k < columnStart(H(), first + j + 1); ++k) {
      const double mass = factors_->inverse->diagonal()[rowOf(H(), k)];
      if (mass > 0.) block[j * (m + 1)] += valueOf(H(), k) * valueOf(H(), k) / mass;
    }
  }
}

void GlobalMechanicalProblem::validateVectors() const {
  if (!allFinite(q_)) {
    throw Error(std::string(traits().name),
                "H' M^-1 f + b is not finite: f is too large, or M is singular to working precision.");
  }
  validateParts();
}

}  // namespace delassus::numerics
