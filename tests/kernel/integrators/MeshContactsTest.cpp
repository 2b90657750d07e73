// SPDX-License-Identifier: Apache-2.0
//
// Contacts that see a few coordinates of a large system: the same as those that see all of them, of sparse systems and
// of dense ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <delassus/Config.hpp>
#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/integrators/SchatzmanPaoliOSI.hpp>
#include <delassus/kernel/laws/EqualityConditionNSL.hpp>
#include <delassus/kernel/laws/SpringDamperLaw.hpp>
#include <delassus/kernel/problems/FrictionContact.hpp>
#include <delassus/kernel/problems/GlobalFrictionContact.hpp>
#include <delassus/kernel/problems/LCP.hpp>
#include <delassus/kernel/problems/MLCP.hpp>
#include <delassus/kernel/simulation/EventDriven.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <support/ElasticBlock.hpp>
#include <support/Matchers.hpp>
#include <support/Restart.hpp>
#include <support/ThreadNumber.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

constexpr ElasticBlock::Form sparseParts{true, true}, sparseWhole{true, false}, denseParts{false, true},
    denseWhole{false, false};

// The velocities at the end of a fall on frictionless ground.
template <class Make>
Vector endOf(ElasticBlock::Form form, const Make& make, std::size_t columns = 5, std::size_t rows = 3) {
  ElasticBlock block(columns, rows, form, 0.01, 0.3, -1., 0.1);
  block.linkFloor(NewtonImpactNSL(0.), ContactOutputs::gap);
  const auto simulation = make(block.model);
  simulation->run();
  EXPECT_GT(block.block->velocity()(1), -0.5) << "it never touched the ground";
  return block.block->velocity();
}

template <class Scheme>
auto timeStepping(const Scheme& scheme) {
  return [scheme](NonSmoothDynamicalSystem& model) {
    return std::make_unique<TimeStepping>(model, TimeDiscretisation(0., 1e-3), scheme, LCP());
  };
}

// LCPs are solved by pivoting, so that what is left is rounding of factors in another order; velocities are of order 1
// and impacts of stiff nodes multiply it.
constexpr double rounding = 1e-9;

TEST(MeshContacts, AreTheSameByPartsAndByWholeSystemsInEachScheme) {
  const auto expectSame = [](const auto& make) {
    const Vector reference = endOf(denseWhole, make);
    for (const auto form : {sparseParts, sparseWhole, denseParts}) expectNear(endOf(form, make), reference, rounding);
  };
  expectSame(timeStepping(MoreauJeanOSI::pure()));
  expectSame(timeStepping(SchatzmanPaoliOSI()));
  const auto semiExplicit = [](NonSmoothDynamicalSystem& model) {
    return std::make_unique<TimeStepping>(model, TimeDiscretisation(0., 2e-4), MoreauJeanOSI::semiExplicit(1.), LCP());
  };
  expectNear(endOf(sparseParts, semiExplicit), endOf(denseParts, semiExplicit), rounding);
}

// The rule that keeps contacts forecasts by the forces on what a contact sees: the same of sparse and dense systems.
TEST(MeshContacts, AreTheSameOfSparseAndDenseSystemsByDefault) {
  for (const double theta : {0.5, 1.}) {
    const auto make = timeStepping(MoreauJeanOSI(theta));
    expectNear(endOf(sparseParts, make), endOf(denseParts, make), rounding);
    expectNear(endOf(sparseWhole, make), endOf(denseWhole, make), rounding);
  }
}

TEST(MeshContacts, AreTheSameInEventDrivenRuns) {
  if constexpr (!withSundials) GTEST_SKIP() << "built without SUNDIALS";
  const auto make = [](NonSmoothDynamicalSystem& model) {
    return std::make_unique<EventDriven>(model, TimeDiscretisation(0., 0.02));
  };
  // Both are integrated to 1e-8 or so, and events found to 1e-10.
  expectNear(endOf(sparseParts, make, 2, 1), endOf(denseWhole, make, 2, 1), 1e-6);
}

TEST(MeshContacts, AreTheSameWithProjections) {
  const auto make = [](NonSmoothDynamicalSystem& model) {
    const TimeSteppingOptions options{.projection = {.kind = Projection::combined}};
    return std::make_unique<TimeStepping>(model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI::pure(), LCP(), options);
  };
  expectNear(endOf(sparseParts, make, 3, 2), endOf(denseWhole, make, 3, 2), rounding);
}

// On rough ground, in local and in global form.
template <class Problem>
Vector slideOf(ElasticBlock::Form form, Problem problem) {
  ElasticBlock block(4, 2, form, 0., 1., -0.2, 0.2);
  block.linkFloor(NewtonImpactFrictionNSL(0., 0., 0.5, 2), ContactOutputs::gapAndTangents);
  problem.setTolerance(1e-12);
  TimeStepping simulation(block.model, TimeDiscretisation(0., 2e-3), MoreauJeanOSI(), std::move(problem));
  simulation.run();
  return block.block->velocity();
}

