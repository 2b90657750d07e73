// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/contact/FactoredDelassus.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/Memory.hpp>
#include <delassus/numerics/Threads.hpp>
#include <delassus/numerics/algebra/CholeskyFactorization.hpp>
#include <delassus/numerics/algebra/DisjointSets.hpp>
#include <delassus/numerics/algebra/MadeFrom.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/contact/PenalisedFactors.hpp>
#include <limits>
#include <map>
#include <string>
#include <utility>

namespace delassus::numerics {
namespace {

// W with more blocks than this would not be made: 360 MB in dimension 3.
constexpr std::size_t mostBlocks = 5000000;
constexpr std::size_t contactsATurn = 128;  // contacts that a thread takes at once

// v := v + A r, with A n x d.
template <std::size_t n>
void addColumns(const double* A, std::size_t d, const double* r, double* v) {
  double sums[n];
  for (std::size_t i = 0; i < n; ++i) sums[i] = v[i];
  for (std::size_t j = 0; j < d; ++j, A += n) {
    for (std::size_t i = 0; i < n; ++i) sums[i] += A[i] * r[j];
  }
  for (std::size_t i = 0; i < n; ++i) v[i] = sums[i];
}

// The inverses of symmetric blocks; none if one of them is not positive definite, as that of a body that is held.
std::vector<Matrix> inversesOf(const std::vector<Matrix>& blocks) {
  std::vector<Matrix> inverses;
  CholeskyFactorization factor;
  for (const Matrix& block : blocks) {
    if (!factor.tryFactor(block)) return {};
    Matrix inverse = boost::numeric::ublas::identity_matrix<double>(block.size1());
    for (std::size_t j = 0; j < block.size1(); ++j) factor.solve(data(inverse) + j * block.size1());
    inverses.push_back(std::move(inverse));
  }
  return inverses;
}

}  // namespace

// Keeps the velocities of the bodies, M⁻¹ H r.
class FactoredSweep final : public DelassusSweep {
 public:
  explicit FactoredSweep(const FactoredDelassus& W) : W_(W) {}
  bool isOver(const FactoredDelassus& W) const { return &W_ == &W; }

  void begin(const double* r) override {
    velocities_.assign(W_.bodyStarts_.back(), 0.);
    for (std::size_t contact = 0; contact < W_.contacts(); ++contact) add(contact, r + contact * W_.dimension_);
  }
  void velocity(std::size_t contact, double* u) const override { W_.relativeVelocity(contact, velocities_.data(), u); }
  void add(std::size_t contact, const double* change) override {
    W_.addVelocities(contact, change, velocities_.data());
  }

