// SPDX-License-Identifier: Apache-2.0
//
// Models of first-order systems: what may be linked, levels, index sets, and what schemes refuse.
#include <gtest/gtest.h>

#include <delassus/delassus.hpp>
#include <support/Matchers.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

std::shared_ptr<FirstOrderLinearTIDS> tank(std::size_t states = 1) {
  return std::make_shared<FirstOrderLinearTIDS>(Vector(states, 1.), Matrix(states, states));
}

std::shared_ptr<LagrangianLinearTIDS> mass() {
  return std::make_shared<LagrangianLinearTIDS>(Vector(1), Vector(1), identityMatrix(1));
}

std::shared_ptr<Interaction> valve(std::size_t states = 1) {
  return std::make_shared<Interaction>(ComplementarityConditionNSL(),
                                       FirstOrderLinearTIR(Matrix(1, states, 1.), Matrix(states, 1, 1.)));
}

TEST(FirstOrderModel, RefusesToLinkSystemsOfTheOtherOrder) {
  NonSmoothDynamicalSystem model(0., 1.);
  const auto body = mass();
  const auto fluid = tank();
  body->setName("body");
  fluid->setName("fluid");
  model.insert(body);
  model.insert(fluid);
  const auto contact = std::make_shared<Interaction>(NewtonImpactNSL(0.), LagrangianLinearTIR(Matrix(1, 2, 1.)));
  contact->setName("contact");
  expectError([&] { model.link(contact, body, fluid); },
              {"'contact'", "LagrangianLinearTIR", "mechanical", "'fluid'", "FirstOrderLinearTIDS"});
  const auto mixed = valve(2);
  mixed->setName("valve");
  expectError([&] { model.link(mixed, fluid, body); },
              {"'valve'", "FirstOrderLinearTIR", "first-order", "'body'", "LagrangianLinearTIDS"});
  EXPECT_TRUE(model.topology().interactions().empty());
}

TEST(FirstOrderModel, RefusesRelationsWhoseSizesDoNotFit) {
  NonSmoothDynamicalSystem model(0., 1.);
  const auto fluid = tank(3);
  model.insert(fluid);
  const auto narrow = valve(2);
  narrow->setName("valve");
  expectError([&] { model.link(narrow, fluid); }, {"'valve'", "columns of C is 2", "3 states in all"});
  const auto without = std::make_shared<Interaction>(ComplementarityConditionNSL(), FirstOrderLinearR(1));
  expectError([&] { model.link(without, fluid); }, {"C was not given"});
  expectError(
      [] { Interaction(ComplementarityConditionNSL(2), FirstOrderLinearTIR(identityMatrix(3), identityMatrix(3))); },
      {"3 outputs", "not a multiple", "size 2", "ComplementarityConditionNSL"});
  // Two tanks of one state and two together have the three.
  const auto one = tank(1);
  const auto two = tank(2);
  model.insert(one);
  model.insert(two);
  EXPECT_NO_THROW(model.link(valve(3), one, two));
}

TEST(FirstOrderModel, HasLevelZeroOnlyAndAllLawsAreActive) {
  NonSmoothDynamicalSystem model(0., 1.);
  const auto fluid = tank();
  const auto law = valve();
  law->setName("valve");
  model.insert(fluid);
  model.link(law, fluid);
  TimeStepping simulation(model, TimeDiscretisation(0., 0.1), EulerMoreauOSI(1.), LCP());
  simulation.initialise();
  EXPECT_EQ(law->levels(), 1U);
  EXPECT_EQ(law->y(0)(0), 1.);
  EXPECT_EQ(law->lambda(0)(0), 0.);
  expectError([&] { law->y(1); }, {"'valve'", "level 1", "only level 0"});
  expectError([&] { law->lambda(1); }, {"'valve'", "level 1", "only level 0"});
  EXPECT_TRUE(law->isActive());
  std::size_t active = 0;
  for (const auto& interaction : model.topology().indexSet(1)) active += interaction == law ? 1 : 0;
  EXPECT_EQ(active, 1U);
  std::size_t all = 0;
  for (const auto& interaction : model.topology().indexSet(0)) all += interaction == law ? 1 : 0;
  EXPECT_EQ(all, 1U);
  simulation.step();
  EXPECT_TRUE(law->isActive());
}