TEST(MeshContacts, SlideTheSameInLocalAndGlobalForm) {
  const Vector reference = slideOf(denseParts, FrictionContact(2));
  EXPECT_LT(reference(0), 0.95);
  // Certified to 1e-12 in each of 100 steps, of velocities of order 1.
  expectNear(slideOf(sparseParts, FrictionContact(2)), reference, 1e-8);
  expectNear(slideOf(sparseParts, GlobalFrictionContact(2)), reference, 1e-8);
  expectNear(slideOf(denseParts, GlobalFrictionContact(2)), reference, 1e-8);
}

// Contacts that come and go change which unknowns are seen, and with them the rows of all right blocks.
TEST(MeshContacts, MayComeAndGo) {
  const auto run = [](ElasticBlock::Form form) {
    // It arrives after 100 steps.
    ElasticBlock block(5, 2, form, 1e-3, 0., -0.01, 0.2);
    const NewtonImpactNSL law(0.);
    TimeStepping simulation(block.model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(), LCP());
    std::vector<std::shared_ptr<Interaction>> feet;
    for (std::size_t k = 0; k < 170; ++k) {
      // One more each ten steps, up to six; under load the first ones are taken away again.
      if (k % 10 == 0 && k < 60) feet.push_back(block.linkFoot(5 - k / 10, law, ContactOutputs::gap));
      if (k % 10 == 5 && k > 120 && k < 160) {
        block.model.remove(feet.front());
        feet.erase(feet.begin());
      }
      simulation.step();
    }
    return block.block->velocity();
  };
  expectNear(run(sparseParts), run(denseParts), rounding);
}

// Two blocks, one on top of the other: nodes of the upper one against segments of the lower one.
struct Stack {
  PlaneMesh lower = PlaneMesh::rectangle(4, 2, 1., 0.4), upper = PlaneMesh::rectangle(3, 2, 0.6, 0.4);
  NonSmoothDynamicalSystem model{0., 0.3};
  std::shared_ptr<LagrangianLinearTIDS> below, above;

  Stack(bool isSparse, double mu) {
    const PlaneMaterial material{.young = 1e6, .poisson = 0.3, .density = 1000., .thickness = 1.};
    const auto insert = [&](const std::string& name, const PlaneMesh& mesh, double vx, double vy) {
      const SparseMatrix M = mesh.mass(material), K = mesh.stiffness(material);
      Vector v(mesh.unknowns());
      for (std::size_t i = 0; i < v.size(); ++i) v(i) = i % 2 == 0 ? vx : vy;
      return model.insert(name, std::make_shared<LagrangianLinearTIDS>(
                                    Vector(mesh.unknowns()), v,
                                    isSparse ? LagrangianLinearTIDS::Matrices{.M = M, .K = K}
                                             : LagrangianLinearTIDS::Matrices{.M = toDense(M), .K = toDense(K)}));
    };
    below = insert("below", lower, 0., 0.);
    above = insert("above", upper, 0.2, -0.5);
    // The upper block begins at (0.13, 0.401).
    for (std::size_t i = 0; i <= upper.columns(); ++i) {
      for (std::size_t j = 0; j < lower.columns(); ++j) {
        const auto placeOf = [&](std::size_t k) {
          return makeVector({lower.nodes()[lower.node(k, 2)][0], lower.nodes()[lower.node(k, 2)][1]});
        };
        const LagrangianContactR contact =
            nodeToSegment(makeVector({0.13 + upper.nodes()[i][0], 0.401}), placeOf(j), placeOf(j + 1));
        model.link("contact " + std::to_string(i) + " " + std::to_string(j), NewtonImpactFrictionNSL(0., 0., mu, 2),
                   contact, SystemPart(above, 2 * i, 2), SystemPart(below, 2 * lower.node(j, 2), 4));
      }
    }
  }
  // Momentum along x and y.
  std::array<double, 2> momentum() const {
    std::array<double, 2> sum{};
    for (const auto& block : {below, above}) {
      for (std::size_t i = 0; i < block->dimension(); ++i) sum[i % 2] += block->M().diagonal(i) * block->velocity()(i);
    }
    return sum;
  }
  double energy() const {
    double sum = 0.;
    for (const auto& block : {below, above})
      sum += block->kineticEnergy() + 0.5 * quadraticForm(block->K(), block->q());
    return sum;
  }
};

