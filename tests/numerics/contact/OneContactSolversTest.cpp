// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/contact/OneContact.hpp>
#include <delassus/numerics/contact/OneContactSolver.hpp>
#include <delassus/numerics/contact/SlidingEquation.hpp>
#include <random>
#include <support/ContactRows.hpp>

namespace delassus::numerics {
namespace {

using Generator = std::mt19937_64;

struct Contact {
  std::size_t dimension;
  std::array<double, 9> W;
  std::array<double, 3> q;
  double mu;
};

// W = B D Bᵀ; D spans 10^-decades .. 1, and its last entries are zero where `rank` is less than the dimension, q then
// being in the range of W so that there is a solution.
Contact randomContact(Generator& generator, std::size_t d, double decades, std::size_t rank) {
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> some(0., 1.);
  Contact contact{d, {}, {}, 0.};
  std::array<double, 9> B{};
  std::array<double, 3> D{};
  for (double& entry : B) entry = normal(generator);
  for (std::size_t k = 0; k < rank; ++k) D[k] = std::pow(10., -decades * some(generator));
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = 0; j < d; ++j) {
      for (std::size_t k = 0; k < d; ++k) contact.W[i + j * d] += B[i + k * 3] * D[k] * B[j + k * 3];
    }
  }
  for (double& component : contact.q) component = normal(generator);
  if (rank < d) {
    const std::array<double, 3> x = contact.q;
    for (std::size_t i = 0; i < d; ++i) {
      contact.q[i] = 0.;
      for (std::size_t j = 0; j < d; ++j) contact.q[i] += contact.W[i + j * d] * x[j];
    }
  }
  const double kind = some(generator);
  contact.mu = kind < 0.1 ? 0. : (kind < 0.3 ? 10. * some(generator) : 1.5 * some(generator));
  return contact;
}

bool solve(const OneContactSolver& solver, const Contact& contact, std::array<double, 3>& r) {
  return solver.solve(contact.dimension, contact.W.data(), contact.q.data(), contact.mu, r.data());
}

// The independent certificate, relative to ‖q‖ + δ‖r‖.
double certificate(const Contact& contact, const std::array<double, 3>& r) {
  const std::size_t d = contact.dimension;
  double scale = 0., sizeOfQ = 0., sizeOfR = 0.;
  std::array<double, 3> u{}, scaled{};
  for (std::size_t i = 0; i < d; ++i) scale += contact.W[i * (d + 1)] / static_cast<double>(d);
  for (std::size_t i = 0; i < d; ++i) {
    u[i] = contact.q[i];
    for (std::size_t j = 0; j < d; ++j) u[i] += contact.W[i + j * d] * r[j];
    scaled[i] = scale * r[i];
    sizeOfQ = std::hypot(sizeOfQ, contact.q[i]);
    sizeOfR = std::hypot(sizeOfR, scaled[i]);
  }
  return std::sqrt(test::contactMapSquared(d, contact.mu, scaled.data(), u.data())) / (sizeOfQ + sizeOfR);
}

// Rounding of W r + q in the solver and in the certificate, with μ up to 10.
constexpr double rounding = 3e-13;

void testQuarticAgainstNewton(std::size_t d, double decades, int count, double allowedMisses) {
  Generator generator(11);
  const QuarticOneContactSolver quartic;
  const NewtonOneContactSolver newton;
  int misses = 0, unique = 0;
  for (int trial = 0; trial < count; ++trial) {
    const Contact contact = randomContact(generator, d, decades, d);
    std::array<double, 3> byCases{}, byNewton{};
    EXPECT_TRUE(solve(quartic, contact, byCases));
    ASSERT_LT(certificate(contact, byCases), rounding);
    if (!solve(newton, contact, byNewton)) {
      ++misses;
      continue;
    }
    ASSERT_LT(certificate(contact, byNewton), rounding);
    QuarticOneContactSolver::Solutions all{};
    if (quartic.allSolutions(d, contact.W.data(), contact.q.data(), contact.mu, 1e-6, all) > 1) continue;
    ++unique;
    if (decades > 0.) continue;  // two reactions of equal residual may then be far apart
    double size = 0., difference = 0.;
    for (std::size_t i = 0; i < d; ++i) {
      size = std::max(size, std::abs(byCases[i]));
      difference = std::max(difference, std::abs(byCases[i] - byNewton[i]));
    }
    EXPECT_LE(difference, 1e-6 * size) << "trial " << trial << ", mu " << contact.mu;
  }
  EXPECT_LE(misses, allowedMisses * count);
  EXPECT_GE(unique, 0.9 * count);
}

TEST(QuarticOneContactSolver, AgreesWithNewtonOnRandomContacts) {
  testQuarticAgainstNewton(3, 0., 100000, 1e-3);
  testQuarticAgainstNewton(2, 0., 20000, 1e-3);
}

TEST(QuarticOneContactSolver, AndNewtonAreCertifiedOnIllConditionedContacts) {
  testQuarticAgainstNewton(3, 10., 50000, 2e-2);
  testQuarticAgainstNewton(2, 10., 20000, 2e-2);
}

TEST(HybridOneContactSolver, NeverFailsWhereASolutionExists) {
  Generator generator(12);
  const HybridOneContactSolver hybrid;
  for (int trial = 0; trial < 100000; ++trial) {
    const std::size_t d = trial % 4 == 0 ? 2 : 3;
    const std::size_t rank = trial % 3 == 0 ? d : 1 + static_cast<std::size_t>(trial) % d;
    const Contact contact = randomContact(generator, d, trial % 2 == 0 ? 0. : 10., rank);
    std::array<double, 3> r{};
    ASSERT_TRUE(solve(hybrid, contact, r)) << "trial " << trial;
    ASSERT_LT(certificate(contact, r), rounding) << "trial " << trial;
  }
}

