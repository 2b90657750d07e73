// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/kernel/circuits/netlist/NetlistError.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace delassus {

/// The parameters that are seen at one place of a netlist: those of a subcircuit's instance, then those around the
/// subcircuit's definition, up to those of the whole netlist. An expression is evaluated when its value is first asked
/// for, so that parameters may refer to later ones.
class ParameterScope {
 public:
  /// `depth`: how many parameters may refer to later ones in a chain.
  ParameterScope(ParameterScope* around, std::size_t depth) : around_(around), deepest_(depth) {}

  /// A parameter with its expression. Throws NetlistError where the name is taken, unless a value was set before, which
  /// remains.
  void define(const std::string& name, std::string_view expression, const NetlistPlace& place);
  /// A parameter with its value, in place of any expression.
  void set(const std::string& name, double value);

  /// The value of a parameter here or around. Throws NetlistError where its expression has none.
  std::optional<double> find(const std::string& name);
  /// The value of a text: a number with a suffix, or an expression. Throws NetlistError at `place`, for `element`.
  double evaluate(std::string_view text, const NetlistPlace& place, const std::string& element);

 private:
  struct Parameter {
    std::string_view expression;
    NetlistPlace place;
    std::optional<double> value;
    bool isSet = false;
    bool isInWork = false;
  };

  double valueOf(const std::string& name, Parameter& parameter);
  std::size_t& chain() { return around_ != nullptr ? around_->chain() : chain_; }

  ParameterScope* around_;
  std::size_t deepest_;
  std::size_t chain_ = 0;
  std::unordered_map<std::string, Parameter> parameters_;
};

}  // namespace delassus