 private:
  const FactoredDelassus& W_;
  std::vector<double> velocities_;
};

FactoredDelassus::FactoredDelassus(std::size_t dimension) : dimension_(dimension), stamp_(newStamp()) {
  if (dimension == 2 || dimension == 3) return;
  throw Error("FactoredDelassus", "expected dimension 2 or 3, got " + std::to_string(dimension) + ".");
}

FactoredDelassus::FactoredDelassus(std::size_t dimension, const std::vector<Matrix>& inverseMasses,
                                   const SparseMatrix& H)
    : FactoredDelassus(dimension) {
  std::vector<std::size_t> sizes, bodyOfRow;
  for (std::size_t body = 0; body < inverseMasses.size(); ++body) {
    const std::size_t n = inverseMasses[body].size1();
    const std::string what = "FactoredDelassus: the inverse mass of body " + std::to_string(body);
    requireSize(inverseMasses[body], n, n, what);
    requireFinite(inverseMasses[body], what);
    requireSymmetric(inverseMasses[body], what);
    sizes.push_back(n);
    bodyOfRow.insert(bodyOfRow.end(), n, body);
  }
  clear(sizes);
  if (H.size1() != bodyStarts_.back() || H.size2() % dimension != 0) {
    throw Error("FactoredDelassus", "expected H with as many rows as the bodies have coordinates, " +
                                        std::to_string(bodyStarts_.back()) + ", and a multiple of " +
                                        std::to_string(dimension) + " columns, got " + std::to_string(H.size1()) +
                                        " x " + std::to_string(H.size2()) + ".");
  }
  std::map<std::size_t, Matrix> blocks;  // of a contact: d x n by bodies
  for (std::size_t first = 0; first < H.size2(); first += dimension_) {
    blocks.clear();
    for (std::size_t j = 0; j < dimension_; ++j) {
      for (std::size_t k = columnStart(H, first + j); k < columnStart(H, first + j + 1); ++k) {
        const std::size_t body = bodyOfRow[rowOf(H, k)];
        Matrix& block = blocks.try_emplace(body, dimension_, sizes[body]).first->second;
        block(j, rowOf(H, k) - bodyStarts_[body]) = valueOf(H, k);
      }
    }
    addContact();
    for (const auto& [body, left] : blocks) {
      Matrix right(sizes[body], dimension_);
      const Matrix transposed = boost::numeric::ublas::trans(left);
      delassus::multiply(1., inverseMasses[body], transposed, 0., right);
      addArm(body, data(left), dimension_, data(right));
    }
  }
  for (const Matrix& mass : inversesOf(inverseMasses)) addMass(data(mass));
  finish();
}

void FactoredDelassus::clear(std::span<const std::size_t> bodySizes) {
  bodyStarts_.assign(1, 0);
  for (const std::size_t size : bodySizes) bodyStarts_.push_back(bodyStarts_.back() + size);
  contactStarts_.clear();
  arms_.clear();
  armValues_.clear();
  inverseArmValues_.clear();
  masses_.clear();
  massStarts_.clear();
  termsOfBodies_.assign(bodySizes.size(), 0);
  stamp_ = newStamp();  // nothing is that of before, even if finish() is never reached
}

void FactoredDelassus::reserve(std::size_t contacts, std::size_t arms, std::size_t entries) {
  makeRoom(contactStarts_, contacts);
  makeRoom(arms_, arms);
  makeRoom(armValues_, entries);
  makeRoom(inverseArmValues_, entries);
}

void FactoredDelassus::addArm(std::size_t body, const double* left, std::size_t stride, const double* right) {
  const std::size_t n = bodySize(body);
  arms_.push_back({static_cast<std::uint32_t>(body), static_cast<std::uint32_t>(armValues_.size())});
  termsOfBodies_[body] += dimension_;
  for (std::size_t i = 0; i < n; ++i, left += stride) armValues_.insert(armValues_.end(), left, left + dimension_);
  inverseArmValues_.insert(inverseArmValues_.end(), right, right + n * dimension_);
}

void FactoredDelassus::addMass(const double* M) {
  const std::size_t n = bodySize(massStarts_.size());
  massStarts_.push_back(masses_.size());
  masses_.insert(masses_.end(), M, M + n * n);
}

void FactoredDelassus::finish() {
  constexpr std::size_t most = std::numeric_limits<std::uint32_t>::max();
  if (armValues_.size() > most || termsOfBodies_.size() > most) {
    throw Error("FactoredDelassus", "expected at most " + std::to_string(most) +
                                        " entries of H and as many bodies, got " + std::to_string(armValues_.size()) +
                                        " and " + std::to_string(termsOfBodies_.size()) + ".");
  }
  rankBound_ = 0;
  for (std::size_t body = 0; body < termsOfBodies_.size(); ++body) {
    if (termsOfBodies_[body] > 0) rankBound_ += bodySize(body);
  }
  rankBound_ = std::min(rankBound_, size());
  stamp_ = newStamp();
}

void FactoredDelassus::addVelocities(std::size_t contact, const double* reaction, double* bodyVelocities) const {
  for (std::size_t a = armsBegin(contact); a < armsEnd(contact); ++a) {
    const std::size_t n = bodySize(arms_[a].body);
    const double* values = inverseArmValues_.data() + arms_[a].firstValue;
    double* const v = bodyVelocities + bodyStarts_[arms_[a].body];
    if (n == 6) {
      addColumns<6>(values, dimension_, reaction, v);
      continue;
    }
    for (std::size_t j = 0; j < dimension_; ++j, values += n) {
      for (std::size_t i = 0; i < n; ++i) v[i] += values[i] * reaction[j];
    }
  }
}

void FactoredDelassus::relativeVelocity(std::size_t contact, const double* bodyVelocities, double* u) const {
  std::fill_n(u, dimension_, 0.);
  for (std::size_t a = armsBegin(contact); a < armsEnd(contact); ++a) {
    const std::size_t n = bodySize(arms_[a].body);
    const double* values = armValues_.data() + arms_[a].firstValue;
    const double* const v = bodyVelocities + bodyStarts_[arms_[a].body];
    if (dimension_ == 3 && n == 6) {
      detail::multiplyPanel<3>(1., values, 3, 6, v, true, u);
    } else {
      detail::multiplySmall(1., values, dimension_, n, v, true, u);
    }
  }
}

void FactoredDelassus::multiply(const double* r, double* u) const {
  // One for each thread, since several may multiply; kept, since certificates do so repeatedly.
  static thread_local std::vector<double> velocities;
  velocities.assign(bodyStarts_.back(), 0.);
  for (std::size_t c = 0; c < contacts(); ++c) addVelocities(c, r + c * dimension_, velocities.data());
  const double* const v = velocities.data();
  forRanges(contacts(), contactsATurn, [&](std::size_t first, std::size_t last) {
    for (std::size_t c = first; c < last; ++c) relativeVelocity(c, v, u + c * dimension_);
  });
}

void FactoredDelassus::addExtended(const double* r, long double* u) const {
  static thread_local std::vector<long double> velocities;
  velocities.assign(bodyStarts_.back(), 0.L);
  for (std::size_t c = 0; c < contacts(); ++c) {
    for (std::size_t a = armsBegin(c); a < armsEnd(c); ++a) {
      const std::size_t n = bodySize(arms_[a].body);
      const double* values = inverseArmValues_.data() + arms_[a].firstValue;
      long double* const v = velocities.data() + bodyStarts_[arms_[a].body];
      for (std::size_t j = 0; j < dimension_; ++j, values += n) {
        const long double reaction = r[c * dimension_ + j];
        for (std::size_t i = 0; i < n; ++i) v[i] += values[i] * reaction;
      }
    }
  }
  for (std::size_t c = 0; c < contacts(); ++c) {
    for (std::size_t a = armsBegin(c); a < armsEnd(c); ++a) {
      const std::size_t n = bodySize(arms_[a].body);
      const double* values = armValues_.data() + arms_[a].firstValue;
      const long double* const v = velocities.data() + bodyStarts_[arms_[a].body];
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < dimension_; ++j) u[c * dimension_ + j] += *values++ * v[i];
      }
    }
  }
}

