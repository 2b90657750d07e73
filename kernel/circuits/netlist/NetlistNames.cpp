// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/circuits/netlist/NetlistNames.hpp>
#include <delassus/kernel/circuits/netlist/NetlistNumber.hpp>

namespace delassus {
namespace {

constexpr std::size_t bytesOfEntry = 128;  // of a map, beside the characters

}  // namespace

std::string NetlistNames::lower(std::string_view name) {
  std::string found = inLowerCase(name);
  return found == "gnd" ? "0" : found;
}

std::optional<std::string> NetlistNames::known(const Spellings& spellings, std::string_view name) {
  const auto found = spellings.find(lower(name));
  return found == spellings.end() ? std::nullopt : std::optional<std::string>(found->second);
}

std::string NetlistNames::node(const NetlistFrame& frame, std::string_view word, const NetlistStatement& statement) {
  std::string name = lower(word);
  const auto port = frame.ports.find(name);
  if (port != frame.ports.end()) return port->second;
  std::string spelled(name == "0" ? "0" : word);
  if (name != "0" && !globals_.contains(name)) {
    name = inLowerCase(frame.path) + name;
    spelled = frame.path + spelled;
  }
  const auto [found, isNew] = nodes_.try_emplace(name, spelled);
  if (isNew) charge(bytesOfEntry + 2 * name.size(), statement);
  return found->second;
}

void NetlistNames::addElement(const std::string& name, const NetlistStatement& statement) {
  if (!elements_.try_emplace(inLowerCase(name), name).second) {
    throw NetlistError(NetlistFault::duplicate, statement.place(), name, "there is an element of this name before it.");
  }
  charge(bytesOfEntry + 2 * name.size(), statement);
}

void NetlistNames::charge(std::size_t bytes, const NetlistStatement& statement) {
  if (bytes > bytesLeft_) {
    statement.fail(NetlistFault::limit, "with its subcircuits the netlist is larger than " +
                                            std::to_string(limits_.expandedBytes) + " bytes.");
  }
  bytesLeft_ -= bytes;
}

}  // namespace delassus
