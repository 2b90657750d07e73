// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/algebra/Vector.hpp>

/// \file
/// What the compiler says of a user's function that does not fit where it is given.

namespace delassus {

/// Argument types of a SmoothFunction.
template <class... Args>
struct Arguments {};
/// Numbers of the arguments with respect to which a SmoothFunction has Jacobians, in their order.
template <std::size_t... I>
struct WithRespectTo {};

namespace detail {

/// True of what automatic(f), differenced(f) and withJacobians(f, …) make.
template <class D>
concept Differentiated = requires(D d) {
  d.f;
};

/// False of all types, so that a static_assert waits until it is asked with one.
template <class>
inline constexpr bool never = false;

/// Ends the compilation with a sentence: of these arguments and Jacobians a function was expected, and D is none.
template <class ArgumentList, class Derivatives>
struct ExpectedFunction {
  /// The sentence.
  template <class D>
  static constexpr void explain() {
    static_assert(never<D>,
                  "expected a function of the listed arguments and Vector& result, in one of the three words that say "
                  "how its Jacobians come: automatic(f), differenced(f) or withJacobians(f, jacobians...)");
  }
};

/// A function of time.
template <>
struct ExpectedFunction<Arguments<double>, WithRespectTo<0>> {
  /// The sentence.
  template <class D>
  static constexpr void explain() {
    static_assert(never<D>,
                  "expected a function (double t, Vector& result), in one of the three words that say how its "
                  "derivative comes: automatic(f), differenced(f) or withJacobians(f, byT)");
  }
};

/// A function of place.
template <>
struct ExpectedFunction<Arguments<Vector>, WithRespectTo<0>> {
  /// The sentence.
  template <class D>
  static constexpr void explain() {
    static_assert(never<D>,
                  "expected a function (const Vector& q, Vector& result), in one of the three words that say how its "
                  "Jacobian comes: automatic(f), differenced(f) or withJacobians(f, byQ)");
  }
};

/// A function of place, and of velocity or multiplier.
template <>
struct ExpectedFunction<Arguments<Vector, Vector>, WithRespectTo<0, 1>> {
  /// The sentence.
  template <class D>
  static constexpr void explain() {
    static_assert(never<D>,
                  "expected a function (const Vector& q, const Vector& v or lambda, Vector& result), in one of the "
                  "three words that say how its Jacobians come: automatic(f), differenced(f) or withJacobians(f, byQ, "
                  "byV or byLambda)");
  }
};

/// A function of time and place.
template <>
struct ExpectedFunction<Arguments<double, Vector>, WithRespectTo<1, 0>> {
  /// The sentence.
  template <class D>
  static constexpr void explain() {
    static_assert(never<D>,
                  "expected a function (double t, const Vector& q, Vector& result), in one of the three words that say "
                  "how its Jacobians come: automatic(f), differenced(f) or withJacobians(f, byQ, byT)");
  }
};

/// A function of time and state or multiplier.
template <>
struct ExpectedFunction<Arguments<double, Vector>, WithRespectTo<1>> {
  /// The sentence.
  template <class D>
  static constexpr void explain() {
    static_assert(never<D>,
                  "expected a function (double t, const Vector& x or lambda, Vector& result), in one of the three "
                  "words that say how its Jacobian comes: automatic(f), differenced(f) or withJacobians(f, byX or "
                  "byLambda). Parameters const Vector& z may stand before the result, where there are any");
  }
};

/// A function of time, state, and velocity, rate or multiplier.
template <>
struct ExpectedFunction<Arguments<double, Vector, Vector>, WithRespectTo<1, 2>> {
  /// The sentence.
  template <class D>
  static constexpr void explain() {
    static_assert(never<D>,
                  "expected a function (double t, const Vector& q or x, const Vector& v or lambda, Vector& result), in "
                  "one of the three words that say how its Jacobians come: automatic(f), differenced(f) or "
                  "withJacobians(f, byFirst, bySecond), by the two vectors. Parameters const Vector& z may stand "
                  "before the result, where a relation has them");
  }
};

}  // namespace detail
}  // namespace delassus
