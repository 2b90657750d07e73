// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <delassus/kernel/hybrid/ContactModeProblem.hpp>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/LeastSquares.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <limits>
#include <numbers>
#include <support/RandomProblems.hpp>

namespace delassus::test {
namespace {

using Kind = ContactElement::Kind;
using Mode = ContactMode;
using Status = ContactDecision::Status;
using Elements = std::vector<ContactElement>;
constexpr double infinity = std::numeric_limits<double>::infinity();

// The laws one by one, in words of the law and without a natural map: an oracle apart from the class.
bool meetsLaw(const ContactElement& element, const Vector& lambda, const Vector& a, double tolerance) {
  const std::size_t i = element.row;
  const auto zero = [&](double x) { return std::abs(x) <= tolerance; };
  if (element.kind == Kind::equality) return zero(a(i));
  if (element.kind == Kind::box) {
    const bool low = zero(lambda(i) - element.lower);
    const bool high = zero(lambda(i) - element.upper);
    if (element.direction != 0) return element.direction > 0 ? low : high;
    if (lambda(i) < element.lower - tolerance || lambda(i) > element.upper + tolerance) return false;
    return zero(a(i)) || (a(i) > 0. && low) || (a(i) < 0. && high);
  }
  if (lambda(i) < -tolerance || a(i) < -tolerance || !(zero(lambda(i)) || zero(a(i)))) return false;
  if (element.kind == Kind::unilateral) return true;
  const double limit = element.mu * lambda(i);
  const double tangential = lambda(i + 1);
  if (element.direction != 0) return zero(tangential + element.direction * limit);
  if (std::abs(tangential) > limit + tolerance) return false;
  return zero(a(i + 1)) || (a(i + 1) > 0. && zero(tangential + limit)) || (a(i + 1) < 0. && zero(tangential - limit));
}

bool meetsLaws(const Elements& elements, const Vector& lambda, const Vector& a, double tolerance = 1e-7) {
  for (const ContactElement& element : elements) {
    if (!meetsLaw(element, lambda, a, tolerance)) return false;
  }
  return true;
}

Vector accelerations(const Matrix& K, const Vector& b, const Vector& lambda) {
  Vector a = b;
  multiply(1., K, lambda, 1., a);
  return a;
}

std::vector<Mode> modesOf(const ContactElement& element) {
  if (element.kind == Kind::equality) return {Mode::held};
  if (element.kind == Kind::unilateral) return {Mode::open, Mode::held};
  if (element.kind == Kind::box) {
    if (element.direction != 0) return {slipMode(element.direction)};
    return {Mode::held, Mode::forward, Mode::backward};
  }
  if (element.direction != 0) return {Mode::open, slipMode(element.direction)};
  return {Mode::open, Mode::held, Mode::forward, Mode::backward};
}

struct Solution {
  std::vector<Mode> modes;
  Vector lambda, a;
};

// a = 0 on the rows that the modes hold, by least squares in all λ with the other λ tied down by rows of their own.
Solution solveModes(const Matrix& K, const Vector& b, const Elements& elements, const std::vector<Mode>& modes) {
  const std::size_t n = b.size();
  Matrix system(n, n);
  setZero(system);
  Vector right(n);
  setZero(right);
  for (std::size_t i = 0; i < n; ++i) system(i, i) = 1.;
  const auto hold = [&](std::size_t row) {
    for (std::size_t j = 0; j < n; ++j) system(row, j) = K(row, j);
    right(row) = -b(row);
  };
  for (std::size_t k = 0; k < elements.size(); ++k) {
    const ContactElement& element = elements[k];
    const std::size_t i = element.row;
    const int s = directionOf(modes[k]);
    if (modes[k] == Mode::open) continue;
    if (element.kind == Kind::box && s != 0)
      right(i) = s > 0 ? element.lower : element.upper;
    else
      hold(i);
    if (element.kind != Kind::friction) continue;
    if (s == 0)
      hold(i + 1);
    else
      system(i + 1, i) = s * element.mu;
  }
  Solution solution{modes, leastSquares(system, right, "modes").x, Vector()};
  solution.a = accelerations(K, b, solution.lambda);
  return solution;
}

std::vector<Solution> enumerate(const Matrix& K, const Vector& b, const Elements& elements) {
  std::vector<Solution> found;
  std::vector<std::size_t> digits(elements.size(), 0);
  while (true) {
    std::vector<Mode> modes;
    for (std::size_t k = 0; k < elements.size(); ++k) modes.push_back(modesOf(elements[k])[digits[k]]);
    Solution solution = solveModes(K, b, elements, modes);
    if (meetsLaws(elements, solution.lambda, solution.a)) found.push_back(std::move(solution));
    std::size_t k = 0;
    for (; k < elements.size(); ++k) {
      if (++digits[k] < modesOf(elements[k]).size()) break;
      digits[k] = 0;
    }
    if (k == elements.size()) return found;
  }
}

double uniform(Generator& generator, double from, double to) {
  return std::uniform_real_distribution<double>(from, to)(generator);
}

std::size_t pick(Generator& generator, std::size_t count) {
  return std::uniform_int_distribution<std::size_t>(0, count - 1)(generator);
}

Mode randomMode(Generator& generator) {
  return std::array{Mode::open, Mode::held, Mode::forward, Mode::backward}[pick(generator, 4)];
}

Elements randomElements(Generator& generator, std::size_t count, double largestMu, bool equalities) {
  Elements elements;
  std::size_t row = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const int direction = static_cast<int>(pick(generator, 3)) - 1;
    const Mode proposed = randomMode(generator);
    switch (pick(generator, equalities ? 4 : 3)) {
      case 0:
        elements.push_back(ContactElement::unilateral(row, proposed));
        break;
      case 1:
        elements.push_back(ContactElement::friction(row, uniform(generator, 0.01, largestMu), direction, proposed));
        break;
      case 2:
        elements.push_back(
            ContactElement::box(row, uniform(generator, -1., 0.), uniform(generator, 0., 1.), direction, proposed));
        break;
      default:
        elements.push_back(ContactElement::equality(row));
    }
    row += elements.back().rows();
  }
  return elements;
}

std::size_t rowsOf(const Elements& elements) {
  return elements.empty() ? 0 : elements.back().row + elements.back().rows();
}

// A block of mass m on a slope, g along gravity: K = 1/m, b = (−g cos α, −g sin α) with the slope's tangent upwards.
ContactDecision blockOnSlope(double angle, double mu, Mode proposed = Mode::held) {
  ContactModeProblem problem;
  const double g = 9.81;
  const double m = 2.;
  return problem.solve(diagonalMatrix({1. / m, 1. / m}), makeVector({-g * std::cos(angle), -g * std::sin(angle)}),
                       {ContactElement::friction(0, mu, 0, proposed)});
}

TEST(ContactModeProblem, FindsTheSolutionOfDefiniteProblems) {
  Generator generator(1);
  std::size_t kept = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const Elements elements = randomElements(generator, 1 + pick(generator, 5), 0.3, true);
    const std::size_t n = rowsOf(elements);
    const Matrix K = randomSemidefinite(generator, n, n + 2, 0.5);
    const Vector b = randomVector(generator, n);
    const auto solutions = enumerate(K, b, elements);
    ContactModeProblem problem;
    const ContactDecision& decision = problem.solve(K, b, elements);
    ASSERT_EQ(decision.found(), !solutions.empty()) << "trial " << trial << ": " << decision.reason;
    if (!decision.found()) continue;
    kept += decision.status == Status::kept;
    EXPECT_LE(decision.residual, 1e-9);
    EXPECT_TRUE(meetsLaws(elements, decision.lambda, decision.a, 1e-9)) << "trial " << trial;
    EXPECT_LE(normInf(Vector(decision.a - accelerations(K, b, decision.lambda))), 1e-12);
    bool known = false;
    for (const Solution& solution : solutions)
      known = known || (solution.modes == decision.modes &&
                        normInf(Vector(solution.lambda - decision.lambda)) <= 1e-9 * (1. + normInf(solution.lambda)));
    EXPECT_TRUE(known) << "trial " << trial;
  }
  EXPECT_GT(kept, 20U);
}

