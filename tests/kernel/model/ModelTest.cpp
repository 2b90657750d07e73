// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <delassus/kernel/laws/NewtonImpactNSL.hpp>
#include <delassus/kernel/model/NonSmoothDynamicalSystem.hpp>
#include <delassus/kernel/relations/LagrangianLinearTIR.hpp>
#include <delassus/kernel/systems/LagrangianLinearTIDS.hpp>
#include <limits>
#include <support/Matchers.hpp>
#include <support/Models.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

std::shared_ptr<LagrangianLinearTIDS> mass() {
  return std::make_shared<LagrangianLinearTIDS>(Vector(1), Vector(1), identityMatrix(1));
}

std::shared_ptr<Interaction> contact(std::size_t columns) {
  return std::make_shared<Interaction>(NewtonImpactNSL(0.5), LagrangianLinearTIR(Matrix(1, columns)));
}

TEST(Interaction, HasOutputsAndMultipliersByLevel) {
  Interaction interaction(NewtonImpactNSL(0.5), LagrangianLinearTIR(Matrix(3, 2)));
  EXPECT_EQ(interaction.size(), 3U);
  EXPECT_EQ(interaction.blocks(), 3U);
  EXPECT_EQ(interaction.y(0).size(), 3U);
  EXPECT_EQ(interaction.lambda(1).size(), 3U);
  EXPECT_FALSE(interaction.isActive());
  expectError([&] { interaction.y(2); }, {"level 2"});
  expectError([&] { interaction.lambda(7); }, {"level 7"});
  expectError([&] { interaction.isActive(3); }, {"block 3", "3"});
}

TEST(Interaction, RefusesNulls) {
  const auto law = std::make_shared<NewtonImpactNSL>(0.);
  expectError([&] { Interaction(law, nullptr); }, {"relation is null"});
  expectError([] { Interaction(nullptr, std::make_shared<LagrangianLinearTIR>(Matrix(1, 1))); }, {"law is null"});
}

TEST(NonSmoothDynamicalSystem, RefusesAnEndBeforeTheStart) {
  expectError([] { NonSmoothDynamicalSystem(1., 0.5); }, {"after the initial time", "t0 = 1 ", "T = 0.5"});
  expectError([] { NonSmoothDynamicalSystem(0., 0.); }, {"after the initial time"});
  expectError([] { NonSmoothDynamicalSystem(0., std::numeric_limits<double>::quiet_NaN()); }, {"nan"});
}

TEST(NonSmoothDynamicalSystem, NamesWhatHasNoName) {
  NonSmoothDynamicalSystem model(0., 1.);
  const auto a = mass();
  const auto b = mass();
  b->setName("slider");
  const auto c = contact(1);
  model.insert(a);
  model.insert(b);
  model.link(c, b);
  EXPECT_EQ(a->name(), "LagrangianLinearTIDS 0");
  EXPECT_EQ(b->name(), "slider");
  EXPECT_EQ(c->name(), "interaction 0");
}

TEST(NonSmoothDynamicalSystem, ListsItsSystemsAndInteractionsInTheirOrder) {
  NonSmoothDynamicalSystem model(0., 1.);
  const auto first = model.insert("first", mass());
  const auto second = model.insert("second", mass());
  const auto floor = model.link("floor", NewtonImpactNSL(0.5), LagrangianLinearTIR(makeMatrix({{1.}})), first);
  EXPECT_EQ(model.systems(), (std::vector<std::shared_ptr<DynamicalSystem>>{first, second}));
  EXPECT_EQ(model.interactions(), (std::vector<std::shared_ptr<Interaction>>{floor}));
}

TEST(Interaction, SharesWhatComesSharedAndCopiesWhatComesByValue) {
  const auto law = std::make_shared<NewtonImpactNSL>(0.5);
  const auto relation = std::make_shared<LagrangianLinearTIR>(makeMatrix({{1.}}));
  const Interaction shares(NewtonImpactNSL(0.25), relation);
  EXPECT_EQ(&shares.relation(), relation.get());
  EXPECT_EQ(shares.law().restitution(), 0.25);
  const Interaction copies(law, LagrangianLinearTIR(makeMatrix({{1.}})));
  EXPECT_EQ(&copies.law(), law.get());
}

TEST(NonSmoothDynamicalSystem, RefusesToLinkWhatWasNeverInserted) {
  NonSmoothDynamicalSystem model(0., 1.);
  const auto slider = mass();
  slider->setName("slider");
  const auto c = contact(1);
  c->setName("stop");
  expectError([&] { model.link(c, slider); }, {"'stop'", "'slider'", "never inserted", "insert"});
}

