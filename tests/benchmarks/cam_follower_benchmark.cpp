// SPDX-License-Identifier: Apache-2.0
//
// Error against step and error against cost of time stepping and event-driven simulation, on 1 s of the cam follower at
// 358 and at 660 rpm (nine and sixteen impacts in, before chaos hides what the methods do).
//
// The error is the mean of |u − u_ref| over 20 instants, against the event-driven run at the tightest tolerance, and
// against the closed form between impacts. Errors of time stepping are means over steps of about the same size, since
// where an impact falls in its step is chance. The cost is processor time of such a run, with the building of model and
// simulation. (An integrator that has to stop at more instants takes smaller steps, and is more exact than asked for.)
//
//     cam_follower_benchmark [folder for errors.csv] [finest step] [tightest tolerance]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <delassus/kernel/io/TableWriter.hpp>
#include <exception>
#include <memory>
#include <string>
#include <validation/CamFollowerReference.hpp>
#include <vector>

#include "CamRun.hpp"

namespace {

using delassus::test::CamFollowerReference;

constexpr double end = 1.;
constexpr int instants = 20;

// Processor time, so that other programs on the machine do not count.
double processorTime() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

CamFollowerParameters parametersAt(double rpm) {
  CamFollowerParameters parameters;
  parameters.rpm = rpm;
  parameters.end = end;
  return parameters;
}

// u at the instants.
std::vector<double> positionsOf(double rpm, const CamRunOptions& options) {
  const auto run = makeCamRun(parametersAt(rpm), options, end / instants);
  std::vector<double> positions;
  while (run->advance()) positions.push_back(run->u());
  return positions;
}

double meanDifference(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0.;
  for (std::size_t k = 0; k < a.size(); ++k) sum += std::abs(a[k] - b[k]);
  return sum / static_cast<double>(a.size());
}

struct Cost {
  double seconds;
  double impacts;
};

// The fastest of several runs, which the others on the machine have disturbed least.
Cost costOf(double rpm, const CamRunOptions& options) {
  Cost cost{1e9, 0.};
  const double begin = processorTime();
  for (int k = 0; k < 3 || (k < 200 && processorTime() - begin < 0.3); ++k) {
    const double before = processorTime();
    const auto run = makeCamRun(parametersAt(rpm), options, end / instants);
    cost.impacts = 0.;
    while (run->advance()) {
      cost.impacts += static_cast<double>(std::count_if(run->events().begin(), run->events().end(),
                                                        [](const CamEvent& event) { return event.kind == "impact"; }));
    }
    cost.seconds = std::min(cost.seconds, processorTime() - before);
  }
  return cost;
}

struct References {
  std::vector<double> eventDriven, closedForm;
};

class Table {
 public:
  explicit Table(const std::string& folder) {
    if (!folder.empty()) {
      writer_ = std::make_unique<delassus::TableWriter>(
          folder + "/errors.csv", std::vector<std::string>{"rpm [1/min]", "method", "formulation", "step or tolerance",
                                                           "error to event-driven [m]", "error to closed form [m]",
                                                           "cost [s]", "impacts per second"});
    }
    std::printf("   rpm  method         formulation  h or tol.  error [m]  to closed form   cost [ms]  impacts/s\n");
  }

  void add(double rpm, const CamRunOptions& options, const References& references) {
    const bool stepped = options.method == CamMethod::timeStepping;
    const int samples = stepped ? 16 : 1;
    double error = 0.;
    double trueError = 0.;
    for (int sample = 0; sample < samples; ++sample) {
      CamRunOptions one = options;
      if (stepped) one.step *= 1. - 0.0137 * sample;
      const std::vector<double> positions = positionsOf(rpm, one);
      error += meanDifference(positions, references.eventDriven) / samples;
      trueError += meanDifference(positions, references.closedForm) / samples;
    }
    const Cost cost = costOf(rpm, options);
    const char* method = stepped ? "time-stepping" : "event-driven";
    const char* formulation = options.formulation == CamFormulation::translated ? "translated" : "rheonomous";
    const double size = stepped ? options.step : options.tolerance;
    const double rate = cost.impacts / cost.seconds;
    std::printf("%6.0f  %-13s  %-11s  %9.2e  %9.2e       %9.2e  %10.3f  %9.0f\n", rpm, method, formulation, size, error,
                trueError, 1e3 * cost.seconds, rate);
    std::fflush(stdout);
    if (writer_) writer_->writeRow({rpm, method, formulation, size, error, trueError, cost.seconds, rate});
  }

  void close() {
    if (writer_) writer_->close();
  }

 private:
  std::unique_ptr<delassus::TableWriter> writer_;
};

References referencesAt(double rpm, double tolerance) {
  const CamFollowerParameters p = parametersAt(rpm);
  const CamFollowerReference exact(Cam(rpm), p.mass, p.stiffness, p.restitution, p.position, p.velocity, end + 0.01);
  References references;
  for (int k = 1; k <= instants; ++k) references.closedForm.push_back(exact.u(end * k / instants));
  references.eventDriven = positionsOf(rpm, {.method = CamMethod::eventDriven, .tolerance = tolerance});
  return references;
}

void measure(const std::string& folder, double finestStep, double tightest) {
  Table table(folder);
  for (const double rpm : {358., 660.}) {
    const References references = referencesAt(rpm, tightest);
    for (const CamFormulation formulation : {CamFormulation::translated, CamFormulation::rheonomous}) {
      for (double step = 1e-3; step > 0.99 * finestStep; step /= std::sqrt(10.)) {
        table.add(rpm, {.formulation = formulation, .step = step}, references);
      }
      for (double tolerance = 1e-2; tolerance > 0.99 * tightest; tolerance /= 10.) {
        table.add(rpm, {.method = CamMethod::eventDriven, .formulation = formulation, .tolerance = tolerance},
                  references);
      }
    }
  }
  table.close();
}

}  // namespace

int main(int argc, char** argv) {
  try {
    measure(argc > 1 ? argv[1] : "", argc > 2 ? std::atof(argv[2]) : 1e-6, argc > 3 ? std::atof(argv[3]) : 1e-13);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "cam_follower_benchmark: %s\n", error.what());
    return 1;
  }
  return 0;
}
