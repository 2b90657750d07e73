// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/kernel/circuits/netlist/Netlist.hpp>
#include <delassus/kernel/circuits/netlist/NetlistLimits.hpp>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace delassus {

/// A parameter that `.step` runs through values.
struct NetlistStep {
  std::string parameter;       ///< in lower case
  std::vector<double> values;  ///< in their order
  NetlistPlace place;          ///< of its statement
};

/// The text of a netlist in a documented subset of SPICE (docs/netlists.md), out of which it makes flat netlists for
/// the values of its parameters.
///
///     const NetlistDocument document = NetlistDocument::fromFile("rectifier.cir");
///     for (std::size_t run = 0; run < document.runs(); ++run) simulate(document.netlist(run));
///
/// Everything throws NetlistError, with the file, the line and the element, on a netlist that is not in the subset or
/// larger than the limits. Copies share the text.
class NetlistDocument {
 public:
  /// Reads a file and what it includes.
  static NetlistDocument fromFile(const std::filesystem::path& file, const NetlistLimits& limits = {});
  /// Takes a text, which includes no files; `name` stands for the file in messages.
  static NetlistDocument fromString(std::string_view text, const std::string& name = "netlist",
                                    const NetlistLimits& limits = {});

  /// The first line.
  const std::string& title() const;
  /// What `.step` says, in order; the first one changes fastest.
  const std::vector<NetlistStep>& steps() const;
  /// How many runs these are; 1 without any.
  std::size_t runs() const;
  /// The parameters of a run, from 0 to runs() − 1. Throws Error beyond.
  std::vector<std::pair<std::string, double>> parametersOf(std::size_t run) const;

  /// The flat netlist of a run.
  Netlist netlist(std::size_t run = 0) const;
  /// The flat netlist with these values of parameters in place of those of `.param`.
  Netlist netlist(const std::vector<std::pair<std::string, double>>& parameters) const;

 private:
  struct Content;
  explicit NetlistDocument(std::shared_ptr<const Content> content) : content_(std::move(content)) {}

  std::shared_ptr<const Content> content_;
};

/// The flat netlist of a file, or of a text, without regard to `.step`.
///@{
Netlist readNetlist(const std::filesystem::path& file);
Netlist parseNetlist(std::string_view text, const std::string& name = "netlist");
///@}

}  // namespace delassus