TEST(ContactModeProblem, FindsASolutionOrProvesThatThereIsNoneForAnyFriction) {
  Generator generator(2);
  std::size_t impossible = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const Elements elements = randomElements(generator, 1 + pick(generator, 4), 3., true);
    const std::size_t n = rowsOf(elements);
    const Matrix K = randomSemidefinite(generator, n, n, 1e-3);
    const Vector b = randomVector(generator, n);
    const auto solutions = enumerate(K, b, elements);
    ContactModeProblem problem;
    const ContactDecision& decision = problem.solve(K, b, elements);
    ASSERT_EQ(decision.found(), !solutions.empty()) << "trial " << trial << ": " << decision.reason;
    impossible += decision.status == Status::impossible;
    if (decision.found())
      EXPECT_TRUE(meetsLaws(elements, decision.lambda, decision.a)) << "trial " << trial;
    else
      EXPECT_EQ(decision.status, Status::impossible) << decision.reason;
  }
  EXPECT_GT(impossible, 3U);
}

TEST(ContactModeProblem, SolvesSixContactsThatMayAllStick) {
  Generator generator(3);
  for (int trial = 0; trial < 100; ++trial) {
    Elements elements;
    for (std::size_t k = 0; k < 6; ++k)
      elements.push_back(ContactElement::friction(2 * k, uniform(generator, 0.1, 0.5), 0, randomMode(generator)));
    const Matrix K = randomSemidefinite(generator, 12, 14, 0.3);
    const Vector b = randomVector(generator, 12);
    ContactModeProblem problem;
    const ContactDecision& decision = problem.solve(K, b, elements);
    ASSERT_TRUE(decision.found()) << "trial " << trial << ": " << decision.reason;
    EXPECT_TRUE(meetsLaws(elements, decision.lambda, decision.a, 1e-9));
  }
}

