// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <delassus/kernel/circuits/netlist/NetlistFrame.hpp>
#include <delassus/kernel/circuits/netlist/NetlistNumber.hpp>
#include <delassus/kernel/circuits/netlist/NetlistSteps.hpp>

namespace delassus {
namespace {

class StepReader {
 public:
  StepReader(NetlistStatement& statement, ParameterScope& scope, const NetlistLimits& limits)
      : statement_(statement), scope_(scope), limits_(limits) {}

  NetlistStep read() {
    const bool isDecade = statement_.takeWord("dec"), isOctave = !isDecade && statement_.takeWord("oct");
    if (!isDecade && !isOctave) statement_.takeWord("lin");
    if (!statement_.takeWord("param")) {
      statement_.fail(NetlistFault::unsupported, "expected PARAM: elements and sources are stepped by a parameter.");
    }
    step_.parameter = inLowerCase(statement_.word("the name of the parameter"));
    step_.place = statement_.place();
    if (statement_.takeWord("list")) {
      list();
    } else if (isDecade || isOctave) {
      ratios(isDecade ? 10. : 2.);
    } else {
      differences();
    }
    statement_.requireEnd();
    return std::move(step_);
  }

 private:
  double value(std::string_view what) {
    const std::string_view text = statement_.expression(what);
    return scope_.evaluate(text, statement_.place(), statement_.element());
  }

  void list() {
    while (!statement_.atEnd()) step_.values.push_back(value("a value"));
    if (step_.values.empty()) statement_.fail(NetlistFault::wrongCount, "expected values after LIST.");
  }

  std::size_t count(double intervals) const {
    if (!(intervals >= 0.)) statement_.fail(NetlistFault::badValue, "expected steps that lead from start to end.");
    if (!(intervals < static_cast<double>(limits_.runs))) {
      statement_.fail(NetlistFault::limit, "expected at most " + std::to_string(limits_.runs) + " runs.");
    }
    return static_cast<std::size_t>(intervals * (1. + 1e-9) + 1e-9) + 1;
  }

  void differences() {
    const double start = value("the first value"), end = value("the last value"), step = value("the step");
    if (step == 0.) statement_.fail(NetlistFault::badValue, "expected a step that is not 0.");
    const std::size_t values = count((end - start) / step);
    for (std::size_t k = 0; k < values; ++k) step_.values.push_back(start + static_cast<double>(k) * step);
  }

  void ratios(double interval) {
    const double start = value("the first value"), end = value("the last value"), points = value("the points");
    if (!(start > 0. && end > 0. && points >= 1.)) {
      statement_.fail(NetlistFault::badValue, "expected values above 0 and at least one point.");
    }
    const double step = std::log(interval) / points;
    const std::size_t values = count(std::log(end / start) / step);
    for (std::size_t k = 0; k < values; ++k) {
      step_.values.push_back(start * std::exp(static_cast<double>(k) * step));
    }
  }

  NetlistStatement& statement_;
  ParameterScope& scope_;
  const NetlistLimits& limits_;
  NetlistStep step_;
};

}  // namespace

std::vector<NetlistStep> readNetlistSteps(const NetlistBlock& block, const NetlistLimits& limits) {
  ParameterScope scope(nullptr, limits.parameterDepth);
  for (const NetlistAssignment& one : block.parameters) scope.define(one.name, one.expression, one.place);
  std::vector<NetlistStep> steps;
  double runs = 1.;
  for (const NetlistLine* line : block.commands) {
    NetlistStatement statement(*line);
    if (inLowerCase(statement.head()) != ".step") continue;
    steps.push_back(StepReader(statement, scope, limits).read());
    runs *= static_cast<double>(steps.back().values.size());
    if (runs > static_cast<double>(limits.runs)) {
      statement.fail(NetlistFault::limit, "expected at most " + std::to_string(limits.runs) + " runs.");
    }
    for (std::size_t k = 0; k + 1 < steps.size(); ++k) {
      if (steps[k].parameter == steps.back().parameter) {
        statement.fail(NetlistFault::duplicate, "'" + steps[k].parameter + "' is stepped before.");
      }
    }
  }
  return steps;
}

}  // namespace delassus
