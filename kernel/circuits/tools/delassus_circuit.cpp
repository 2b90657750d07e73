// SPDX-License-Identifier: Apache-2.0
//
// delassus-circuit: simulates the circuits of netlists. See docs/netlists.md.
#include <cstdio>
#include <delassus/kernel/circuits/netlist/CircuitOfNetlist.hpp>
#include <delassus/kernel/circuits/netlist/NetlistDocument.hpp>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/io/JsonWriter.hpp>
#include <delassus/numerics/io/TextReader.hpp>
#include <exception>
#include <string>
#include <vector>

#include "CircuitOptions.hpp"
#include "CircuitRun.hpp"

namespace {

using namespace delassus;
using namespace delassus::tools;

void print(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
    throw Error("standard output", "cannot write to it.");
  }
}

// Checked before the work, which may take hours.
void requireTargets(const CircuitOptions& options) {
  for (const std::string& file : {options.output, options.picture}) {
    if (!file.empty()) numerics::requireNoFolder(file);
  }
}

std::string inWords(const CircuitResult& result, const CircuitOptions& options) {
  std::string text;
  for (const auto& [name, value] : result.parameters) {
    text += (text.empty() ? "" : ", ") + name + " = " + toText(value);
  }
  if (!text.empty()) text += ":\n";
  for (const auto& [name, value] : result.measures) {
    text += (result.parameters.empty() ? "" : "  ") + name + " = " + toText(value) + "\n";
  }
  return text + result.report + (options.reports ? result.summary + "\n" : "");
}

void appendNumbers(numerics::JsonWriter& json, const char* key,
                   const std::vector<std::pair<std::string, double>>& numbers) {
  json.key(key);
  json.beginObject();
  for (const auto& [name, value] : numbers) {
    json.key(name);
    json.number(value);
  }
  json.endObject();
}

void append(numerics::JsonWriter& json, const CircuitResult& result, const CircuitOptions& options) {
  json.beginObject();
  json.key("file");
  json.string(options.file);
  appendNumbers(json, "parameters", result.parameters);
  appendNumbers(json, "measures", result.measures);
  json.key("steps");
  json.count(result.steps);
  json.key("seconds");
  json.number(result.seconds);
  json.endObject();
}

void tellNotes(const Netlist& netlist) {
  for (const std::string& note : netlist.notes) std::fprintf(stderr, "delassus-circuit: %s\n", note.c_str());
}

void check(const NetlistDocument& document) {
  for (std::size_t run = 0; run < document.runs(); ++run) {
    const Netlist netlist = document.netlist(run);
    NonSmoothDynamicalSystem model(0., 1.);
    insertNetlist(netlist, model, "circuit");
  }
}

void runCommand(const CircuitOptions& options) {
  requireTargets(options);
  const NetlistDocument document = NetlistDocument::fromFile(options.file);
  tellNotes(document.netlist(0));
  if (options.checks) return check(document);
  numerics::JsonWriter json;
  json.beginArray(true);
  for (std::size_t run = 0; run < document.runs(); ++run) {
    const std::string suffix = document.runs() > 1 ? "-" + std::to_string(run + 1) : "";
    const CircuitResult result = runCircuit(document, run, suffix, options);
    if (options.json) {
      append(json, result, options);
    } else {
      print(inWords(result, options));
    }
  }
  json.endArray();
  if (options.json) print(json.text() + "\n");
}

}  // namespace

int main(int argc, char** argv) {
  CircuitOptions options;
  if (const std::optional<int> end = parseCommandLine(argc, argv, options)) return *end;
  try {
    runCommand(options);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "delassus-circuit: %s\n", error.what());
    return 1;
  }
}
