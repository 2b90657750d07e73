// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/Matrix.hpp>
#include <delassus/numerics/algebra/Vector.hpp>
#include <delassus/numerics/functions/ExpectedFunction.hpp>
#include <delassus/numerics/functions/TimeDifferences.hpp>
#include <functional>
#include <limits>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace delassus {

/// Jacobian of a vector function with respect to an argument: a vector for a scalar argument (time), a matrix
/// (outputs x components) for a vector argument.
template <class Argument>
using JacobianOf = std::conditional_t<std::is_same_v<Argument, double>, Vector, Matrix>;

/// Number of outputs that a Jacobian is sized for.
///@{
inline std::size_t outputsOf(const Vector& jacobian) {
  return jacobian.size();
}
inline std::size_t outputsOf(const Matrix& jacobian) {
  return jacobian.size1();
}
///@}

/// Throws Error: a differenced function is not smooth at t.
[[noreturn]] void failInTime(double t);

/// Central differences of functions f(args..., out), with the workspace that they need: only the first call allocates.
/// Differences in time find their scale (see TimeDifferences).
template <class... Args>
class CentralDifferences {
 public:
  /// The Jacobian of f with respect to argument number I at args. Steps are ε^{1/3} max(s, |x|) for a component x of a
  /// vector, s the typical size of the argument; the error is about 10⁻¹⁰ of the scale of f where f is smooth and s is
  /// well chosen. Throws Error if f changes the size of its result, or is not smooth in time.
  template <std::size_t I, class F>
  void compute(F&& f, const Args&... args, JacobianOf<std::tuple_element_t<I, std::tuple<Args...>>>& jacobian,
               double typicalSize = 1.) {
    const double step = std::cbrt(std::numeric_limits<double>::epsilon()) * typicalSize;
    arguments_ = std::tie(args...);
    const std::size_t outputs = outputsOf(jacobian);
    auto& x = std::get<I>(arguments_);
    if constexpr (std::is_same_v<std::tuple_element_t<I, std::tuple<Args...>>, double>) {
      differenceInTime(f, x, typicalSize, jacobian);
    } else {
      if (jacobian.size2() != x.size()) requireSize(jacobian, outputs, x.size(), "Jacobian of a differenced function");
      for (std::size_t j = 0; j < x.size(); ++j) {
        const double relative = std::max(1., std::abs(x(j)) / typicalSize);
        difference(f, x(j), step * relative, outputs, data(jacobian) + j * outputs);
      }
    }
  }

 private:
  template <class F>
  void difference(F& f, double& x, double step, std::size_t outputs, double* column) {
    const double centre = x;
    const double above = centre + step;
    const double below = centre - step;
    x = above;
    evaluate(f, plus_, outputs);
    x = below;
    evaluate(f, minus_, outputs);
    x = centre;
    for (std::size_t i = 0; i < outputs; ++i) column[i] = (plus_(i) - minus_(i)) / (above - below);
  }

  // Not relative to t: the time scale of a model does not depend on how long the run has lasted.
  template <class F>
  void differenceInTime(F& f, double& t, double typicalSize, Vector& rate) {
    const double now = t;
    minus_.resize(rate.size(), false);
    std::fill(minus_.begin(), minus_.end(), typicalSize);
    TimeDifferences::Place place;
    place.resolution = std::numeric_limits<double>::epsilon() * std::abs(now);
    const auto at = [&](double offset, Vector& value) {
      t = now + offset;
      evaluate(f, value, rate.size());
    };
    const double used = inTime_.compute(at, place, minus_, place.longest, plus_);
    t = now;
    if (used == 0. && allFinite(plus_)) failInTime(now);
    assign(plus_, rate);
  }

  template <class F>
  void evaluate(F& f, Vector& out, std::size_t outputs) {
    assignZero(out, outputs);
    std::apply([&](const Args&... args) { f(args..., out); }, arguments_);
    if (out.size() != outputs) requireSize(out, outputs, "differenced function: its result");
  }

  std::tuple<Args...> arguments_;
  Vector plus_;
  Vector minus_;
  TimeDifferences inTime_;
};

/// Throws Error unless the typical size of arguments is positive and finite.
void requireTypicalSize(double typicalSize);

