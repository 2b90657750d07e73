// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/kernel/hybrid/ContactModeProblem.hpp>
#include <delassus/kernel/laws/NewtonImpactFrictionNSL.hpp>
#include <delassus/numerics/Error.hpp>
#include <kernel/hybrid/ContactLaws.hpp>
#include <limits>
#include <random>

namespace delassus::test {
namespace {

using Mode = ContactMode;
using Status = ContactDecision::Status;
using Elements = std::vector<ContactElement>;
constexpr double infinity = std::numeric_limits<double>::infinity();

// A block of mass m on a slope, g along gravity: K = 1/m, b = (−g cos α, −g sin α) with the slope's tangent upwards.
ContactDecision blockOnSlope(double angle, double mu, Mode proposed = Mode::held) {
  ContactModeProblem problem;
  const double g = 9.81;
  const double m = 2.;
  return problem.solve(diagonalMatrix({1. / m, 1. / m}), makeVector({-g * std::cos(angle), -g * std::sin(angle)}),
                       {ContactElement::friction(0, mu, 0, proposed)});
}

// A plate of mass 4 and moments of inertia 4/3 on legs at (±1, ±1), its weight drawn to (x, y): G has the rows
// (1, y, −x).
ContactDecision table(double x, double y, const std::vector<Mode>& proposed) {
  const double legs[4][2] = {{1., 1.}, {-1., 1.}, {-1., -1.}, {1., -1.}};
  Matrix K(4, 4);
  Vector b(4);
  Elements elements;
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j) K(i, j) = 0.25 + 0.75 * (legs[i][0] * legs[j][0] + legs[i][1] * legs[j][1]);
    b(i) = -40. * (0.25 + 0.75 * (legs[i][0] * x + legs[i][1] * y));
    elements.push_back(ContactElement::unilateral(i, proposed[i]));
  }
  ContactModeProblem problem;
  return problem.solve(K, b, elements);
}

TEST(ContactModeProblem, KeepsATableOnFourLegsWhileTheWeightIsAboveThem) {
  const std::vector<Mode> all(4, Mode::held);
  const ContactDecision centre = table(0., 0., all);
  EXPECT_EQ(centre.status, Status::kept);
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(centre.lambda(k), 10., 1e-12);
  // The λ of least norm has λ₂ = 10 (1 − 0.9 − 0.8) < 0, but there are others, all positive.
  const ContactDecision corner = table(0.9, 0.8, all);
  EXPECT_EQ(corner.status, Status::kept);
  EXPECT_NEAR(corner.lambda(2), 10. * 0.1, 1e-9);  // the legs at x = −1 carry 2 in all, evenly
  EXPECT_NEAR(corner.lambda(1), 10. * 0.1, 1e-9);
  EXPECT_EQ(table(0.9999, 0., all).status, Status::kept);
  const ContactDecision tipping = table(1.01, 0., all);
  EXPECT_EQ(tipping.modes, (std::vector<Mode>{Mode::held, Mode::open, Mode::open, Mode::held}));
  EXPECT_GT(tipping.a(1), 0.);
}

TEST(ContactModeProblem, BalancesBracedContacts) {
  // A block between two walls with friction carries its weight by bracing, with forces as large as one likes.
  const Matrix K = makeMatrix({{1., 0., -1., 0.}, {0., 1., 0., 1.}, {-1., 0., 1., 0.}, {0., 1., 0., 1.}});
  const Elements elements = {ContactElement::friction(0, 0.5, 0), ContactElement::friction(2, 0.5, 0)};
  ContactModeProblem problem;
  const ContactDecision& decision = problem.solve(K, makeVector({0., -10., 0., -10.}), elements);
  EXPECT_EQ(decision.status, Status::kept);
  EXPECT_TRUE(meetsLaws(elements, decision.lambda, decision.a, 1e-9));
  EXPECT_GE(decision.lambda(0), 10. - 1e-9);
}

