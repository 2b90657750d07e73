// SPDX-License-Identifier: Apache-2.0
//
// A build without SUNDIALS says so, and which option brings it.
#include <gtest/gtest.h>

#include <delassus/kernel/simulation/EventDriven.hpp>
#include <delassus/kernel/systems/FirstOrderLinearTIDS.hpp>

#include "../../support/Matchers.hpp"

namespace {

using namespace delassus;

TEST(EventDrivenAbsent, RunningNamesTheOption) {
  NonSmoothDynamicalSystem model(0., 1.);
  model.insert(std::make_shared<FirstOrderLinearTIDS>(makeVector({1.}), makeMatrix({{-1.}})));
  test::expectError(
      [&] {
        EventDriven simulation(model, TimeDiscretisation(0., 0.1));
        simulation.run([] {});
      },
      {"this build of Delassus has no SUNDIALS", "DELASSUS_WITH_SUNDIALS=ON"});
}

}  // namespace
