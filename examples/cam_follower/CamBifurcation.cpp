// SPDX-License-Identifier: Apache-2.0
#include "CamBifurcation.hpp"

#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <sstream>
#include <string>
#include <utility>

using delassus::Error;
using delassus::toText;

namespace {

// All that a run depends on, except its speed.
std::string describe(const CamDiagramOptions& options) {
  const CamFollowerParameters& p = options.parameters;
  const CamRunOptions& run = options.run;
  const bool stepped = run.method == CamMethod::timeStepping;
  std::ostringstream text;
  text << "method = " << (stepped ? "time-stepping" : "event-driven") << '\n';
  text << "formulation = " << (run.formulation == CamFormulation::translated ? "translated" : "rheonomous") << '\n';
  if (stepped) {
    text << "step = " << toText(run.step) << '\n' << "theta = " << toText(run.theta) << '\n';
  } else {
    text << "tolerance = " << toText(run.tolerance) << '\n';
  }
  const std::pair<const char*, double> numbers[] = {{"angle", p.initialAngle},
                                                    {"position", p.position},
                                                    {"velocity", p.velocity},
                                                    {"restitution", p.restitution},
                                                    {"mass", p.mass},
                                                    {"stiffness", p.stiffness},
                                                    {"damping", p.damping},
                                                    {"force", p.force},
                                                    {"transient", static_cast<double>(options.transient)},
                                                    {"turns", static_cast<double>(options.turns)}};
  for (const auto& [name, value] : numbers) text << name << " = " << toText(value) << '\n';
  return text.str();
}

}  // namespace

std::vector<double> speedsOf(double from, double to, double step) {
  if (!(0. < from && from <= to && 0. < step)) {
    throw Error("CamBifurcation", "the speeds must be 0 < from <= to with a step > 0, but " + toText(from) + ", " +
                                      toText(to) + " and " + toText(step) + " came.");
  }
  std::vector<double> speeds;
  const double last = std::floor((to - from) / step + 1e-9);
  constexpr double most = 1e6;
  if (last >= most) {
    throw Error("CamBifurcation", "expected at most " + toText(most) + " speeds, but from " + toText(from) + " to " +
                                      toText(to) + " in steps of " + toText(step) + " there are more.");
  }
  for (double k = 0.; k <= last; k += 1.) speeds.push_back(std::round((from + k * step) * 1e9) / 1e9);
  return speeds;
}

CamBifurcation::CamBifurcation(const std::filesystem::path& folder, const CamDiagramOptions& options,
                               std::shared_ptr<delassus::Workers> workers)
    : options_(options),
      workers_(workers ? std::move(workers) : std::make_shared<delassus::ThreadWorkers>(options.threads)),
      study_(folder, "rpm", describe(options), *workers_) {
}

void CamBifurcation::run(const std::vector<double>& speeds, const std::function<void(std::size_t)>& afterRun) const {
  const auto work = [this](double rpm, const std::filesystem::path& folder) {
    CamFollowerParameters parameters = options_.parameters;
    parameters.rpm = rpm;
    writeMaps(computeMaps(parameters, options_.run, options_.transient, options_.turns), folder);
  };
  study_.run(speeds, work, afterRun);
}

void CamBifurcation::collect(const std::vector<double>& speeds) const {
  for (const char* table : {"impacts.csv", "stroboscope.csv"}) study_.collect(speeds, table, "rpm [1/min]");
}
