// SPDX-License-Identifier: Apache-2.0
#include "CircuitRun.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <delassus/kernel/circuits/netlist/CircuitOfNetlist.hpp>
#include <delassus/kernel/circuits/netlist/NetlistMeter.hpp>
#include <delassus/kernel/circuits/netlist/NetlistMeterWatch.hpp>
#include <delassus/kernel/integrators/EulerMoreauOSI.hpp>
#include <delassus/kernel/io/Recorder.hpp>
#include <delassus/kernel/io/TableWriter.hpp>
#include <delassus/kernel/simulation/EventDriven.hpp>
#include <delassus/kernel/simulation/ProgressObserver.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <delassus/kernel/systems/FirstOrderLinearTIDS.hpp>
#include <functional>
#include <memory>
#include <optional>

#include "CircuitPicture.hpp"
#include "CircuitReport.hpp"

namespace delassus::tools {
namespace {

// Steps from 0 to `end`, of which every `every`-th one from `start` on is an output.
struct CircuitGrid {
  double step = 0.;
  double start = 0.;
  double end = 0.;
  std::size_t every = 1;
};

CircuitGrid gridOf(const Netlist& netlist, const CircuitOptions& options) {
  CircuitGrid grid;
  if (netlist.transient) {
    const NetlistTransient& t = *netlist.transient;
    grid.start = t.start;
    grid.end = t.end;
    const bool isFiner = t.largestStep > 0. && t.largestStep < t.step;
    grid.every = isFiner ? static_cast<std::size_t>(std::ceil(t.step / t.largestStep * (1. - 1e-9))) : 1;
    grid.step = t.step / static_cast<double>(grid.every);
  }
  if (options.step > 0.) {
    const double ratio = grid.step > 0. ? grid.step * static_cast<double>(grid.every) / options.step : 1.;
    grid.every = std::max<std::size_t>(1, static_cast<std::size_t>(std::llround(ratio)));
    grid.step = options.step;
  }
  if (options.end > 0.) grid.end = options.end;
  if (!(grid.step > 0. && grid.end > 0.)) {
    throw Error(options.file, "expected a .tran in it, or --step and --end.");
  }
  if (grid.start >= grid.end)
    throw Error(options.file, "its outputs start at " + toText(grid.start) + " s, after the end.");
  return grid;
}

std::string probeText(const NetlistSignal& signal) {
  if (signal.kind == NetlistSignal::Kind::current) return "i(" + signal.first + ")";
  return "v(" + signal.first + (signal.second == "0" ? "" : "," + signal.second) + ")";
}

// Everything, where the netlist names nothing.
std::vector<NetlistSignal> outputsOf(const Netlist& netlist, const Circuit& circuit) {
  if (!netlist.outputs.empty()) return netlist.outputs;
  std::vector<NetlistSignal> all;
  for (const std::string& node : circuit.nodeNames()) {
    if (node != "0") all.push_back({NetlistSignal::Kind::voltage, node, "0"});
  }
  for (const NetlistElement& e : netlist.elements) {
    if (e.kind == NetlistKind::coupling || e.kind == NetlistKind::transformer) continue;
    all.push_back({NetlistSignal::Kind::current, e.name, "0"});
  }
  return all;
}

// Lets a report look on both sides of what switches. Time stepping tells of no events.
class CircuitReportWatch final : public SimulationObserver {
 public:
  explicit CircuitReportWatch(CircuitReport& report) : report_(report) {}

  std::string_view name() const override { return "report"; }
  bool isOptional() const override { return true; }
  void beforeEvents(Simulation& simulation) override { report_.cut(simulation.time()); }
  void afterEvents(Simulation&) override { report_.goOn(); }

 private:
  CircuitReport& report_;
};

class CircuitRunner {
 public:
  CircuitRunner(const NetlistDocument& document, std::size_t run, const std::string& suffix,
                const CircuitOptions& options)
      : options_(options),
        netlist_(document.netlist(run)),
        grid_(gridOf(netlist_, options)),
        model_(0., grid_.end),
        circuit_(insertNetlist(netlist_, model_, "circuit")),
        table_(options.output.empty() ? "" : withSuffix(options.output, suffix)),
        picture_(options.picture.empty() ? "" : withSuffix(options.picture, suffix)) {
    // A circuit without states follows its sources at once, and a simulation needs something that moves.
    if (circuit_.systems().empty()) {
      model_.insert("time", std::make_shared<FirstOrderLinearTIDS>(makeVector({0.}), makeMatrix({{0.}})));
    }
  }