TEST(MeshContacts, OfTwoMeshesKeepMomentumAndGiveNoEnergy) {
  Vector ends[2];
  for (const bool isSparse : {false, true}) {
    Stack stack(isSparse, 0.4);
    TimeStepping simulation(stack.model, 5e-4);
    const auto before = stack.momentum();
    double energy = stack.energy(), gain = 0., least = 1.;
    const double all = energy;
    simulation.run([&] {
      gain = std::max(gain, stack.energy() - energy);
      energy = stack.energy();
      for (const auto& contact : stack.model.interactions()) least = std::min(least, contact->y(0)(0));
    });
    // Forces on the node and the ends of its segment add up to nothing, to rounding of the momenta, of order 100 N s.
    EXPECT_NEAR(stack.momentum()[0], before[0], 1e-9);
    EXPECT_NEAR(stack.momentum()[1], before[1], 1e-9);
    EXPECT_LE(gain, 1e-11 * all);  // rounding of sums over all nodes
    // h² times the accelerations of the waves in the nodes that touch, some 1e3 m/s².
    EXPECT_GT(least, -1e-3);
    EXPECT_LT(stack.above->velocity()(0), 0.2);
    ends[isSparse ? 1 : 0] = stack.above->velocity();
  }
  // Problems with friction are certified to 1e-8; differences grow with the impacts.
  expectNear(ends[1], ends[0], 1e-5);
}

// A spring and a joint between nodes of two meshes, and a joint between two nodes of one: as parts, and by relations
// of all coordinates.
TEST(MeshContacts, MayBeSpringsAndJointsBetweenNodes) {
  const auto run = [](bool isSparse, bool byParts) {
    Stack stack(isSparse, 0.);
    for (const auto& contact : std::vector(stack.model.interactions())) stack.model.remove(contact);
    const auto rowOf = [&](std::size_t upper, std::size_t lower) {
      Matrix H(1, stack.above->dimension() + stack.below->dimension());
      H(0, upper) = 1.;
      H(0, stack.above->dimension() + lower) = -1.;
      return LagrangianLinearTIR(H);
    };
    const LagrangianLinearTIR difference(makeMatrix({{1., -1.}}));
    const SpringDamperLaw spring(1e4, 10.);
    const EqualityConditionNSL joint(1);
    const std::size_t node = 2 * stack.lower.node(1, 2) + 1, other = 2 * stack.lower.node(3, 2);
    if (byParts) {
      stack.model.link("spring", spring, difference, SystemPart(stack.above, 1, 1), SystemPart(stack.below, node, 1));
      stack.model.link("joint", joint, difference, SystemPart(stack.above, 6, 1), SystemPart(stack.below, other, 1));
      stack.model.link("bar", joint, difference, SystemPart(stack.below, other, 1), SystemPart(stack.below, 0, 1));
    } else {
      stack.model.link("spring", spring, rowOf(1, node), stack.above, stack.below);
      stack.model.link("joint", joint, rowOf(6, other), stack.above, stack.below);
      Matrix H(1, stack.below->dimension());
      H(0, other) = 1.;
      H(0, 0) = -1.;
      stack.model.link("bar", joint, LagrangianLinearTIR(H), stack.below);
    }
    TimeStepping simulation(stack.model, 1e-3);
    simulation.run();
    EXPECT_NEAR(stack.above->velocity()(6), stack.below->velocity()(other), 1e-9);
    EXPECT_NEAR(stack.below->velocity()(0), stack.below->velocity()(other), 1e-9);
    return stack.below->velocity();
  };
  const Vector reference = run(false, false);
  for (const auto& [isSparse, byParts] : {std::pair(false, true), std::pair(true, true)}) {
    expectNear(run(isSparse, byParts), reference, 1e-8);
  }
}

// A part of a sparse system beside all of it: such a node has no interface.
TEST(MeshContacts, MayStandBesideLinksToTheWholeSystem) {
  const auto run = [](ElasticBlock::Form form) {
    ElasticBlock block(4, 2, form, 0.01, 0.3, -1., 0.1);
    const NewtonImpactNSL law(0.);
    for (const std::size_t node : {0U, 1U, 2U, 3U, 4U}) {
      block.form.byParts = form.byParts && node != 2;
      block.linkFoot(node, law, ContactOutputs::gap);
    }
    TimeStepping simulation(block.model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI::pure(), LCP());
    simulation.run();
    return block.block->velocity();
  };
  const Vector reference = run(denseWhole);
  expectNear(run(sparseParts), reference, rounding);
  expectNear(run(denseParts), reference, rounding);
}

