// SPDX-License-Identifier: Apache-2.0
//
// After warm-up a step of a model with unchanged structure allocates nothing.
#include <gtest/gtest.h>

#include <CamFollower.hpp>
#include <cmath>
#include <delassus/kernel/circuits/Circuit.hpp>
#include <delassus/kernel/contacts/Sphere.hpp>
#include <delassus/kernel/integrators/EulerMoreauOSI.hpp>
#include <delassus/kernel/integrators/MixedOSI.hpp>
#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/integrators/SchatzmanPaoliOSI.hpp>
#include <delassus/kernel/laws/BushingLaw.hpp>
#include <delassus/kernel/laws/GyratorLaw.hpp>
#include <delassus/kernel/laws/NewtonImpactFrictionNSL.hpp>
#include <delassus/kernel/laws/NewtonImpactNSL.hpp>
#include <delassus/kernel/problems/FrictionContact.hpp>
#include <delassus/kernel/problems/LCP.hpp>
#include <delassus/kernel/problems/MLCP.hpp>
#include <delassus/kernel/problems/Relay.hpp>
#include <delassus/kernel/relations/LagrangianLinearTIR.hpp>
#include <delassus/kernel/relations/LagrangianScleronomousR.hpp>
#include <delassus/kernel/relations/NewtonEulerContactR.hpp>
#include <delassus/kernel/relations/TransducerR.hpp>
#include <delassus/kernel/relations/joints/FixedJointR.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <delassus/kernel/systems/LagrangianDS.hpp>
#include <delassus/kernel/systems/NewtonEulerDS.hpp>
#include <delassus/numerics/functions/Automatic.hpp>
#include <delassus/numerics/methods/LemkeSolver.hpp>
#include <support/Circuits.hpp>
#include <support/DiodeLine.hpp>
#include <support/ElasticBar.hpp>
#include <support/ElasticBlock.hpp>
#include <support/FirstOrderModels.hpp>
#include <support/Mechanisms.hpp>
#include <support/Models.hpp>
#include <support/SpringChain.hpp>
#include <vector>

#include "CountAllocations.hpp"

