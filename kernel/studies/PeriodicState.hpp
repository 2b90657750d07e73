// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <cstddef>
#include <delassus/kernel/studies/PeriodMap.hpp>
#include <vector>

namespace delassus {

/// Options of findPeriodicState.
struct PeriodicStateOptions {
  double tolerance = 1e-9;         ///< of |P(x) − x|, relative to PeriodMap::scales, entry by entry; > 0
  std::size_t maxIterations = 50;  ///< Newton steps and plain periods together; > 0
  std::size_t firstPeriods = 2;    ///< plain periods before the first Newton step, which leave a rough start behind
};

/// A state that returns after one period, P(x) = x.
struct PeriodicState {
  Vector x;                                       ///< at t₀, as PeriodMap stacks it
  Matrix byState;                                 ///< Φ = ∂P/∂x there, the monodromy matrix
  std::vector<std::complex<double>> multipliers;  ///< eigenvalues of Φ (Floquet), the largest magnitude first
  double residual = 0.;                           ///< max |P(x) − x| / scale
  std::size_t newtonSteps = 0;                    ///< accepted
  std::size_t periods = 0;                        ///< simulated in all

  /// Whether small deviations decay: all multipliers are inside the unit circle.
  bool isStable() const { return multipliers.empty() || std::abs(multipliers.front()) < 1.; }
};

/// The periodic state by shooting: Newton's method on P(x) − x = 0,
///
///     (Φ − 1) d = −(P(x) − x),    x := x + s d,  s = 1, ½, ¼, …  until the residual falls by s/4 of it,
///
/// and where no s ≥ 1/16 lowers it, a plain period, x := P(x). Where the sequence of switchings stays the same the
/// convergence is quadratic; an unstable periodic state is found, too. It begins at map.start(), or at `start`, and
/// leaves the simulation at the end of a period that began with x. Throws Error if the residual is not below the
/// tolerance in the end, saying what it is, or an option makes no sense.
///
/// (Aprille and Trick, Proceedings of the IEEE 60, 1972, for circuits; Leine and Nijmeijer, Dynamics and Bifurcations
/// of Non-Smooth Mechanical Systems, 2004, for shooting across impacts and switchings.)
///@{
PeriodicState findPeriodicState(PeriodMap& map, const PeriodicStateOptions& options = {});
PeriodicState findPeriodicState(PeriodMap& map, const Vector& start, const PeriodicStateOptions& options = {});
///@}

/// The answer of a periodic motion to small changes of a parameter u that is constant within each period (a duty cycle,
/// a reference): with δx of the state at the beginning of a period, and δy of an output at its end (or a mean over it),
///
///     δx⁺ = Φ δx + Γ δu,    δy⁺ = C δx + D δu,    H = (C (z 1 − Φ)⁻¹ Γ + D) / z,    z = exp(2πi f T).
///
/// u goes in at the beginning of a period and y comes out at instants t₀ + k T, so that H is the transfer function of a
/// sampled system, with its delay. (Middlebrook and Ćuk average it; for f far below 1/T both agree.)
class SampledResponse {
 public:
  /// `setParameter` sets u, which is `value` at the periodic state, and `output` reads y at the end of a period. All
  /// derivatives are central differences; `step` is that of u. Throws Error unless that is positive and the value
  /// finite, and as PeriodMap::compute. The parameter is `value` again in the end, also after an Error.
  SampledResponse(PeriodMap& map, const PeriodicState& steady, const std::function<void(double)>& setParameter,
                  double value, double step, const std::function<double()>& output);

  /// H at a frequency, 1/s; it repeats with 1/T. Throws Error where z is an eigenvalue of Φ.
  std::complex<double> operator()(double frequency) const;

  const Matrix& byState() const { return byState_; }          ///< Φ = ∂P/∂x
  const Vector& byParameter() const { return byParameter_; }  ///< Γ = ∂P/∂u
  const Vector& outputByState() const { return c_; }          ///< C = ∂y⁺/∂x
  double outputByParameter() const { return d_; }             ///< D = ∂y⁺/∂u

 private:
  double period_ = 0.;
  Matrix byState_;
  Vector byParameter_, c_;
  double d_ = 0.;
};

}  // namespace delassus
