// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <delassus/kernel/circuits/netlist/NetlistError.hpp>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace delassus {

/// What is recorded of a circuit: V(node), V(node, node) or I(element).
struct NetlistSignal {
  /// Voltage or current.
  enum class Kind { voltage, current };
  Kind kind = Kind::voltage;  ///< which of the two
  std::string first;          ///< the node or the element, with the path of its subcircuit
  std::string second;         ///< the other node of a voltage between two; "0" elsewhere

  /// "V(out)", "V(a,b)", "I(R1)".
  std::string text() const;
  /// The same signal.
  bool operator==(const NetlistSignal&) const = default;
};

/// An arithmetic expression of a netlist, compiled once and evaluated without memory from the heap.
///
/// From the loosest to the tightest: `c ? a : b`, `||`, `&&`, `== !=`, `< <= > >=`, `+ -`, `* / %`, unary `- + !`,
/// `^` or `**` (to the right: -2^2 = -4, 2^3^2 = 512). Truth is any value but 0; what `?`, `if`, `&&` and `||` do not
/// take is not evaluated. Numbers have suffixes as everywhere in a netlist; `pi` and `e` are constants. Functions: sin
/// cos tan asin acos atan sinh cosh tanh exp ln log (natural) log10 sqrt abs sgn floor ceil int (towards zero) u (unit
/// step), of two arguments atan2 pow hypot, of any number min max, of three limit(x, a, b) and if(c, a, b).
class NetlistExpression {
 public:
  /// The value of a parameter by its name in lower case; nothing where there is none.
  using Parameters = std::function<std::optional<double>(const std::string& name)>;
  /// Depth of parentheses, of signs and of powers in each other.
  static constexpr std::size_t deepest = 40;

  /// Compiles `text`, with parameters as constants. V(…) and I(…) are taken where `takesSignals` says so. Throws
  /// NetlistError at `place`, for `element`.
  NetlistExpression(std::string_view text, const Parameters& parameters, bool takesSignals, NetlistPlace place,
                    std::string element);

  /// The value, with a value for each of signals(), in that order. Throws NetlistError where it divides by zero or is
  /// not finite.
  double evaluate(std::span<const double> signals = {}) const;
  /// What it refers to, each once.
  const std::vector<NetlistSignal>& signals() const { return signals_; }
  /// For those who know better names of nodes and elements than the text.
  std::vector<NetlistSignal>& signals() { return signals_; }
  /// True for a signal and nothing else.
  bool isSignal() const { return code_.size() == 1 && code_.front().operation == Operation::signal; }
  /// As it was written.
  const std::string& text() const { return text_; }

  /// Operations of the stack machine.
  enum class Operation : std::uint8_t {
    number,
    signal,
    negate,
    opposite,
    truth,
    add,
    subtract,
    multiply,
    divide,
    remainder,
    power,
    equal,
    different,
    less,
    notGreater,
    greater,
    notLess,
    unary,
    binary,
    jump,
    jumpIfZero
  };
  /// One of them, with what it needs.
  struct Instruction {
    Operation operation = Operation::number;     ///< what is done
    std::size_t target = 0;                      ///< signal, or where a jump goes
    double number = 0.;                          ///< of Operation::number
    double (*unary)(double) = nullptr;           ///< of Operation::unary
    double (*binary)(double, double) = nullptr;  ///< of Operation::binary
  };

 private:
  friend class NetlistExpressionParser;
  [[noreturn]] void fail(NetlistFault fault, const std::string& what) const;

  std::string text_;
  NetlistPlace place_;
  std::string element_;
  std::vector<Instruction> code_;
  std::vector<NetlistSignal> signals_;
};

}  // namespace delassus
