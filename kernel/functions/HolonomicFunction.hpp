// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/functions/Differentiation.hpp>
#include <memory>
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
  HolonomicFunction(OfPlace h) { forms().ofPlace = std::move(h); }  // NOLINT: implicit by intention
  HolonomicFunction(OfTime h) { forms().ofTime = std::move(h); }    // NOLINT: implicit by intention
  ///@}
  /// From withJacobians(…), differenced(…) or automatic(…) of a function of either form.
  template <class D>
  HolonomicFunction(D differentiated) {  // NOLINT: implicit by intention
    if constexpr (FitsFunction<D, Vector>) {
      forms().ofPlace = OfPlace(std::move(differentiated));
    } else if constexpr (FitsFunction<D, double, Vector>) {
      forms().ofTime = OfTime(std::move(differentiated));
    } else {
      static_assert(detail::never<D>,
                    "expected a function (const Vector& q, Vector& result) or (double t, const Vector& q, Vector& "
                    "result), in one of the three words that say how its Jacobians come: automatic(h), differenced(h) "
                    "or withJacobians(h, byQ), withJacobians(h, byQ, byT)");
    }
  }

  /// A copy has functions of its own.
  ///@{
  HolonomicFunction(const HolonomicFunction& other)
      : forms_(other.forms_ ? std::make_unique<Forms>(*other.forms_) : nullptr) {}
  HolonomicFunction& operator=(const HolonomicFunction& other) { return *this = HolonomicFunction(other); }
  HolonomicFunction(HolonomicFunction&&) noexcept = default;
  HolonomicFunction& operator=(HolonomicFunction&&) noexcept = default;
  ///@}
  ~HolonomicFunction() = default;

  /// False if it is empty; then it must not be called.
  explicit operator bool() const { return forms_ && (forms_->ofPlace || forms_->ofTime); }
  /// True of h(t, q).
  bool dependsOnTime() const { return forms_ && forms_->ofTime; }

  /// h(t, q) into `out`, which the caller has set to zero and given its size.
  void value(double t, const Vector& q, Vector& out) const {
    if (forms_->ofPlace) {
      forms_->ofPlace.value(q, out);
    } else {
      forms_->ofTime.value(t, q, out);
    }
  }
  /// ∂h/∂q, likewise.
  void jacobian(double t, const Vector& q, Matrix& byQ) const {
    if (forms_->ofPlace) {
      forms_->ofPlace.jacobian<0>(q, byQ);
    } else {
      forms_->ofTime.jacobian<0>(t, q, byQ);
    }
  }
  /// ∂h/∂t of a function that depends on time, likewise.
  void rate(double t, const Vector& q, Vector& byT) const { forms_->ofTime.jacobian<1>(t, q, byT); }

 private:
  // One of both. Apart, since most contacts have a geometry and no function.
  struct Forms {
    OfPlace ofPlace;
    OfTime ofTime;
  };
  Forms& forms() {
    if (!forms_) forms_ = std::make_unique<Forms>();
    return *forms_;
  }

  std::unique_ptr<Forms> forms_;
};

}  // namespace delassus
