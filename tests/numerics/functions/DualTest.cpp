// SPDX-License-Identifier: Apache-2.0
//
// Every function of Dual against central differences of the same function of double.
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/numerics/functions/Automatic.hpp>
#include <limits>

namespace {

using namespace delassus;

template <class F>
void expectDerivative(const char* name, F f, std::initializer_list<double> places) {
  for (const double x : places) {
    const double h = 1e-6 * std::max(1., std::abs(x));
    const double slope = (f(x + h) - f(x - h)) / (2. * h);
    const Dual result = f(Dual(x, 1.));
    EXPECT_EQ(result.value(), f(x)) << name << " at " << x;
    // Central differences: h² of the third derivative, and rounding over h.
    EXPECT_NEAR(result.derivative(), slope, 2e-9 * std::max(1., std::abs(slope))) << name << " at " << x;
    EXPECT_EQ(f(Dual(x)).derivative(), 0.) << name << " at " << x;
  }
}

#define EXPECT_DERIVATIVE(name, ...)   \
  expectDerivative(#name,              \
                   [](const auto& x) { \
                     using std::name;  \
                     return name(x);   \
                   },                  \
                   {__VA_ARGS__})

TEST(Dual, DifferentiatesTheFunctionsOfCmath) {
  EXPECT_DERIVATIVE(sqrt, 0.3, 4.);
  EXPECT_DERIVATIVE(cbrt, -2., 0.5);
  EXPECT_DERIVATIVE(exp, -1., 0., 2.);
  EXPECT_DERIVATIVE(exp2, -1., 3.);
  EXPECT_DERIVATIVE(expm1, -0.5, 0., 1.);
  EXPECT_DERIVATIVE(log, 0.2, 3.);
  EXPECT_DERIVATIVE(log2, 0.2, 3.);
  EXPECT_DERIVATIVE(log10, 0.2, 3.);
  EXPECT_DERIVATIVE(log1p, -0.5, 2.);
  EXPECT_DERIVATIVE(sin, -1., 0., 2.);
  EXPECT_DERIVATIVE(cos, -1., 0., 2.);
  EXPECT_DERIVATIVE(tan, -1., 0., 0.7);
  EXPECT_DERIVATIVE(asin, -0.6, 0., 0.3);
  EXPECT_DERIVATIVE(acos, -0.6, 0., 0.3);
  EXPECT_DERIVATIVE(atan, -2., 0., 5.);
  EXPECT_DERIVATIVE(sinh, -1., 0., 2.);
  EXPECT_DERIVATIVE(cosh, -1., 0., 2.);
  EXPECT_DERIVATIVE(tanh, -1., 0., 2.);
  EXPECT_DERIVATIVE(asinh, -1., 0., 2.);
  EXPECT_DERIVATIVE(acosh, 1.3, 2.);
  EXPECT_DERIVATIVE(atanh, -0.6, 0., 0.3);
  EXPECT_DERIVATIVE(erf, -1., 0., 0.4);
  EXPECT_DERIVATIVE(erfc, -1., 0., 0.4);
  EXPECT_DERIVATIVE(abs, -1., 3.);
  EXPECT_DERIVATIVE(floor, -1.5, 2.2);
  EXPECT_DERIVATIVE(round, -1.4, 2.2);
}

TEST(Dual, DifferentiatesFunctionsOfTwoNumbers) {
  const auto both = [](const char* name, auto f, double a, double b) {
    expectDerivative(name, [&](const auto& x) { return f(x, b); }, {a});
    expectDerivative(name, [&](const auto& x) { return f(a, x); }, {b});
  };
  using std::pow, std::atan2, std::hypot, std::fmod, std::fmax, std::fmin, std::copysign;
  both(
      "pow", [](const auto& x, const auto& y) { return pow(x, y); }, 1.7, -2.3);
  both(
      "atan2", [](const auto& y, const auto& x) { return atan2(y, x); }, -0.4, -0.7);
  both(
      "hypot", [](const auto& x, const auto& y) { return hypot(x, y); }, 3., -4.);
  both(
      "fmod", [](const auto& x, const auto& y) { return fmod(x, y); }, 7.3, 2.);
  both(
      "fmax", [](const auto& x, const auto& y) { return fmax(x, y); }, 1., 2.);
  both(
      "fmin", [](const auto& x, const auto& y) { return fmin(x, y); }, 1., 2.);
  both(
      "copysign", [](const auto& x, const auto& y) { return copysign(x, y); }, 1., -2.);
  both(
      "quotient", [](const auto& x, const auto& y) { return 2 * x / y - x * y + 3; }, 1.2, -0.7);
}

TEST(Dual, KeepsAZeroDerivativeWhereAFunctionHasNone) {
  EXPECT_EQ(sqrt(Dual(0.)).derivative(), 0.);
  EXPECT_EQ(pow(Dual(0.), 0.5).derivative(), 0.);
  EXPECT_EQ(pow(Dual(0., 1.), 2).derivative(), 0.);
  EXPECT_EQ(pow(Dual(0., 1.), 1).derivative(), 1.);
  EXPECT_EQ(pow(Dual(-3., 1.), 2).derivative(), -6.);
  EXPECT_EQ(hypot(Dual(0.), Dual(0.)).derivative(), 0.);
  EXPECT_TRUE(std::isinf(sqrt(Dual(0., 1.)).derivative()));
}

TEST(Dual, ComparesItsValueAndIsCounted) {
  Dual a(2., 1.);
  EXPECT_TRUE(a < 3 && a > 1. && a == 2. && a != Dual(1.) && !(a >= 2.5f));
  a += 1;
  a *= a;
  a -= 4U;
  a /= 5.;
  EXPECT_EQ(a.value(), 1.);
  EXPECT_EQ(a.derivative(), 6. / 5.);
  EXPECT_EQ(static_cast<double>(-a), -1.);
  EXPECT_TRUE(isnan(Dual(std::numeric_limits<Dual>::quiet_NaN())));
  static_assert(!std::is_convertible_v<Dual, double>);
}

TEST(Dual, RunsThroughExpressionsOfUblas) {
  namespace ublas = boost::numeric::ublas;
  ForwardDifferentiation<0, decltype([](const auto& q, auto& y) {
                           y(0) = inner_prod(q, q);
                           y(1) = norm_2(q) + sum(q);
                         }),
                         Vector>
      derivative({});
  Matrix J(2, 2);
  derivative(Vector{3., -4.}, J);
  EXPECT_EQ(J(0, 0), 6.);
  EXPECT_EQ(J(0, 1), -8.);
  EXPECT_NEAR(J(1, 0), 1.6, 1e-15);
  EXPECT_NEAR(J(1, 1), 0.2, 1e-15);
}

}  // namespace
