// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/kernel/functions/HolonomicFunction.hpp>
#include <delassus/numerics/functions/Automatic.hpp>
#include <delassus/numerics/functions/Differentiation.hpp>
#include <support/Matchers.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

// f(t, x) = (t² x₀ x₁, sin x₀ + t).
const auto generic = [](const auto& t, const auto& x, auto& out) {
  using std::sin;
  out(0) = t * t * x(0) * x(1);
  out(1) = sin(x(0)) + t;
};
using Function = SmoothFunction<Arguments<double, Vector>, WithRespectTo<1, 0>>;

const double t = 1.5;
const Vector x = makeVector({0.7, -2.});
const Matrix byX = makeMatrix({{t * t * -2., t* t * 0.7}, {std::cos(0.7), 0.}});
const Vector byT = makeVector({2. * t * 0.7 * -2., 1.});

void expectJacobians(const Function& f, double tolerance) {
  Vector value(2);
  f.value(t, x, value);
  expectNear(value, makeVector({t * t * 0.7 * -2., std::sin(0.7) + t}), 1e-15);
  Matrix jacobianByX(2, 2);
  f.jacobian<0>(t, x, jacobianByX);
  expectNear(jacobianByX, byX, tolerance);
  Vector jacobianByT(2);
  f.jacobian<1>(t, x, jacobianByT);
  expectNear(jacobianByT, byT, tolerance);
}

TEST(SmoothFunction, DifferencesItsJacobians) {
  // Central differences: the error is about ε^{2/3} = 4e-11 of the scale of f.
  expectJacobians(differenced(generic), 1e-9);
}

TEST(SmoothFunction, DerivesItsJacobiansAutomaticallyToRounding) {
  expectJacobians(automatic(generic), 1e-15);
}

TEST(SmoothFunction, TakesGivenJacobiansInTheirOrder) {
  expectJacobians(withJacobians(
                      generic, [](double, const Vector&, Matrix& J) { J = byX; },
                      [](double, const Vector&, Vector& J) { J = byT; }),
                  0.);
}

TEST(SmoothFunction, IsEmptyUntilItIsSet) {
  EXPECT_FALSE(Function());
  EXPECT_TRUE(Function(differenced(generic)));
}

TEST(HolonomicFunction, TakesFunctionsOfPlaceAndOfTimeAndPlace) {
  const HolonomicFunction ofTime(automatic(generic));
  ASSERT_TRUE(ofTime.dependsOnTime());
  Vector value(2);
  ofTime.value(t, x, value);
  expectNear(value, Vector{t * t * 0.7 * -2., std::sin(0.7) + t}, 1e-15);
  Matrix jacobian(2, 2);
  ofTime.jacobian(t, x, jacobian);
  expectNear(jacobian, byX, 1e-15);
  Vector rate(2);
  ofTime.rate(t, x, rate);
  expectNear(rate, byT, 1e-15);

  const HolonomicFunction ofPlace(automatic([](const auto& q, auto& out) { out(0) = q(0) * q(1); }));
  EXPECT_FALSE(ofPlace.dependsOnTime());
  Matrix row(1, 2);
  ofPlace.jacobian(t, x, row);
  expectNear(row, makeMatrix({{-2., 0.7}}), 1e-15);
  EXPECT_FALSE(HolonomicFunction());
}

TEST(SmoothFunction, DifferencesInTimeAsWellLateInARun) {
  const double omega = 40.;
  Function wave(differenced([=](double at, const Vector&, Vector& out) { out(0) = std::sin(omega * at); }));
  Vector derivative(1);
  const double late = 1e4;
  wave.jacobian<1>(late, Vector(2), derivative);
  // Truncation (ω δ)² ω / 6 with δ = 6e-6, and the rounding of ω t over δ.
  EXPECT_NEAR(derivative(0), omega * std::cos(omega * late), 1e-4);
}

TEST(SmoothFunction, DifferencesSmallLengthsWithTheirTypicalSize) {
  // A function that bends within a micrometre.
  using OfPosition = SmoothFunction<Arguments<Vector>, WithRespectTo<0>>;
  const auto bend = [](const Vector& y, Vector& out) { out(0) = std::sin(1e6 * y(0)); };
  Matrix J(1, 1);
  OfPosition(differenced(bend, 1e-6)).jacobian<0>(makeVector({3e-7}), J);
  EXPECT_NEAR(J(0, 0) / 1e6, std::cos(0.3), 1e-8);
  expectError([&] { differenced(bend, 0.); }, {"differences", "typical size", "positive"});
}

