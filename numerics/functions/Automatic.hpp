// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/algebra/Ublas.hpp>
#include <delassus/numerics/functions/Differentiation.hpp>
#include <delassus/numerics/functions/Dual.hpp>
#include <tuple>
#include <utility>
#include <vector>

namespace delassus {

/// Argument and result of an automatic function while it is differentiated.
using DualVector = boost::numeric::ublas::vector<Dual, std::vector<Dual>>;

namespace detail {

template <bool isGeneric>
constexpr void requireGeneric() {
  static_assert(isGeneric,
                "automatic(f): f must be generic, with const auto& for arguments and auto& for the result; for a "
                "function of double and Vector alone write differenced(f) or withJacobians(f, ...)");
}

/// f(args...) for numbers of type Dual. The compiler names this function where the body of f does not compile for them,
/// hence its name: `using std::sin; sin(x)` finds the sine of a Dual, std::sin(x) does not, and a Dual goes into an
/// `auto`, not into a double, which would lose the derivative.
template <class F, class... Args>
void in_automatic_write_sin_not_std_sin_and_auto_not_double(F& f, Args&... args) {
  constexpr bool isGeneric = requires {
    f(args...);
  };
  requireGeneric<isGeneric>();
  if constexpr (isGeneric) f(args...);
}

}  // namespace detail

/// The exact Jacobian of a generic function with respect to argument number I, by one forward pass per component. It
/// keeps its workspace, so that only the first call allocates.
template <std::size_t I, class F, class... Args>
class ForwardDifferentiation {
 public:
  /// Type of the argument that is differentiated by: double (time) or Vector.
  using Argument = std::tuple_element_t<I, std::tuple<Args...>>;

  /// `f` is a generic function (args..., out).
  explicit ForwardDifferentiation(F f) : f_(std::move(f)) {}

  /// The Jacobian at args into `jacobian`, which has the right size on entry. Throws Error if its columns do not fit
  /// the argument, or if f changes the size of its result.
  void operator()(const Args&... args, JacobianOf<Argument>& jacobian) {
    const auto all = std::tie(args...);
    if constexpr (std::is_same_v<Argument, double>) {
      evaluate(all, Dual(std::get<I>(all), 1.), jacobian.size(), std::index_sequence_for<Args...>());
      for (std::size_t i = 0; i < jacobian.size(); ++i) jacobian(i) = out_(i).derivative();
    } else {
      const Vector& x = std::get<I>(all);
      if (jacobian.size2() != x.size()) {
        requireSize(jacobian, jacobian.size1(), x.size(), "Jacobian of an automatic function");
      }
      dual_.resize(x.size(), false);
      for (std::size_t j = 0; j < x.size(); ++j) dual_(j) = x(j);
      for (std::size_t j = 0; j < x.size(); ++j) {
        dual_(j) = Dual(x(j), 1.);
        evaluate(all, dual_, jacobian.size1(), std::index_sequence_for<Args...>());
        dual_(j) = x(j);
        for (std::size_t i = 0; i < jacobian.size1(); ++i) jacobian(i, j) = out_(i).derivative();
      }
    }
  }

 private:
  template <std::size_t K, class All, class Seeded>
  static const auto& pick(const All& all, const Seeded& seeded) {
    if constexpr (K == I) {
      return seeded;
    } else {
      return std::get<K>(all);
    }
  }

  template <class All, class Seeded, std::size_t... K>
  void evaluate(const All& all, const Seeded& seeded, std::size_t size, std::index_sequence<K...>) {
    out_.resize(size, false);
    for (Dual& x : out_.data()) x = Dual(0.);
    detail::in_automatic_write_sin_not_std_sin_and_auto_not_double(f_, pick<K>(all, seeded)..., out_);
    if (out_.size() != size) {
      throw Error("automatic", "the function changed the size of its result from " + std::to_string(size) + " to " +
                                   std::to_string(out_.size()) + ".");
    }
  }

  F f_;
  DualVector dual_;
  DualVector out_;
};

/// A generic function whose Jacobians are derived automatically; made by automatic().
template <class F>
struct AutomaticFunction {
  /// (args..., out), for arguments of doubles and of Dual.
  F f;

  /// Jacobian number `Position` of a function of Args, that with respect to argument I: a callable (args..., jacobian).
  template <std::size_t Position, std::size_t I, class... Args>
  auto jacobian() const {
    return ForwardDifferentiation<I, F, Args...>(f);
  }

  /// Of an f(x) that returns a number: its derivative, as a function of x.
  auto scalarDerivative() const {
    return [f = f](double x) { return Dual(f(Dual(x, 1.))).derivative(); };
  }

  /// They always do, where the body of f compiles for Dual.
  template <class ArgumentList, std::size_t... I>
  static constexpr bool jacobiansFit() {
    return true;
  }
};

/// The generic function f (a lambda with `const auto&` arguments and an `auto&` result) with exact
/// Jacobians. Inside, call functions of numbers without `std::`, so that they are found for Dual too:
///
///     automatic([](const auto& q, auto& y) { using std::cos; y(0) = 1. - cos(q(0)); })
template <class F>
AutomaticFunction<F> automatic(F f) {
  // Only a template has no address; said here, the message comes first.
  constexpr bool isGeneric = !requires {
    &F::operator();
  };
  detail::requireGeneric<isGeneric>();
  return {std::move(f)};
}

}  // namespace delassus
