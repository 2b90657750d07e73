// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/Settings.hpp>
#include <delassus/numerics/algebra/Matrix.hpp>
#include <delassus/numerics/algebra/Vector.hpp>
#include <delassus/numerics/functions/Differentiation.hpp>
#include <functional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace delassus {

/// A coefficient of a linear system or relation, a Vector or a Matrix: none (zero), constant, or a user's function of
/// time, f(t, out) or f(t, z, out), whose result is zero on entry. A function may bring its derivative in time:
/// withJacobians(f, byT), and where it is a Vector automatic(f).
template <class Value>
class TimeFunction {
 public:
  /// The size and the numbers of a constant are not checked here: the owner does that.
  void set(const Value& constant) {
    constant_ = constant;
    function_ = derivative_ = nullptr;
    given_ = true;
    takesParameters_ = false;
  }

  /// A function (t, out) or (t, z, out), by itself or with its derivative.
  template <class F>
  void set(F f) {
    derivative_ = nullptr;
    if constexpr (detail::Differentiated<F>) {
      takesParameters_ = std::is_invocable_v<decltype(f.f)&, double, const Vector&, Value&>;
      setSmooth(std::move(f));
    } else {
      takesParameters_ = std::is_invocable_v<F&, double, const Vector&, Value&>;
      function_ = ofBoth(std::move(f));
    }
    given_ = true;
  }

  /// False until something is set: it is zero then.
  bool isGiven() const { return given_; }
  /// True of what is no function: a constant, or nothing.
  bool isConstant() const { return !function_; }
  /// The constant that was given last; for isConstant() alone.
  const Value& constant() const { return constant_; }
  /// True if derivative() may be called: of constants, and of functions that bring it.
  bool hasDerivative() const { return !function_ || derivative_; }
  /// The constant, or that it is a function; nothing where it is not given.
  void addTo(Settings& settings, const char* name) const {
    if (!given_) return;
    if (function_) {
      settings.add(name, "a function of time");
    } else {
      settings.add(name, constant_);
    }
  }

  /// The coefficient at t into `out`, which is zero on entry and of the size that is expected; `owner` has the
  /// parameters z. Throws Error with the owner's label if it is a function of z, and they are empty.
  template <class Owner>
  void compute(double t, const Owner& owner, Value& out) const {
    if (function_) {
      if (takesParameters_ && owner.z().empty()) {
        throw Error(owner.label(), "a function of time takes parameters z, but none were set; setZ() sets them.");
      }
      function_(t, owner.z(), out);
    } else if (given_) {
      out = constant_;
    }
  }

  /// Its derivative by t, likewise.
  template <class Owner>
  void derivative(double t, const Owner& owner, Value& out) const {
    if (derivative_) derivative_(t, owner.z(), out);
  }

 private:
  using Function = std::function<void(double, const Vector&, Value&)>;

  // A function of either form as one of (t, z, out).
  template <class F>
  static Function ofBoth(F f) {
    if constexpr (std::is_invocable_v<F&, double, const Vector&, Value&>) {
      return f;
    } else {
      constexpr bool fits = std::is_invocable_v<F&, double, Value&>;
      static_assert(fits,
                    "the coefficient must be a constant or a function (double t, result) or (double t, const Vector& "
                    "z, result), whose result is a Vector& or a Matrix& to fill");
      if constexpr (fits) return [f = std::move(f)](double t, const Vector&, Value& out) mutable { f(t, out); };
    }
  }

  template <class D>
  void setSmooth(D differentiated) {
    if constexpr (requires { std::get<0>(differentiated.jacobians); }) {
      derivative_ = ofBoth(std::get<0>(differentiated.jacobians));
      function_ = ofBoth(std::move(differentiated.f));
    } else {
      constexpr bool fits = std::is_same_v<Value, Vector>;
      static_assert(fits, "a coefficient that is a Matrix brings its derivative in one way: withJacobians(f, byT)");
      if constexpr (fits) {
        if constexpr (std::is_invocable_v<decltype(differentiated.f)&, double, const Vector&, Vector&>) {
          derivative_ = differentiated.template jacobian<0, 0, double, Vector>();
        } else {
          derivative_ = ofBoth(differentiated.template jacobian<0, 0, double>());
        }
        function_ = ofBoth(std::move(differentiated.f));
      }
    }
  }

  Value constant_;
  Function function_, derivative_;
  bool given_ = false;
  bool takesParameters_ = false;
};

}  // namespace delassus
