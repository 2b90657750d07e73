// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/functions/Differentiation.hpp>
#include <type_traits>
#include <utility>

namespace delassus {

/// A user's function h(q) with ∂h/∂q, or h(t, q) with ∂h/∂q and ∂h/∂t, in this order; which of the two was given is
/// known from the number of its arguments.
class HolonomicFunction {
 public:
  /// h(q).
  using OfPlace = SmoothFunction<Arguments<Vector>, WithRespectTo<0>>;
  /// h(t, q).
  using OfTime = SmoothFunction<Arguments<double, Vector>, WithRespectTo<1, 0>>;

  /// Empty.
  HolonomicFunction() = default;
  /// Of one of the two forms.
  ///@{
  HolonomicFunction(OfPlace h) : ofPlace_(std::move(h)) {}  // NOLINT: implicit by intention
  HolonomicFunction(OfTime h) : ofTime_(std::move(h)) {}    // NOLINT: implicit by intention
  ///@}
  /// From withJacobians(…), differenced(…) or automatic(…) of a function of either form.
  template <class D>
  HolonomicFunction(D differentiated) {  // NOLINT: implicit by intention
    if constexpr (FitsFunction<D, Vector>) {
      ofPlace_ = OfPlace(std::move(differentiated));
    } else if constexpr (FitsFunction<D, double, Vector>) {
      ofTime_ = OfTime(std::move(differentiated));
    } else {
      static_assert(detail::never<D>,
                    "expected a function (const Vector& q, Vector& result) or (double t, const Vector& q, Vector& "
                    "result), in one of the three words that say how its Jacobians come: automatic(h), differenced(h) "
                    "or withJacobians(h, byQ), withJacobians(h, byQ, byT)");
    }
  }

  /// False if it is empty; then it must not be called.
  explicit operator bool() const { return ofPlace_ || ofTime_; }
  /// True of h(t, q).
  bool dependsOnTime() const { return static_cast<bool>(ofTime_); }

  /// h(t, q) into `out`, which the caller has set to zero and given its size.
  void value(double t, const Vector& q, Vector& out) const {
    if (ofPlace_) {
      ofPlace_.value(q, out);
    } else {
      ofTime_.value(t, q, out);
    }
  }
  /// ∂h/∂q, likewise.
  void jacobian(double t, const Vector& q, Matrix& byQ) const {
    if (ofPlace_) {
      ofPlace_.jacobian<0>(q, byQ);
    } else {
      ofTime_.jacobian<0>(t, q, byQ);
    }
  }
  /// ∂h/∂t of a function that depends on time, likewise.
  void rate(double t, const Vector& q, Vector& byT) const { ofTime_.jacobian<1>(t, q, byT); }

 private:
  OfPlace ofPlace_;
  OfTime ofTime_;
};

}  // namespace delassus
