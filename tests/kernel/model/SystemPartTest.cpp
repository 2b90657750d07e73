// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <delassus/kernel/diagnostics/ModelDescription.hpp>
#include <delassus/kernel/diagnostics/RelativeDegree.hpp>
#include <delassus/kernel/laws/NewtonImpactNSL.hpp>
#include <delassus/kernel/laws/SpringDamperLaw.hpp>
#include <delassus/kernel/model/NonSmoothDynamicalSystem.hpp>
#include <delassus/kernel/relations/LagrangianLinearTIR.hpp>
#include <delassus/kernel/systems/FirstOrderLinearDS.hpp>
#include <delassus/kernel/systems/LagrangianLinearTIDS.hpp>
#include <delassus/kernel/systems/NewtonEulerDS.hpp>
#include <support/Matchers.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

std::shared_ptr<LagrangianLinearTIDS> chain(std::size_t n) {
  Vector q(n);
  for (std::size_t i = 0; i < n; ++i) q(i) = static_cast<double>(i);
  return std::make_shared<LagrangianLinearTIDS>(q, -1. * q, identityMatrix(n));
}

struct Parts {
  NonSmoothDynamicalSystem model{0., 1.};
  std::shared_ptr<LagrangianLinearTIDS> one = model.insert("one", chain(6)), two = model.insert("two", chain(3));
};

TEST(SystemPart, IsWhatALinkNames) {
  const Parts parts;
  const SystemPart whole(parts.one), part(parts.one, 2, 3), entry(parts.two, 1, 1);
  EXPECT_TRUE(whole.isWhole());
  EXPECT_EQ(whole.q().size(), 6U);
  EXPECT_FALSE(part.isWhole());
  ASSERT_EQ(part.velocity().size(), 3U);
  EXPECT_EQ(part.q()[0], 2.);
  EXPECT_EQ(part.velocity()[2], -4.);
  EXPECT_EQ(whole.label(), "'one'");
  EXPECT_EQ(part.label(), "'one' (coordinates 2 to 4)");
  EXPECT_EQ(entry.label(), "'two' (coordinate 1)");
  const Vector stack = stackedStates(std::vector{part, entry});
  ASSERT_EQ(stack.size(), 4U);
  EXPECT_EQ(stack(3), 1.);
}

TEST(SystemPart, IsAmongTheCoordinatesOfItsSystem) {
  const Parts parts;
  expectError([&] { SystemPart(parts.one, 6, 1); }, {"'one'", "its 6", "1 from number 6"});
  expectError([&] { SystemPart(parts.one, 4, 3); }, {"'one'", "3 from number 4"});
  expectError([&] { SystemPart(parts.one, 4, static_cast<std::size_t>(-2)); }, {"'one'"});
  expectError([&] { SystemPart(parts.one, 4, 0); }, {"'one'", "0 from number 4"});
  expectError([&] { SystemPart(nullptr, 0, 1); }, {"null"});
  const auto body = std::make_shared<NewtonEulerDS>(NewtonEulerDS::at({0., 0., 0.}), Vector(6), 1., identityMatrix(3));
  expectError([&] { SystemPart(body, 0, 3); }, {"NewtonEulerDS", "whole"});
  const auto tank = std::make_shared<FirstOrderLinearDS>(Vector(2), identityMatrix(2));
  tank->setState(makeVector({3., 4.}));
  EXPECT_EQ(stackedStates(std::vector{SystemPart(tank, 1, 1), SystemPart(tank)}).size(), 3U);
  EXPECT_EQ(stackedStates(std::vector{SystemPart(tank, 1, 1)})(0), 4.);
  expectError([&] { SystemPart(tank, 1, 2); }, {"its 2", "2 from number 1"});
}