// Gyroscopic forces, C = −Cᵀ, make W another one than its transpose: columns and rows of its inverse differ.
TEST(MeshContacts, MayBelongToASystemThatIsNotSymmetric) {
  const auto run = [](bool isSparse) {
    const PlaneMesh mesh = PlaneMesh::rectangle(4, 2, 1., 0.5);
    const PlaneMaterial material{.young = 1e6, .poisson = 0.3, .density = 1000., .thickness = 1.};
    const SparseMatrix M = mesh.mass(material), K = mesh.stiffness(material);
    std::vector<Triplet> coupled;
    for (std::size_t i = 0; i + 1 < mesh.unknowns(); i += 2) {
      coupled.insert(coupled.end(), {{i, i + 1, 2e3}, {i + 1, i, -2e3}, {i, i, 0.}, {i + 1, i + 1, 0.}});
    }
    const SparseMatrix C = sparseFromTriplets(mesh.unknowns(), mesh.unknowns(), coupled);
    NonSmoothDynamicalSystem model(0., 0.1);
    Vector v(mesh.unknowns());
    for (std::size_t i = 1; i < v.size(); i += 2) v(i) = -1.;
    const auto block = model.insert(
        "block", std::make_shared<LagrangianLinearTIDS>(
                     Vector(mesh.unknowns()), v,
                     isSparse ? LagrangianLinearTIDS::Matrices{.M = M, .C = C, .K = K}
                              : LagrangianLinearTIDS::Matrices{.M = toDense(M), .C = toDense(C), .K = toDense(K)}));
    for (std::size_t i = 0; i <= 4; ++i) {
      const Vector X = makeVector({mesh.nodes()[i][0], mesh.nodes()[i][1]});
      model.link("foot " + std::to_string(i), NewtonImpactNSL(0.),
                 nodeToPlane(X, makeVector({0.6, 0.8}), X, ContactOutputs::gap), SystemPart(block, 2 * i, 2));
    }
    TimeStepping simulation(model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI::pure(), LCP());
    simulation.run();
    return block->velocity();
  };
  expectNear(run(true), run(false), rounding);
}

// Threads read one interface and write the rows of one matrix, 64 at a time.
TEST(MeshContacts, AreTheSameToTheBitOnSeveralThreads) {
  const auto make = timeStepping(MoreauJeanOSI());
  const Vector alone = endOf(sparseParts, make, 80, 2);
  const ThreadNumber threads(2);
  const Vector together = endOf(sparseParts, make, 80, 2);
  EXPECT_TRUE(std::equal(alone.begin(), alone.end(), together.begin(), together.end()));
}

// Compliant relations weigh their stiffness by what all of them may move at a node.
TEST(MeshContacts, MayBeCompliant) {
  const auto run = [](ElasticBlock::Form form) {
    ElasticBlock block(4, 2, form, 0.02, 0.1, -0.3, 0.2);
    // A pad under each foot, hard and soft by turns.
    for (std::size_t i = 0; i <= block.mesh.columns(); ++i) {
      const LagrangianLinearTIR plane =
          nodeToPlane(block.placeOf(i), makeVector({0., 1.}), makeVector({0., 0.}), ContactOutputs::gap);
      const LagrangianLinearTIR pad(plane.H(), plane.b(), makeMatrix({{i % 2 == 0 ? 1e-8 : 1e-4}}));
      block.model.link("pad " + std::to_string(i), NewtonImpactNSL(0.), pad, SystemPart(block.block, 2 * i, 2));
    }
    // A soft tie between two neighbours: what one part of it moves at a node, the other one takes back.
    block.model.link("tie", EqualityConditionNSL(1),
                     LagrangianLinearTIR(makeMatrix({{1., -1.}}), Vector(1), makeMatrix({{1e-6}})),
                     SystemPart(block.block, 0, 1), SystemPart(block.block, 2, 1));
    TimeStepping simulation(block.model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(), MLCP());
    simulation.run();
    EXPECT_GT(block.block->velocity()(1), -0.25);
    return block.block->velocity();
  };
  expectNear(run(sparseParts), run(denseParts), rounding);
}

// Pieces of steps have factors of their own, and with them other columns of the interface.
TEST(MeshContacts, FollowPiecesOfSteps) {
  const auto make = [](NonSmoothDynamicalSystem& model) {
    auto simulation = std::make_unique<TimeStepping>(model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(), LCP());
    simulation->addSampling("clock", TimeDiscretisation(0., 1.7e-3), [] {});
    return simulation;
  };
  expectNear(endOf(sparseParts, make), endOf(denseParts, make), rounding);
}

TEST(MeshContacts, GoOnFromACheckpointToTheSameBits) {
  expectSameAfterRestart("mesh", [] {
    auto block = std::make_shared<ElasticBlock>(5, 2, sparseParts, 0.005, 0.5, -1., 0.1);
    block->linkFloor(NewtonImpactFrictionNSL(0., 0., 0.5, 2), ContactOutputs::gapAndTangents);
    auto simulation = std::make_shared<TimeStepping>(block->model, TimeDiscretisation(0., 2e-3), MoreauJeanOSI());
    return restartRun(std::move(block), std::move(simulation));
  });
}

}  // namespace
