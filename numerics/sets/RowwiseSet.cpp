// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/sets/RowwiseSet.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/RandomGenerator.hpp>
#include <limits>
#include <string>

namespace delassus::numerics {

void RowwiseSet::scales(const double* block, std::size_t rows, double* d, double* c) const {
  for (std::size_t i = 0; i < rows; ++i) {
    const double diagonal = block != nullptr ? block[i * (rows + 1)] : 1.;
    d[i] = diagonal > 0. ? diagonal : 1.;
    c[i] = 1.;
  }
}

// F moves by no more than w does.
double RowwiseSet::roundingSquared(const ResidualRows<double>& rows, const double* bounds) const {
  double squares = 0.;
  for (std::size_t i = 0; i < rows.count; ++i) squares += bounds[i] * bounds[i] * rows.weight(rows.diagonal(i));
  return squares;
}

namespace {

template <class Real>
void add(const ResidualRows<Real>& rows, ResidualSums<Real>& sums) {
  for (std::size_t i = 0; i < rows.count; ++i) {
    const double weight = rows.weight(rows.diagonal(i));
    sums.map += weight * rows.w[i] * rows.w[i];
    sums.data += weight * rows.q[i] * rows.q[i];
    sums.finite += Real(0.) * rows.lambda[i];
    sums.sum += static_cast<double>(std::abs(rows.lambda[i]));
    sums.weigh(weight);
  }
}

}  // namespace

void FreeSpace::validate(std::size_t, std::size_t, const double*, const double*) const {
}

void FreeSpace::addResidual(const ResidualRows<double>& rows, ResidualSums<double>& sums) const {
  add(rows, sums);
}

void FreeSpace::addResidual(const ResidualRows<long double>& rows, ResidualSums<long double>& sums) const {
  add(rows, sums);
}

bool FreeSpace::implies(const double* y, std::size_t rows, const double*, const double*) const {
  bool isFinite = true;
  for (std::size_t i = 0; i < rows; ++i) isFinite = isFinite && std::isfinite(y[i]);
  return isFinite;
}

bool FreeSpace::addLargest(const ProofSum* g, std::size_t rows, const double*, const double*, double rounding,
                           ProofSum&) const {
  bool isZero = true;
  for (std::size_t i = 0; i < rows; ++i) isZero = isZero && g[i].isZero(rounding);
  return isZero;
}

void FreeSpace::naturalMap(const Rows& rows, const double* w, const double*, double* value, double* A,
                           double* B) const {
  for (std::size_t i = 0; i < rows.count; ++i) {
    value[i] = w[i];
    A[i * (rows.count + 1)] = 1.;
    B[i * (rows.count + 1)] = 0.;
  }
}

bool FreeSpace::intervals(std::size_t rows, const double*, const double*, double* least, double* most) const {
  std::fill_n(least, rows, -std::numeric_limits<double>::infinity());
  std::fill_n(most, rows, std::numeric_limits<double>::infinity());
  return true;
}

void FreeSpace::prepareLocal(const double* block, std::size_t rows, RankRevealingLU& factor) const {
  if (block != nullptr) factor.factor(block, rows);
}

void FreeSpace::solveLocal(const Rows& rows, const double* block, const RankRevealingLU& factor, double* w,
                           double* lambda) const {
  if (block == nullptr) return;
  factor.solve(w);
  for (std::size_t i = 0; i < rows.count; ++i) lambda[i] -= w[i];
}

void FreeSpace::draw(const Rows& rows, double energy, RandomGenerator& generator, double* lambda) const {
  std::uniform_real_distribution<double> share(-1., 1.);
  for (std::size_t i = 0; i < rows.count; ++i) lambda[i] = impulseFor(energy, rows.d[i]) * share(generator);
}

namespace {

// d λ − P(d λ − w) is the middle one of d (λ − u), w and d (λ − l), which needs no difference in which the digits of w
// would be lost where λ is huge.
template <class Real>
Real mapOf(const GivenEnds& end, std::size_t i, double d, Real lambda, Real w) {
  return std::max<Real>(d * (lambda - end.upper(i)), std::min<Real>(w, d * (lambda - end.lower(i))));
}

template <class Real>
Real mapOf(const HalfLineEnds&, std::size_t, double d, Real lambda, Real w) {
  return std::min<Real>(w, d * lambda);
}

// `countEnergy` is known to the compiler, and the sums are its own: nothing but the rows is read and written in them.
template <bool countEnergy, class Real, class Ends>
ResidualSums<Real> sumsOf(const ResidualRows<Real>& rows) {
  const Ends end{rows.lower, rows.upper};
  ResidualSums<Real> sums;
  if (!countEnergy) sums.weigh(1.);
  for (std::size_t i = 0; i < rows.count; ++i) {
    const double d = rows.diagonal(i);
    const Real map = mapOf(end, i, d, rows.lambda[i], rows.w[i]);
    const double weight = countEnergy ? 1. / d : 1.;
    sums.map += countEnergy ? map * map * weight : map * map;
    sums.data += countEnergy ? rows.q[i] * rows.q[i] * weight : rows.q[i] * rows.q[i];
    sums.finite += Real(0.) * rows.w[i] + Real(0.) * rows.lambda[i];
    sums.sum += static_cast<double>(std::abs(rows.lambda[i]));
    if (countEnergy) sums.weigh(weight);
  }
  return sums;
}

}  // namespace

template <class Ends>
template <class Real>
void IntervalSet<Ends>::add(const ResidualRows<Real>& rows, ResidualSums<Real>& sums) const {
  const ResidualSums<Real> own = rows.countEnergy ? sumsOf<true, Real, Ends>(rows) : sumsOf<false, Real, Ends>(rows);
  sums.map += own.map;
  sums.data += own.data;
  sums.finite += own.finite;
  sums.sum += own.sum;
  sums.weigh(own.weightSquared);
}

template <class Ends>
void IntervalSet<Ends>::addResidual(const ResidualRows<double>& rows, ResidualSums<double>& sums) const {
  add(rows, sums);
}

template <class Ends>
void IntervalSet<Ends>::addResidual(const ResidualRows<long double>& rows, ResidualSums<long double>& sums) const {
  add(rows, sums);
}

template <class Ends>
bool IntervalSet<Ends>::implies(const double* y, std::size_t rows, const double* lower, const double* upper) const {
  const Ends end{lower, upper};
  for (std::size_t i = 0; i < rows; ++i) {
    const bool isImplied = std::isfinite(y[i]) && (y[i] <= 0. || !std::isfinite(end.upper(i))) &&
                           (y[i] >= 0. || !std::isfinite(end.lower(i)));
    if (!isImplied) return false;
  }
  return true;
}

template <class Ends>
bool IntervalSet<Ends>::addLargest(const ProofSum* g, std::size_t rows, const double* lower, const double* upper,
                                   double rounding, ProofSum& sum) const {
  const Ends end{lower, upper};
  for (std::size_t i = 0; i < rows; ++i) {
    const double bound = g[i].value > 0.L ? end.upper(i) : end.lower(i);
    if (!std::isfinite(bound)) {
      if (!g[i].isZero(rounding)) return false;
      continue;
    }
    sum.value += g[i].value * bound;
    sum.size += g[i].size * std::abs(bound);
  }
  return true;
}

template <class Ends>
void IntervalSet<Ends>::naturalMap(const Rows& rows, const double* w, const double* lambda, double* value, double* A,
                                   double* B) const {
  const Ends end{rows.lower, rows.upper};
  for (std::size_t i = 0; i < rows.count; ++i) {
    const double d = rows.d[i];
    const double x = d * lambda[i] - w[i];
    const double lower = d * end.lower(i), upper = d * end.upper(i);
    const bool inside = lower < x && x < upper;
    value[i] = inside ? w[i] : d * lambda[i] - std::clamp(x, lower, upper);
    A[i * (rows.count + 1)] = inside ? 1. : 0.;
    B[i * (rows.count + 1)] = inside ? 0. : d;
  }
}

template <class Ends>
void IntervalSet<Ends>::project(const Rows& rows, double* x) const {
  const Ends end{rows.lower, rows.upper};
  for (std::size_t i = 0; i < rows.count; ++i) x[i] = std::clamp(x[i], end.lower(i), end.upper(i));
}

template <class Ends>
bool IntervalSet<Ends>::intervals(std::size_t rows, const double* lower, const double* upper, double* least,
                                  double* most) const {
  const Ends end{lower, upper};
  for (std::size_t i = 0; i < rows; ++i) {
    least[i] = end.lower(i);
    most[i] = end.upper(i);
  }
  return true;
}

template <class Ends>
void IntervalSet<Ends>::solveLocal(const Rows& rows, const double* block, const RankRevealingLU&, double* w,
                                   double* lambda) const {
  const Ends end{rows.lower, rows.upper};
  const std::size_t m = rows.count;
  for (std::size_t i = 0; i < m; ++i) {
    const double lower = end.lower(i), upper = end.upper(i);
    const double diagonal = block != nullptr ? block[i * (m + 1)] : 0.;
    double next = std::clamp(lambda[i], lower, upper);
    if (diagonal > 0.) {
      next = std::clamp(lambda[i] - w[i] / diagonal, lower, upper);
    } else if (w[i] != 0.) {
      const double bound = w[i] > 0. ? lower : upper;
      if (std::isfinite(bound)) next = bound;
    }
    const double change = next - lambda[i];
    lambda[i] = next;
    if (change == 0. || block == nullptr) continue;
    for (std::size_t k = i + 1; k < m; ++k) w[k] += block[k + m * i] * change;
  }
}

template <class Ends>
void IntervalSet<Ends>::draw(const Rows& rows, double energy, RandomGenerator& generator, double* lambda) const {
  const Ends end{rows.lower, rows.upper};
  std::uniform_real_distribution<double> share(-1., 1.);
  for (std::size_t i = 0; i < rows.count; ++i) {
    lambda[i] = std::clamp(impulseFor(energy, rows.d[i]) * share(generator), end.lower(i), end.upper(i));
  }
}

template class IntervalSet<GivenEnds>;
template class IntervalSet<HalfLineEnds>;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

void Box::validate(std::size_t part, std::size_t rows, const double* lower, const double* upper) const {
  for (std::size_t i = 0; i < rows; ++i) {
    if (lower[i] <= upper[i] && lower[i] < infinity && upper[i] > -infinity) continue;
    failPart(part, "expected lower <= upper with a number between, got [" + toText(lower[i]) + ", " + toText(upper[i]) +
                       "] in row " + std::to_string(i) + " of the part.");
  }
}

}  // namespace delassus::numerics
