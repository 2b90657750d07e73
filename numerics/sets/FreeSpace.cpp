// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <delassus/numerics/RandomGenerator.hpp>
#include <delassus/numerics/sets/FreeSpace.hpp>
#include <limits>

namespace delassus::numerics {
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

}  // namespace delassus::numerics
