// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/circuits/SteadyState.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/kernel/integrators/EulerMoreauOSI.hpp>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/LUFactorization.hpp>
#include <string>

namespace delassus {
namespace {

void requireOptions(double period, const SteadyStateOptions& o) {
  const bool fits = period > 0. && std::isfinite(period) && o.step >= 0. && o.step <= period && o.tolerance > 0.;
  if (fits) return;
  throw Error("findSteadyState",
              "the period must be positive, the step at most the period and the tolerance positive, got " +
                  toText(period) + " s, " + toText(o.step) + " s and " + toText(o.tolerance) + '.');
}

// P(x).
Vector afterPeriod(const Circuit& circuit, double period, const SteadyStateOptions& o, const Vector& x) {
  NonSmoothDynamicalSystem model(0., period);
  CircuitInstance instance = circuit.insertInto(model, "steady state");
  instance.setState(x);
  if (o.byEvents) {
    EventDrivenOptions options;
    options.integration.relativeTolerance = 1e-12;
    options.keepEvents = false;
    EventDriven simulation(model, TimeDiscretisation(0., period), options);
    instance.attach(simulation);
    simulation.run();
    return instance.state();
  }
  TimeSteppingOptions options;
  options.requireConsistentStart = false;  // differences leave the states that diodes allow
  const double step = o.step > 0. ? o.step : 1e-3 * period;
  TimeStepping simulation(model, TimeDiscretisation(0., step), EulerMoreauOSI(o.theta), options);
  instance.attach(simulation);
  simulation.run();
  return instance.state();
}

// The largest state of each one's kind, voltages and currents, which differences and changes are relative to.
Vector scalesOf(const std::vector<std::string>& names, const Vector& x, const Vector& y) {
  double voltage = 0., current = 0.;
  for (std::size_t k = 0; k < names.size(); ++k) {
    double& largest = names[k].front() == 'v' ? voltage : current;
    largest = std::max({largest, std::abs(x(k)), std::abs(y(k))});
  }
  Vector scales(names.size());
  for (std::size_t k = 0; k < names.size(); ++k) {
    const double largest = names[k].front() == 'v' ? voltage : current;
    scales(k) = largest > 0. ? largest : 1.;
  }
  return scales;
}

}  // namespace

SteadyState findSteadyState(const Circuit& circuit, double period, const SteadyStateOptions& options) {
  requireOptions(period, options);
  NonSmoothDynamicalSystem model(0., period);
  const CircuitInstance instance = circuit.insertInto(model, "steady state");
  std::vector<std::string> names = instance.stateNames();
  std::erase(names, "(none)");
  SteadyState found;
  found.state = instance.state();
  const std::size_t n = found.state.size();
  const auto map = [&](const Vector& x) { return afterPeriod(circuit, period, options, x); };
  found.derivative = Matrix(n, n);
  for (;; ++found.passes) {
    const Vector after = map(found.state);
    const Vector scales = scalesOf(names, found.state, after);
    Vector defect = after - found.state;
    found.change = 0.;
    for (std::size_t k = 0; k < n; ++k) found.change = std::max(found.change, std::abs(defect(k)) / scales(k));
    if (found.change <= options.tolerance && found.passes > 0) return found;
    if (found.passes == options.mostPasses) break;
    Matrix system = identityMatrix(n);
    for (std::size_t j = 0; j < n; ++j) {
      const double difference = 1e-6 * scales(j);
      Vector moved = found.state;
      moved(j) += difference;
      const Vector image = map(moved);
      for (std::size_t i = 0; i < n; ++i) {
        found.derivative(i, j) = (image(i) - after(i)) / difference;
        system(i, j) -= found.derivative(i, j);
      }
    }
    LUFactorization lu;
    if (!lu.tryFactor(system) || lu.reciprocalCondition() < 1e-13) {
      throw Error("findSteadyState", "the period does not determine all states: some come back from any value.");
    }
    lu.solve(defect);
    found.state += defect;
  }
  throw Error("findSteadyState", "after " + std::to_string(found.passes) +
                                     " passes the state still changes by a part of " + toText(found.change) +
                                     " in a period.");
}

}  // namespace delassus
