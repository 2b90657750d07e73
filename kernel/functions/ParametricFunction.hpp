// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/functions/Differentiation.hpp>
#include <utility>

namespace delassus {

template <class ArgumentList, class Derivatives>
class ParametricFunction;

/// A SmoothFunction out = f(args...) that may also be given as f(args..., z), with parameters z (a discrete state) as
/// one more argument before the result; the number of its arguments tells which of the two the user gave.
template <class... Args, std::size_t... I>
class ParametricFunction<Arguments<Args...>, WithRespectTo<I...>> {
 public:
  /// f(args...), without z.
  using Plain = SmoothFunction<Arguments<Args...>, WithRespectTo<I...>>;
  /// f(args..., z).
  using WithParameters = SmoothFunction<Arguments<Args..., Vector>, WithRespectTo<I...>>;

  /// Empty.
  ParametricFunction() = default;

  /// From withJacobians(…), differenced(…) or automatic(…) of a function of either form.
  template <class D>
  ParametricFunction(D differentiated) {  // NOLINT: implicit by intention
    if constexpr (FitsFunction<D, Args..., Vector> && !FitsFunction<D, Args...>) {
      withParameters_ = WithParameters(std::move(differentiated));
    } else {
      plain_ = Plain(std::move(differentiated));
    }
  }

  /// False if it is empty; then it must not be called.
  explicit operator bool() const { return plain_ || withParameters_; }

  /// The function into `out`, which the caller has set to zero and given its size; the owner's z go to functions that
  /// take them. Throws Error with the owner's label if one does, and z is empty.
  template <class Owner>
  void value(const Args&... args, const Owner& owner, Vector& out) const {
    if (plain_) {
      plain_.value(args..., out);
    } else {
      withParameters_.value(args..., parametersOf(owner), out);
    }
  }

  /// The Jacobian that was named at this position into `out`, which the caller has set to zero and given its size.
  template <std::size_t Position, class Owner>
  void jacobian(const Args&... args, const Owner& owner,
                JacobianOf<typename Plain::template ArgumentAt<Position>>& out) const {
    if (plain_) {
      plain_.template jacobian<Position>(args..., out);
    } else {
      withParameters_.template jacobian<Position>(args..., parametersOf(owner), out);
    }
  }

 private:
  template <class Owner>
  static const Vector& parametersOf(const Owner& owner) {
    if (!owner.z().empty()) return owner.z();
    throw Error(owner.label(), "a function takes parameters z, but none were set; setZ() sets them.");
  }

  Plain plain_;
  WithParameters withParameters_;
};

}  // namespace delassus
