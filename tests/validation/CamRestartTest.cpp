// SPDX-License-Identifier: Apache-2.0
//
// Event-driven runs of the cam follower that are saved and restored go on to the same bits.
#include <CamFollower.hpp>
#include <delassus/kernel/problems/LCP.hpp>
#include <delassus/kernel/simulation/EventDriven.hpp>
#include <support/Restarts.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

TEST(CamRestart, GoesOnToTheSameBits) {
  for (const CamFormulation formulation : {CamFormulation::translated, CamFormulation::rheonomous}) {
    for (const double rpm : {358., 100.}) {  // chaos; lasting contacts
      const auto make = [=] {
        CamFollowerParameters parameters;
        parameters.rpm = rpm;
        parameters.end = 1.;
        if (rpm < 200.) parameters.position = 0.;
        const std::shared_ptr<CamFollower> follower = makeCamFollower(formulation, parameters);
        const auto simulation = std::make_shared<EventDriven>(follower->model(), TimeDiscretisation(0., 5e-3), LCP());
        simulation->addTimeEvents("junction", follower->cam().junctions(0., parameters.end));
        return RestartableRun{follower, simulation};
      };
      expectRestarts(make, 25);
    }
  }
}

}  // namespace
