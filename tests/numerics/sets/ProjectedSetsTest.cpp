// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/numerics/RandomGenerator.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/choice/AutomaticMechanicalSolver.hpp>
#include <delassus/numerics/methods/BlockGaussSeidelSolver.hpp>
#include <delassus/numerics/methods/NewtonSolver.hpp>
#include <delassus/numerics/problem/GenericMechanicalProblem.hpp>
#include <delassus/numerics/problem/NaturalMapError.hpp>
#include <delassus/numerics/sets/Ball.hpp>
#include <delassus/numerics/sets/DruckerPragerCone.hpp>
#include <delassus/numerics/sets/SecondOrderCone.hpp>
#include <limits>
#include <memory>
#include <support/Matchers.hpp>
#include <support/RandomProblems.hpp>

namespace {

using namespace delassus;
using namespace delassus::numerics;
using namespace delassus::test;

std::vector<std::shared_ptr<const ConvexSet>> sets() {
  return {std::make_shared<SecondOrderCone>(),
          std::make_shared<SecondOrderCone>(0.4),
          std::make_shared<SecondOrderCone>(0.),
          std::make_shared<Ball>(0.7),
          std::make_shared<Ball>(0.),
          std::make_shared<DruckerPragerCone>(0.5, 0.3),
          std::make_shared<DruckerPragerCone>(0.5, 0.),
          std::make_shared<DruckerPragerCone>(0., 0.4)};
}

// One part of `rows` rows with scale d.
struct Point {
  std::vector<double> w, lambda, d, c, value, A, B;
  ConvexSet::Rows rows;