/// A function whose Jacobians are given; made by withJacobians().
template <class F, class... J>
struct WithJacobians {
  F f;                         ///< (args..., out)
  std::tuple<J...> jacobians;  ///< callables (args..., jacobian)

  /// Jacobian number `Position` of a function of Args, that with respect to argument I: a callable (args..., jacobian).
  template <std::size_t Position, std::size_t I, class... Args>
  auto jacobian() const {
    return std::get<Position>(jacobians);
  }

  /// True if these are the Jacobians of such a function; ends the compilation with a sentence if they are not.
  template <class ArgumentList, std::size_t... I>
  static constexpr bool jacobiansFit() {
    constexpr bool enough = sizeof...(J) == sizeof...(I);
    static_assert(enough, "withJacobians(f, ...): expected one Jacobian for each argument that f is differentiated by");
    if constexpr (enough) {
      constexpr bool fit = (isJacobian<J, I>(ArgumentList()) && ...);
      static_assert(fit,
                    "withJacobians(f, ...): expected each Jacobian as a function of the same arguments as f and of a "
                    "Matrix& result, or Vector& result where it is by the time t, which comes last");
      return fit;
    }
    return false;
  }

 private:
  template <class Given, std::size_t I, class... Args>
  static constexpr bool isJacobian(Arguments<Args...>) {
    return std::is_invocable_v<Given&, const Args&..., JacobianOf<std::tuple_element_t<I, std::tuple<Args...>>>&>;
  }
};

/// A function whose Jacobians are differenced; made by differenced().
template <class F>
struct Differenced {
  F f;                 ///< (args..., out)
  double typicalSize;  ///< of the arguments, see CentralDifferences

  /// Jacobian number `Position` of a function of Args, that with respect to argument I: a callable (args..., jacobian).
  template <std::size_t Position, std::size_t I, class... Args>
  auto jacobian() const {
    return [f = f, typicalSize = typicalSize, differences = CentralDifferences<Args...>()](
               const Args&... args, JacobianOf<std::tuple_element_t<I, std::tuple<Args...>>>& out) mutable {
      differences.template compute<I>(f, args..., out, typicalSize);
    };
  }

  /// They always do.
  template <class ArgumentList, std::size_t... I>
  static constexpr bool jacobiansFit() {
    return true;
  }
};

/// The function f with its Jacobians, in the order in which the user of the function names them.
template <class F, class... J>
WithJacobians<F, J...> withJacobians(F f, J... jacobians) {
  return {std::move(f), std::tuple<J...>(std::move(jacobians)...)};
}

/// The function f with Jacobians by central differences; `typicalSize` is the size that its arguments typically have
/// (see CentralDifferences): give it where that is far from 1, for lengths of micrometres, say. Throws Error unless it
/// is positive and finite. (The third choice, automatic(), is in Automatic.hpp.)
template <class F>
Differenced<F> differenced(F f, double typicalSize = 1.) {
  requireTypicalSize(typicalSize);
  return {std::move(f), typicalSize};
}

template <class ArgumentList, class Derivatives>
class SmoothFunction;

/// True if D is withJacobians(f, …), differenced(f) or automatic(f) of a function f(args..., out).
template <class D, class... Args>
concept FitsFunction = detail::Differentiated<D> && requires(D d, const Args&... args, Vector& out) {
  d.f(args..., out);
};

/// A user's function out = f(args...) with its Jacobians. It is made from withJacobians(f, J...), differenced(f) or
/// automatic(f); a bare lambda, or a function of other arguments, ends the compilation with a sentence that says so,
/// since how Jacobians come is the user's choice to make. Outputs are zero when a function is called, so it need set
/// only what is not.
template <class... Args, std::size_t... I>
class SmoothFunction<Arguments<Args...>, WithRespectTo<I...>> {
 public:
  /// The function itself: (args..., out).
  using Value = std::function<void(const Args&..., Vector&)>;
  /// A Jacobian with respect to an argument of this type: (args..., jacobian).
  template <class Argument>
  using Jacobian = std::function<void(const Args&..., JacobianOf<Argument>&)>;
  /// Those with respect to the arguments I, in this order.
  using Jacobians = std::tuple<Jacobian<std::tuple_element_t<I, std::tuple<Args...>>>...>;
  /// The argument that the Jacobian of this position is with respect to.
  template <std::size_t Position>
  using ArgumentAt = std::tuple_element_t<std::array<std::size_t, sizeof...(I)>{I...}[Position], std::tuple<Args...>>;

