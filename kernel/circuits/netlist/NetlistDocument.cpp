// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/circuits/netlist/NetlistBlock.hpp>
#include <delassus/kernel/circuits/netlist/NetlistDocument.hpp>
#include <delassus/kernel/circuits/netlist/NetlistExpansion.hpp>
#include <delassus/kernel/circuits/netlist/NetlistSteps.hpp>
#include <delassus/kernel/circuits/netlist/NetlistText.hpp>

namespace delassus {

struct NetlistDocument::Content {
  Content(NetlistText read, const NetlistLimits& its)
      : limits(its),
        text(std::move(read)),
        notes(text.notes()),
        block(NetlistBlock::of(text, limits, notes)),
        steps(readNetlistSteps(block, limits)) {}

  NetlistLimits limits;
  NetlistText text;
  std::vector<std::string> notes;
  NetlistBlock block;
  std::vector<NetlistStep> steps;
};

NetlistDocument NetlistDocument::fromFile(const std::filesystem::path& file, const NetlistLimits& limits) {
  return NetlistDocument(std::make_shared<const Content>(NetlistText::fromFile(file, limits), limits));
}

NetlistDocument NetlistDocument::fromString(std::string_view text, const std::string& name,
                                            const NetlistLimits& limits) {
  return NetlistDocument(std::make_shared<const Content>(NetlistText::fromString(text, name, limits), limits));
}

const std::string& NetlistDocument::title() const {
  return content_->text.title();
}

const std::vector<NetlistStep>& NetlistDocument::steps() const {
  return content_->steps;
}

std::size_t NetlistDocument::runs() const {
  std::size_t count = 1;
  for (const NetlistStep& step : content_->steps) count *= step.values.size();
  return count;
}

std::vector<std::pair<std::string, double>> NetlistDocument::parametersOf(std::size_t run) const {
  if (run >= runs()) {
    throw Error("NetlistDocument::parametersOf",
                "expected a run below " + std::to_string(runs()) + ", got " + std::to_string(run) + ".");
  }
  std::vector<std::pair<std::string, double>> parameters;
  for (const NetlistStep& step : content_->steps) {
    parameters.emplace_back(step.parameter, step.values[run % step.values.size()]);
    run /= step.values.size();
  }
  return parameters;
}

Netlist NetlistDocument::netlist(std::size_t run) const {
  return netlist(parametersOf(run));
}

Netlist NetlistDocument::netlist(const std::vector<std::pair<std::string, double>>& parameters) const {
  Netlist made = NetlistExpansion(content_->block, content_->limits).expand(parameters);
  made.title = title();
  made.place = content_->text.place();
  made.notes.insert(made.notes.begin(), content_->notes.begin(), content_->notes.end());
  return made;
}

Netlist readNetlist(const std::filesystem::path& file) {
  return NetlistDocument::fromFile(file).netlist(std::vector<std::pair<std::string, double>>{});
}

Netlist parseNetlist(std::string_view text, const std::string& name) {
  return NetlistDocument::fromString(text, name).netlist(std::vector<std::pair<std::string, double>>{});
}

}  // namespace delassus
