// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/io/Recorder.hpp>

#include <cmath>
#include <delassus/kernel/hybrid/Event.hpp>
#include <delassus/numerics/Error.hpp>

namespace delassus {
namespace {

std::string lineOf(const char* what, const std::string& name, std::string_view className, const Settings& settings) {
  std::string line = std::string(what) + " '" + name + "': " + std::string(className);
  for (const Setting& setting : settings.list()) line += ", " + setting.name + " = " + setting.value;
  return line + '\n';
}

std::string describe(const NonSmoothDynamicalSystem& model) {
  std::string text;
  for (const auto& system : model.topology().systems()) {
    text += lineOf("system", system->name(), system->className(), system->settings());
  }
  for (const auto& interaction : model.topology().interactions()) {
    const NonSmoothLaw& law = interaction->law();
    const Relation& relation = interaction->relation();
    text += lineOf("interaction", interaction->name(), law.className(), law.settings());
    text += lineOf("  relation of", interaction->name(), relation.className(), relation.settings());
  }
  return text;
}

}  // namespace

Recorder::Recorder(std::filesystem::path path, const RecordFileOptions& options)
    : Recorder(makeHdf5Sink(std::move(path), options)) {
}

Recorder::Recorder(std::unique_ptr<RecordSink> sink) : sink_(std::move(sink)) {
  if (!sink_) throw Error("Recorder", "the sink is null.");
  name_ = "recorder of " + sink_->path().filename().string();
}

Recorder::~Recorder() {
  try {
    if (sink_->isOpen()) sink_->close(status_);
  } catch (const std::exception&) {
    // Committed rows are in the file; a failure at the end has been reported.
  }
}

void Recorder::requireNotBegun() const {
  if (!begun_) return;
  throw Error("Recorder", "the recording '" + path().string() + "' has begun; choose before the first step.");
}

void Recorder::record(std::shared_ptr<DynamicalSystem> system, std::vector<RecordChoice> choices) {
  requireNotBegun();
  selection_.system(std::move(system), std::move(choices));
}

void Recorder::record(std::shared_ptr<Interaction> interaction, std::vector<RecordChoice> choices) {
  requireNotBegun();
  selection_.interaction(std::move(interaction), std::move(choices));
}

void Recorder::record(std::string name, std::vector<RecordChoice> choices) {
  requireNotBegun();
  selection_.byName(std::move(name), std::move(choices));
}

void Recorder::recordAll() {
  requireNotBegun();
  selection_.everything();
}

void Recorder::record(std::string name, std::string unit, std::function<double()> f) {
  requireNotBegun();
  if (!f) throw Error("Recorder", "the function of '" + name + "' is empty.");
  selection_.function({std::move(name), std::move(unit), "of a function of the user", {}, {}, {}},
                      [f = std::move(f)](double* out) { *out = f(); });
}

void Recorder::record(std::string name, std::string unit, std::size_t size, std::function<void(double*)> f) {
  requireNotBegun();
  selection_.function({std::move(name), std::move(unit), "of a function of the user", {size}, {}, {}}, std::move(f));
}

void Recorder::recordEnergy(std::function<double()> potential) {
  requireNotBegun();
  selection_.energy(std::move(potential));
}

void Recorder::recordSolver() {
  requireNotBegun();
  selection_.solver();
}

void Recorder::recordContacts(ContactChoice choice) {
  requireNotBegun();
  selection_.contacts(choice);
}

void Recorder::setting(std::string name, std::string value) {
  requireNotBegun();
  if (name.empty()) throw Error("Recorder", "a setting for '" + path().string() + "' has no name.");
  for (const Setting& known : options_.list()) {
    if (known.name != name) continue;
    throw Error("Recorder", "the setting '" + name + "' of '" + path().string() + "' was given already, as '" +
                                known.value + "'; now '" + value + "' came.");
  }
  options_.add(std::move(name), std::string_view(value));
}

void Recorder::every(std::size_t steps) {
  requireNotBegun();
  schedule_.every(steps);
}

void Recorder::at(std::vector<double> instants) {
  requireNotBegun();
  schedule_.at(std::move(instants));
}

void Recorder::atEvents() {
  requireNotBegun();
  schedule_.atEvents();
}

void Recorder::setFlushSeconds(double seconds) {
  if (!(seconds >= 0.) || !std::isfinite(seconds)) {
    throw Error("Recorder",
                "the time between two flushes must be 0 s or more, and finite, got " + toText(seconds) + " s.");
  }
  flushInterval_ = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

void Recorder::flush() {
  if (sink_->isOpen()) sink_->commit(status_);
  lastFlush_ = Clock::now();
}

void Recorder::close() {
  if (sink_->isOpen()) sink_->close(status_);
}

void Recorder::makePlan(const Simulation& simulation) {
  if (selection_.empty()) {
    throw Error("Recorder", "nothing was chosen to be recorded in '" + path().string() + "'.");
  }
  RecordPlan plan;
  plan.add({"time", "s", "time of the state", {}, {}, {}}, [this](double* out) { *out = time_; });
  plan.add({"step", "", "steps done", {}, {}, {}, RecordKind::integer}, [this](double* out) { *out = step_; });
  if (schedule_.includesEvents()) {
    plan.add({"event", "", "why there is this row", {}, {}, {}, RecordKind::name},
             [this](double* out) { *out = event_; });
    plan.add({"event_source", "", "what the event came from", {}, {}, {}, RecordKind::name},
             [this](double* out) { *out = source_; });
  }
  selection_.plan(simulation, plan);
  plan_ = std::move(plan);
}

void Recorder::open(const Simulation& simulation) {
  sink_->open({std::string(simulation.className()), simulation.settings(), describe(simulation.model()), options_},
              plan_.tables());
  lastFlush_ = Clock::now();
}

void Recorder::begin(Simulation& simulation) {
  makePlan(simulation);
  begun_ = true;
  status_ = RecordStatus::running;
  schedule_.begin(simulation);
  if (!sink_->isOpen()) open(simulation);
  if (std::exchange(restored_, false)) {
    // The checkpoint may have been made in this step, before this observer was called.
    if (simulation.stepIndex() > lastStep_) afterStep(simulation);
    return;
  }
  lastStep_ = simulation.stepIndex();
  if (const char* const reason = schedule_.reasonForStart(simulation)) {
    writeRow(simulation, simulation.time(), reason, "");
  }
  flush();
}

void Recorder::afterStep(Simulation& simulation) {
  lastStep_ = simulation.stepIndex();
  if (const char* const reason = schedule_.reasonForStep(simulation)) {
    writeRow(simulation, simulation.time(), reason, "");
  }
  // Also for a run made by step() alone, which has no end.
  if (!simulation.hasNextStep()) status_ = RecordStatus::completed;
}

void Recorder::onEvent(Simulation& simulation, const Event& event) {
  if (schedule_.includesEvents()) writeRow(simulation, event.t, toString(event.kind), event.source);
}

void Recorder::writeRow(const Simulation& simulation, double time, std::string_view event, std::string_view source) {
  status_ = RecordStatus::running;
  if (!sink_->isOpen()) open(simulation);
  time_ = time;
  step_ = static_cast<double>(simulation.stepIndex());
  if (schedule_.includesEvents()) {
    event_ = sink_->nameNumber(event);
    source_ = sink_->nameNumber(source);
  }
  plan_.writeRow(*sink_);
  if (Clock::now() - lastFlush_ >= flushInterval_) flush();
}

void Recorder::end(Simulation&, RunEnd how) {
  if (!sink_->isOpen()) return;
  status_ = how == RunEnd::completed ? RecordStatus::completed
            : how == RunEnd::stopped ? RecordStatus::stopped
                                     : RecordStatus::failed;
  if (how == RunEnd::stopped) {
    flush();  // it may go on
    return;
  }
  try {
    sink_->close(status_);
  } catch (const std::exception&) {
    // If an exception ended the run, that exception must be the visible one.
    if (how != RunEnd::failed) throw;
  }
}

void Recorder::serializeState(StateArchive& archive) {
  bool begun = begun_ || restored_;
  archive.value("begun", begun);
  archive.value("last step", lastStep_);
  schedule_.serializeState(archive);
  sink_->serializeState(archive);
  if (!archive.restores()) return;
  restored_ = begun;
  begun_ = false;
}

}  // namespace delassus