// A wheel on an axle, with dry friction, that rests at its stop; nothing accelerates it but rounding.
TEST(ContactModeProblem, LeavesAtRestWhatNothingButRoundingAccelerates) {
  const Matrix K = makeMatrix({{1., -0.6, 0.6}, {-0.6, 1., -1.}, {0.6, -1., 1.}});
  for (const Mode proposed : {Mode::held, Mode::forward, Mode::backward}) {
    const Elements elements = {ContactElement::equality(0), ContactElement::box(1, -1., 1., 0, proposed),
                               ContactElement::unilateral(2)};
    ContactModeProblem problem;
    for (const double size : {1e-12, 1e-20, 1e-28}) {
      const ContactDecision& decision = problem.solve(K, makeVector({3. * size, size, -size}), elements);
      ASSERT_TRUE(decision.found()) << toString(proposed) << " " << size;
      EXPECT_LE(normInf(decision.a), 1e-9);
      EXPECT_TRUE(meetsLaws(elements, decision.lambda, decision.a, 1e-9));
    }
  }
}

TEST(ContactModeProblem, HoldsABlockOnASlopeUpToTheAngleOfFriction) {
  const double mu = 0.4;
  const double limit = std::atan(mu);
  const double g = 9.81;
  const ContactDecision below = blockOnSlope(limit - 1e-6, mu);
  EXPECT_EQ(below.status, Status::kept);
  EXPECT_EQ(below.modes.front(), Mode::held);
  EXPECT_NEAR(below.lambda(1), 2. * g * std::sin(limit - 1e-6), 1e-12);
  const ContactDecision above = blockOnSlope(limit + 1e-6, mu);
  EXPECT_EQ(above.status, Status::changed);
  EXPECT_EQ(above.modes.front(), Mode::backward);
  EXPECT_NEAR(above.a(1), -g * (std::sin(limit + 1e-6) - mu * std::cos(limit + 1e-6)), 1e-12);
}

TEST(ContactModeProblem, KeepsWhatIsProposedAtTheAngleOfFriction) {
  const double limit = std::atan(0.4);
  EXPECT_EQ(blockOnSlope(limit, 0.4, Mode::held).modes.front(), Mode::held);
  EXPECT_EQ(blockOnSlope(limit, 0.4, Mode::backward).modes.front(), Mode::backward);
  // Neither open nor forward fits; then a held contact is preferred.
  EXPECT_EQ(blockOnSlope(limit, 0.4, Mode::open).modes.front(), Mode::held);
  EXPECT_EQ(blockOnSlope(limit, 0.4, Mode::forward).modes.front(), Mode::held);
}

TEST(ContactModeProblem, KeepsWhatIsProposedAtTakeOff) {
  // Two contacts; that of row 0 has just lost its force, to rounding of either sign.
  for (const double rounding : {-1e-15, 0., 1e-15}) {
    for (const Mode proposed : {Mode::open, Mode::held}) {
      ContactModeProblem problem;
      const ContactDecision& decision =
          problem.solve(makeMatrix({{2., 1.}, {1., 2.}}), makeVector({-1. + rounding, -2.}),
                        {ContactElement::unilateral(0, proposed), ContactElement::unilateral(1)});
      EXPECT_EQ(decision.status, Status::kept);
      EXPECT_EQ(decision.modes[0], proposed);
      EXPECT_EQ(decision.modes[1], Mode::held);
    }
  }
}

TEST(ContactModeProblem, TakesCancelledFreeAccelerationsForZero) {
  // Two bodies that fall side by side: b is the rounding of g − g.
  for (const Mode proposed : {Mode::open, Mode::held}) {
    for (const double rounding : {-1e-15, 1e-15}) {
      ContactModeProblem problem;
      const ContactDecision& decision = problem.solve(diagonalMatrix({1.}), makeVector({rounding}),
                                                      {ContactElement::unilateral(0, proposed)}, makeVector({9.81}));
      EXPECT_EQ(decision.modes.front(), proposed);
    }
  }
}

