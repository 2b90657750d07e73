// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/kernel/diagnostics/ConditionReport.hpp>
#include <delassus/kernel/integrators/EulerMoreauOSI.hpp>
#include <delassus/kernel/integrators/MixedOSI.hpp>
#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/integrators/SchatzmanPaoliOSI.hpp>
#include <delassus/kernel/laws/EqualityConditionNSL.hpp>
#include <delassus/kernel/problems/GenericMechanical.hpp>
#include <delassus/kernel/problems/LCP.hpp>
#include <delassus/kernel/relations/LagrangianLinearTIR.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <delassus/kernel/systems/FirstOrderLinearTIDS.hpp>
#include <map>
#include <string>
#include <support/Matchers.hpp>
#include <support/Mechanisms.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

// A point mass in the plane with equalities along given directions.
struct HeldPoint {
  explicit HeldPoint(const std::vector<Vector>& directions) : model(0., 1.) {
    point = std::make_shared<LagrangianLinearTIDS>(Vector(2), Vector(2), diagonalMatrix({1., 4.}));
    point->setName("point");
    model.insert(point);
    for (std::size_t k = 0; k < directions.size(); ++k) {
      Matrix H(1, 2);
      for (std::size_t j = 0; j < 2; ++j) H(0, j) = directions[k](j);
      const auto joint = std::make_shared<Interaction>(EqualityConditionNSL(1), LagrangianLinearTIR(H));
      joint->setName(std::string("joint ") + static_cast<char>('A' + k));
      model.link(joint, point);
    }
  }
  NonSmoothDynamicalSystem model;
  std::shared_ptr<LagrangianLinearTIDS> point;
};

TEST(ConditionReport, IsThatOfAKnownMatrix) {
  // W = [[1, 1], [1, 2]] with M = diag(1, 4), H = (1, 0), (1, 2); scaled its eigenvalues are 1 ± 1/√2.
  HeldPoint held({makeVector({1., 0.}), makeVector({1., 2.})});
  TimeStepping simulation(held.model, TimeDiscretisation(0., 1e-2), MoreauJeanOSI(), GenericMechanical());
  expectError([&] { conditionReport(simulation); }, {"no step has been made yet"});
  simulation.step();
  const ConditionReport report = conditionReport(simulation);
  EXPECT_EQ(report.rows, 2U);
  EXPECT_EQ(report.rank, 2U);
  EXPECT_NEAR(report.condition, (1. + std::sqrt(0.5)) / (1. - std::sqrt(0.5)), 1e-12);
  EXPECT_TRUE(report.dependences.empty());
  ASSERT_EQ(report.masses.size(), 1U);
  EXPECT_NEAR(report.masses[0].condition, 4., 1e-12);
  ASSERT_EQ(report.iterations.size(), 1U);
  EXPECT_NEAR(report.iterations[0].condition, 4., 1e-12);
  EXPECT_NE(report.text().find("'point' 2 x 2, condition 4"), std::string::npos) << report.text();
}

TEST(ConditionReport, HasTheIterationMatrixOfEachScheme) {
  // M = diag(1, 4) and K = diag(1200, 0): with h = 0.1 and θ = ½, h²θ²K = diag(3, 0), h²θK = diag(6, 0).
  const auto conditionWith = [](const auto& scheme) {
    NonSmoothDynamicalSystem model(0., 1.);
    model.insert(std::make_shared<LagrangianLinearTIDS>(makeVector({0., 0.}), makeVector({0., 0.}),
                                                        diagonalMatrix({1., 4.}), diagonalMatrix({1200., 0.}),
                                                        Matrix(2, 2, 0.)));
    TimeStepping simulation(model, TimeDiscretisation(0., 0.1), scheme, LCP());
    simulation.step();
    return conditionReport(simulation).iterations.at(0).condition;
  };
  EXPECT_NEAR(conditionWith(MoreauJeanOSI(0.5)), 1., 1e-12);
  EXPECT_NEAR(conditionWith(SchatzmanPaoliOSI(0.5)), 7. / 4., 1e-12);
  // 1 − hθA with A = diag(−60, 0).
  NonSmoothDynamicalSystem model(0., 1.);
  model.insert(std::make_shared<FirstOrderLinearTIDS>(makeVector({1., 1.}), diagonalMatrix({-60., 0.})));
  TimeStepping simulation(model, TimeDiscretisation(0., 0.1), EulerMoreauOSI(0.5), LCP());
  simulation.step();
  EXPECT_NEAR(conditionReport(simulation).iterations.at(0).condition, 4., 1e-12);
}

