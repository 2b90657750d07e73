// SPDX-License-Identifier: Apache-2.0
//
// Compliant equalities as springs, in steps that resolve them and in steps that do not; joints that turn with time.
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/laws/EqualityConditionNSL.hpp>
#include <delassus/kernel/laws/NewtonImpactNSL.hpp>
#include <delassus/kernel/relations/LagrangianLinearTIR.hpp>
#include <delassus/kernel/relations/LagrangianRheonomousR.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <delassus/kernel/systems/LagrangianLinearTIDS.hpp>
#include <delassus/numerics/Log.hpp>
#include <delassus/numerics/functions/Automatic.hpp>
#include <memory>
#include <string>
#include <support/Matchers.hpp>
#include <vector>

namespace delassus::test {
namespace {

/// Three masses of 2 kg in a row, which two springs of stiffness k tie together, in steps of 0.01 s.
struct SoftTrain {
  static constexpr double h = 0.01, mass = 2.;

  NonSmoothDynamicalSystem model{0., 1.};
  std::vector<std::shared_ptr<LagrangianLinearTIDS>> masses;
  std::vector<std::string> warnings;
  double energyBefore = 0., energyAfter = 0.;

  template <class Law>
  SoftTrain(const Law& law, double k) {
    for (const double v : {1., 0., 0.}) {
      masses.push_back(
          model.insert("mass " + std::to_string(masses.size()),
                       std::make_shared<LagrangianLinearTIDS>(Vector(1), Vector(1, v), Matrix(1, 1, mass))));
    }
    for (std::size_t i = 0; i < 2; ++i) {
      LagrangianLinearTIR elongation(makeMatrix({{-1., 1.}}));
      elongation.setD(Matrix(1, 1, 1. / k));
      model.link("spring " + std::to_string(i), law, elongation, masses[i], masses[i + 1]);
    }
    const auto sink =
        std::make_shared<FunctionSink>([this](LogLevel, std::string_view line) { warnings.emplace_back(line); });
    Log::setTerminal(LogLevel::none);
    Log::add(sink, LogLevel::warning);
    energyBefore = energy(k);
    TimeStepping(model, h).run();
    energyAfter = energy(k);
    Log::remove(sink);
    Log::setTerminal(LogLevel::warning);
  }

  double energy(double k) const {
    double sum = 0.;
    for (const auto& each : masses) sum += each->kineticEnergy();
    for (std::size_t i = 0; i < 2; ++i) {
      const double elongation = masses[i + 1]->q()(0) - masses[i]->q()(0);
      sum += 0.5 * k * elongation * elongation;
    }
    return sum;
  }
};

// The stiffness of a spring whose k h² Σ 1/m, of both springs that a mass has, is this: 1/m for the spring itself, and
// as much for its neighbour at the mass they share.
double stiffnessFor(double ratio) {
  return ratio * SoftTrain::mass / (3. * SoftTrain::h * SoftTrain::h);
}

TEST(MoreauJeanRelations, SayOnceThatACompliantEqualityIsDamped) {
  const SoftTrain train(EqualityConditionNSL(1), stiffnessFor(1.2));
  ASSERT_EQ(train.warnings.size(), 1U) << "two springs, a hundred steps";
  EXPECT_NE(train.warnings[0].find("'spring 0'"), std::string::npos) << train.warnings[0];
  EXPECT_NE(train.warnings[0].find("SpringDamperLaw"), std::string::npos) << train.warnings[0];
  EXPECT_NE(train.warnings[0].find("1.2"), std::string::npos) << train.warnings[0];
  // What is left is the motion of the centre, a third of the energy.
  EXPECT_NEAR(train.energyAfter, train.energyBefore / 3., 1e-3 * train.energyBefore);
}

TEST(MoreauJeanRelations, SayNothingOfACompliantEqualityThatIsResolved) {
  const SoftTrain train(EqualityConditionNSL(1), stiffnessFor(0.29));
  EXPECT_TRUE(train.warnings.empty());
  EXPECT_NEAR(train.energyAfter, train.energyBefore, 1e-12 * train.energyBefore) << "the midpoint rule keeps it";
}

TEST(MoreauJeanRelations, SayNothingOfACompliantContact) {
  EXPECT_TRUE(SoftTrain(NewtonImpactNSL(0.), stiffnessFor(1.2)).warnings.empty());
}

// A bead on a straight rod that turns at ω, r = cosh ωt: a joint whose G turns with time itself, y = n(t)·q.
TEST(MoreauJeanRelations, AreOfSecondOrderWhereTheyTurnWithTime) {
  constexpr double omega = 1.3;
  struct Errors {
    double drift, place, force;
  };
  const auto errorsOf = [](double h) {
    NonSmoothDynamicalSystem model(0., 1.);
    const auto bead = model.insert("bead", std::make_shared<LagrangianLinearTIDS>(
                                               makeVector({1., 0.}), makeVector({0., omega}), identityMatrix(2)));
    const auto rod = model.link("rod", EqualityConditionNSL(1),
                                LagrangianRheonomousR(1, automatic([](const auto& t, const auto& q, auto& y) {
                                                        using std::cos;
                                                        using std::sin;
                                                        y(0) = q(1) * cos(omega * t) - q(0) * sin(omega * t);
                                                      })),
                                bead);
    TimeStepping(model, h).run();
    const double r = std::cosh(omega), x = r * std::cos(omega) - bead->q()(0), y = r * std::sin(omega) - bead->q()(1);
    // The mean force of the last step, 2 ω ṙ in its middle.
    const double force = 2. * omega * omega * std::sinh(omega * (1. - 0.5 * h));
    return Errors{std::abs(rod->y(0)(0)), std::hypot(x, y), std::abs(rod->lambda(0)(0) - force)};
  };
  const Errors coarse = errorsOf(1e-2), fine = errorsOf(5e-3);
  EXPECT_LE(coarse.drift, 2e-4);
  EXPECT_NEAR(std::log2(coarse.drift / fine.drift), 2., 0.05);
  EXPECT_NEAR(std::log2(coarse.place / fine.place), 2., 0.05);
  EXPECT_NEAR(std::log2(coarse.force / fine.force), 2., 0.05);
}

}  // namespace
}  // namespace delassus::test
