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

  /// The function into `out`, which the caller has set to zero and given its size; z goes to functions that take it.
  /// Throws Error if one does, and z is empty.
  void value(const Args&... args, const Vector& z, Vector& out) const {
    if (plain_) {
      plain_.value(args..., out);
    } else {
      requireParameters(z);
      withParameters_.value(args..., z, out);
    }
  }

  /// The Jacobian that was named at this position into `out`, which the caller has set to zero and given its size.
  template <std::size_t Position>
  void jacobian(const Args&... args, const Vector& z,
                JacobianOf<typename Plain::template ArgumentAt<Position>>& out) const {
    if (plain_) {
      plain_.template jacobian<Position>(args..., out);
    } else {
      requireParameters(z);
      withParameters_.template jacobian<Position>(args..., z, out);
    }
  }

 private:
  static void requireParameters(const Vector& z) {
    if (z.empty()) throw Error("Parameters z", "a function takes them, but none were set; setZ() sets them.");
  }

  Plain plain_;
  WithParameters withParameters_;
};

}  // namespace delassus
