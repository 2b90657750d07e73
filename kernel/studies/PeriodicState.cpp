// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/studies/PeriodicState.hpp>

#include <lapacke.h>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/LUFactorization.hpp>
#include <limits>
#include <numbers>
#include <string>

namespace delassus {
namespace {

double residualOf(const Vector& x, const Vector& end, const Vector& scales) {
  double residual = 0.;
  for (std::size_t i = 0; i < x.size(); ++i) residual = std::max(residual, std::abs(end(i) - x(i)) / scales(i));
  return residual;
}

std::vector<std::complex<double>> eigenvaluesOf(Matrix A) {
  const std::size_t n = A.size1();
  std::vector<double> real(n), imaginary(n);
  if (n > 0) {
    const auto rows = static_cast<lapack_int>(n);
    const lapack_int info = LAPACKE_dgeev(LAPACK_COL_MAJOR, 'N', 'N', rows, data(A), rows, real.data(),
                                          imaginary.data(), nullptr, 1, nullptr, 1);
    if (info != 0) throw Error("findPeriodicState", "the eigenvalues of the monodromy matrix did not converge.");
  }
  std::vector<std::complex<double>> values;
  for (std::size_t i = 0; i < n; ++i) values.emplace_back(real[i], imaginary[i]);
  std::stable_sort(values.begin(), values.end(),
                   [](const auto& a, const auto& b) { return std::abs(a) > std::abs(b); });
  return values;
}

void requireOptions(const PeriodicStateOptions& options) {
  if (options.tolerance > 0. && options.maxIterations > 0) return;
  throw Error("findPeriodicState", "the tolerance and the number of iterations must be positive, got " +
                                       toText(options.tolerance) + " and " + std::to_string(options.maxIterations) +
                                       ".");
}

// The iteration of findPeriodicState.
class Shooting {
 public:
  Shooting(PeriodMap& map, const Vector& start) : map_(map), x_(start) { evaluate(); }

  double residual() const { return residual_; }
  const Vector& x() const { return x_; }
  std::size_t newtonSteps() const { return newtonSteps_; }

  void takePeriod() {
    x_ = end_;
    evaluate();
  }

  // False where no part of Newton's step lowers the residual.
  bool takeNewtonStep() {
    constexpr double leastPart = 1. / 16.;
    map_.differentiate(x_, byState_);
    for (std::size_t i = 0; i < x_.size(); ++i) byState_(i, i) -= 1.;
    LUFactorization factors;
    if (!factors.tryFactor(byState_)) return false;
    Vector step(x_.size());
    for (std::size_t i = 0; i < x_.size(); ++i) step(i) = x_(i) - end_(i);
    factors.solve(step);
    const Vector before = x_, endBefore = end_;
    const double residualBefore = residual_;
    for (double part = 1.; part >= leastPart; part *= 0.5) {
      for (std::size_t i = 0; i < x_.size(); ++i) x_(i) = before(i) + part * step(i);
      end_ = map_.compute(x_);
      // By the scales of before, since a step far away would have large ones of its own, and by a part of what Newton's
      // step promises.
      if (residualOf(x_, end_, scales_) <= (1. - 0.25 * part) * residualBefore) {
        accept();
        ++newtonSteps_;
        return true;
      }
    }
    x_ = before;
    end_ = endBefore;
    residual_ = residualBefore;
    return false;
  }

 private:
  void evaluate() {
    end_ = map_.compute(x_);
    accept();
  }
  void accept() {
    scales_ = map_.scales();
    residual_ = residualOf(x_, end_, scales_);
  }

  PeriodMap& map_;
  Vector x_, end_, scales_;
  Matrix byState_;
  double residual_ = 0.;
  std::size_t newtonSteps_ = 0;
};

}  // namespace

PeriodicState findPeriodicState(PeriodMap& map, const PeriodicStateOptions& options) {
  return findPeriodicState(map, map.start(), options);
}

PeriodicState findPeriodicState(PeriodMap& map, const Vector& start, const PeriodicStateOptions& options) {
  requireOptions(options);
  const std::size_t before = map.evaluations();
  Shooting shooting(map, start);
  std::size_t iterations = 0;
  while (shooting.residual() > options.tolerance && iterations < options.maxIterations) {
    const bool isFirst = iterations++ < options.firstPeriods;
    if (isFirst || !shooting.takeNewtonStep()) shooting.takePeriod();
  }
  if (!(shooting.residual() <= options.tolerance)) {
    throw Error("findPeriodicState", "no state was found that returns after a period of " + toText(map.period()) +
                                         ": after " + std::to_string(iterations) + " iterations it misses itself by " +
                                         toText(shooting.residual()) + " of its scale, more than the tolerance " +
                                         toText(options.tolerance) + ".");
  }
  PeriodicState found;
  found.x = shooting.x();
  found.residual = shooting.residual();
  found.newtonSteps = shooting.newtonSteps();
  map.differentiate(found.x, found.byState);
  found.multipliers = eigenvaluesOf(found.byState);
  map.compute(found.x);
  found.periods = map.evaluations() - before;
  return found;
}

SampledResponse::SampledResponse(PeriodMap& map, const PeriodicState& steady,
                                 const std::function<void(double)>& setParameter, double value, double step,
                                 const std::function<double()>& output) {
  if (!(step > 0.) || !std::isfinite(value)) {
    throw Error("SampledResponse", "the parameter must be finite and its step positive, got " + toText(value) +
                                       " and " + toText(step) + ".");
  }
  const double right = value + step, left = value - step;
  const auto outputWith = [&](double u, Vector& end) {
    map.setPreparation([&setParameter, u] { setParameter(u); });
    end = map.compute(steady.x);
    return output();
  };
  try {
    Vector below;
    d_ = outputWith(right, byParameter_);
    d_ = (d_ - outputWith(left, below)) / (right - left);
    for (std::size_t i = 0; i < below.size(); ++i) byParameter_(i) = (byParameter_(i) - below(i)) / (right - left);
    map.setPreparation([&setParameter, value] { setParameter(value); });
    c_ = map.differentiate(steady.x, byState_, output);
    map.compute(steady.x);
  } catch (...) {
    map.setPreparation({});
    setParameter(value);
    throw;
  }
  map.setPreparation({});
  period_ = map.period();
}

// (z 1 − Φ) (a + b i) = Γ as one real system, with z = c + s i: [c 1 − Φ, −s 1; s 1, c 1 − Φ] (a, b) = (Γ, 0).
std::complex<double> SampledResponse::operator()(double frequency) const {
  const std::size_t n = byParameter_.size();
  const double angle = 2. * std::numbers::pi * frequency * period_;
  const std::complex<double> z = std::polar(1., angle);
  Matrix A(2 * n, 2 * n, 0.);
  Vector x(2 * n);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < n; ++i) A(i, j) = A(n + i, n + j) = (i == j ? z.real() : 0.) - byState_(i, j);
    A(j, n + j) = -z.imag();
    A(n + j, j) = z.imag();
    x(j) = byParameter_(j);
  }
  LUFactorization factors;
  factors.factor(A, "SampledResponse: z 1 - Phi");
  factors.solve(x);
  std::complex<double> response = d_;
  for (std::size_t j = 0; j < n; ++j) response += c_(j) * std::complex<double>(x(j), x(n + j));
  return response / z;
}

}  // namespace delassus
