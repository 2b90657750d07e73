// SPDX-License-Identifier: Apache-2.0
//
// The table of docs/contacts.md: how many of 200 random scenes stay within the limits of the audit of their motion, by
// scheme, and of which kind the others are.
//
//     motions_benchmark
#include <array>
#include <chrono>
#include <cstdio>
#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <delassus/numerics/Log.hpp>
#include <map>
#include <string>
#include <support/RandomScenes.hpp>

using namespace delassus;

namespace {

constexpr unsigned scenes = 200;

struct Scheme {
  const char* name;
  MoreauJeanOptions options;
};

void run(const Scheme& scheme) {
  std::map<std::string, int> outside;
  unsigned within = 0, silent = 0;
  const auto begun = std::chrono::steady_clock::now();
  for (unsigned seed = 0; seed < scenes; ++seed) {
    test::RandomScene scene(seed);
    TimeStepping simulation(*scene.model, TimeDiscretisation(0., scene.h), MoreauJeanOSI(scheme.options));
    simulation.setInteractionManager(scene.manager);
    const std::size_t warnings = Log::count(LogLevel::warning);
    simulation.run();
    const MotionAuditOptions limits;
    const MotionAudit::Report& motion = simulation.statistics().motion;
    const bool isWithin = motion.depth.relative <= limits.depth && motion.lostLoad.relative <= limits.lostLoad &&
                          motion.drift.relative <= limits.drift &&
                          motion.givenEnergy <= limits.energy * motion.largestEnergy;
    if (isWithin) {
      ++within;
    } else {
      ++outside[scene.kind()];
      if (Log::count(LogLevel::warning) == warnings) ++silent;
    }
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begun;
  std::printf("%-34s %3u of %u within, %u silent, %.1f s;", scheme.name, within, scenes, silent, seconds.count());
  for (const auto& [kind, count] : outside) std::printf(" %s %d", kind.c_str(), count);
  std::printf("\n");
}

}  // namespace

int main() {
  Log::setTerminal(LogLevel::none);
  MoreauJeanOptions kept;
  kept.contactRule = ContactRule::kept;
  MoreauJeanOptions semiExplicit = kept;
  semiExplicit.forceTheta = semiExplicit.relationGamma = 0.;
  MoreauJeanOptions implicit = kept;
  implicit.theta = 1.;
  for (const Scheme& scheme :
       {Scheme{"kept", kept}, Scheme{"kept, semi-explicit", semiExplicit}, Scheme{"kept, theta = 1", implicit}}) {
    run(scheme);
  }
}