namespace {

using namespace delassus;
using namespace delassus::test;

TEST(AllocationCount, SeesAllocations) {
  const std::size_t before = allocationCount();
  const std::vector<double> v(100);
  EXPECT_GT(allocationCount(), before) << v.size();
}

TEST(StepAllocations, AreNoneForTheTranslatedCamFollower) {
  CamFollowerParameters parameters;
  parameters.end = 5.;
  TranslatedCamFollower follower(parameters);
  TimeStepping simulation(follower.model(), TimeDiscretisation(0., 1e-4), MoreauJeanOSI(), LCP());
  allocationsOf(simulation, 5000);
  const std::size_t solves = simulation.statistics().solves;
  EXPECT_EQ(allocationsOf(simulation, 20000), 0U);
  EXPECT_GT(simulation.statistics().solves, solves + 10) << "no impact was among the counted steps";
}

TEST(StepAllocations, AreNoneForTheRheonomousCamFollower) {
  CamFollowerParameters parameters;
  parameters.end = 5.;
  RheonomousCamFollower follower(parameters);
  TimeStepping simulation(follower.model(), TimeDiscretisation(0., 1e-4), MoreauJeanOSI(), LCP(LemkeSolver{}));
  allocationsOf(simulation, 5000);
  EXPECT_EQ(allocationsOf(simulation, 20000), 0U);
}

TEST(StepAllocations, AreNoneForAHundredBeadsAtRest) {
  ColumnOfBeads column(100, ColumnOfBeads::radius, 2. * ColumnOfBeads::radius - 1e-10, 0., 10.);
  TimeStepping simulation(column.model, TimeDiscretisation(0., 5e-4), MoreauJeanOSI(), LCP());
  allocationsOf(simulation, 10);
  EXPECT_EQ(allocationsOf(simulation, 1000), 0U);
  EXPECT_EQ(simulation.lastStep().problemSize, 100U);
}

TEST(StepAllocations, AreNoneForTenBeadsThatCollide) {
  // The index set changes all the time, since nothing is lost in impacts, within capacities that the first collisions
  // have set.
  ColumnOfBeads column(10, 1., 0.25, 1., 4.);
  TimeStepping simulation(column.model, TimeDiscretisation(0., 5e-4), MoreauJeanOSI::pure(), LCP());
  allocationsOf(simulation, 6000);
  const std::size_t solves = simulation.statistics().solves;
  EXPECT_EQ(allocationsOf(simulation, 2000), 0U);
  EXPECT_GT(simulation.statistics().solves, solves + 10) << "no impact was among the counted steps";
  EXPECT_LT(simulation.statistics().solves, solves + 1990) << "the column rests";
}

// Impacts on each other, weights of islands, and steps that are made again.
TEST(StepAllocations, AreNoneForBeadsWhoseContactsAreKept) {
  ColumnOfBeads column(10, 1., 0.25, 1., 4.);
  TimeStepping simulation(column.model, TimeDiscretisation(0., 5e-4), MoreauJeanOSI(), LCP());
  allocationsOf(simulation, 6000);
  const std::size_t solves = simulation.statistics().solves;
  EXPECT_EQ(allocationsOf(simulation, 2000), 0U);
  EXPECT_GT(simulation.statistics().solves, solves + 10) << "no impact was among the counted steps";
}

// Links a ball to the floor while it is near.
class NearFloor final : public InteractionManager {
 public:
  explicit NearFloor(std::vector<std::shared_ptr<NewtonEulerDS>> balls, double radius) : balls_(std::move(balls)) {
    const auto law = std::make_shared<NewtonImpactFrictionNSL>(1., 0., 0.5);
    const auto geometry = std::make_shared<SpherePlane>(radius, Plane::through({0., 0., -radius}, {0., 0., 1.}));
    for (std::size_t k = 0; k < balls_.size(); ++k) {
      contacts_.push_back(std::make_shared<Interaction>(law, std::make_shared<NewtonEuler3DR>(geometry)));
      contacts_.back()->setName("ball " + std::to_string(k) + ", whose name is long, on the floor");
    }
  }
  void updateInteractions(NonSmoothDynamicalSystem& model, double, double) override {
    for (std::size_t k = 0; k < balls_.size(); ++k) {
      const bool isNear = balls_[k]->position()[2] < 0.05;
      if (isNear == model.topology().contains(*contacts_[k])) continue;
      isNear ? model.link(contacts_[k], balls_[k]) : model.remove(contacts_[k]);
      ++changes;
    }
  }
  std::size_t changes = 0;