TEST(HybridOneContactSolver, FollowsAWarmStart) {
  Generator generator(13);
  const HybridOneContactSolver hybrid;
  for (int trial = 0; trial < 20000; ++trial) {
    Contact contact = randomContact(generator, 3, 2., 3);
    std::array<double, 3> r{};
    for (int step = 0; step < 5; ++step) {
      ASSERT_TRUE(solve(hybrid, contact, r));
      ASSERT_LT(certificate(contact, r), rounding);
      for (double& component : contact.q) component *= 1.001;
      contact.q[1] += 1e-3;
    }
  }
}

TEST(HybridOneContactSolver, TakesAnyFiniteStart) {
  Generator generator(14);
  const HybridOneContactSolver hybrid;
  for (const double size : {1e-300, 1e-12, 1e12, 1e200}) {
    const Contact contact = randomContact(generator, 3, 1., 3);
    std::array<double, 3> r{-size, size, -size};
    EXPECT_TRUE(solve(hybrid, contact, r));
    EXPECT_LT(certificate(contact, r), rounding);
  }
}

TEST(HybridOneContactSolver, SaysWhereThereIsNoSolution) {
  const HybridOneContactSolver hybrid;
  const Contact contact{3, {}, {-1., 0.5, 0.}, 0.5};
  std::array<double, 3> r{};
  EXPECT_FALSE(solve(hybrid, contact, r));
  for (const double component : r) EXPECT_TRUE(std::isfinite(component));
}

TEST(OneContactSolvers, SolveTheThreeCasesByHand) {
  const std::array<double, 9> W{2., 0., 0., 0., 1., 0., 0., 0., 1.};
  const HybridOneContactSolver hybrid;
  const NewtonOneContactSolver newton;
  const QuarticOneContactSolver quartic;
  const ProjectionOneContactSolver projection({.maxIterations = 1000});
  for (const OneContactSolver* solver :
       {static_cast<const OneContactSolver*>(&hybrid), static_cast<const OneContactSolver*>(&newton),
        static_cast<const OneContactSolver*>(&quartic), static_cast<const OneContactSolver*>(&projection)}) {
    const auto expectReaction = [&](std::array<double, 3> q, std::array<double, 3> expected) {
      std::array<double, 3> r{};
      EXPECT_TRUE(solver->solve(3, W.data(), q.data(), 0.5, r.data())) << solver->name();
      for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(r[i], expected[i], 1e-12) << solver->name();
    };
    expectReaction({1., 5., 0.}, {0., 0., 0.});         // take-off
    expectReaction({-2., 0.3, -0.4}, {1., -0.3, 0.4});  // stick: ‖r_T‖ = 0.5 at the border
    expectReaction({-2., 3., -4.}, {1., -0.3, 0.4});    // slide against q_T
    expectReaction({-2., 0., -4.}, {1., 0., 0.5});      // slide along an axis: θ = ±π/2
    expectReaction({-2., 4., 0.}, {1., -0.5, 0.});      // θ = π, which tan(θ/2) misses
  }
}

TEST(QuarticOneContactSolver, FindsSeveralSolutionsForLargeFriction) {
  // W_NN + μ W_NT·t < 0 lets a contact stay that could take off.
  const std::array<double, 4> W{1., -0.9, -0.9, 1.};
  const std::array<double, 2> q{0.1, -0.5};
  QuarticOneContactSolver::Solutions all{};
  const std::size_t count = QuarticOneContactSolver().allSolutions(2, W.data(), q.data(), 5., 1e-9, all);
  EXPECT_GT(count, 1u);
  for (std::size_t k = 0; k < count; ++k) {
    const std::array<double, 2> r{all[2 * k], all[2 * k + 1]};
    EXPECT_LT(oneContactResidual(2, W.data(), q.data(), 5., r.data()), rounding);
  }
}

TEST(SlidingEquation, IsTheCrossProductOfSlipAndDirection) {
  Generator generator(15);
  for (int trial = 0; trial < 1000; ++trial) {
    const Contact data = randomContact(generator, 3, 1., 3);
    const OneContact<3> contact(data.W.data(), data.q.data(), data.mu);
    const SlidingEquation equation(contact);
    const double angle = 0.01 * trial;
    const SlidingEquation::Direction t{std::cos(angle), std::sin(angle)};
    OneContact<3>::Reaction r;
    if (!equation.reaction(t, r)) continue;
    const auto u = contact.velocity(r);
    const double resistance = data.W[0] + data.mu * (data.W[3] * t.cosine + data.W[6] * t.sine);
    const double cross = resistance * (u[1] * t.sine - u[2] * t.cosine);
    EXPECT_NEAR(u[0], 0., 1e-13 * (1. + data.W[0] * r[0] * (1. + data.mu)));
    EXPECT_NEAR(equation.value(t), cross,
                1e-12 * (1. + std::abs(resistance) * contact.scale() * r[0] * (1. + data.mu)));
    const double h = 1e-6;
    const double ahead = equation.value({std::cos(angle + h), std::sin(angle + h)});
    const double behind = equation.value({std::cos(angle - h), std::sin(angle - h)});
    // Rounding 1e-16/h and truncation h², times coefficients up to 10³.
    EXPECT_NEAR(equation.derivative(t), (ahead - behind) / (2. * h), 1e-6);
  }
}

TEST(OneContactSolvers, RefuseOptionsOutOfRange) {
  EXPECT_THROW(NewtonOneContactSolver({.tolerance = 0.}), Error);
  EXPECT_THROW(ProjectionOneContactSolver({.maxIterations = 0}), Error);
}

}  // namespace
}  // namespace delassus::numerics