TEST(NonSmoothDynamicalSystem, RefusesNullsDoublesAndMisfits) {
  NonSmoothDynamicalSystem model(0., 1.);
  const auto a = mass();
  expectError([&] { model.insert(std::shared_ptr<LagrangianLinearTIDS>()); }, {"null"});
  model.insert(a);
  expectError([&] { model.insert(a); }, {"already inserted"});
  const auto c = contact(1);
  expectError([&] { model.link(std::shared_ptr<Interaction>(), a); }, {"null"});
  expectError([&] { model.link(contact(2), a, a); }, {"twice"});
  expectError([&] { model.link(contact(2), a); }, {"2 columns", "1 coordinates"});
  model.link(c, a);
  expectError([&] { model.link(c, a); }, {"already linked"});
  expectError([&] { model.remove(contact(1)); }, {"not linked"});
  expectError([&] { model.remove(mass()); }, {"never inserted"});
}

TEST(NonSmoothDynamicalSystem, LeavesNothingBehindWhenALinkFails) {
  NonSmoothDynamicalSystem model(0., 1.);
  const auto a = mass();
  model.insert(a);
  const auto wrong = contact(2);
  EXPECT_THROW(model.link(wrong, a), Error);
  EXPECT_TRUE(model.topology().interactions().empty());
  EXPECT_TRUE(wrong->name().empty());
}

TEST(Topology, KnowsSystemsInteractionsAndNeighbours) {
  ColumnOfBeads column(4, 0.1, 0.25, 0., 1.);
  const Topology& topology = column.model.topology();
  EXPECT_EQ(topology.systems().size(), 4U);
  EXPECT_EQ(topology.interactions().size(), 4U);
  EXPECT_EQ(topology.systemsOf(*column.contacts[0]).size(), 1U);
  const auto pair = topology.systemsOf(*column.contacts[2]);
  ASSERT_EQ(pair.size(), 2U);
  EXPECT_EQ(pair[0], column.beads[1]);
  EXPECT_EQ(pair[1], column.beads[2]);
  const auto linked = topology.linkedInteractions(*column.contacts[2]);
  ASSERT_EQ(linked.size(), 2U);
  EXPECT_EQ(linked[0], column.contacts[1]);
  EXPECT_EQ(linked[1], column.contacts[3]);
  EXPECT_EQ(topology.interactionsOf(*column.beads[3]).size(), 1U);
}

TEST(Topology, IndexSetsAreViewsThatFollowTheContacts) {
  ColumnOfBeads column(5, 0.1, 0.25, 0., 1.);
  const Topology& topology = column.model.topology();
  expectError([&] { topology.indexSet(2); }, {"index set 2"});
  const auto count = [&](std::size_t level) {
    std::size_t n = 0;
    for (const auto& interaction : topology.indexSet(level)) n += interaction ? 1 : 0;
    return n;
  };
  EXPECT_EQ(count(0), 5U);
  EXPECT_EQ(count(1), 0U);
  EXPECT_EQ(topology.activeIslands(), 0U);
  column.contacts[1]->setActive(0, true);
  column.contacts[3]->setActive(0, true);
  EXPECT_EQ(count(1), 2U);
  // Beads 0–1 and 2–3 hang together, bead 4 is free.
  EXPECT_EQ(topology.activeIslands(), 2U);
  column.contacts[2]->setActive(0, true);
  EXPECT_EQ(topology.activeIslands(), 1U);
}

TEST(Topology, RemovingASystemRemovesItsInteractions) {
  ColumnOfBeads column(3, 0.1, 0.25, 0., 1.);
  const std::uint64_t version = column.model.topology().version();
  column.model.remove(column.beads[1]);
  const Topology& topology = column.model.topology();
  EXPECT_GT(topology.version(), version);
  EXPECT_EQ(topology.systems().size(), 2U);
  ASSERT_EQ(topology.interactions().size(), 1U);
  EXPECT_EQ(topology.interactions()[0], column.contacts[0]);
  EXPECT_FALSE(topology.contains(*column.contacts[1]));
  expectError([&] { topology.systemsOf(*column.contacts[1]); }, {"'interaction 1'", "not in the model"});
  EXPECT_TRUE(topology.contains(*column.beads[0]));
}

TEST(Topology, CouplingsFollowRemovalAndInsertion) {
  ColumnOfBeads column(3, 0.1, 0.25, 0., 1.);
  EXPECT_EQ(column.model.topology().couplings().size(), 5U);
  column.model.remove(column.contacts[1]);
  const auto& couplings = column.model.topology().couplings();
  ASSERT_EQ(couplings.size(), 3U);
  EXPECT_EQ(couplings[1].interaction, 1U);
  EXPECT_EQ(couplings[1].system, 1U);
  EXPECT_EQ(couplings[2].system, 2U);
  EXPECT_EQ(couplings[2].position, 1U);
  column.model.link(column.contacts[1], column.beads[0], column.beads[1]);
  EXPECT_EQ(column.model.topology().couplings().size(), 5U);
}

}  // namespace