 private:
  std::vector<std::shared_ptr<NewtonEulerDS>> balls_;
  std::vector<std::shared_ptr<Interaction>> contacts_;
};

TEST(StepAllocations, AreNoneForContactsThatComeAndGo) {
  constexpr double radius = 0.05;
  for (const double theta : {0.5, 1.}) {
    NonSmoothDynamicalSystem model(0., 100.);
    model.setGravity({0., 0., -9.81});
    std::vector<std::shared_ptr<NewtonEulerDS>> balls;
    for (const double height : {0.1, 0.15, 0.2, 0.3, 0.31}) {
      balls.push_back(std::make_shared<NewtonEulerDS>(NewtonEulerDS::at({0., 0., height}),
                                                      makeVector({0.1, 0., 0., 0., 0., 0.}), 1.,
                                                      NewtonEulerDS::ballInertia(1., radius)));
      model.insert(balls.back());
    }
    const auto manager = std::make_shared<NearFloor>(balls, radius);
    // Semi-explicit, and implicit in the relations.
    TimeStepping simulation(model, TimeDiscretisation(0., 1e-3),
                            theta == 0.5 ? MoreauJeanOSI::semiExplicit() : MoreauJeanOSI(theta),
                            FrictionContact(3, NonsmoothGaussSeidelSolver()));
    simulation.setInteractionManager(manager);
    allocationsOf(simulation, 6000);
    const std::size_t before = manager->changes;
    EXPECT_EQ(allocationsOf(simulation, 3000), 0U);
    EXPECT_GT(manager->changes, before + 50);
  }
}

TEST(StepAllocations, AreNoneForANonlinearSystemWithAutomaticAndDifferencedJacobians) {
  NonSmoothDynamicalSystem model(0., 100.);
  const auto pendulum = std::make_shared<LagrangianDS>(makeVector({-1.}), makeVector({0.}), makeMatrix({{1.}}));
  pendulum->setInternalForces(automatic([](const auto&, const auto& q, const auto&, auto& F) {
    using std::sin;
    F(0) = 9.81 * sin(q(0));
  }));
  const auto stop = std::make_shared<Interaction>(
      NewtonImpactNSL(0.9), LagrangianScleronomousR(1, differenced([](const Vector& q, Vector& y) {
                                                      y(0) = std::sin(0.3) - std::sin(q(0));
                                                    })));
  model.insert(pendulum);
  model.link(stop, pendulum);
  TimeStepping simulation(model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(), LCP());
  allocationsOf(simulation, 2000);
  EXPECT_EQ(allocationsOf(simulation, 5000), 0U);
}

TEST(StepAllocations, AreNoneForASparseBarAtAWall) {
  ElasticBar bar(200, true, 0.01, 2.5);
  TimeStepping simulation(bar.model, TimeDiscretisation(0., 2e-3), MoreauJeanOSI(), LCP());
  // Past the first touch, when the solver gets its storage.
  allocationsOf(simulation, 50);
  EXPECT_GT(bar.wall->lambda(1)(0), 0.);
  EXPECT_EQ(allocationsOf(simulation, 1000), 0U);
}

// The feet see two coordinates each of a sparse block.
TEST(StepAllocations, AreNoneForContactsOfAMesh) {
  ElasticBlock block(8, 4, {}, 0., 0., -0.1, 10.);
  block.linkFloor(NewtonImpactNSL(0.), ContactOutputs::gap);
  Vector weight(block.mesh.unknowns());
  for (std::size_t i = 1; i < weight.size(); i += 2) weight(i) = -9.81 * block.block->M().diagonal(i);
  block.block->setExternalForces(weight);
  TimeStepping simulation(block.model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(), LCP());
  allocationsOf(simulation, 500);
  EXPECT_GT(block.feet[3]->lambda(1)(0), 0.);
  EXPECT_EQ(allocationsOf(simulation, 500), 0U);
}

TEST(StepAllocations, AreNoneForSystemsThatSpringsTieTogether) {
  for (const std::size_t n : {5, 100}) {  // of dense and sparse matrices
    SpringChain chain(n, 400., 2., true, 100., 0.05);
    chain.link("wall", NewtonImpactNSL(0.5), 0, 1.);
    TimeStepping simulation(chain.model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(), LCP());
    allocationsOf(simulation, 200);
    EXPECT_EQ(allocationsOf(simulation, 1000), 0U) << n;
  }
}

// Force elements whose forces are not linear: the matrices change in each iteration. (Where they are sparse, from seven
// boxes on, UMFPACK allocates its factors.)
TEST(StepAllocations, AreNoneForBodiesThatBushingsTieTogether) {
  for (const std::size_t n : {2, 6}) {
    NonSmoothDynamicalSystem model(0., 10.);
    std::vector<std::shared_ptr<NewtonEulerDS>> boxes;
    for (std::size_t i = 0; i < n; ++i) {
      boxes.push_back(
          model.insert("box " + std::to_string(i),
                       std::make_shared<NewtonEulerDS>(NewtonEulerDS::at({0.5 * static_cast<double>(i), 0., 0.}),
                                                       makeVector({0., 0.1, 0., 0., 0., 1.}), 1., identityMatrix(3))));
    }
    for (std::size_t i = 0; i + 1 < n; ++i) {
      model.link("bushing " + std::to_string(i), BushingLaw(Matrix(200. * identityMatrix(6))),
                 FixedJointR::at({0.25 + 0.5 * static_cast<double>(i), 0., 0.}, boxes[i]->q(), boxes[i + 1]->q()),
                 boxes[i], boxes[i + 1]);
    }
    TimeStepping simulation(model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(), LCP());
    allocationsOf(simulation, 50);
    EXPECT_EQ(allocationsOf(simulation, 200), 0U) << n;
  }
}

TEST(StepAllocations, AreNoneForAMotor) {
  NonSmoothDynamicalSystem model(0., 10.);
  const auto circuit =
      std::make_shared<FirstOrderLinearTIDS>(makeVector({0.}), makeMatrix({{-0.8}}), makeVector({12.}));
  circuit->setM(makeMatrix({{2e-3}}));
  const auto shaft = std::make_shared<LagrangianLinearTIDS>(makeVector({0.}), makeVector({0.}), makeMatrix({{1e-3}}));
  model.insert("circuit", circuit);
  model.insert("shaft", shaft);
  model.link("motor", GyratorLaw(0.05), TransducerR(1, LagrangianLinearTIR(makeMatrix({{1.}}))), circuit, shaft);
  model.link("stop", NewtonImpactNSL(0.5), LagrangianLinearTIR(makeMatrix({{-1.}}), makeVector({1.})), shaft);
  model.link("diode", ComplementarityConditionNSL(), FirstOrderLinearTIR(makeMatrix({{1.}}), makeMatrix({{1.}})),
             circuit);
  TimeStepping simulation(model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(), LCP());
  allocationsOf(simulation, 200);
  EXPECT_EQ(allocationsOf(simulation, 2000), 0U);
}

TEST(StepAllocations, AreNoneForTheDiodeBridge) {
  DiodeBridge circuit(0.1);
  TimeStepping simulation(circuit.model, TimeDiscretisation(0., 1e-6), EulerMoreauOSI(0.5), LCP());
  allocationsOf(simulation, 2000);
  EXPECT_EQ(allocationsOf(simulation, 20000), 0U);
}

// A buck converter: edges of a gate, breaks of a source of pulses that is felt, and a switch by a voltage. Ideal
// MOSFETs have no equations among their rows, whose elimination allocates where the matrix is another one.
TEST(StepAllocations, AreNoneAtEdgesOfACircuit) {
  Circuit circuit;
  circuit.source("V", "in", "0", Waveform(PulseWave{.low = 10., .high = 12., .width = 7e-6, .period = 13e-6}));
  circuit.mosfet("S", "in", "x", Gate::pulses({.period = 20e-6, .width = 8e-6}));
  circuit.diode("D", "0", "x");
  circuit.inductor("L", "x", "out", 1e-4, 1.);
  circuit.capacitor("C", "out", "0", 1e-5, 5.);
  circuit.resistor("R", "out", "0", 5.);
  circuit.mosfet("H", "out", "h", Gate::voltage("out", "0", {.closes = 4.9, .opens = 4.8}));
  circuit.resistor("RH", "h", "0", 20.);
  NonSmoothDynamicalSystem model(0., 1.);
  CircuitInstance buck = circuit.insertInto(model, "buck");
  TimeStepping simulation(model, 1e-6, EulerMoreauOSI(1.));
  buck.attach(simulation);
  allocationsOf(simulation, 5000);
  EXPECT_EQ(allocationsOf(simulation, 20000), 0U);
}

TEST(StepAllocations, AreNoneForARelayThatSlidesAndLeaves) {
  RelayOscillator oscillator(200.);
  TimeStepping simulation(oscillator.model, TimeDiscretisation(0., 1e-2), EulerMoreauOSI(0.5), Relay());
  allocationsOf(simulation, 3000);
  EXPECT_EQ(allocationsOf(simulation, 10000), 0U);
}

TEST(StepAllocations, AreNoneForTwentyStagesOfDiodes) {
  DiodeLadder ladder(20, 1000.);
  TimeStepping simulation(ladder.model, TimeDiscretisation(0., 1e-2), EulerMoreauOSI(1.), LCP());
  allocationsOf(simulation, 3000);
  EXPECT_EQ(allocationsOf(simulation, 10000), 0U);
}

TEST(StepAllocations, AreNoneForASparseCircuitWithAlgebraicNodes) {
  for (const Storage storage : {Storage::dense, Storage::sparse}) {
    for (const Links links : {Links::whole, Links::parts}) {
      DiodeLine circuit(storage, links, true);
      TimeStepping simulation(circuit.model, TimeDiscretisation(0., 1e-3), EulerMoreauOSI(0.5), LCP());
      allocationsOf(simulation, 200);
      EXPECT_EQ(allocationsOf(simulation, 200), 0U);
    }
  }
}

TEST(StepAllocations, AreNoneForNonlinearRelationsOfEveryType) {
  MixedFirstOrderModel mixed(1, 100.);
  TimeStepping simulation(mixed.model, TimeDiscretisation(0., 1e-2), EulerMoreauOSI(0.5, 0.5), Relay());
  allocationsOf(simulation, 5000);
  EXPECT_EQ(allocationsOf(simulation, 4000), 0U);
}

TEST(StepAllocations, AreNoneForAProjectedJoint) {
  for (const ProjectionForm form : {ProjectionForm::velocity, ProjectionForm::configuration}) {
    SpinningPendulum pendulum(1.);
    TimeStepping simulation(pendulum.model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(), MLCP(),
                            {.projection = {.kind = Projection::direct, .tolerance = 1e-10, .form = form}});
    allocationsOf(simulation, 100);
    EXPECT_EQ(allocationsOf(simulation, 800), 0U);
    EXPECT_GT(simulation.statistics().projectionIterations, 800U);
  }
}

TEST(StepAllocations, AreNoneForABallWithCombinedProjection) {
  BouncingBall ball(1., 0., 0.9, 10.);
  TimeStepping simulation(ball.model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI::pure(), LCP(),
                          {.projection = {.kind = Projection::combined}});
  allocationsOf(simulation, 5000);
  const std::size_t projections = simulation.statistics().projections;
  EXPECT_EQ(allocationsOf(simulation, 4000), 0U);
  EXPECT_GT(simulation.statistics().projections, projections);
}

TEST(StepAllocations, AreNoneForBeadsWithContactsOnPositions) {
  ColumnOfBeads column(10, 1., 0.25, 0.9, 2.);
  // Within capacities that the first impacts of many beads at once have set.
  TimeStepping simulation(column.model, TimeDiscretisation(0., 5e-4), SchatzmanPaoliOSI(), LCP());
  allocationsOf(simulation, 3000);
  EXPECT_EQ(allocationsOf(simulation, 1000), 0U);
}

TEST(StepAllocations, AreNoneForANonlinearSystemWithContactsOnPositions) {
  NonSmoothDynamicalSystem model(0., 100.);
  const auto pendulum = std::make_shared<LagrangianDS>(makeVector({-1.}), makeVector({0.}), makeMatrix({{1.}}));
  pendulum->setInternalForces(automatic([](const auto&, const auto& q, const auto&, auto& F) {
    using std::sin;
    F(0) = 9.81 * sin(q(0));
  }));
  const auto stop = std::make_shared<Interaction>(
      NewtonImpactNSL(0.9), LagrangianScleronomousR(1, differenced([](const Vector& q, Vector& y) {
                                                      y(0) = std::sin(0.3) - std::sin(q(0));
                                                    })));
  model.insert(pendulum);
  model.link(stop, pendulum);
  TimeStepping simulation(model, TimeDiscretisation(0., 1e-3), SchatzmanPaoliOSI(), LCP());
  allocationsOf(simulation, 2000);
  EXPECT_EQ(allocationsOf(simulation, 5000), 0U);
}

TEST(StepAllocations, AreNoneForMixedSchemes) {
  BouncingBall ball(1., 0., 0.9, 10.);
  const auto other = std::make_shared<LagrangianLinearTIDS>(makeVector({0.5}), makeVector({0.}), makeMatrix({{1.}}));
  other->setExternalForces(makeVector({-9.81}));
  ball.model.insert(other);
  ball.model.link(std::make_shared<Interaction>(NewtonImpactNSL(0.8), LagrangianLinearTIR(makeMatrix({{1.}}))), other);
  MixedOSI mixed;
  mixed.add(MoreauJeanOSI(), {ball.ball}).add(SchatzmanPaoliOSI(), {other});
  TimeStepping simulation(ball.model, TimeDiscretisation(0., 1e-3), std::move(mixed), LCP());
  allocationsOf(simulation, 5000);
  EXPECT_EQ(allocationsOf(simulation, 4000), 0U);
}

}  // namespace
