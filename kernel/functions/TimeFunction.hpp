// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/Settings.hpp>
#include <delassus/numerics/algebra/Matrix.hpp>
#include <delassus/numerics/algebra/Vector.hpp>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>

namespace delassus {

/// A coefficient of a linear system or relation, a Vector or a Matrix: none (zero), constant, or a user's function of
/// time, f(t, out) or f(t, z, out), whose result is zero on entry.
template <class Value>
class TimeFunction {
 public:
  /// The size and the numbers of a constant are not checked here: the owner does that.
  void set(const Value& constant) {
    constant_ = constant;
    function_ = nullptr;
    given_ = true;
    takesParameters_ = false;
  }

  /// A function (t, out) or (t, z, out).
  template <class F>
  void set(F f) {
    takesParameters_ = std::is_invocable_v<F&, double, const Vector&, Value&>;
    if constexpr (std::is_invocable_v<F&, double, const Vector&, Value&>) {
      function_ = std::move(f);
    } else {
      constexpr bool fits = std::is_invocable_v<F&, double, Value&>;
      static_assert(fits,
                    "the coefficient must be a constant or a function (double t, result) or (double t, const Vector& "
                    "z, result), whose result is a Vector& or a Matrix& to fill");
      if constexpr (fits) {
        function_ = [f = std::move(f)](double t, const Vector&, Value& out) mutable { f(t, out); };
      }
    }
    given_ = true;
  }

  /// False until something is set: it is zero then.
  bool isGiven() const { return given_; }
  /// True of what is no function: a constant, or nothing.
  bool isConstant() const { return !function_; }
  /// The constant that was given last; for isConstant() alone.
  const Value& constant() const { return constant_; }
  /// The constant, or that it is a function; nothing where it is not given.
  void addTo(Settings& settings, const char* name) const {
    if (!given_) return;
    if (function_) {
      settings.add(name, "a function of time");
    } else {
      settings.add(name, constant_);
    }
  }

  /// The coefficient at t into `out`, which is zero on entry and of the size that is expected.
  /// Throws Error if it is a function of z, which are empty.
  void compute(double t, const Vector& z, Value& out) const {
    if (function_) {
      if (takesParameters_ && z.empty()) {
        throw Error("Parameters z", "a function of time takes them, but none were set; setZ() sets them.");
      }
      function_(t, z, out);
    } else if (given_) {
      out = constant_;
    }
  }

 private:
  Value constant_;
  std::function<void(double, const Vector&, Value&)> function_;
  bool given_ = false;
  bool takesParameters_ = false;
};

}  // namespace delassus
