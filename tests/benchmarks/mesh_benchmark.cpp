// SPDX-License-Identifier: Apache-2.0
//
// Few interactions of large sparse systems: the cost of a step and the memory of a run against the number of unknowns
// and of contacts, for an elastic bar pressed on stops, an elastic block pressed on a floor, without and with friction,
// and a circuit whose voltages diodes clamp, with nodes that have no capacitor.
//
//     mesh_benchmark [STEPS [LARGEST]]      unknowns up to LARGEST
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <delassus/kernel/integrators/EulerMoreauOSI.hpp>
#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/problems/FrictionContact.hpp>
#include <delassus/kernel/problems/LCP.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <fstream>
#include <functional>
#include <string>
#include <support/DiodeLine.hpp>
#include <support/ElasticBar.hpp>
#include <support/ElasticBlock.hpp>
#include <vector>

namespace {

using namespace delassus;
using namespace delassus::test;
using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// The largest memory that this process has had, kB.
double peakMemory() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    if (word != "VmHWM:") continue;
    double peak = 0.;
    status >> peak;
    return peak;
  }
  return 0.;
}

struct Figures {
  double unknowns = 0., contacts = 0.;
  double first = 0., step = 0.;  // s: the first step, and the median of the others
  double memory = 0.;            // kB an unknown
};

Figures timeSteps(NonSmoothDynamicalSystem& model, TimeStepping& simulation, std::size_t unknowns, int steps) {
  Figures found{static_cast<double>(unknowns), static_cast<double>(model.interactions().size())};
  std::vector<double> times;
  for (int k = 0; k < steps; ++k) {
    const auto begin = Clock::now();
    simulation.step();
    times.push_back(secondsSince(begin));
  }
  found.first = times.front();
  std::nth_element(times.begin() + 1, times.begin() + (steps + 1) / 2, times.end());
  found.step = times[static_cast<std::size_t>((steps + 1) / 2)];
  return found;
}

// `contacts` nodes of a bar of n elements, evenly spaced, pressed on stops.
Figures ofBar(std::size_t n, std::size_t contacts, int steps) {
  ElasticBar bar(n, true, 0., 1e3);
  bar.model.remove(bar.wall);
  bar.bar->setState(Vector(n + 1), Vector(n + 1));
  bar.bar->setExternalForces(Vector(n + 1, -1. / static_cast<double>(n)));
  for (std::size_t k = 0; k < contacts; ++k) {
    bar.model.link("stop " + std::to_string(k), NewtonImpactNSL(0.), LagrangianLinearTIR(Matrix(1, 1, 1.)),
                   SystemPart(bar.bar, k * n / contacts, 1));
  }
  TimeStepping simulation(bar.model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(), LCP());
  return timeSteps(bar.model, simulation, n + 1, steps);
}

// A block of twenty times as many columns as rows, with weight, on all its lower nodes or one.
Figures ofBlock(std::size_t columns, bool onAll, bool isRough, int steps) {
  ElasticBlock block(columns, columns / 20, {}, 0., 0.5, 0., 1e3);
  Vector weight(block.mesh.unknowns());
  for (std::size_t i = 1; i < weight.size(); i += 2) weight(i) = -9.81 * block.block->M().diagonal(i);
  block.block->setExternalForces(weight);
  for (std::size_t i = 0; i <= columns; ++i) {
    if (!onAll && i != columns / 2) continue;
    if (isRough) {
      block.linkFoot(i, NewtonImpactFrictionNSL(0., 0., 0.3, 2), ContactOutputs::gapAndTangents);
    } else {
      block.linkFoot(i, NewtonImpactNSL(0.), ContactOutputs::gap);
    }
  }
  const TimeDiscretisation times(0., 1e-3);
  if (isRough) {
    TimeStepping simulation(block.model, times, MoreauJeanOSI(), FrictionContact(2));
    return timeSteps(block.model, simulation, block.mesh.unknowns(), steps);
  }
  TimeStepping simulation(block.model, times, MoreauJeanOSI(), LCP());
  return timeSteps(block.model, simulation, block.mesh.unknowns(), steps);
}

// A line of `nodes` resistors and capacitors, with `clamps` diodes beside those that it has.
Figures ofLine(std::size_t nodes, std::size_t clamps, int steps) {
  DiodeLine line(Storage::sparse, Links::parts, true, nodes);
  for (std::size_t k = 0; k < clamps; ++k) line.clamp(k * nodes / clamps);
  TimeStepping simulation(line.model, TimeDiscretisation(0., 1e-3), EulerMoreauOSI(0.5), LCP());
  return timeSteps(line.model, simulation, nodes, steps);
}

// In a process of its own, whose memory is that of the case.
void measure(const char* name, const std::function<Figures()>& run) {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    const double before = peakMemory();
    Figures found = run();
    found.memory = (peakMemory() - before) / found.unknowns;
    std::printf("%-22s %9.0f %9.0f %12.3f %12.3f %12.2f\n", name, found.unknowns, found.contacts, found.first,
                1e3 * found.step, found.memory);
    std::fflush(stdout);
    std::_Exit(0);
  }
  int status = -1;
  if (child > 0) waitpid(child, &status, 0);
  if (status != 0) std::printf("%-22s failed\n", name);
}

}  // namespace

int main(int argc, char** argv) {
  const int steps = argc > 1 ? std::max(3, std::atoi(argv[1])) : 21;
  const double largest = argc > 2 ? std::atof(argv[2]) : 1e5;
  std::printf("%-22s %9s %9s %12s %12s %12s\n", "model", "unknowns", "contacts", "first step s", "step ms",
              "kB/unknown");
  for (const std::size_t n : {1000, 10000, 100000}) {
    if (static_cast<double>(n) > largest) continue;
    for (const std::size_t contacts : {1, 1000}) {
      measure("bar", [&] { return ofBar(n, std::min(contacts, n), steps); });
    }
  }
  for (const std::size_t n : {1000, 10000, 100000}) {
    if (static_cast<double>(n) > largest) continue;
    for (const std::size_t clamps : {1, 1000}) {
      measure("circuit", [&] { return ofLine(n, clamps, steps); });
    }
  }
  for (const std::size_t columns : {100, 320, 1000}) {
    if (static_cast<double>(2 * columns * columns / 20) > largest) continue;
    measure("block", [&] { return ofBlock(columns, false, false, steps); });
    measure("block", [&] { return ofBlock(columns, true, false, steps); });
    measure("block, friction", [&] { return ofBlock(columns, true, true, steps); });
  }
}
