// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <delassus/kernel/circuits/netlist/NetlistError.hpp>
#include <utility>

namespace delassus {
namespace {

std::string netlistMessage(const NetlistPlace& place, const std::string& element, const std::string& what) {
  return place.text() + ": " + (element.empty() ? "" : element + ": ") + what;
}

}  // namespace

std::string_view toText(NetlistFault fault) {
  static constexpr std::array<std::string_view, 16> words{
      "syntax",       "number",        "expression",  "division by zero", "unknown parameter", "unknown element",
      "unknown name", "missing model", "wrong count", "bad value",        "duplicate",         "recursion",
      "unsupported",  "limit",         "file",        "circuit"};
  return words[static_cast<std::size_t>(fault)];
}

std::string NetlistPlace::text() const {
  const std::string name = file ? *file : "netlist";
  return line == 0 ? name : name + ":" + std::to_string(line);
}

NetlistError::NetlistError(NetlistFault fault, NetlistPlace place, std::string element, const std::string& what)
    : Error(netlistMessage(place, element, what)),
      fault_(fault),
      place_(std::move(place)),
      element_(std::move(element)) {
}

}  // namespace delassus