// The velocities of bodies are sums that are rounded, and u is a sum of products with them.
void FactoredDelassus::addRounding(const double* r, double* bound) const {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  static thread_local std::vector<double> magnitudes;
  magnitudes.assign(bodyStarts_.back(), 0.);
  for (std::size_t c = 0; c < contacts(); ++c) {
    for (std::size_t a = armsBegin(c); a < armsEnd(c); ++a) {
      const std::size_t n = bodySize(arms_[a].body);
      const double* values = inverseArmValues_.data() + arms_[a].firstValue;
      double* const v = magnitudes.data() + bodyStarts_[arms_[a].body];
      for (std::size_t j = 0; j < dimension_; ++j, values += n) {
        for (std::size_t i = 0; i < n; ++i) v[i] += std::abs(values[i] * r[c * dimension_ + j]);
      }
    }
  }
  for (std::size_t c = 0; c < contacts(); ++c) {
    std::size_t coordinates = 0;
    for (std::size_t a = armsBegin(c); a < armsEnd(c); ++a) coordinates += bodySize(arms_[a].body);
    for (std::size_t a = armsBegin(c); a < armsEnd(c); ++a) {
      const std::size_t n = bodySize(arms_[a].body);
      const double unit = epsilon * static_cast<double>(termsOfBodies_[arms_[a].body] + coordinates + 4);
      const double* values = armValues_.data() + arms_[a].firstValue;
      const double* const v = magnitudes.data() + bodyStarts_[arms_[a].body];
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < dimension_; ++j) bound[c * dimension_ + j] += unit * std::abs(*values++) * v[i];
      }
    }
  }
}

// block := block + leftᵀ M⁻¹ right
void FactoredDelassus::addProduct(const Arm& left, const Arm& right, double* block) const {
  const std::size_t n = bodySize(left.body);
  const double* const H = armValues_.data() + left.firstValue;
  const double* inverse = inverseArmValues_.data() + right.firstValue;
  for (std::size_t j = 0; j < dimension_; ++j, inverse += n, block += dimension_) {
    if (dimension_ == 3 && n == 6) {
      detail::multiplyPanel<3>(1., H, 3, 6, inverse, true, block);
    } else {
      detail::multiplySmall(1., H, dimension_, n, inverse, true, block);
    }
  }
}

void FactoredDelassus::diagonalBlock(std::size_t contact, double* block) const {
  std::fill_n(block, dimension_ * dimension_, 0.);
  for (std::size_t a = armsBegin(contact); a < armsEnd(contact); ++a) addProduct(arms_[a], arms_[a], block);
}

bool FactoredDelassus::isTooLarge() const {
  std::size_t blocks = 0;  // at most
  for (const std::size_t terms : termsOfBodies_) blocks += (terms / dimension_) * (terms / dimension_);
  return blocks > mostBlocks;
}

const BlockSparseMatrix* FactoredDelassus::build() const {
  if (builtFrom_.isCurrent(stamp_)) return &built_;
  if (isTooLarge()) return nullptr;
  builtFrom_.renew(stamp_, [this] { assemble(built_); });
  return &built_;
}

bool FactoredDelassus::findPattern(ContactPattern& pattern) const {
  if (isTooLarge()) return false;
  fillPattern(pattern);
  return true;
}

