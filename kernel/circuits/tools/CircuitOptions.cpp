// SPDX-License-Identifier: Apache-2.0
#include "CircuitOptions.hpp"

#include <CLI/CLI.hpp>
#include <cmath>
#include <delassus/Config.hpp>
#include <filesystem>
#include <map>
#include <string>

#include "CircuitPicture.hpp"

namespace delassus::tools {
namespace {

std::string checkPositive(const std::string& text) {
  double value = 0.;
  return CLI::detail::lexical_cast(text, value) && std::isfinite(value) && value > 0.
             ? ""
             : "expected a number above 0, got '" + text + "'";
}

void checkTogether(const CircuitOptions& options) {
  if (!options.picture.empty() && (options.output.empty() || isHdf5Name(options.output))) {
    throw CLI::ValidationError("--picture", "expected --output FILE.csv, of which it is drawn");
  }
  if (!options.picture.empty() && std::filesystem::path(options.picture).extension() != ".png") {
    throw CLI::ValidationError("--picture", "expected a name that ends in .png, got '" + options.picture + "'");
  }
  if (options.json && options.reports) throw CLI::ValidationError("--json", "excludes --report");
}

}  // namespace

std::optional<int> parseCommandLine(int argc, char** argv, CircuitOptions& options) {
  CLI::App app(
      "Simulates the circuit of a netlist in a subset of SPICE, with ideal switches and diodes, and prints its\n"
      "measures (.meas), for each value of its parameters (.step). Ends with 0 only if all runs came to their end.",
      "delassus-circuit");
  app.option_defaults()->always_capture_default();
  app.set_version_flag("--version", std::string("delassus-circuit ") + libraryVersion);
  std::string method = "time-stepping", integrator = "automatic";
  const std::map<std::string, OdeMethod> integrators = {
      {"automatic", OdeMethod::automatic}, {"runge-kutta", OdeMethod::rungeKutta}, {"bdf", OdeMethod::bdf}};
  const CLI::Validator positive(checkPositive, "S");
  app.add_option("FILE", options.file, "The netlist")->required();
  app.add_option("--method", method, "Time stepping, or from event to event")
      ->check(CLI::IsMember({"time-stepping", "event-driven"}));
  app.add_option("--integrator", integrator,
                 "Between events: explicit, implicit, or implicit where the circuit is stiff (automatic)")
      ->check(CLI::IsMember({"automatic", "runge-kutta", "bdf"}));
  app.add_option("--step", options.step, "Step, s; of outputs, if event-driven (default: that of .tran)")
      ->check(positive)
      ->default_str("");
  app.add_option("--end", options.end, "End of the run, s (default: that of .tran)")->check(positive)->default_str("");
  app.add_option("--theta", options.theta, "Of the scheme: 1 is of order 1 and damps, 0.5 is of order 2 between events")
      ->check(CLI::Range(0.5, 1.));
  app.add_option("--output", options.output, "Table of the outputs: .csv, or .h5 or .hdf5");
  app.add_option("--picture", options.picture, "Picture of the table, .png, by gnuplot");
  app.add_flag("--report", options.reports, "Print modes, energies by element and the balance of power");
  app.add_flag("--json", options.json, "Print the measures as JSON");
  app.add_flag("--check", options.checks, "Read the netlist and make its circuit, and end");
  try {
    app.parse(argc, argv);
    checkTogether(options);
  } catch (const CLI::ParseError& error) {
    return app.exit(error);
  }
  options.isEventDriven = method == "event-driven";
  options.integrator = integrators.at(integrator);
  return std::nullopt;
}

}  // namespace delassus::tools
