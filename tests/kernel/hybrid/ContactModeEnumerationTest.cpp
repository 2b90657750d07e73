// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <delassus/kernel/hybrid/ContactModeProblem.hpp>
#include <delassus/numerics/algebra/LeastSquares.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <kernel/hybrid/ContactLaws.hpp>
#include <support/RandomProblems.hpp>

// Random problems, against all modes tried one by one.

namespace delassus::test {
namespace {

using Mode = ContactMode;
using Status = ContactDecision::Status;
using Elements = std::vector<ContactElement>;

Vector accelerations(const Matrix& K, const Vector& b, const Vector& lambda) {
  Vector a = b;
  multiply(1., K, lambda, 1., a);
  return a;
}

std::vector<Mode> modesOf(const ContactElement& element) {
  if (isEquality(element)) return {Mode::held};
  if (element.element->hasGap() && !hasFriction(element)) return {Mode::open, Mode::held};
  if (isBounded(element)) {
    if (element.direction[0] != 0) return {slipMode(element.direction[0])};
    return {Mode::held, Mode::forward, Mode::backward};
  }
  if (element.direction[0] != 0) return {Mode::open, slipMode(element.direction[0])};
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
    if (isBounded(element) && s != 0)
      right(i) = s > 0 ? element.lower : element.upper;
    else
      hold(i);
    if (!hasFriction(element)) continue;
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

TEST(ContactModeProblem, SolvesProblemsOnTheBordersBetweenModes) {
  // λ and a by construction, a third of them between two modes: open and closed, stick and slip, with a = 0.
  Generator generator(7);
  for (int trial = 0; trial < 400; ++trial) {
    Elements elements = randomElements(generator, 2 + pick(generator, 4), 0.5, true);
    const std::size_t n = rowsOf(elements);
    const Matrix K = trial % 2 == 0 ? randomSemidefinite(generator, n, n + 2, 0.2)
                                    : randomSemidefinite(generator, n, std::max<std::size_t>(n / 2, 1));
    Vector lambda(n);
    Vector a(n);
    setZero(lambda);
    setZero(a);
    for (const ContactElement& element : elements) {
      const std::size_t i = element.row;
      const std::size_t which = pick(generator, 3);
      const double size = uniform(generator, 0.1, 1.);
      if (isEquality(element)) {
        lambda(i) = size;
      } else if (isBounded(element)) {
        const double s = element.isSliding() ? element.direction[0] : which == 0 ? 1. : -1.;
        lambda(i) = s > 0 ? element.lower : element.upper;
        if (element.isSliding())
          a(i) = size - 0.5;
        else if (which == 1)
          a(i) = -size;
      } else {
        if (which == 0) lambda(i) = size;
        if (which == 1) a(i) = size;
      }
      if (!hasFriction(element)) continue;
      const double s = element.isSliding() ? element.direction[0] : pick(generator, 2) == 0 ? 1. : -1.;
      lambda(i + 1) = -s * element.mu * lambda(i);
    }
    Vector b = a;
    multiply(-1., K, lambda, 1., b);
    ContactModeProblem problem;
    const ContactDecision& decision = problem.solve(K, b, elements);
    ASSERT_TRUE(decision.found()) << "trial " << trial << ": " << decision.reason;
    EXPECT_TRUE(meetsLaws(elements, decision.lambda, decision.a)) << "trial " << trial;
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

}  // namespace
}  // namespace delassus::test