TEST(ContactModeProblem, SolvesRedundantRows) {
  Generator generator(4);
  for (int trial = 0; trial < 300; ++trial) {
    const Elements elements = randomElements(generator, 3 + pick(generator, 3), 0.3, true);
    const std::size_t n = rowsOf(elements);
    const std::size_t rank = 1 + pick(generator, n);
    // G M⁻¹ Gᵀ and G M⁻¹ F with M = 1 and fewer coordinates than rows.
    const Matrix G = randomMatrix(generator, n, rank);
    Matrix K(n, n);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        K(i, j) = 0.;
        for (std::size_t k = 0; k < rank; ++k) K(i, j) += G(i, k) * G(j, k);
      }
    }
    Vector b(n);
    multiply(1., G, randomVector(generator, rank), 0., b);
    const auto solutions = enumerate(K, b, elements);
    ContactModeProblem problem;
    const ContactDecision& decision = problem.solve(K, b, elements);
    if (!solutions.empty()) {
      ASSERT_TRUE(decision.found()) << "trial " << trial << ": " << decision.reason;
    }
    if (decision.found()) {
      EXPECT_TRUE(meetsLaws(elements, decision.lambda, decision.a)) << "trial " << trial;
    }
  }
}

TEST(ContactModeProblem, HasUniqueAccelerationsWithoutFriction) {
  Generator generator(5);
  for (int trial = 0; trial < 200; ++trial) {
    Elements elements;
    const std::size_t n = 6;
    for (std::size_t k = 0; k < n; ++k) {
      if (k == 0)
        elements.push_back(ContactElement::equality(k));
      else
        elements.push_back(ContactElement::unilateral(k, randomMode(generator)));
    }
    const Matrix K = randomSemidefinite(generator, n, 3);
    Vector b(n);
    multiply(1., K, randomVector(generator, n), 0., b);
    const auto solutions = enumerate(K, b, elements);
    ASSERT_FALSE(solutions.empty());
    ContactModeProblem problem;
    const ContactDecision& decision = problem.solve(K, b, elements);
    ASSERT_TRUE(decision.found()) << decision.reason;
    EXPECT_LE(normInf(Vector(decision.a - solutions.front().a)), 1e-7);
  }
}

TEST(ContactModeProblem, KeepsATableOnFourLegs) {
  // Legs at (±1, ±1) of a plate of mass 4 and moments of inertia 4/3: G has the rows (1, y, −x).
  const double legs[4][2] = {{1., 1.}, {-1., 1.}, {-1., -1.}, {1., -1.}};
  Matrix K(4, 4);
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j) K(i, j) = 0.25 + 0.75 * (legs[i][0] * legs[j][0] + legs[i][1] * legs[j][1]);
  }
  Elements elements;
  for (std::size_t k = 0; k < 4; ++k) elements.push_back(ContactElement::unilateral(k));
  ContactModeProblem problem;
  const ContactDecision& decision = problem.solve(K, makeVector({-9.81, -9.81, -9.81, -9.81}), elements);
  EXPECT_EQ(decision.status, Status::kept);
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(decision.lambda(k), 9.81, 1e-12);
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

TEST(ContactModeProblem, DoesNotDependOnUnits) {
  Generator generator(6);
  for (int trial = 0; trial < 100; ++trial) {
    const Elements elements = randomElements(generator, 4, 0.3, true);
    const std::size_t n = rowsOf(elements);
    const Matrix K = randomSemidefinite(generator, n, n, 0.3);
    const Vector b = randomVector(generator, n);
    ContactModeProblem problem;
    const ContactDecision original = problem.solve(K, b, elements);
    ASSERT_TRUE(original.found());
    // Another unit of a in each element (metres and radians), and of force.
    Elements scaled = elements;
    Vector unit(n);
    const double force = std::pow(10., uniform(generator, -6., 6.));
    for (ContactElement& element : scaled) {
      const double factor = std::pow(10., uniform(generator, -5., 5.));
      for (std::size_t i = element.row; i < element.row + element.rows(); ++i) unit(i) = factor;
      element.lower *= force / factor;
      element.upper *= force / factor;
    }
    Matrix otherK = K;
    Vector otherB = b;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) otherK(i, j) *= unit(i) * unit(j) / force;
      otherB(i) *= unit(i);
    }
    const ContactDecision other = problem.solve(otherK, otherB, scaled);
    EXPECT_EQ(other.status, original.status);
    EXPECT_EQ(other.modes, original.modes);
    for (std::size_t i = 0; i < n; ++i)
      EXPECT_NEAR(other.lambda(i) * unit(i) / force, original.lambda(i), 1e-9 * normInf(original.lambda));
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
