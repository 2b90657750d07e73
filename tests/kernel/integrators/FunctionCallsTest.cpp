// SPDX-License-Identifier: Apache-2.0
//
// No function of a user runs twice at one point of a step. Forces are asked again at the beginning of the next one:
// what they capture, a control say, may have changed since its end.
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/integrators/SchatzmanPaoliOSI.hpp>
#include <delassus/kernel/laws/NewtonImpactNSL.hpp>
#include <delassus/kernel/problems/LCP.hpp>
#include <delassus/kernel/relations/LagrangianScleronomousR.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <delassus/kernel/systems/LagrangianDS.hpp>
#include <map>
#include <string>
#include <vector>

namespace {

using namespace delassus;

// How often each function was called at each point.
class Calls {
 public:
  void note(const std::string& function, double t, const Vector& q = {}, const Vector& v = {}) {
    std::vector<double> point{t};
    point.insert(point.end(), q.begin(), q.end());
    point.insert(point.end(), v.begin(), v.end());
    ++calls_[function][point];
  }
  void clear() { calls_.clear(); }
  std::size_t points(const std::string& function) const { return calls_.at(function).size(); }
  // Forces are known from the end of a step, and asked again at the beginning of the next one.
  void expectOneAtEachPointOfAStep() const {
    for (const auto& [function, points] : calls_) {
      const bool isForce = function == "internal forces" || function == "external forces";
      for (const auto& [point, count] : points) {
        ASSERT_LE(count, isForce ? 2 : 1) << function << " at t = " << point.front();
      }
    }
  }

 private:
  std::map<std::string, std::map<std::vector<double>, int>> calls_;
};

// An arm of two coordinates that swings against a stop. Mass and relation do not depend on time: their points are
// places.
std::shared_ptr<LagrangianDS> makeArm(NonSmoothDynamicalSystem& model, Calls& calls) {
  const auto arm = std::make_shared<LagrangianDS>(makeVector({-1., 0.3}), makeVector({0., 0.}));
  arm->setMass([&](const Vector& q, Matrix& M) {
    calls.note("mass", 0., q);
    M(0, 0) = 2. + std::cos(q(1));
    M(1, 1) = 1.;
    M(0, 1) = M(1, 0) = 0.2 * std::cos(q(0));
  });
  arm->setInternalForces(withJacobians(
      [&](double t, const Vector& q, const Vector& v, Vector& F) {
        calls.note("internal forces", t, q, v);
        F(0) = 9.81 * std::sin(q(0));
        F(1) = q(1) + 0.1 * v(1);
      },
      [&](double t, const Vector& q, const Vector& v, Matrix& byQ) {
        calls.note("their Jacobian by q", t, q, v);
        byQ(0, 0) = 9.81 * std::cos(q(0));
        byQ(1, 1) = 1.;
      },
      [&](double t, const Vector& q, const Vector& v, Matrix& byV) {
        calls.note("their Jacobian by v", t, q, v);
        byV(1, 1) = 0.1;
      }));
  model.insert(arm);
  model.link("stop", NewtonImpactNSL(0.5),
             LagrangianScleronomousR(1, withJacobians(
                                            [&](const Vector& q, Vector& y) {
                                              calls.note("output", 0., q);
                                              y(0) = std::sin(0.3) - std::sin(q(0));
                                            },
                                            [&](const Vector& q, Matrix& G) {
                                              calls.note("Jacobian of the relation", 0., q);
                                              G(0, 0) = -std::cos(q(0));
                                            })),
             arm);
  return arm;
}

template <class Scheme>
void expectOneCallAtEachPointOfAStep(Scheme scheme) {
  constexpr std::size_t steps = 200;
  Calls calls;
  NonSmoothDynamicalSystem model(0., 10.);
  const auto arm = makeArm(model, calls);
  TimeStepping simulation(model, TimeDiscretisation(0., 1e-2), std::move(scheme), LCP());
  simulation.initialise();
  calls.clear();  // the mass was checked
  bool hits = false;
  for (std::size_t k = 0; k < steps; ++k) {
    simulation.step();
    hits = hits || simulation.lastStep().problemSize > 0;
  }
  EXPECT_TRUE(hits);
  EXPECT_GE(calls.points("internal forces"), steps);
  calls.expectOneAtEachPointOfAStep();
}

TEST(FunctionCalls, AreOneAtEachPointOfImplicitSteps) {
  expectOneCallAtEachPointOfAStep(MoreauJeanOSI());
}

TEST(FunctionCalls, AreOneAtEachPointOfSemiExplicitSteps) {
  expectOneCallAtEachPointOfAStep(MoreauJeanOSI::semiExplicit());
}

TEST(FunctionCalls, AreOneAtEachPointOfStepsOnPositions) {
  expectOneCallAtEachPointOfAStep(SchatzmanPaoliOSI());
}

// Also where nobody says that it has changed.
TEST(FunctionCalls, SeeWhatHasChangedBetweenTwoSteps) {
  NonSmoothDynamicalSystem model(0., 1.);
  const auto mass = std::make_shared<LagrangianDS>(makeVector({0.}), makeVector({0.}), makeMatrix({{1.}}));
  double control = 1.;
  mass->setInternalForces(differenced([&](double, const Vector&, const Vector&, Vector& F) { F(0) = -control; }));
  model.insert(mass);
  TimeStepping simulation(model, TimeDiscretisation(0., 0.1), MoreauJeanOSI(), LCP());
  simulation.step();
  EXPECT_NEAR(mass->velocity()(0), 0.1, 1e-15);
  control = 3.;
  simulation.step();
  EXPECT_NEAR(mass->velocity()(0), 0.4, 1e-15);
}

}  // namespace
