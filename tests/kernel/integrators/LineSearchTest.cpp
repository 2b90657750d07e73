// SPDX-License-Identifier: Apache-2.0
//
// How much of a step of Newton's method is taken.
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/kernel/integrators/LineSearch.hpp>

namespace {

using namespace delassus;

// The part of a step from x to x + dx at which a search for f = 0 ends.
template <class Function>
double partOf(double x, double dx, const Function& f) {
  double last = 0.;
  searchLine(std::abs(f(x)), [&](double part) {
    last = part;
    return std::abs(f(x + part * dx));
  });
  return last;
}

TEST(LineSearch, TakesAStepThatSolves) {
  EXPECT_EQ(partOf(3., -3., [](double x) { return 2. * x; }), 1.);
}

TEST(LineSearch, TakesAPartOfAStepThatLeadsToTheOtherSide) {
  // From 1 Newton's step for atan(10 x) leads to −13.9, and the function is as large at −1 as at 1.
  const auto f = [](double x) { return std::atan(10. * x); };
  const double part = partOf(1., -f(1.) * (1. + 100.) / 10., f);
  EXPECT_LT(part, 2. / 14.9);
  EXPECT_GT(part, 0.);
}

TEST(LineSearch, GoesOnDownAnExponential) {
  const auto f = [](double x) { return std::exp(x) - 1.; };
  const double part = partOf(100., -1., f);
  EXPECT_GE(part, 64.);
  EXPECT_LE(part, 128.);
}

TEST(LineSearch, ComesBackFromWhereAFunctionIsNotFinite) {
  const auto root = [](double x) {
    if (x < 0.) throw Error("root", "of a negative number.");
    return std::sqrt(x) - 0.1;
  };
  EXPECT_EQ(partOf(1., -1.8, root), 0.5);
}

TEST(LineSearch, TakesTheStepWhereNoPartOfItHelps) {
  EXPECT_EQ(partOf(1., 1., [](double x) { return x; }), 1.);
}

}  // namespace
