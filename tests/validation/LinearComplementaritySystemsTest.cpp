// SPDX-License-Identifier: Apache-2.0
//
// Random linear complementarity systems of relative degree 0 and 1 against matrix exponentials, mode by mode.
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/kernel/integrators/EulerMoreauOSI.hpp>
#include <delassus/kernel/problems/LCP.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <string>
#include <support/PassiveSystems.hpp>
#include <support/PiecewiseLinear.hpp>
#include <vector>

#include "Convergence.hpp"

namespace {

using namespace delassus;
using namespace delassus::test;

// L1 error over time of a run with step h. The model has the driven states alone, so that the error is theirs and not
// that of a source integrated in time.
double errorOfRun(const PassiveSystem& p, PiecewiseLinear exact, const EulerMoreauOSI& integrator, double h,
                  double end) {
  PassiveModel passive(p, end);
  TimeStepping simulation(passive.model, TimeDiscretisation(0., h), integrator, LCP());
  double sum = 0.;
  simulation.run([&] {
    exact.advanceTo(simulation.time());
    sum += h * passive.errorAgainst(exact);
  });
  return sum;
}

TEST(LinearComplementaritySystems, AreOfFirstOrderAcrossSwitchings) {
  const double end = 6.;
  for (const double feedthrough : {0.5, 0.}) {
    std::size_t switchings = 0;
    for (unsigned seed = 1; seed <= 4; ++seed) {
      const PassiveSystem p(seed, feedthrough, feedthrough > 0. ? 2 : 0);
      const PiecewiseLinear exact = p.exact();
      PiecewiseLinear whole = exact;
      whole.advanceTo(end);
      switchings += whole.switchings();
      for (const double theta : {1., 0.5}) {
        std::vector<double> steps, errors;
        for (int k = 7; k <= 11; ++k) {
          steps.push_back(std::ldexp(1., -k));
          errors.push_back(errorOfRun(p, exact, EulerMoreauOSI(theta), steps.back(), end));
        }
        const std::string title = "theta = " + std::to_string(theta) + ", relative degree " +
                                  (feedthrough > 0. ? "0" : "1") + ", " + std::to_string(whole.switchings()) +
                                  " switchings";
        EXPECT_GE(observedOrder(title.c_str(), steps, errors), 0.95) << title << ", seed " << seed;
      }
    }
    EXPECT_GE(switchings, 8U);
  }
}

}  // namespace