TEST(ContactModeProblem, TakesWhatIsRoundingBesideOthersForZero) {
  // A body that is pressed, and two that swing through side by side: nothing accelerates their contact but rounding.
  for (const Mode proposed : {Mode::open, Mode::held}) {
    for (const double rounding : {-4e-16, 4e-16}) {
      ContactModeProblem problem;
      const ContactDecision& decision =
          problem.solve(diagonalMatrix({1., 1.}), makeVector({-9.81, rounding}),
                        {ContactElement::unilateral(0), ContactElement::unilateral(1, proposed)});
      EXPECT_EQ(decision.status, ContactDecision::Status::kept);
      EXPECT_EQ(decision.modes.back(), proposed);
    }
  }
}

TEST(ContactModeProblem, DecidesWhetherALadderSlips) {
  // Length 2, centre in the middle, against a smooth wall on a floor with friction, θ from the floor:
  // it holds itself if tan θ ≥ 1 / (2 μ). q = (x, y, θ), the foot at (x − cos θ, y − sin θ), the top at the wall.
  const double mu = 0.4;
  const double m = 3.;
  const double inertia = m / 3.;
  for (const double off : {-0.01, 0.01}) {
    const double theta = std::atan(1. / (2. * mu)) + off;
    const double c = std::cos(theta);
    const double s = std::sin(theta);
    // Rows: gap of the foot, its slip away from the wall at x = cos θ, gap of the top to the wall on the right.
    const double G[3][3] = {{0., 1., -c}, {-1., 0., -s}, {-1., 0., s}};
    Matrix K(3, 3);
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j)
        K(i, j) = (G[i][0] * G[j][0] + G[i][1] * G[j][1]) / m + G[i][2] * G[j][2] / inertia;
    }
    ContactModeProblem problem;
    const ContactDecision& decision = problem.solve(
        K, makeVector({-9.81, 0., 0.}), {ContactElement::friction(0, mu, 0), ContactElement::unilateral(2)});
    ASSERT_TRUE(decision.found());
    EXPECT_EQ(decision.modes[0], off > 0. ? Mode::held : Mode::forward);
    EXPECT_EQ(decision.modes[1], Mode::held);
    if (off > 0.) {
      EXPECT_NEAR(decision.lambda(0), 9.81 * m, 1e-10);
      EXPECT_NEAR(decision.lambda(2), 0.5 * 9.81 * m / std::tan(theta), 1e-10);
    } else {
      EXPECT_GT(decision.a(1), 0.);
    }
  }
}

// (K_NN, K_NT, K_TT) of the tip of a rod of mass 1 and half length 1 at ψ from the horizontal.
Matrix rodMatrix(double psi) {
  const double c = std::cos(psi);
  const double s = std::sin(psi);
  return makeMatrix({{1. + 3. * c * c, -3. * s * c}, {-3. * s * c, 1. + 3. * s * s}});
}

TEST(ContactModeProblem, ReportsPainlevesInconsistency) {
  // K_NN − μ K_NT·s < 0 for s = −1 and large μ, while the tip is pressed down: no force stops it.
  const double psi = 1.;
  const Matrix K = rodMatrix(psi);
  const double mu = 1.5 * K(0, 0) / -K(0, 1);
  for (const int direction : {-1, 1}) {
    ContactModeProblem problem;
    const ContactDecision& decision =
        problem.solve(K, makeVector({-10., 0.}), {ContactElement::friction(0, mu, direction)});
    if (direction > 0) {
      EXPECT_EQ(decision.status, Status::kept);
      EXPECT_EQ(decision.paradox, ContactDecision::none);
      continue;
    }
    EXPECT_EQ(decision.status, Status::impossible);
    EXPECT_EQ(decision.paradox, 0U);
    EXPECT_NE(decision.reason.find("Painleve"), std::string::npos) << decision.reason;
  }
}

TEST(ContactModeProblem, KeepsWhatIsProposedWherePainlevesRodHasTwoSolutions) {
  const Matrix K = rodMatrix(1.);
  const double mu = 1.5 * K(0, 0) / -K(0, 1);
  for (const Mode proposed : {Mode::open, Mode::backward}) {
    ContactModeProblem problem;
    const ContactDecision& decision =
        problem.solve(K, makeVector({10., 0.}), {ContactElement::friction(0, mu, -1, proposed)});
    EXPECT_EQ(decision.status, Status::kept);
    EXPECT_EQ(decision.modes.front(), proposed);
    EXPECT_EQ(decision.paradox, 0U);
  }
}

