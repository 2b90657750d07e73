// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/functions/MadeOnUse.hpp>
#include <delassus/numerics/functions/ExpectedFunction.hpp>
#include <delassus/numerics/functions/TimeDifferences.hpp>
#include <functional>
#include <tuple>
#include <type_traits>

namespace delassus {

/// A prescribed motion f(t) with its rate ḟ(t), for drives and moving supports.
///
///     Motion([](double t) { return 2. * t; })                                         by differences
///     Motion(automatic([](const auto& t) { using std::sin; return 0.1 * sin(t); }))   exact
///     Motion(f, rate), Motion(withJacobians(f, rate))                                 given
class Motion {
 public:
  /// A number as a function of time, s.
  using Function = std::function<double(double)>;

  /// The rate by differences, which find the scale of time of f (see TimeDifferences). Each constructor throws Error if
  /// a function is empty.
  explicit Motion(Function f);
  /// Ends the compilation with a sentence: f is no function of time.
  template <class F>
  requires(!std::is_convertible_v<F, Function> && !detail::Differentiated<F>) explicit Motion(const F&) {
    static_assert(std::is_convertible_v<F, Function>, "Motion(f): expected a function double (double t)");
  }
  /// With its rate, the derivative of f; this is not checked.
  Motion(Function f, Function rate);
  /// By one of the three words that say how a derivative comes, of an f that returns a number: automatic(f),
  /// differenced(f) (Motion(f), whatever the typical size) or withJacobians(f, rate).
  template <detail::Differentiated D>
  explicit Motion(const D& differentiated) : Motion(valueOf(differentiated)) {
    rate_ = rateOf(differentiated);
  }

  double at(double t) const { return f_(t); }  ///< f(t)
  /// ḟ(t). Throws Error where differences do not find it: f is not smooth there.
  double rate(double t) const;

 private:
  template <class D>
  static Function valueOf(const D& differentiated) {
    constexpr bool isMotion = std::is_convertible_v<decltype(differentiated.f), Function>;
    static_assert(isMotion, "a motion is a function of time that returns a number, f(t), not f(t, result)");
    if constexpr (isMotion) {
      return differentiated.f;
    } else {
      return nullptr;
    }
  }
  // Empty where differences find it.
  template <class D>
  static Function rateOf(const D& differentiated) {
    if constexpr (requires { differentiated.jacobians; }) {
      return std::get<0>(differentiated.jacobians);
    } else if constexpr (requires { differentiated.scalarDerivative(); }) {
      return differentiated.scalarDerivative();
    } else {
      return nullptr;
    }
  }

  struct Differences {
    TimeDifferences method;
    Vector terms, rate;
  };

  Function f_;
  Function rate_;
  mutable MadeOnUse<Differences> differences_;
};

namespace detail {

/// The motion that f is, by itself or in one of the three words; ends the compilation with a sentence where it does not
/// say how its rate comes.
template <class F>
Motion motionOf(const F& f) {
  constexpr bool saysIt = std::is_same_v<F, Motion> || Differentiated<F>;
  static_assert(saysIt,
                "expected a motion, which says how its rate comes: Motion(f), by differences, Motion(f, rate) or "
                "automatic(f)");
  if constexpr (saysIt) {
    return Motion(f);
  } else {
    return Motion(Motion::Function());
  }
}

}  // namespace detail

}  // namespace delassus