TEST(FirstOrderModel, KnowsLinkedInteractionsAndIslands) {
  NonSmoothDynamicalSystem model(0., 1.);
  const auto a = tank(), b = tank(), c = tank();
  for (const auto& system : {a, b, c}) model.insert(system);
  const auto between = valve(2), alone = valve(), other = valve();
  model.link(between, a, b);
  model.link(alone, b);
  model.link(other, c);
  const Topology& topology = model.topology();
  ASSERT_EQ(topology.linkedInteractions(*between).size(), 1U);
  EXPECT_EQ(topology.linkedInteractions(*between)[0], alone);
  EXPECT_TRUE(topology.linkedInteractions(*other).empty());
  TimeStepping simulation(model, TimeDiscretisation(0., 0.1), EulerMoreauOSI(1.), LCP());
  simulation.initialise();
  EXPECT_EQ(topology.activeIslands(), 2U);
}

TEST(FirstOrderModel, SchemesRefuseSystemsAndLawsOfTheOtherOrderByName) {
  NonSmoothDynamicalSystem mechanical(0., 1.);
  const auto body = mass();
  body->setName("body");
  mechanical.insert(body);
  TimeStepping euler(mechanical, TimeDiscretisation(0., 0.1), EulerMoreauOSI(1.), LCP());
  expectError([&] { euler.initialise(); }, {"EulerMoreauOSI", "'body'", "LagrangianLinearTIDS", "not of first order"});

  NonSmoothDynamicalSystem hydraulic(0., 1.);
  const auto fluid = tank();
  fluid->setName("fluid");
  hydraulic.insert(fluid);
  TimeStepping moreau(hydraulic, TimeDiscretisation(0., 0.1), MoreauJeanOSI(), LCP());
  expectError([&] { moreau.initialise(); }, {"MoreauJeanOSI", "'fluid'"});

  const auto impact =
      std::make_shared<Interaction>(NewtonImpactNSL(0.5), FirstOrderLinearTIR(identityMatrix(1), identityMatrix(1)));
  impact->setName("impact");
  hydraulic.link(impact, fluid);
  TimeStepping other(hydraulic, TimeDiscretisation(0., 0.1), EulerMoreauOSI(1.), LCP());
  expectError([&] { other.initialise(); }, {"'impact'", "EulerMoreauOSI", "NewtonImpactNSL", "impulses"});
}

TEST(FirstOrderModel, ProblemsRefuseLawsThatTheyDoNotTakeByName) {
  NonSmoothDynamicalSystem model(0., 1.);
  const auto fluid = tank();
  model.insert(fluid);
  const auto relay =
      std::make_shared<Interaction>(RelayNSL(), FirstOrderLinearTIR(identityMatrix(1), identityMatrix(1)));
  relay->setName("relay");
  model.link(relay, fluid);
  TimeStepping lcp(model, TimeDiscretisation(0., 0.1), EulerMoreauOSI(1.), LCP());
  expectError([&] { lcp.initialise(); }, {"'relay'", "LCP", "RelayNSL", "box"});
  TimeStepping mlcp(model, TimeDiscretisation(0., 0.1), EulerMoreauOSI(1.), MLCP());
  expectError([&] { mlcp.initialise(); }, {"'relay'", "MLCP", "RelayNSL"});
  TimeStepping fitting(model, TimeDiscretisation(0., 0.1), EulerMoreauOSI(1.), Relay());
  EXPECT_NO_THROW(fitting.initialise());
}

}  // namespace
