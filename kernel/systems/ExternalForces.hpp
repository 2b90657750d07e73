// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/algebra/Vector.hpp>
#include <functional>
#include <limits>
#include <type_traits>
#include <utility>

namespace delassus {

/// F_ext(t, z) of a system: none, constant, or a user's function, which is evaluated once at each instant: a step ends
/// where the next one begins.
class ExternalForces {
 public:
  /// A constant force, which replaces any function; an empty vector means none. The owner checks the size.
  void set(const Vector& constant) {
    constant_ = constant;
    function_ = nullptr;
  }

  /// f(t, F) or f(t, z, F); an empty std::function means none. `z` are the parameters of the system that owns this, and
  /// must outlive it.
  template <class F>
  void set(F f, const Vector& z) {
    constant_ = Vector();
    if constexpr (std::is_invocable_v<F&, double, const Vector&, Vector&>) {
      function_ = Remembered([&z, f = std::move(f)](double t, Vector& out) mutable { f(t, z, out); });
    } else {
      constexpr bool fits = std::is_invocable_v<F&, double, Vector&>;
      static_assert(fits,
                    "the external forces must be a function (double t, Vector& F) or (double t, const Vector& z, "
                    "Vector& F)");
      if constexpr (fits) function_ = Remembered(std::move(f));
    }
  }

  /// F_ext(t) into `force`, which is zero on entry. `changes` counts changes of what the function depends on besides t:
  /// DynamicalSystem::parameterChanges of the owner.
  void compute(double t, std::size_t changes, Vector& force) const {
    if (function_) {
      function_(t, changes, force);
    } else if (constant_.size() > 0) {
      assign(constant_, force);
    }
  }

 private:
  // A function with its last value.
  template <class F>
  class Remembered {
   public:
    explicit Remembered(F f) : f_(std::move(f)) {}
    void operator()(double t, std::size_t changes, Vector& force) {
      if (t != time_ || changes != changes_ || force.size() != value_.size()) {
        time_ = std::numeric_limits<double>::quiet_NaN();  // if f throws
        assignZero(value_, force.size());
        f_(t, value_);
        time_ = t;
        changes_ = changes;
      }
      assign(value_, force);
    }

   private:
    F f_;
    double time_ = std::numeric_limits<double>::quiet_NaN();
    std::size_t changes_ = 0;
    Vector value_;
  };

  Vector constant_;
  std::function<void(double, std::size_t, Vector&)> function_;
};

}  // namespace delassus
