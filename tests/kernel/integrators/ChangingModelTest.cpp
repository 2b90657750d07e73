// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <delassus/kernel/contacts/Sphere.hpp>
#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/integrators/WorkList.hpp>
#include <delassus/kernel/laws/NewtonImpactFrictionNSL.hpp>
#include <delassus/kernel/problems/FrictionContact.hpp>
#include <delassus/kernel/relations/NewtonEulerContactR.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <delassus/kernel/systems/NewtonEulerDS.hpp>
#include <stdexcept>
#include <utility>

// A model that changes between steps: what the scheme keeps of it must equal what a new scheme would compute.
namespace delassus::test {
namespace {

constexpr double radius = 0.1;
constexpr double h = 2e-3;

// Spheres that fall onto a plane beside each other, touching their neighbours; contacts are linked and removed.
struct Pile {
  static constexpr std::size_t count = 4;
  NonSmoothDynamicalSystem model{0., 1.};
  std::array<std::shared_ptr<NewtonEulerDS>, count> spheres;
  std::array<std::shared_ptr<Interaction>, count> floors;
  std::array<std::shared_ptr<Interaction>, count - 1> pairs;

  Pile() {
    for (std::size_t i = 0; i < count; ++i) {
      const double x = static_cast<double>(i);
      spheres[i] = std::make_shared<NewtonEulerDS>(NewtonEulerDS::at({0.19 * x, 0.01 * x, 0.11 + 0.02 * x}), Vector(6),
                                                   1. + 0.1 * x, NewtonEulerDS::ballInertia(1., radius));
      Vector weight(3);
      weight(2) = -9.81 * spheres[i]->scalarMass();
      spheres[i]->setExternalForces(weight);
      model.insert(spheres[i]);
      floors[i] = std::make_shared<Interaction>(NewtonImpactFrictionNSL(0.4, 0., 0.3),
                                                NewtonEuler3DR(SpherePlane(radius, Plane{})));
      if (i > 0) {
        pairs[i - 1] = std::make_shared<Interaction>(NewtonImpactFrictionNSL(0.4, 0., 0.3),
                                                     NewtonEuler3DR(SphereSphere(radius, radius)));
      }
    }
  }

  // What a model is at step k: some interactions come and go, in another order than that of the spheres.
  void change(std::size_t k) {
    if (k == 0) {
      for (const std::size_t i : {2U, 0U, 3U, 1U}) model.link(floors[i], spheres[i]);
    }
    if (k == 5) model.link(pairs[1], spheres[1], spheres[2]);
    if (k == 10) model.link(pairs[0], spheres[0], spheres[1]);
    if (k == 20) model.remove(pairs[1]);
    if (k == 25) {
      model.link(pairs[1], spheres[1], spheres[2]);
      model.link(pairs[2], spheres[2], spheres[3]);
      model.remove(pairs[0]);
    }
    if (k == 40) model.remove(spheres[0]);
  }
};

TEST(ChangingModel, StepsAreThoseOfASchemeThatStartsAnew) {
  constexpr std::size_t steps = 80;
  Pile kept;
  TimeStepping simulation(kept.model, TimeDiscretisation(0., h), MoreauJeanOSI(), FrictionContact(3));
  Pile anew;
  for (std::size_t k = 0; k < steps; ++k) {
    kept.change(k);
    simulation.step();
    anew.change(k);
    // The model's own t0 stays 0: only the length of the step counts here.
    TimeStepping oneStep(anew.model, TimeDiscretisation(0., h), MoreauJeanOSI(), FrictionContact(3));
    oneStep.step();
    for (std::size_t i = 0; i < Pile::count; ++i) {
      for (std::size_t j = 0; j < 6; ++j) {
        // Both solve to 1e-8; rounding and warm starts differ by less than that.
        ASSERT_NEAR(kept.spheres[i]->velocity()(j), anew.spheres[i]->velocity()(j), 1e-7) << "step " << k;
      }
    }
  }
}

TEST(ChangingModel, AFailedBindIsMadeGoodByTheNext) {
  Pile pile;
  pile.change(0);
  TimeStepping simulation(pile.model, TimeDiscretisation(0., h), MoreauJeanOSI(), FrictionContact(3));
  simulation.step();
  const auto wrong = std::make_shared<Interaction>(NewtonImpactFrictionNSL(0., 0., 0.3, 2),
                                                   NewtonEuler2DR(SphereSphere(radius, radius)));
  pile.model.remove(pile.floors[0]);
  pile.model.link(wrong, pile.spheres[0], pile.spheres[1]);
  EXPECT_THROW(simulation.step(), Error);
  pile.model.remove(wrong);
  pile.model.link(pile.floors[0], pile.spheres[0]);
  for (int k = 0; k < 50; ++k) simulation.step();
  for (const auto& sphere : pile.spheres) EXPECT_GT(sphere->position()[2], 0.9 * radius);
}

struct Counted {
  explicit Counted(std::size_t number) : serial(number) {}
  std::size_t serial;
};

TEST(WorkList, KeepsWhatStaysAndMakesWhatIsNew) {
  WorkList<Counted> list;
  std::size_t made = 0;
  std::vector<std::uint64_t> serials;
  const auto make = [&](std::size_t k) {
    ++made;
    return std::make_unique<Counted>(serials[k]);
  };
  serials = {1, 4, 5, 9};
  list.update(serials, make);
  const Counted* const five = &list[2];
  serials = {4, 5, 11, 12};
  list.update(serials, make);
  EXPECT_EQ(made, 6U);
  EXPECT_EQ(&list[1], five);
  for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(list[k].serial, serials[k]);
}

TEST(WorkList, StaysAsItIsWhenAStepCannotBeMade) {
  WorkList<Counted> list;
  list.update({1, 2}, [](std::size_t k) { return std::make_unique<Counted>(k + 1); });
  const auto fail = [](std::size_t) -> std::unique_ptr<Counted> { throw std::runtime_error("no"); };
  EXPECT_THROW(list.update({2, 3}, fail), std::runtime_error);
  ASSERT_EQ(list.size(), 2U);
  EXPECT_EQ(list[0].serial, 1U);
  EXPECT_EQ(list[1].serial, 2U);
}

}  // namespace
}  // namespace delassus::test
