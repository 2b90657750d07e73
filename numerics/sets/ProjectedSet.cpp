// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <delassus/numerics/RandomGenerator.hpp>
#include <delassus/numerics/algebra/LUFactorization.hpp>
#include <delassus/numerics/sets/ProjectedSet.hpp>
#include <limits>

namespace delassus::numerics {
namespace {

constexpr double machineEpsilon = std::numeric_limits<double>::epsilon();

// Workspace of one thread, for parts of any size.
struct Workspace {
  std::vector<double> x, e, value, A, B, q, w, tried;
  Matrix J;
  Vector step;
  LUFactorization lu;

  static Workspace& ofSize(std::size_t rows) {
    static thread_local Workspace workspace;
    for (auto* const v : {&workspace.x, &workspace.e, &workspace.value, &workspace.q, &workspace.w, &workspace.tried}) {
      v->resize(rows);
    }
    for (auto* const v : {&workspace.A, &workspace.B}) v->resize(rows * rows);
    return workspace;
  }
};

double norm(const std::vector<double>& v) {
  double squares = 0.;
  for (const double x : v) squares += x * x;
  return std::sqrt(squares);
}

// w = W λ + q, without W where `block` is null.
void velocity(std::size_t rows, const double* block, const double* q, const double* lambda, double* w) {
  std::copy_n(q, rows, w);
  for (std::size_t j = 0; j < rows && block != nullptr; ++j) {
    for (std::size_t i = 0; i < rows; ++i) w[i] += block[i + rows * j] * lambda[j];
  }
}

}  // namespace

void ProjectedSet::scales(const double* block, std::size_t rows, double* d, double* c) const {
  double trace = 0.;
  for (std::size_t i = 0; i < rows && block != nullptr; ++i) trace += block[i * (rows + 1)];
  std::fill_n(d, rows, trace > 0. ? trace / static_cast<double>(rows) : 1.);
  std::fill_n(c, rows, 1.);
}

template <class Real>
void ProjectedSet::add(const ResidualRows<Real>& rows, ResidualSums<Real>& sums) const {
  const double d = rows.mean(0, rows.count);
  static thread_local std::vector<Real> x, e;
  x.resize(rows.count);
  e.resize(rows.count);
  const double unit = rows.weight(d);
  Real reaction = 0., velocity = 0.;
  for (std::size_t i = 0; i < rows.count; ++i) {
    const Real scaled = d * rows.lambda[i];
    x[i] = scaled - rows.w[i];
    reaction += scaled * scaled;
    velocity += rows.w[i] * rows.w[i];
    sums.data += rows.q[i] * rows.q[i] * unit;
    sums.sum += static_cast<double>(std::abs(rows.lambda[i]));
    sums.finite += Real(0.) * rows.w[i] + Real(0.) * rows.lambda[i];
  }
  certifiedExcess(rows.count, d, x.data(), e.data());
  for (std::size_t i = 0; i < rows.count; ++i) {
    const Real value = rows.w[i] + e[i];
    sums.map += value * value * unit;
  }
  // The excess moves by no more than x does.
  const double weight = 4. * unit;
  sums.weigh(weight);
  sums.contacts += weight * static_cast<double>(reaction + velocity);
}

void ProjectedSet::addResidual(const ResidualRows<double>& rows, ResidualSums<double>& sums) const {
  add(rows, sums);
}

void ProjectedSet::addResidual(const ResidualRows<long double>& rows, ResidualSums<long double>& sums) const {
  add(rows, sums);
}

double ProjectedSet::roundingSquared(const ResidualRows<double>& rows, const double* bounds) const {
  const double unit = static_cast<double>(rows.count + 16) * machineEpsilon;
  const double d = rows.mean(0, rows.count);
  double change = 0.;
  for (std::size_t i = 0; i < rows.count; ++i) {
    change += bounds[i] + unit * (d * std::abs(rows.lambda[i]) + std::abs(rows.w[i]));
  }
  return 4. * change * change * rows.weight(d);
}

void ProjectedSet::naturalMap(const Rows& rows, const double* w, const double* lambda, double* value, double* A,
                              double* B) const {
  const std::size_t m = rows.count;
  const double d = rows.d[0];
  Workspace& work = Workspace::ofSize(m);
  for (std::size_t i = 0; i < m; ++i) work.x[i] = d * lambda[i] - w[i];
  excess(m, d, work.x.data(), work.e.data(), A);
  for (std::size_t i = 0; i < m; ++i) value[i] = w[i] + work.e[i];
  for (std::size_t j = 0; j < m; ++j) {
    for (std::size_t i = 0; i < m; ++i) B[i + m * j] = d * ((i == j ? 1. : 0.) - A[i + m * j]);
  }
}

void ProjectedSet::project(const Rows& rows, double* x) const {
  Workspace& work = Workspace::ofSize(rows.count);
  excess(rows.count, 1., x, work.e.data(), nullptr);
  for (std::size_t i = 0; i < rows.count; ++i) x[i] -= work.e[i];
}

// True where the natural map is zero to rounding.
bool ProjectedSet::newtonSteps(const Rows& rows, const double* block, const double* q, double* lambda) const {
  constexpr std::size_t steps = 30;
  const std::size_t m = rows.count;
  Workspace& work = Workspace::ofSize(m);
  const auto evaluate = [&](const double* at) {
    velocity(m, block, q, at, work.w.data());
    naturalMap(rows, work.w.data(), at, work.value.data(), work.A.data(), work.B.data());
    return norm(work.value);
  };
  double residual = evaluate(lambda);
  for (std::size_t step = 0; step < steps; ++step) {
    double size = norm(work.w);
    for (std::size_t i = 0; i < m; ++i) size = std::max(size, rows.d[0] * std::abs(lambda[i]));
    if (residual <= 8. * machineEpsilon * size) return true;
    work.J.resize(m, m, false);
    work.step.resize(m, false);
    for (std::size_t j = 0; j < m; ++j) {
      for (std::size_t i = 0; i < m; ++i) {
        double sum = work.B[i + m * j];
        for (std::size_t k = 0; k < m && block != nullptr; ++k) sum += work.A[i + m * k] * block[k + m * j];
        work.J(i, j) = sum;
      }
    }
    if (!work.lu.tryFactor(work.J)) return false;
    std::copy(work.value.begin(), work.value.end(), work.step.begin());
    work.lu.solve(work.step);
    for (std::size_t i = 0; i < m; ++i) work.tried[i] = lambda[i] - work.step(i);
    const double reached = evaluate(work.tried.data());
    if (!(reached < residual)) return false;
    residual = reached;
    std::copy(work.tried.begin(), work.tried.end(), lambda);
  }
  return false;
}

void ProjectedSet::gradientSteps(const Rows& rows, const double* block, const double* q, double* lambda) const {
  constexpr std::size_t steps = 100;
  const std::size_t m = rows.count;
  Workspace& work = Workspace::ofSize(m);
  double row = 0.;  // bounds the largest eigenvalue
  for (std::size_t i = 0; i < m && block != nullptr; ++i) {
    double sum = 0.;
    for (std::size_t j = 0; j < m; ++j) sum += std::abs(block[i + m * j]);
    row = std::max(row, sum);
  }
  const double d = row > 0. ? row : 1.;
  for (std::size_t step = 0; step < steps; ++step) {
    velocity(m, block, q, lambda, work.w.data());
    for (std::size_t i = 0; i < m; ++i) work.x[i] = d * lambda[i] - work.w[i];
    excess(m, d, work.x.data(), work.e.data(), nullptr);
    double change = 0., size = 0.;
    for (std::size_t i = 0; i < m; ++i) {
      const double next = (work.x[i] - work.e[i]) / d;
      change = std::max(change, std::abs(next - lambda[i]));
      size = std::max(size, std::abs(next));
      lambda[i] = next;
    }
    if (change <= 4. * machineEpsilon * size) return;
  }
}

void ProjectedSet::solveLocal(const Rows& rows, const double* block, const RankRevealingLU&, double* w,
                              double* lambda) const {
  const std::size_t m = rows.count;
  for (std::size_t j = 0; j < m && block != nullptr; ++j) {
    for (std::size_t i = 0; i < m; ++i) w[i] -= block[i + m * j] * lambda[j];
  }
  if (!newtonSteps(rows, block, w, lambda)) gradientSteps(rows, block, w, lambda);
}

void ProjectedSet::draw(const Rows& rows, double energy, RandomGenerator& generator, double* lambda) const {
  std::uniform_real_distribution<double> share(-1., 1.);
  const std::size_t m = rows.count;
  for (std::size_t i = 0; i < m; ++i) lambda[i] = impulseFor(energy, rows.d[0]) * share(generator);
  project(rows, lambda);
}

}  // namespace delassus::numerics