  /// Empty.
  SmoothFunction() = default;

  /// From withJacobians(…), differenced(…) or automatic(…) of a function of these arguments.
  template <class D>
  SmoothFunction(D differentiated) {  // NOLINT: implicit by intention
    if constexpr (FitsFunction<D, Args...>) {
      if constexpr (D::template jacobiansFit<Arguments<Args...>, I...>()) {
        take(std::move(differentiated), std::make_index_sequence<sizeof...(I)>());
      }
    } else {
      detail::ExpectedFunction<Arguments<Args...>, WithRespectTo<I...>>::template explain<D>();
    }
  }

  /// False if it is empty; then it must not be called.
  explicit operator bool() const { return static_cast<bool>(value_); }
  /// f(args...) into `out`, which the caller has set to zero and given its size.
  void value(const Args&... args, Vector& out) const { value_(args..., out); }
  /// The Jacobian that was named at this position into `out`, which the caller has set to zero and given its size.
  template <std::size_t Position>
  void jacobian(const Args&... args, JacobianOf<ArgumentAt<Position>>& out) const {
    std::get<Position>(jacobians_)(args..., out);
  }

 private:
  template <class D, std::size_t... Position>
  void take(D d, std::index_sequence<Position...>) {
    value_ = d.f;
    jacobians_ = Jacobians(d.template jacobian<Position, I, Args...>()...);
  }

  Value value_;
  Jacobians jacobians_;
};

/// How a Jacobian is compared with differences.
struct JacobianCheck {
  double tolerance = 1e-5;  ///< relative to the largest entry; the error of the differences is added
  double typicalSize = 1.;  ///< of the arguments, see CentralDifferences
};

/// While it exists, requireSameJacobian() in this thread passes what it compares to `compare` and does not throw: for
/// reports of all Jacobians. `margin` is the difference that is accepted.
class JacobianCollector {
 public:
  /// Called with a description of the Jacobian, its value and the differences, and the largest difference that would be
  /// accepted.
  using Compare =
      std::function<void(const std::string& what, const Matrix& given, const Matrix& differenced, double margin)>;

  /// Collectors nest: the most recent one is used until it is destroyed, then the one before it.
  explicit JacobianCollector(Compare compare);
  ~JacobianCollector();
  JacobianCollector(const JacobianCollector&) = delete;
  JacobianCollector& operator=(const JacobianCollector&) = delete;

 private:
  friend void requireSameJacobian(const Matrix&, const Matrix&, double, double, const std::string&);
  friend void requireSameJacobian(const Vector&, const Vector&, double, double, const std::string&);

  static bool take(const std::string& what, const Matrix& given, const Matrix& differenced, double margin);

  Compare compare_;
  JacobianCollector* outer_;
};

/// Throws Error naming `what` and the first entry in which `given` and `differenced` differ by more than `tolerance`
/// relative to the largest entry, plus `floor`; or their sizes if those differ.
///@{
void requireSameJacobian(const Matrix& given, const Matrix& differenced, double tolerance, double floor,
                         const std::string& what);
void requireSameJacobian(const Vector& given, const Vector& differenced, double tolerance, double floor,
                         const std::string& what);
///@}

/// Compares a Jacobian with respect to argument I with central differences of the value, at args. `sized` has the
/// expected size. An absolute difference of 1e-9 max(1, |f|) / typicalSize is accepted, since differences are no more
/// accurate. Throws Error naming `what` and the offending entry.
template <std::size_t I, class Value, class Jacobian, class Result, class... Args>
void checkJacobian(Value value, Jacobian jacobian, Result sized, const JacobianCheck& check, const std::string& what,
                   const Args&... args) {
  Vector f(outputsOf(sized));
  value(args..., f);
  double largest = 1.;
  for (const double entry : f.data()) largest = std::max(largest, std::abs(entry));
  Result differenced = sized;
  jacobian(args..., sized);
  CentralDifferences<Args...>().template compute<I>(value, args..., differenced, check.typicalSize);
  requireSameJacobian(sized, differenced, check.tolerance, 1e-9 * largest / check.typicalSize, what);
}

}  // namespace delassus
