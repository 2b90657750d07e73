// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/io/JsonWriter.hpp>

#include "Run.hpp"

namespace delassus::tools {
namespace {

using numerics::JsonWriter;

void appendString(JsonWriter& json, std::string_view key, std::string_view value) {
  json.key(key);
  json.string(value);
}

void appendNumber(JsonWriter& json, std::string_view key, double value) {
  json.key(key);
  json.number(value);
}

void appendCount(JsonWriter& json, std::string_view key, std::size_t value) {
  json.key(key);
  json.count(value);
}

void appendUnknowns(JsonWriter& json, const Run& run) {
  for (const auto& [name, values] : run.unknowns) {
    json.key(name);
    json.numbers(values);
  }
}

}  // namespace

std::string jsonReport(const std::vector<Run>& runs) {
  JsonWriter json;
  json.beginArray(true);
  for (const Run& run : runs) {
    json.beginObject();
    appendString(json, "file", run.file);
    appendString(json, "class", run.problemClass);
    appendCount(json, "size", run.size);
    appendCount(json, "contacts", run.contacts);
    appendString(json, "solver", run.solver);
    appendNumber(json, "tolerance", run.tolerance);
    appendString(json, "status", run.status);
    appendCount(json, "iterations", run.iterations);
    appendNumber(json, "residual", run.residual);
    appendNumber(json, "seconds", run.seconds);
    if (!run.error.empty()) appendString(json, "error", run.error);
    json.endObject();
  }
  json.endArray();
  return json.text() + "\n";
}

std::string jsonSolutions(const std::vector<Run>& runs) {
  JsonWriter json;
  if (runs.size() == 1) {
    json.beginObject();
    appendUnknowns(json, runs.front());
    json.endObject();
    return json.text() + "\n";
  }
  json.beginArray(true);
  for (const Run& run : runs) {
    json.beginObject();
    appendString(json, "file", run.file);
    appendString(json, "solver", run.solver);
    appendNumber(json, "tolerance", run.tolerance);
    appendUnknowns(json, run);
    json.endObject();
  }
  json.endArray();
  return json.text() + "\n";
}

}  // namespace delassus::tools