TEST(ContactModeProblem, FindsPainlevesParadoxBehindEqualities) {
  // The rod's rotation is tied to a wheel by an equality, with the same motion in the end: the paradox is that of the
  // constrained rod, whose inertia is I + J.
  const double psi = 1.;
  const double c = std::cos(psi);
  const double s = std::sin(psi);
  for (const double wheel : {1e-3, 1e3}) {
    const double inverse = 1. / wheel;  // K = G M⁻¹ Gᵀ with q = (x, y, ψ, φ), equality ψ − φ = 0
    const Matrix K = makeMatrix({{1. + 3. * c * c, -3. * s * c, -3. * c},
                                 {-3. * s * c, 1. + 3. * s * s, 3. * s},
                                 {-3. * c, 3. * s, 3. + inverse}});
    const double mu = 1.5 * (1. + 3. * c * c) / (3. * s * c);
    ContactModeProblem problem;
    const ContactDecision& decision = problem.solve(K, makeVector({-10., 0., 0.}),
                                                    {ContactElement::friction(0, mu, -1), ContactElement::equality(2)});
    EXPECT_EQ(decision.paradox, wheel < 1. ? 0U : ContactDecision::none);
    EXPECT_EQ(decision.found(), wheel > 1.);
  }
}

TEST(ContactModeProblem, HoldsAnAxisUpToItsDryFriction) {
  for (const double load : {-3., -2., -1., 0., 1., 2., 3.}) {
    ContactModeProblem problem;
    const ContactDecision& decision =
        problem.solve(diagonalMatrix({0.5}), makeVector({load}), {ContactElement::box(0, -4., 4., 0)});
    ASSERT_TRUE(decision.found());
    const double expected = std::abs(load) <= 2. ? 0. : load - std::copysign(2., load);
    EXPECT_NEAR(decision.a(0), expected, 1e-14);
    EXPECT_EQ(decision.modes.front(), load > 2. ? Mode::forward : load < -2. ? Mode::backward : Mode::held);
  }
}

TEST(ContactModeProblem, TakesHalfInfiniteBoxes) {
  for (const double load : {-1., 1.}) {
    ContactModeProblem problem;
    const Vector b = makeVector({load, load, load});
    const ContactDecision& decision =
        problem.solve(diagonalMatrix({1., 1., 1.}), b,
                      {ContactElement::box(0, 0., infinity, 0), ContactElement::box(1, -infinity, 0., 0),
                       ContactElement::box(2, -infinity, infinity, 0)});
    ASSERT_TRUE(decision.found());
    EXPECT_NEAR(decision.lambda(0), load < 0. ? 1. : 0., 1e-14);
    EXPECT_NEAR(decision.lambda(1), load > 0. ? -1. : 0., 1e-14);
    EXPECT_NEAR(decision.lambda(2), -load, 1e-14);
  }
}

TEST(ContactModeProblem, ReportsEqualitiesThatContradictEachOther) {
  ContactModeProblem problem;
  const ContactDecision& decision = problem.solve(makeMatrix({{1., 1.}, {1., 1.}}), makeVector({0., 1.}),
                                                  {ContactElement::equality(0), ContactElement::equality(1)});
  EXPECT_EQ(decision.status, Status::impossible);
  EXPECT_EQ(decision.paradox, ContactDecision::none);
  EXPECT_FALSE(decision.reason.empty());
}

TEST(ContactModeProblem, TakesNoElementsAndZeroData) {
  ContactModeProblem problem;
  EXPECT_TRUE(problem.solve(Matrix(), Vector(), {}).found());
  const ContactDecision& decision =
      problem.solve(diagonalMatrix({1., 1.}), makeVector({0., 0.}), {ContactElement::friction(0, 0.5, 0)});
  EXPECT_EQ(decision.status, Status::kept);
  EXPECT_EQ(decision.modes.front(), Mode::held);
}

