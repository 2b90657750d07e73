// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <delassus/numerics/algebra/Matrix.hpp>
#include <delassus/numerics/algebra/Vector.hpp>
#include <functional>
#include <limits>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace delassus {

/// Jacobian of a vector function with respect to an argument: a vector for a scalar argument (time),
/// a matrix (outputs x components) for a vector argument.
template <class Argument>
using JacobianOf = std::conditional_t<std::is_same_v<Argument, double>, Vector, Matrix>;

/// The Jacobian of f(args..., out) with respect to argument number I by central differences, with
/// steps ε^{1/3} max(1, |x|); the error is about 10⁻¹⁰ of the scale of f where f is smooth.
/// Its workspace is kept, so that only the first call allocates.
template <std::size_t I, class F, class... Args>
class CentralDifference {
 public:
  using Argument = std::tuple_element_t<I, std::tuple<Args...>>;

  explicit CentralDifference(F f) : f_(std::move(f)) {}

  void operator()(const Args&... args, JacobianOf<Argument>& jacobian) {
    copy_ = std::tie(args...);
    if constexpr (std::is_same_v<Argument, double>) {
      difference(std::get<I>(copy_), jacobian.size(), data(jacobian));
    } else {
      Vector& x = std::get<I>(copy_);
      for (std::size_t j = 0; j < x.size(); ++j) {
        difference(x(j), jacobian.size1(), data(jacobian) + j * jacobian.size1());
      }
    }
  }

 private:
  void difference(double& x, std::size_t size, double* column) {
    const double centre = x;
    const double step = std::cbrt(std::numeric_limits<double>::epsilon()) * std::max(1., std::abs(centre));
    const double above = centre + step;
    const double below = centre - step;
    x = above;
    evaluate(plus_, size);
    x = below;
    evaluate(minus_, size);
    x = centre;
    for (std::size_t i = 0; i < size; ++i) column[i] = (plus_(i) - minus_(i)) / (above - below);
  }

  void evaluate(Vector& out, std::size_t size) {
    assignZero(out, size);
    std::apply([&](const Args&... args) { f_(args..., out); }, copy_);
  }

  F f_;
  std::tuple<Args...> copy_;
  Vector plus_;
  Vector minus_;
};

/// A function whose Jacobians are given; made by withJacobians().
template <class F, class... J>
struct WithJacobians {
  F f;
  std::tuple<J...> jacobians;

  template <std::size_t Position, std::size_t I, class... Args>
  auto jacobian() const {
    static_assert(Position < sizeof...(J), "withJacobians: a Jacobian is missing");
    return std::get<Position>(jacobians);
  }
};

/// A function whose Jacobians are differenced; made by differenced().
template <class F>
struct Differenced {
  F f;

  template <std::size_t Position, std::size_t I, class... Args>
  auto jacobian() const {
    return CentralDifference<I, F, Args...>(f);
  }
};

/// The function f with its Jacobians, in the order in which the user of the function names them.
template <class F, class... J>
WithJacobians<F, J...> withJacobians(F f, J... jacobians) {
  return {std::move(f), std::tuple<J...>(std::move(jacobians)...)};
}

/// The function f with Jacobians by central differences. (The third choice, automatic(), is in
/// Automatic.hpp.)
template <class F>
Differenced<F> differenced(F f) {
  return {std::move(f)};
}

/// Argument types of a SmoothFunction.
template <class... Args>
struct Arguments {};
/// Numbers of the arguments with respect to which a SmoothFunction has Jacobians, in their order.
template <std::size_t... I>
struct WithRespectTo {};

template <class ArgumentList, class Derivatives>
class SmoothFunction;

/// A user's function out = f(args...) with its Jacobians. It is made from withJacobians(f, J...),
/// differenced(f) or automatic(f); a bare lambda does not convert, since how its Jacobians come is the
/// user's choice to make. Outputs are zero when a function is called, so it need set only what is not.
template <class... Args, std::size_t... I>
class SmoothFunction<Arguments<Args...>, WithRespectTo<I...>> {
 public:
  using Value = std::function<void(const Args&..., Vector&)>;
  template <std::size_t Position>
  using ArgumentAt =
      std::tuple_element_t<std::tuple_element_t<Position, std::tuple<std::integral_constant<std::size_t, I>...>>::value,
                           std::tuple<Args...>>;
  template <class Argument>
  using Jacobian = std::function<void(const Args&..., JacobianOf<Argument>&)>;

  SmoothFunction() = default;

  template <class D>
  requires requires(D d) {
    d.f;
    d.template jacobian<0, std::get<0>(std::tuple(I...)), Args...>();
  }
  SmoothFunction(D differentiated)  // NOLINT: implicit by intention
      : SmoothFunction(std::move(differentiated), std::make_index_sequence<sizeof...(I)>()) {}

  explicit operator bool() const { return static_cast<bool>(value_); }
  void value(const Args&... args, Vector& out) const { value_(args..., out); }
  /// The Jacobian that was named at this position.
  template <std::size_t Position>
  void jacobian(const Args&... args, JacobianOf<ArgumentAt<Position>>& out) const {
    std::get<Position>(jacobians_)(args..., out);
  }

 private:
  template <class D, std::size_t... Position>
  SmoothFunction(D d, std::index_sequence<Position...>)
      : value_(d.f), jacobians_(d.template jacobian<Position, I, Args...>()...) {
    static_assert(std::is_invocable_v<decltype(d.f)&, const Args&..., Vector&>,
                  "the function must take the listed arguments and a Vector& to fill");
  }

  Value value_;
  std::tuple<Jacobian<std::tuple_element_t<I, std::tuple<Args...>>>...> jacobians_;
};

/// Throws Error naming `what` and the first entry in which `given` and `differenced` differ by more than
/// `tolerance` relative to the larger of 1 and the largest entry.
void requireSameJacobian(const Matrix& given, const Matrix& differenced, double tolerance, const std::string& what);
void requireSameJacobian(const Vector& given, const Vector& differenced, double tolerance, const std::string& what);

/// Compares a Jacobian with respect to argument I with central differences of the value, at args.
/// `jacobian` is sized on entry. Throws Error naming `what` and the offending entry.
template <std::size_t I, class Value, class Jacobian, class Result, class... Args>
void checkJacobian(Value value, Jacobian jacobian, Result sized, double tolerance, const std::string& what,
                   const Args&... args) {
  Result differenced = sized;
  jacobian(args..., sized);
  CentralDifference<I, Value, Args...>{value}(args..., differenced);
  requireSameJacobian(sized, differenced, tolerance, what);
}

}  // namespace delassus