TEST(ConditionReport, HasTheIterationMatricesOfAllGroupsUnderTheNamesOfTheirSystems) {
  NonSmoothDynamicalSystem model(0., 1.);
  const auto zeros = makeVector({0., 0.});
  const auto insertPoint = [&](const char* name, double ratio) {
    const auto point = std::make_shared<LagrangianLinearTIDS>(zeros, zeros, diagonalMatrix({1., ratio}));
    point->setName(name);
    model.insert(point);
    return point;
  };
  const auto two = insertPoint("two", 2.);
  const auto circuit = std::make_shared<FirstOrderLinearTIDS>(makeVector({1., 1.}), diagonalMatrix({-60., 0.}));
  circuit->setName("circuit");
  model.insert(circuit);
  const auto three = insertPoint("three", 3.);
  MixedOSI mixed;  // in another order than the model
  mixed.add(SchatzmanPaoliOSI(), {three}).add(EulerMoreauOSI(0.5), {circuit}).add(MoreauJeanOSI(), {two});
  TimeStepping simulation(model, TimeDiscretisation(0., 0.1), std::move(mixed), LCP());
  simulation.step();
  std::map<std::string, double> conditions;
  for (const auto& each : conditionReport(simulation).iterations) conditions[each.name] = each.condition;
  ASSERT_EQ(conditions.size(), 3U);
  EXPECT_NEAR(conditions.at("two"), 2., 1e-12);
  EXPECT_NEAR(conditions.at("three"), 3., 1e-12);
  EXPECT_NEAR(conditions.at("circuit"), 4., 1e-12);  // 1 − hθA
}

TEST(ConditionReport, NamesRedundantJoints) {
  // A and C are the same joint, B is another one.
  HeldPoint held({makeVector({1., 0.}), makeVector({0., 1.}), makeVector({-3., 0.})});
  TimeStepping simulation(held.model, TimeDiscretisation(0., 1e-2), MoreauJeanOSI(), GenericMechanical());
  simulation.step();
  const ConditionReport report = conditionReport(simulation);
  EXPECT_EQ(report.rank, 2U);
  EXPECT_NEAR(report.conditionOnRange, 2., 1e-12);
  ASSERT_EQ(report.dependences.size(), 1U);
  EXPECT_EQ(report.dependences[0].count, 1U);
  const std::vector<ConditionReport::Row> expected = {{"joint A", 0}, {"joint C", 0}};
  EXPECT_EQ(report.dependences[0].rows, expected);
  EXPECT_NE(report.text().find("1 of these rows follow from the others: 'joint A' row 0, 'joint C' row 0"),
            std::string::npos)
      << report.text();
}

TEST(ConditionReport, TellsIndependentRedundanciesApart) {
  HeldPoint held({makeVector({1., 0.}), makeVector({0., 1.}), makeVector({1., 0.}), makeVector({0., 2.})});
  TimeStepping simulation(held.model, TimeDiscretisation(0., 1e-2), MoreauJeanOSI(), GenericMechanical());
  simulation.step();
  const ConditionReport report = conditionReport(simulation);
  ASSERT_EQ(report.dependences.size(), 2U);
  EXPECT_EQ(report.dependences[0].rows, (std::vector<ConditionReport::Row>{{"joint A", 0}, {"joint C", 0}}));
  EXPECT_EQ(report.dependences[1].rows, (std::vector<ConditionReport::Row>{{"joint B", 0}, {"joint D", 0}}));
}

TEST(ConditionReport, FindsTheSuperfluousConstraintsOfAClosedLoop) {
  FourBar loop(0.1);
  TimeStepping simulation(loop.model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(), GenericMechanical());
  simulation.step();
  const ConditionReport report = conditionReport(simulation);
  EXPECT_EQ(report.rows, 20U);
  EXPECT_EQ(report.rank, 17U);
  std::size_t count = 0;
  for (const auto& dependence : report.dependences) count += dependence.count;
  EXPECT_EQ(count, 3U);
}

}  // namespace