  CircuitResult simulate() {
    const TimeDiscretisation times(0., grid_.step);
    if (options_.isEventDriven) {
      EventDrivenOptions settings;
      settings.integration.method = options_.integrator;
      EventDriven simulation(model_, times, settings);
      return simulate(simulation);
    }
    TimeStepping simulation(model_, times, EulerMoreauOSI(options_.theta));
    return simulate(simulation);
  }

 private:
  template <class Simulation>
  CircuitResult simulate(Simulation& simulation) {
    circuit_.attach(simulation);
    simulation.addObserver(std::make_shared<ProgressObserver>("delassus-circuit"));
    NetlistMeter meter(netlist_.measures, 0., grid_.end,
                       [this](const NetlistSignal& signal) { return circuit_.probe(probeText(signal)); });
    meter.setImpulses([this](const NetlistSignal& signal) { return circuit_.impulse(probeText(signal)); });
    simulation.addObserver(std::make_shared<NetlistMeterWatch>(meter));
    std::optional<CircuitReport> report;
    if (options_.reports) {
      report.emplace(netlist_, circuit_);
      simulation.addObserver(std::make_shared<CircuitReportWatch>(*report));
    }
    addOutput(simulation);
    const auto start = std::chrono::steady_clock::now();
    simulation.initialise();
    meter.look(0.);
    if (writer_ && grid_.start <= 0.) writeRow(0.);
    simulation.run([&] {
      const double t = simulation.time();
      meter.look(t);
      if (report) report->look(t);
      if (writer_ && simulation.stepIndex() % grid_.every == 0 && t >= grid_.start - 0.5 * grid_.step) writeRow(t);
    });
    CircuitResult result;
    result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (writer_) writer_->close();
    drawPicture();
    for (std::size_t k = 0; k < netlist_.measures.size(); ++k) {
      result.measures.emplace_back(netlist_.measures[k].name, meter.value(k));
    }
    result.steps = simulation.stepIndex();
    result.summary = simulation.summary();
    if (report) result.report = report->text();
    return result;
  }

  template <class Simulation>
  void addOutput(Simulation& simulation) {
    if (table_.empty()) return;
    const std::vector<NetlistSignal> outputs = outputsOf(netlist_, circuitOf(netlist_));
    if (isHdf5Name(table_)) {
      const auto recorder = std::make_shared<Recorder>(table_);
      for (const NetlistSignal& signal : outputs) {
        recorder->record(signal.text(), signal.kind == NetlistSignal::Kind::voltage ? "V" : "A",
                         circuit_.probe(probeText(signal)));
      }
      recorder->every(grid_.every);
      simulation.addObserver(recorder);
      return;
    }
    std::vector<std::string> columns{"t [s]"};
    for (const NetlistSignal& signal : outputs) {
      probes_.push_back(circuit_.probe(probeText(signal)));
      std::string name = signal.text();
      std::replace(name.begin(), name.end(), ',', ';');
      columns.push_back(name + (signal.kind == NetlistSignal::Kind::voltage ? " [V]" : " [A]"));
    }
    row_.resize(columns.size());
    writer_.emplace(table_, std::move(columns));
  }

  void writeRow(double t) {
    row_[0] = t;
    for (std::size_t k = 0; k < probes_.size(); ++k) row_[k + 1] = probes_[k]();
    writer_->writeRow(row_);
  }

  void drawPicture() const {
    if (picture_.empty() || drawTable(table_, picture_, netlist_.title)) return;
    std::fprintf(stderr, "delassus-circuit: gnuplot drew no picture; the data are in %s\n", table_.c_str());
  }

  const CircuitOptions& options_;
  Netlist netlist_;
  CircuitGrid grid_;
  NonSmoothDynamicalSystem model_;
  CircuitInstance circuit_;
  std::filesystem::path table_, picture_;
  std::optional<TableWriter> writer_;
  std::vector<std::function<double()>> probes_;
  std::vector<double> row_;
};

}  // namespace

CircuitResult runCircuit(const NetlistDocument& document, std::size_t run, const std::string& suffix,
                         const CircuitOptions& options) {
  CircuitResult result = CircuitRunner(document, run, suffix, options).simulate();
  result.parameters = document.parametersOf(run);
  return result;
}

std::filesystem::path withSuffix(const std::filesystem::path& file, const std::string& suffix) {
  std::filesystem::path named = file;
  named.replace_filename(file.stem().string() + suffix + file.extension().string());
  return named;
}

}  // namespace delassus::tools
