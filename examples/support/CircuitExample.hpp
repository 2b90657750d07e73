// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/circuits/Circuit.hpp>
#include <delassus/kernel/circuits/netlist/NetlistDocument.hpp>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "ExampleRun.hpp"

/// An option that sets a parameter of the netlist.
struct NetlistOption {
  const char* name;        ///< "--load"
  const char* parameter;   ///< of `.param`, in lower case
  const char* text;        ///< for --help
  bool isPositive = true;  ///< what is not above zero is refused
};

/// An example whose circuit is the netlist NAME/NAME.cir in the folder of the examples. Its title describes the
/// program, end and largest step of the run are those of `.tran`, and options set parameters.
class CircuitExample {
 public:
  /// Reads the netlist. Throws delassus::NetlistError where it is not there, or wrong.
  CircuitExample(const std::string& name, const std::vector<NetlistOption>& options);

  const std::string& title() const { return document_.title(); }
  void addTo(CommandLine& line);

  /// The parameter of an option.
  double operator[](const std::string& parameter) const { return parameters_.at(parameter); }
  /// The circuit with the parameters of all options.
  delassus::Circuit circuit() const;

  RunOptions run;

 private:
  std::vector<NetlistOption> options_;
  delassus::NetlistDocument document_;
  std::map<std::string, double> parameters_;
};

/// The main function of such an example: reads netlist and command line, and calls `simulate`. `addFurther` adds
/// options that are no parameters of the netlist. Returns what runExample() does.
int runCircuitExample(int argc, char** argv, const std::string& name, double theta,
                      const std::vector<NetlistOption>& options,
                      const std::function<void(const CircuitExample&)>& simulate,
                      const std::function<void(CommandLine&)>& addFurther = {});