TEST(SystemPart, IsLinkedOnce) {
  Parts parts;
  const NewtonImpactNSL law(0.);
  const LagrangianLinearTIR row(Matrix(1, 4, 1.));
  expectError([&] { parts.model.link("a", law, row, SystemPart(parts.one, 0, 2), SystemPart(parts.one, 1, 2)); },
              {"coordinate 1", "'one'", "twice", "'a'"});
  expectError([&] { parts.model.link("b", law, row, SystemPart(parts.two, 0, 1), parts.two); }, {"'two'", "twice"});
  expectError([&] { parts.model.link("c", law, row, SystemPart(parts.one, 0, 3)); }, {"'c'", "3", "4"});
  EXPECT_TRUE(parts.model.interactions().empty());
  EXPECT_NO_THROW(parts.model.link("d", law, row, SystemPart(parts.one, 3, 2), SystemPart(parts.one, 0, 2)));
}

TEST(SystemPart, StandsInTheGraphAndInDescriptions) {
  Parts parts;
  const auto contact =
      parts.model.link("contact", NewtonImpactNSL(0.), LagrangianLinearTIR(Matrix(1, 4, 1.)),
                       SystemPart(parts.one, 3, 2), SystemPart(parts.one, 0, 1), SystemPart(parts.two, 2, 1));
  parts.model.link("spring", SpringDamperLaw(1.), LagrangianLinearTIR(makeMatrix({{1., -1.}})),
                   SystemPart(parts.one, 5, 1), SystemPart(parts.two, 0, 1));
  const Topology& topology = parts.model.topology();
  EXPECT_EQ(topology.systemsOf(*contact).size(), 2U);
  ASSERT_EQ(topology.partsOf(*contact).size(), 3U);
  EXPECT_EQ(topology.partsOf(*contact)[1].label(), "'one' (coordinate 0)");
  EXPECT_EQ(topology.interactionsOf(*parts.one).size(), 1U);
  EXPECT_EQ(topology.elementsOf(*parts.two).size(), 1U);
  ASSERT_EQ(topology.couplings().size(), 3U);
  EXPECT_EQ(topology.couplings()[0].first, 3U);
  EXPECT_EQ(topology.couplings()[2].system, 1U);
  const std::string text = describe(parts.model);
  EXPECT_NE(text.find("'one' (coordinates 3 to 4), 'one' (coordinate 0), 'two' (coordinate 2)"), std::string::npos);
  EXPECT_NE(text.find("'one' (coordinate 5), 'two' (coordinate 0)"), std::string::npos);
  // One line of the drawing for both parts of a system.
  const std::string graph = graphvizOf(parts.model);
  EXPECT_NE(graph.find("i0 -- s0"), std::string::npos);
  EXPECT_EQ(graph.find("i0 -- s0"), graph.rfind("i0 -- s0"));
  EXPECT_NE(graph.find("i0 -- s1"), std::string::npos);
  parts.model.remove(parts.one);
  EXPECT_TRUE(parts.model.interactions().empty());
  EXPECT_TRUE(parts.model.elements().empty());
  EXPECT_THROW(topology.partsOf(*contact), Error);
}

// As many as there are.
TEST(SystemPart, MayComeInAList) {
  Parts parts;
  std::vector<SystemPart> list;
  expectError([&] { parts.model.link("none", NewtonImpactNSL(0.), LagrangianLinearTIR(Matrix(1, 3, 1.)), list); },
              {"'none'", "at least one"});
  for (const std::size_t i : {5U, 0U, 2U}) list.emplace_back(parts.one, i, 1);
  const auto contact = parts.model.link("contact", NewtonImpactNSL(0.), LagrangianLinearTIR(Matrix(1, 3, 1.)), list);
  const auto spring = parts.model.link("spring", SpringDamperLaw(1.), LagrangianLinearTIR(Matrix(1, 3, 1.)), list);
  EXPECT_EQ(parts.model.topology().partsOf(*contact).size(), 3U);
  EXPECT_EQ(spring->parts().size(), 3U);
  EXPECT_EQ(spring->systems().size(), 1U);
  EXPECT_EQ(spring->output(0.)(0), 7.);
  EXPECT_EQ(spring->force(0.)(0), -7.);
}

TEST(SystemPart, HasNoRelativeDegree) {
  Parts parts;
  parts.model.link("contact", NewtonImpactNSL(0.), LagrangianLinearTIR(Matrix(1, 2, 1.)), SystemPart(parts.one, 3, 2));
  expectError([&] { relativeDegree(parts.model); }, {"'contact'", "whole systems"});
}

}  // namespace
