// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/friction/FrictionInfeasibility.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/algebra/LeastSquares.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/algebra/Rounding.hpp>
#include <delassus/numerics/friction/FrictionCone.hpp>
#include <limits>
#include <vector>

namespace delassus::numerics {
namespace {

// Diverging iterates give only a few digits of a direction; it is made exact if that costs little.
constexpr double nearly = 1e-6;
constexpr std::size_t largestCorrected = 500;

struct Sums {
  std::vector<double> values, sizes;

  explicit Sums(std::size_t count) : values(count, 0.), sizes(count, 0.) {}
  void add(std::size_t i, double term) {
    values[i] += term;
    sizes[i] += std::abs(term);
  }
};

// Wᵀ(λ, 0)
Sums combined(const BlockSparseMatrix& W, std::size_t d, const Vector& lambda) {
  Sums g(W.size());
  for (std::size_t row = 0; row < W.blockRows(); ++row) {
    if (!(lambda(row) > 0.)) continue;
    for (std::size_t k = W.rowBegin(row); k < W.rowEnd(row); ++k) {
      for (std::size_t j = 0; j < d; ++j) g.add(d * W.column(k) + j, lambda(row) * W.block(k)[d * j]);
    }
  }
  return g;
}

// H (λ, 0)
Sums combined(const SparseMatrix& H, std::size_t d, const Vector& lambda) {
  Sums g(H.size1());
  for (std::size_t contact = 0; contact < lambda.size(); ++contact) {
    if (!(lambda(contact) > 0.)) continue;
    for (std::size_t k = columnStart(H, d * contact); k < columnStart(H, d * contact + 1); ++k) {
      g.add(rowOf(H, k), lambda(contact) * valueOf(H, k));
    }
  }
  return g;
}

// λᵀ q_N < 0, clearly so where it is to be a proof.
bool closes(const Vector& q, std::size_t d, const Vector& lambda, double rounding) {
  double product = 0., size = 0.;
  for (std::size_t contact = 0; contact < lambda.size(); ++contact) {
    const double weight = std::max(0., lambda(contact));
    product += weight * q(d * contact);
    size += weight * std::abs(q(d * contact));
  }
  const double clear = rounding < nearly ? clearPart(rounding) : rounding;
  return std::isfinite(size) && product < -clear * size;
}

bool holds(const FrictionContactProblem& problem, const BlockSparseMatrix& W, const Vector& lambda, double rounding) {
  const std::size_t d = problem.dimension();
  if (!closes(problem.q(), d, lambda, rounding)) return false;
  const Sums g = combined(W, d, lambda);
  for (std::size_t contact = 0; contact < problem.contacts(); ++contact) {
    const double* const at = g.values.data() + d * contact;
    const double* const sizes = g.sizes.data() + d * contact;
    const double mu = problem.mu()(contact);
    if (!(at[0] + mu * tangentNorm(d, at) <= rounding * (sizes[0] + mu * tangentNorm(d, sizes)))) return false;
  }
  return true;
}

bool holds(const GlobalFrictionContactProblem& problem, const Vector& lambda, double rounding) {
  if (!closes(problem.b(), problem.dimension(), lambda, rounding)) return false;
  const Sums g = combined(problem.H(), problem.dimension(), lambda);
  for (std::size_t i = 0; i < g.values.size(); ++i) {
    if (!(std::abs(g.values[i]) <= rounding * g.sizes[i])) return false;
  }
  return true;
}

// Moves λ by least squares to where the combination is 0, on its support.
template <class Combine>
Vector sharpened(const Vector& lambda, Combine&& combine) {
  std::vector<std::size_t> support;
  const double largest = normInf(lambda);
  for (std::size_t i = 0; i < lambda.size(); ++i) {
    if (lambda(i) > nearly * largest) support.push_back(i);
  }
  Vector moved(lambda.size());
  for (const std::size_t i : support) moved(i) = lambda(i) / largest;
  const std::vector<double> missed = combine(moved).values;
  Matrix A(missed.size(), support.size());
  Vector rhs(missed.size());
  for (std::size_t i = 0; i < missed.size(); ++i) rhs(i) = -missed[i];
  Vector unit(lambda.size());
  for (std::size_t j = 0; j < support.size(); ++j) {
    unit(support[j]) = 1.;
    const std::vector<double> column = combine(unit).values;
    for (std::size_t i = 0; i < column.size(); ++i) A(i, j) = column[i];
    unit(support[j]) = 0.;
  }
  const Vector correction = leastSquares(A, rhs, "the normal directions in balance").x;
  for (std::size_t j = 0; j < support.size(); ++j) moved(support[j]) += correction(j);
  return moved;
}

// `holds` to rounding for λ, or for λ as corrected by `correct`.
template <class Holds, class Correct>
bool provenBy(const Vector& lambda, std::size_t reactions, Holds&& holdsTo, Correct&& correct) {
  const double rounding = 100. * static_cast<double>(reactions) * std::numeric_limits<double>::epsilon();
  if (!allFinite(lambda)) return false;
  if (holdsTo(lambda, rounding)) return true;
  return lambda.size() <= largestCorrected && holdsTo(lambda, nearly) && holdsTo(correct(), rounding);
}

}  // namespace

bool provesInfeasible(const FrictionContactProblem& problem, const Vector& lambda) {
  requireSize(lambda, problem.contacts(), "provesInfeasible: λ");
  const BlockSparseMatrix* const W = problem.W().matrix();
  if (W == nullptr) return false;
  const auto combine = [&](const Vector& weights) { return combined(*W, problem.dimension(), weights); };
  return provenBy(
      lambda, problem.size(),
      [&](const Vector& weights, double rounding) { return holds(problem, *W, weights, rounding); },
      [&] { return sharpened(lambda, combine); });
}

bool provesInfeasible(const GlobalFrictionContactProblem& problem, const Vector& lambda) {
  requireSize(lambda, problem.contacts(), "provesInfeasible: λ");
  const auto combine = [&](const Vector& weights) { return combined(problem.H(), problem.dimension(), weights); };
  return provenBy(
      lambda, problem.contactSize(),
      [&](const Vector& weights, double rounding) { return holds(problem, weights, rounding); },
      [&] { return sharpened(lambda, combine); });
}

}  // namespace delassus::numerics