void FactoredDelassus::fillPattern(ContactPattern& pattern) const {
  // The contacts at each body, body after body.
  static thread_local std::vector<std::uint32_t> starts, next, contactsOfBody, neighbours;
  starts.assign(termsOfBodies_.size() + 1, 0);
  contactsOfBody.resize(arms_.size());
  for (std::size_t body = 0; body < termsOfBodies_.size(); ++body) {
    starts[body + 1] = starts[body] + static_cast<std::uint32_t>(termsOfBodies_[body] / dimension_);
  }
  next.assign(starts.begin(), starts.end() - 1);
  for (std::size_t c = 0; c < contacts(); ++c) {
    for (std::size_t a = armsBegin(c); a < armsEnd(c); ++a) {
      contactsOfBody[next[arms_[a].body]++] = static_cast<std::uint32_t>(c);
    }
  }
  pattern.starts.assign(1, 0);
  pattern.columns.clear();
  for (std::size_t c = 0; c < contacts(); ++c) {
    neighbours.assign(1, static_cast<std::uint32_t>(c));
    for (std::size_t a = armsBegin(c); a < armsEnd(c); ++a) {
      const std::size_t body = arms_[a].body;
      neighbours.insert(neighbours.end(), contactsOfBody.begin() + starts[body],
                        contactsOfBody.begin() + starts[body + 1]);
    }
    std::sort(neighbours.begin(), neighbours.end());
    neighbours.erase(std::unique(neighbours.begin(), neighbours.end()), neighbours.end());
    pattern.columns.insert(pattern.columns.end(), neighbours.begin(), neighbours.end());
    pattern.starts.push_back(static_cast<std::uint32_t>(pattern.columns.size()));
  }
}

void FactoredDelassus::rowBlocks(std::size_t contact, std::span<const std::uint32_t> columns, double* blocks) const {
  for (const std::uint32_t other : columns) {
    std::fill_n(blocks, dimension_ * dimension_, 0.);
    for (std::size_t a = armsBegin(contact); a < armsEnd(contact); ++a) {
      for (std::size_t b = armsBegin(other); b < armsEnd(other); ++b) {
        if (arms_[a].body == arms_[b].body) addProduct(arms_[a], arms_[b], blocks);
      }
    }
    blocks += dimension_ * dimension_;
  }
}

void FactoredDelassus::assemble(BlockSparseMatrix& W) const {
  static thread_local ContactPattern kept;
  const ContactPattern& pattern = kept;  // other threads would see one of their own
  fillPattern(kept);
  W.clear();
  for (std::size_t c = 0; c < contacts(); ++c) {
    W.beginRow(dimension_);
    for (const std::uint32_t other : pattern.row(c)) W.addBlock(other);
  }
  W.finish();
  forRanges(contacts(), contactsATurn, [&](std::size_t first, std::size_t last) {
    for (std::size_t c = first; c < last; ++c) rowBlocks(c, pattern.row(c), W.block(W.rowBegin(c)));
  });
  W.touch();
}

std::size_t FactoredDelassus::independentGroups(std::vector<std::size_t>& group) const {
  constexpr std::size_t none = static_cast<std::size_t>(-1);
  static thread_local std::vector<std::size_t> lastOfBody;
  lastOfBody.assign(termsOfBodies_.size(), none);
  DisjointSets sets(group, contacts());
  for (std::size_t c = 0; c < contacts(); ++c) {
    for (std::size_t a = armsBegin(c); a < armsEnd(c); ++a) {
      std::size_t& last = lastOfBody[arms_[a].body];
      if (last != none) sets.join(last, c);
      last = c;
    }
  }
  return sets.number();
}

void FactoredDelassus::renew(std::unique_ptr<DelassusSweep>& sweep) const {
  const auto* const known = dynamic_cast<const FactoredSweep*>(sweep.get());
  if (known == nullptr || !known->isOver(*this)) sweep = std::make_unique<FactoredSweep>(*this);
}

void FactoredDelassus::renew(std::unique_ptr<PenalisedOperator>& kept) const {
  if (!hasPenalised()) {
    kept.reset();
    return;
  }
  auto* known = dynamic_cast<PenalisedFactors*>(kept.get());
  if (known == nullptr) {
    auto made = std::make_unique<PenalisedFactors>();
    known = made.get();
    kept = std::move(made);
  }
  known->refer(*this);
}

void FactoredDelassus::validate() const {
  const auto finite = [](double value) { return std::isfinite(value); };
  if (!std::all_of(inverseArmValues_.begin(), inverseArmValues_.end(), finite) ||
      !std::all_of(armValues_.begin(), armValues_.end(), finite)) {
    throw Error("FactoredDelassus", "expected finite numbers, but H or M⁻¹ H has an entry that is not.");
  }
}

}  // namespace delassus::numerics