  Point(Generator& generator, std::size_t size, double scale)
      : w(size),
        lambda(size),
        d(size, scale),
        c(size, 1.),
        value(size),
        A(size * size),
        B(size * size),
        rows{size, nullptr, nullptr, d.data(), c.data()} {
    const Vector one = randomVector(generator, size), other = randomVector(generator, size);
    for (std::size_t i = 0; i < size; ++i) {
      w[i] = one(i);
      lambda[i] = other(i);
    }
  }
  void evaluate(const ConvexSet& set) {
    set.naturalMap(rows, w.data(), lambda.data(), value.data(), A.data(), B.data());
  }
};

// The projection minimises the distance: no other point of the set is nearer, and the difference is at right angles to
// the border, ⟨x − P(x), y − P(x)⟩ ≤ 0 for all y in C.
TEST(ProjectedSet, HasTheNaturalMapOfItsProjection) {
  Generator generator(5);
  for (const auto& set : sets()) {
    for (std::size_t trial = 0; trial < 200; ++trial) {
      const std::size_t size = 1 + trial % 5;
      const double d = trial % 3 == 0 ? 1. : 2.5;
      Point point(generator, size, d);
      point.evaluate(*set);
      std::vector<double> nearest(size);  // P_dC(d λ − w) = d λ − F
      for (std::size_t i = 0; i < size; ++i) nearest[i] = d * point.lambda[i] - point.value[i];
      for (int draw = 0; draw < 20; ++draw) {
        RandomGenerator random(static_cast<std::uint64_t>(draw));
        std::vector<double> y(size);
        set->draw(point.rows, 1., random, y.data());
        double product = 0.;
        for (std::size_t i = 0; i < size; ++i) {
          product += (d * point.lambda[i] - point.w[i] - nearest[i]) * (d * y[i] - nearest[i]);
        }
        EXPECT_LE(product, 1e-13) << set->description() << ", trial " << trial;
      }
    }
  }
}

TEST(ProjectedSet, HasTheJacobiansOfItsMap) {
  Generator generator(6);
  constexpr double step = 1e-6;
  for (const auto& set : sets()) {
    if (set->coefficients()[0] == 0. && set->coefficients()[1] == 0.)
      continue;  // no neighbourhood in which the map is smooth need have the size of a step
    for (std::size_t trial = 0; trial < 100; ++trial) {
      const std::size_t size = 1 + trial % 5;
      Point point(generator, size, 1.7);
      point.evaluate(*set);
      const auto expectDifferences = [&](std::vector<double>& x, const std::vector<double>& jacobian) {
        for (std::size_t j = 0; j < size; ++j) {
          Point there = point;
          there.rows = {size, nullptr, nullptr, there.d.data(), there.c.data()};
          auto& moved = &x == &point.w ? there.w : there.lambda;
          moved[j] += step;
          there.evaluate(*set);
          const std::vector<double> above = there.value;
          moved[j] -= 2. * step;
          there.evaluate(*set);
          for (std::size_t i = 0; i < size; ++i) {
            const double difference = (above[i] - there.value[i]) / (2. * step);
            EXPECT_NEAR(jacobian[i + size * j], difference, 1e-5) << set->description() << ", trial " << trial;
          }
        }
      };
      expectDifferences(point.w, point.A);
      expectDifferences(point.lambda, point.B);
    }
  }
}

// The certificate's formula against that of methods, in which nothing is shared.
TEST(ProjectedSet, HasACertificateThatAgreesWithItsMap) {
  Generator generator(7);
  for (const auto& set : sets()) {
    for (std::size_t trial = 0; trial < 100; ++trial) {
      const std::size_t size = 1 + trial % 5;
      Point point(generator, size, 1.);
      point.evaluate(*set);
      double squares = 0.;
      for (const double value : point.value) squares += value * value;
      ResidualSums<double> sums;
      ResidualSums<long double> extended;
      const std::vector<long double> lambda(point.lambda.begin(), point.lambda.end()),
          w(point.w.begin(), point.w.end());
      const double* const none = nullptr;
      set->addResidual(
          ResidualRows<double>{size, point.lambda.data(), point.w.data(), point.w.data(), none, none, none}, sums);
      set->addResidual(ResidualRows<long double>{size, lambda.data(), w.data(), point.w.data(), none, none, none},
                       extended);
      EXPECT_NEAR(sums.map, squares, 1e-14) << set->description() << ", trial " << trial;
      EXPECT_NEAR(static_cast<double>(extended.map), squares, 1e-14) << set->description() << ", trial " << trial;
    }
  }
}

TEST(ProjectedSet, SolvesOnePart) {
  Generator generator(8);
  for (const auto& set : sets()) {
    for (std::size_t trial = 0; trial < 100; ++trial) {
      const std::size_t size = 1 + trial % 5;
      // Of deficient rank in every other trial, with q in its range.
      const Matrix W = randomSemidefinite(generator, size, trial % 2 == 0 ? size : (size + 1) / 2);
      Vector q(size);
      multiply(1., W, randomVector(generator, size), 0., q);
      Vector lambda, w;
      MechanicalGaussSeidelSolver solver({.tolerance = 1e-9, .maxIterations = 200});
      const SolveReport report = solver.solve(GenericMechanicalProblem(W, q, {{set, size}}), lambda, w);
      EXPECT_TRUE(report.converged()) << set->description() << ", trial " << trial << ": " << report.summary();
    }
  }
}

TEST(ProjectedSet, StandsBesideJointsLimitsAndContacts) {
  Generator generator(9);
  for (int trial = 0; trial < 50; ++trial) {
    const GenericMechanicalProblem problem(
        randomSemidefinite(generator, 14, 14, 0.2), randomVector(generator, 14),
        {Part::equality(2), Part::secondOrderCone(4, 0.6), Part::box(2), Part::ball(3, 0.2), Part::coulomb(3, 0.5)},
        Vector(14, -0.1), Vector(14, 0.1));
    for (int method = 0; method < 3; ++method) {
      Vector lambda, w;
      AutomaticMechanicalSolver automaticSolver;
      NewtonSolver newton;
      MechanicalGaussSeidelSolver sweeps;
      SolverOverSets& solver = method == 0   ? static_cast<SolverOverSets&>(automaticSolver)
                               : method == 1 ? static_cast<SolverOverSets&>(newton)
                                             : sweeps;
      const SolveReport report = solver.solve(problem, lambda, w);
      ASSERT_TRUE(report.converged() || method == 1) << trial << ": " << report.summary();
      if (!report.converged()) continue;
      // The laws in words: the ball in rows 8 to 10, λ at its border where w is not zero, and against it.
      double length = 0., speed = 0., product = 0.;
      for (std::size_t i = 8; i < 11; ++i) {
        length += lambda(i) * lambda(i);
        speed += w(i) * w(i);
        product += lambda(i) * w(i);
      }
      EXPECT_LE(std::sqrt(length), 0.2 + 1e-6);
      EXPECT_NEAR(product, -0.2 * std::sqrt(speed), 1e-6);
    }
  }
}

TEST(ProjectedSet, RefusesCoefficientsThatItCannotHave) {
  const Matrix W = identityMatrix(2);
  for (const double wrong : {-1., std::nan(""), std::numeric_limits<double>::infinity()}) {
    expectError([&] { GenericMechanicalProblem(W, Vector(2), {Part::secondOrderCone(2, wrong)}); }, {"aperture"});
    expectError([&] { GenericMechanicalProblem(W, Vector(2), {Part::ball(2, wrong)}); }, {"radius"});
    expectError([&] { GenericMechanicalProblem(W, Vector(2), {Part::druckerPrager(2, wrong, 1.)}); }, {"friction"});
    expectError([&] { GenericMechanicalProblem(W, Vector(2), {Part::druckerPrager(2, 1., wrong)}); }, {"cohesion"});
  }
}

// w = q cannot be moved out of −K* by a W of zeros in the normal row: proved by y = e_N.
TEST(ProjectedSet, LetsProofsBeChecked) {
  Matrix W(3, 3);
  W(1, 1) = W(2, 2) = 1.;
  const GenericMechanicalProblem problem(W, Vector{-1., 0., 0.}, {Part::secondOrderCone(3, 0.5)});
  Vector lambda, w;
  const SolveReport report = AutomaticMechanicalSolver().solve(problem, lambda, w);
  EXPECT_FALSE(report.converged());
  const SecondOrderCone cone(0.5);
  const double inside[] = {1., 0.3, 0.}, outside[] = {1., 0.6, 0.};
  EXPECT_TRUE(cone.implies(inside, 3, nullptr, nullptr));
  EXPECT_FALSE(cone.implies(outside, 3, nullptr, nullptr));
  ProofSum sum;
  const ProofSum g[] = {{-1., 1.}, {1., 1.}, {0., 0.}};
  EXPECT_TRUE(cone.addLargest(g, 3, nullptr, nullptr, 1e-15, sum));
  EXPECT_FALSE(SecondOrderCone(1.5).addLargest(g, 3, nullptr, nullptr, 1e-15, sum));
  EXPECT_TRUE(Ball(2.).addLargest(g, 3, nullptr, nullptr, 1e-15, sum));
  EXPECT_NEAR(static_cast<double>(sum.value), 2. * std::sqrt(2.), 1e-15);
}

// A step of a material point in plane strain, λ its stress: with w = C (λ − trial), C isotropic, the stress is the
// projection of the trial stress, on the cone (0.2, 1): 0.8 beyond ‖s‖ = 0.3 − 0.5 p, along the normal (0.5, 1)/√1.25;
// at its tip, and on von Mises' cylinder by the radial return.
TEST(DruckerPragerCone, ReturnsTrialStressesOfAMaterialPoint) {
  const auto stress = [](const Part& part, const Vector& trial) {
    Vector q = trial, lambda, w;
    for (double& entry : q.data()) entry *= -2.;
    const SolveReport report = AutomaticMechanicalSolver({.tolerance = 1e-13})
                                   .solve(GenericMechanicalProblem(diagonalMatrix({2., 2., 2.}), q, {part}), lambda, w);
    EXPECT_TRUE(report.converged()) << report.summary();
    return lambda;
  };
  const Part soil = Part::druckerPrager(3, 0.5, 0.3), metal = Part::druckerPrager(3, 0., 0.3);
  expectNear(stress(soil, {0.2, 0.6, 0.8}), {0.2 - 0.32, 0.36 * 0.6, 0.36 * 0.8}, 1e-12);
  expectNear(stress(soil, {3., 0.1, 0.}), {0.6, 0., 0.}, 1e-12);
  expectNear(stress(soil, {-1., 0.5, 0.5}), {-1., 0.5, 0.5}, 1e-12);
  expectNear(stress(metal, {7., 0.6, 0.8}), {7., 0.18, 0.24}, 1e-12);
}

// The largest gᵀλ by hand, and directions in which the set has no end.
TEST(DruckerPragerCone, LetsProofsBeChecked) {
  const DruckerPragerCone soil(0.5, 0.3), metal(0., 0.3);
  ProofSum sum;
  const ProofSum normal[] = {{2., 2.}, {3., 3.}, {0., 0.}}, outside[] = {{1., 1.}, {3., 3.}, {0., 0.}};
  EXPECT_TRUE(soil.addLargest(normal, 3, nullptr, nullptr, 1e-15, sum));
  EXPECT_NEAR(static_cast<double>(sum.value), 2. * 0.6, 1e-15);
  EXPECT_FALSE(soil.addLargest(outside, 3, nullptr, nullptr, 1e-15, sum));
  EXPECT_FALSE(metal.addLargest(outside, 3, nullptr, nullptr, 1e-15, sum));
  sum = {};
  const ProofSum deviatoric[] = {{0., 1.}, {3., 3.}, {4., 4.}};
  EXPECT_TRUE(metal.addLargest(deviatoric, 3, nullptr, nullptr, 1e-15, sum));
  EXPECT_NEAR(static_cast<double>(sum.value), 0.3 * 5., 1e-15);
  const double pressure[] = {-1., 0.4, 0.}, tension[] = {1., 0.4, 0.}, shear[] = {-1., 0.6, 0.};
  EXPECT_TRUE(soil.implies(pressure, 3, nullptr, nullptr));
  EXPECT_FALSE(soil.implies(tension, 3, nullptr, nullptr));
  EXPECT_FALSE(soil.implies(shear, 3, nullptr, nullptr));
  const double mean[] = {1., 0., 0.};
  EXPECT_TRUE(metal.implies(mean, 3, nullptr, nullptr));
  EXPECT_FALSE(metal.implies(pressure, 3, nullptr, nullptr));
}

}  // namespace