TEST(CheckJacobian, NamesTheOffendingEntry) {
  const auto wrong = [](double at, const Vector& y, Matrix& J) {
    J = byX;
    J(1, 0) += 1e-3;
    (void)at;
    (void)y;
  };
  const auto value = [](const double& at, const Vector& y, Vector& out) { generic(at, y, out); };
  expectError([&] { checkJacobian<1>(value, wrong, Matrix(2, 2), {}, "the force", t, x); },
              {"the force", "(1, 0)", "0.765"});
  EXPECT_NO_THROW(checkJacobian<1>(value, wrong, Matrix(2, 2), {1e-2, 1.}, "the force", t, x));
}

TEST(CheckJacobian, TakesNanAsWrong) {
  const auto value = [](const Vector& y, Vector& out) { out(0) = y(0); };
  const auto nan = [](const Vector&, Matrix& J) { J(0, 0) = std::nan(""); };
  expectError([&] { checkJacobian<0>(value, nan, Matrix(1, 1), {}, "h", makeVector({1.})); }, {"h", "(0, 0)", "nan"});
}

// Every function of <cmath> that there is for Dual, where its slope is finite.
template <class X>
std::vector<X> elementary(const X& u) {
  using std::abs, std::fabs, std::fmod, std::copysign, std::fmax, std::fmin, std::sqrt, std::cbrt, std::hypot;
  using std::acos, std::asin, std::atan, std::atan2, std::cos, std::sin, std::tan;
  using std::acosh, std::asinh, std::atanh, std::cosh, std::erf, std::erfc, std::sinh, std::tanh;
  using std::exp, std::exp2, std::expm1, std::log, std::log10, std::log1p, std::log2, std::pow;
  const X y = 0.3 * u + 0.1;
  return {abs(-u),
          fabs(u),
          fmod(X(5.) * u, X(0.7)),
          copysign(u, X(-1.)),
          fmax(u, y),
          fmin(u, y),
          sqrt(u),
          cbrt(u),
          hypot(u, y),
          exp(u),
          exp2(u),
          expm1(u),
          log(u),
          log2(u),
          log10(u),
          log1p(u),
          pow(u, 3.),
          pow(2., u),
          pow(u, y),
          sin(u),
          cos(u),
          tan(u),
          asin(u),
          acos(u),
          atan(u),
          atan2(u, y),
          sinh(u),
          cosh(u),
          tanh(u),
          asinh(u),
          acosh(1. + u),
          atanh(u),
          erf(u),
          erfc(u),
          u / y,
          u / 3.,
          1. / u,
          2. * u - y * u,
          -u + 4.,
          +u - 1.};
}

TEST(Dual, DifferentiatesEveryElementaryFunction) {
  const double at = 0.4, d = 1e-6;
  const std::vector<Dual> dual = elementary(Dual(at, 1.));
  const std::vector<double> value = elementary(at), before = elementary(at - d), after = elementary(at + d);
  for (std::size_t k = 0; k < dual.size(); ++k) {
    EXPECT_DOUBLE_EQ(dual[k].value(), value[k]) << "function " << k;
    // Central differences are off by d² times the third derivative, and by rounding over d.
    EXPECT_NEAR(dual[k].derivative(), (after[k] - before[k]) / (2. * d), 1e-9) << "function " << k;
  }
}

TEST(Dual, DerivesConstantsAndPowersWhereSlopesAreInfinite) {
  EXPECT_EQ(sqrt(Dual(0.)).derivative(), 0.);
  EXPECT_EQ(pow(Dual(0., 1.), 2).derivative(), 0.);
  EXPECT_EQ(pow(Dual(-2., 1.), Dual(2.)).derivative(), -4.);
  EXPECT_EQ(pow(Dual(0., 1.), Dual(1.)).derivative(), 1.);
  EXPECT_EQ(static_cast<int>(Dual(2.5, 1.)), 2);
  EXPECT_TRUE(Dual(1., 5.) < 2. && Dual(1., 5.) == 1. && 3 > Dual(1.));
  EXPECT_EQ(floor(Dual(1.5, 1.)).derivative() + ceil(Dual(1.5, 1.)).derivative(), 0.);
}

}  // namespace