TEST(ContactModeProblem, IsFrictionlessWithoutFriction) {
  ContactModeProblem problem;
  const ContactDecision& decision = problem.solve(makeMatrix({{1., 0.5}, {0.5, 1.}}), makeVector({-1., 0.}),
                                                  {ContactElement::friction(0, 0., 1, Mode::forward)});
  EXPECT_EQ(decision.modes.front(), Mode::held);
  EXPECT_NEAR(decision.lambda(0), 1., 1e-14);
  EXPECT_EQ(decision.lambda(1), 0.);
}

// Random contacts in 3D that touch at rest: from any proposal the answer meets Coulomb's law on the round cone.
TEST(ContactModeProblem, FindsStickAndSlipInThreeDimensions) {
  constexpr double mu = 0.3;
  constexpr double tolerance = 1e-7;
  std::mt19937 generator(7);
  std::uniform_real_distribution<double> uniform(-1., 1.);
  ContactModeProblem problem;
  for (int k = 0; k < 300; ++k) {
    SCOPED_TRACE(k);
    Matrix G(6, 8);
    Matrix K(6, 6);
    for (std::size_t i = 0; i < 6; ++i) {
      for (std::size_t j = 0; j < 8; ++j) G(i, j) = uniform(generator);
    }
    for (std::size_t i = 0; i < 6; ++i) {
      for (std::size_t j = 0; j < 6; ++j) {
        K(i, j) = i == j ? 1. : 0.;
        for (std::size_t l = 0; l < 8; ++l) K(i, j) += 0.2 * G(i, l) * G(j, l);
      }
    }
    Vector b(6);
    for (double& x : b) x = uniform(generator);
    std::vector<ContactElement> elements(2);
    for (std::size_t c = 0; c < 2; ++c) {
      static_cast<ElementLaw&>(elements[c]) = elementOf(NewtonImpactFrictionNSL(0., 0., mu, 3), 0, "contact");
      elements[c].row = 3 * c;
      elements[c].proposed = k % 3 == 0 ? ContactMode::open : k % 3 == 1 ? ContactMode::held : ContactMode::creeping;
    }
    const ContactDecision& decision = problem.solve(K, b, elements);
    ASSERT_TRUE(decision.found()) << decision.reason;
    const Vector& lambda = decision.lambda;
    const Vector& a = decision.a;
    for (const std::size_t i : {std::size_t{0}, std::size_t{3}}) {
      EXPECT_NEAR(std::min(lambda(i), a(i)), 0., tolerance);
      const double slip = std::hypot(a(i + 1), a(i + 2));
      const double force = std::hypot(lambda(i + 1), lambda(i + 2));
      EXPECT_LE(force, mu * lambda(i) + tolerance);
      // Against the slip, with all that friction has.
      const double power = a(i + 1) * lambda(i + 1) + a(i + 2) * lambda(i + 2);
      EXPECT_NEAR(power, -mu * lambda(i) * slip, tolerance);
    }
  }
}

TEST(ContactModeProblem, NamesBadInput) {
  ContactModeProblem problem;
  const Matrix K = diagonalMatrix({1., 1.});
  const Vector b = makeVector({0., 0.});
  EXPECT_THROW(problem.solve(K, makeVector({0.}), {}), Error);
  EXPECT_THROW(problem.solve(K, b, {ContactElement::friction(1, 0.5, 0)}), Error);
  EXPECT_THROW(problem.solve(K, b, {ContactElement::friction(0, 0.5, 0), ContactElement::equality(1)}), Error);
  EXPECT_THROW(problem.solve(K, b, {ContactElement::friction(0, -0.5, 0)}), Error);
  EXPECT_THROW(problem.solve(K, b, {ContactElement::box(0, 1., -1., 0)}), Error);
  EXPECT_THROW(problem.solve(K, b, {ContactElement::box(0, 0., infinity, -1)}), Error);
  EXPECT_THROW(ContactModeProblem(ContactModeOptions{0.}), Error);
}

}  // namespace
}  // namespace delassus::test
