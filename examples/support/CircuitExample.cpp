// SPDX-License-Identifier: Apache-2.0
#include "CircuitExample.hpp"

#include <cstdio>
#include <delassus/kernel/circuits/netlist/CircuitOfNetlist.hpp>
#include <exception>
#include <filesystem>
#include <utility>

CircuitExample::CircuitExample(const std::string& name, const std::vector<NetlistOption>& options)
    : options_(options),
      document_(
          delassus::NetlistDocument::fromFile(std::filesystem::path(DELASSUS_EXAMPLES) / name / (name + ".cir"))) {
  const delassus::Netlist netlist = document_.netlist();
  const delassus::NetlistTransient& transient = netlist.transient.value();
  run.step = transient.largestStep > 0. ? transient.largestStep : transient.step;
  run.end = transient.end;
  run.output = name;
  for (const NetlistOption& option : options)
    parameters_[option.parameter] = netlist.parameter(option.parameter).value();
}

void CircuitExample::addTo(CommandLine& line) {
  for (const NetlistOption& option : options_) {
    CommandLineOption added = line.add(option.name, parameters_.at(option.parameter), option.text);
    if (option.isPositive) added.positive();
  }
}

delassus::Circuit CircuitExample::circuit() const {
  return delassus::circuitOf(document_.netlist({parameters_.begin(), parameters_.end()}));
}

int runCircuitExample(int argc, char** argv, const std::string& name, double theta,
                      const std::vector<NetlistOption>& options,
                      const std::function<void(const CircuitExample&)>& simulate,
                      const std::function<void(CommandLine&)>& addFurther) {
  try {
    CircuitExample example(name, options);
    example.run.theta = theta;
    const auto addOptions = [&](CommandLine& line) {
      example.addTo(line);
      if (addFurther) addFurther(line);
    };
    const std::string description = example.title() + " (Euler-Moreau time stepping)";
    return runExample(argc, argv, description.c_str(), example.run, addOptions, [&] { simulate(example); });
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", name.c_str(), error.what());
    return 1;
  }
}
