// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/kernel/circuits/netlist/NetlistExpression.hpp>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace delassus {

/// Compiles the text of an expression by recursive descent, a function for each level of precedence.
class NetlistExpressionParser {
 public:
  /// Values that wait on the stack: at most those of all levels of precedence at all depths.
  static constexpr std::size_t deepestStack = 12 * (NetlistExpression::deepest + 1);

  /// Writes into `result`, which has its text, place and element.
  NetlistExpressionParser(NetlistExpression& result, const NetlistExpression::Parameters& parameters, bool takesSignals)
      : result_(result), parameters_(parameters), takesSignals_(takesSignals), text_(result.text_) {}

  /// Compiles all of the text.
  void parse();

 private:
  using Operation = NetlistExpression::Operation;
  using Level = void (NetlistExpressionParser::*)();

  void choice();
  void either();
  void both();
  void equality();
  void relation();
  void sum();
  void product();
  void sign();
  void power();
  void primary();
  void number();
  void name();
  void call(const std::string& function);
  void conditional();
  void limit();
  void extreme(double (*function)(double, double));
  void signal(NetlistSignal::Kind kind);
  std::string signalName();

  void chain(Level operand, std::initializer_list<std::pair<std::string_view, Operation>> operations);
  void logical(Level operand, std::string_view symbol, bool stopsAtTruth);

  bool take(std::string_view symbol);
  void expect(std::string_view symbol);
  void skipSpace();
  bool isAt(std::string_view symbol) const { return text_.substr(place_).starts_with(symbol); }
  std::string here() const;
  void deeper();

  void emit(Operation operation) { result_.code_.push_back({.operation = operation}); }
  void emitNumber(double value) { result_.code_.push_back({.operation = Operation::number, .number = value}); }
  void emitBinary(double (*function)(double, double)) {
    result_.code_.push_back({.operation = Operation::binary, .binary = function});
  }
  std::size_t emitJump(Operation operation);
  void landHere(std::size_t jump) { result_.code_[jump].target = result_.code_.size(); }
  [[noreturn]] void fail(const std::string& what) const { result_.fail(NetlistFault::expression, what); }

  NetlistExpression& result_;
  const NetlistExpression::Parameters& parameters_;
  bool takesSignals_;
  std::string_view text_;
  std::size_t place_ = 0;
  std::size_t depth_ = 0;
};

}  // namespace delassus
