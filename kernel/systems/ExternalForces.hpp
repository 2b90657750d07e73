// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/Vector.hpp>
#include <functional>
#include <type_traits>
#include <utility>

namespace delassus {

/// F_ext(t, z) of a Lagrangian system: none, constant, or a user's function.
class ExternalForces {
 public:
  /// A constant force, which replaces any function; an empty vector means none. The owner checks the size.
  void set(const Vector& constant) {
    constant_ = constant;
    function_ = nullptr;
  }

  /// f(t, F) or f(t, z, F); an empty std::function means none. `z` are the parameters of the system that owns this, and
  /// must outlive it; where they are empty, compute() throws Error.
  template <class F>
  void set(F f, const Vector& z) {
    constant_ = Vector();
    if constexpr (std::is_invocable_v<F&, double, const Vector&, Vector&>) {
      function_ = [&z, f = std::move(f)](double t, Vector& out) mutable {
        if (z.empty())
          throw Error("Parameters z", "the external force takes them, but none were set; setZ() sets them.");
        f(t, z, out);
      };
    } else {
      constexpr bool fits = std::is_invocable_v<F&, double, Vector&>;
      static_assert(fits,
                    "the external forces must be a function (double t, Vector& F) or (double t, const Vector& z, "
                    "Vector& F)");
      if constexpr (fits) function_ = std::move(f);
    }
  }

  /// True if no function is set.
  bool isConstant() const { return !function_; }

  /// The constant that was given last, empty where none is.
  const Vector& constant() const { return constant_; }

  /// F_ext(t) into `force`, which is zero on entry.
  void compute(double t, Vector& force) const {
    if (function_) {
      function_(t, force);
    } else if (constant_.size() > 0) {
      assign(constant_, force);
    }
  }

 private:
  Vector constant_;
  std::function<void(double, Vector&)> function_;
};

}  // namespace delassus
