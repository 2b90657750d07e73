// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/functions/MadeOnUse.hpp>
#include <delassus/numerics/functions/TimeDifferences.hpp>
#include <functional>
#include <type_traits>

namespace delassus {

/// A prescribed motion f(t) with its rate ḟ(t), for drives and moving supports.
class Motion {
 public:
  /// A number as a function of time, s.
  using Function = std::function<double(double)>;

  /// The rate by differences, which find the scale of time of f (see TimeDifferences). Each constructor throws Error if
  /// a function is empty.
  explicit Motion(Function f);
  /// Ends the compilation with a sentence: f is no function of time.
  template <class F>
  requires(!std::is_convertible_v<F, Function>) explicit Motion(const F&) {
    static_assert(std::is_convertible_v<F, Function>, "Motion(f): expected a function double (double t)");
  }
  /// With its rate, the derivative of f; this is not checked.
  Motion(Function f, Function rate);

  double at(double t) const { return f_(t); }  ///< f(t)
  /// ḟ(t). Throws Error where differences do not find it: f is not smooth there.
  double rate(double t) const;

 private:
  struct Differences {
    TimeDifferences method;
    Vector terms, rate;
  };

  Function f_;
  Function rate_;
  mutable MadeOnUse<Differences> differences_;
};

namespace detail {

/// Ends the compilation with a sentence, where a function stands in the place of a Motion.
template <class F>
constexpr void requireMotion() {
  static_assert(std::is_same_v<F, Motion>,
                "expected a motion, which says how its rate comes: Motion(f), by differences, or Motion(f, rate)");
}

}  // namespace detail

}  // namespace delassus
