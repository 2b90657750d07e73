// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/algebra/Matrix.hpp>
#include <delassus/numerics/algebra/Vector.hpp>
#include <delassus/numerics/functions/Differentiation.hpp>
#include <functional>
#include <utility>

namespace delassus {

/// The control term T(x) u(t, x, ẋ) of a first-order system ([Siconos 2017], equation 2.1).
class ControlTerm {
 public:
  /// u(t, x) with ∂/∂x.
  using OfState = SmoothFunction<Arguments<double, Vector>, WithRespectTo<1>>;
  /// u(t, x, ẋ) with ∂/∂x and ∂/∂ẋ.
  using OfRate = SmoothFunction<Arguments<double, Vector, Vector>, WithRespectTo<1, 2>>;
  /// Fills T(x), n x (size of u), which is zero on entry.
  using Gain = std::function<void(const Vector& x, Matrix& T)>;

  /// None.
  ControlTerm() = default;

  /// `controls` is the size of u; `gain` fills T(x), n x controls.
  template <class D>
  ControlTerm(std::size_t controls, Gain gain, bool constantGain, D u)
      : controls_(controls), gain_(std::move(gain)), constantGain_(constantGain), u_(controls) {
    if constexpr (FitsFunction<D, double, Vector>) {
      ofState_ = OfState(std::move(u));
    } else if constexpr (FitsFunction<D, double, Vector, Vector>) {
      ofRate_ = OfRate(std::move(u));
    } else {
      static_assert(detail::never<D>,
                    "expected a control (double t, const Vector& x, Vector& u) or (double t, const Vector& x, const "
                    "Vector& xDot, Vector& u), in one of the three words that say how its Jacobians come: "
                    "automatic(u), differenced(u) or withJacobians(u, byX), withJacobians(u, byX, byXDot)");
    }
  }

  /// False for a default-constructed object, whose term is zero.
  bool isGiven() const { return controls_ > 0; }
  /// True if u also depends on ẋ.
  bool dependsOnRate() const { return static_cast<bool>(ofRate_); }

  /// f += T(x) u(t, x, ẋ). Throws Error if T or u has the wrong size.
  void add(double t, const Vector& x, const Vector& xDot, Vector& f);
  /// byX += ∂(T u)/∂x and byRate += T ∂u/∂ẋ; the derivative of T itself is differenced.
  void addJacobians(double t, const Vector& x, const Vector& xDot, Matrix& byX, Matrix& byRate);

 private:
  void evaluate(double t, const Vector& x, const Vector& xDot);

  std::size_t controls_ = 0;
  Gain gain_;
  bool constantGain_ = true;
  OfState ofState_;
  OfRate ofRate_;
  Vector u_;
  Matrix T_, uByX_, uByRate_, product_;
  CentralDifferences<Vector> differences_;
};

}  // namespace delassus
