// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <delassus/kernel/circuits/netlist/NetlistExpressionParser.hpp>
#include <delassus/kernel/circuits/netlist/NetlistNumber.hpp>
#include <numbers>
#include <optional>

namespace delassus {
namespace {

double signOf(double x) {
  return x > 0. ? 1. : x < 0. ? -1. : 0.;
}

double unitStep(double x) {
  return x > 0. ? 1. : 0.;
}

double smallerOf(double a, double b) {
  return std::min(a, b);
}

double largerOf(double a, double b) {
  return std::max(a, b);
}

using UnaryFunction = double (*)(double);
using BinaryFunction = double (*)(double, double);

UnaryFunction unaryFunction(std::string_view name) {
  static constexpr std::array<std::pair<std::string_view, UnaryFunction>, 21> functions{
      {{"sin", [](double x) { return std::sin(x); }},
       {"cos", [](double x) { return std::cos(x); }},
       {"tan", [](double x) { return std::tan(x); }},
       {"asin", [](double x) { return std::asin(x); }},
       {"acos", [](double x) { return std::acos(x); }},
       {"atan", [](double x) { return std::atan(x); }},
       {"sinh", [](double x) { return std::sinh(x); }},
       {"cosh", [](double x) { return std::cosh(x); }},
       {"tanh", [](double x) { return std::tanh(x); }},
       {"exp", [](double x) { return std::exp(x); }},
       {"ln", [](double x) { return std::log(x); }},
       {"log", [](double x) { return std::log(x); }},
       {"log10", [](double x) { return std::log10(x); }},
       {"sqrt", [](double x) { return std::sqrt(x); }},
       {"abs", [](double x) { return std::abs(x); }},
       {"sgn", signOf},
       {"floor", [](double x) { return std::floor(x); }},
       {"ceil", [](double x) { return std::ceil(x); }},
       {"int", [](double x) { return std::trunc(x); }},
       {"u", unitStep},
       {"", nullptr}}};
  for (const auto& [known, function] : functions) {
    if (known == name) return function;
  }
  return nullptr;
}

BinaryFunction binaryFunction(std::string_view name) {
  if (name == "atan2") return [](double y, double x) { return std::atan2(y, x); };
  if (name == "pow") return [](double a, double b) { return std::pow(a, b); };
  if (name == "hypot") return [](double a, double b) { return std::hypot(a, b); };
  return nullptr;
}

bool isNameStart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool isNamePart(char c) {
  return isNameStart(c) || (c >= '0' && c <= '9') || c == '.' || c == '#' || c == '$' || c == ':';
}

bool isSpace(char c) {
  return c == ' ' || c == '\t';
}

}  // namespace

void NetlistExpressionParser::parse() {
  choice();
  skipSpace();
  if (place_ != text_.size()) fail("expected an operator, got " + here() + ".");
}

void NetlistExpressionParser::choice() {
  deeper();
  either();
  if (take("?")) {
    const std::size_t toOther = emitJump(Operation::jumpIfZero);
    choice();
    const std::size_t toEnd = emitJump(Operation::jump);
    landHere(toOther);
    expect(":");
    choice();
    landHere(toEnd);
  }
  --depth_;
}

void NetlistExpressionParser::either() {
  logical(&NetlistExpressionParser::both, "||", true);
}

void NetlistExpressionParser::both() {
  logical(&NetlistExpressionParser::equality, "&&", false);
}

// a || b || c as a ? 1 : b ? 1 : c, and a && b likewise; each value that is jumped over is never computed.
void NetlistExpressionParser::logical(Level operand, std::string_view symbol, bool stopsAtTruth) {
  (this->*operand)();
  while (take(symbol)) {
    if (!stopsAtTruth) emit(Operation::opposite);
    const std::size_t toRight = emitJump(Operation::jumpIfZero);
    emitNumber(stopsAtTruth ? 1. : 0.);
    const std::size_t toEnd = emitJump(Operation::jump);
    landHere(toRight);
    (this->*operand)();
    emit(Operation::truth);
    landHere(toEnd);
  }
}

void NetlistExpressionParser::equality() {
  chain(&NetlistExpressionParser::relation, {{"==", Operation::equal}, {"!=", Operation::different}});
}

void NetlistExpressionParser::relation() {
  chain(&NetlistExpressionParser::sum,
        {{"<=", Operation::notGreater}, {">=", Operation::notLess}, {"<", Operation::less}, {">", Operation::greater}});
}

void NetlistExpressionParser::sum() {
  chain(&NetlistExpressionParser::product, {{"+", Operation::add}, {"-", Operation::subtract}});
}

void NetlistExpressionParser::product() {
  chain(&NetlistExpressionParser::sign,
        {{"*", Operation::multiply}, {"/", Operation::divide}, {"%", Operation::remainder}});
}

void NetlistExpressionParser::chain(Level operand,
                                    std::initializer_list<std::pair<std::string_view, Operation>> operations) {
  (this->*operand)();
  const auto takeOne = [&] {
    for (const auto& [symbol, operation] : operations) {
      if (!take(symbol)) continue;
      (this->*operand)();
      emit(operation);
      return true;
    }
    return false;
  };
  while (takeOne()) {
  }
}

void NetlistExpressionParser::sign() {
  deeper();
  if (take("-")) {
    sign();
    emit(Operation::negate);
  } else if (take("+")) {
    sign();
  } else if (take("!")) {
    sign();
    emit(Operation::opposite);
  } else {
    power();
  }
  --depth_;
}

void NetlistExpressionParser::power() {
  primary();
  if (!take("**") && !take("^")) return;
  sign();
  emit(Operation::power);
}

void NetlistExpressionParser::primary() {
  skipSpace();
  if (take("(")) {
    choice();
    expect(")");
    return;
  }
  if (place_ == text_.size()) fail("expected a value, got its end.");
  const char c = text_[place_];
  if (isNameStart(c)) return name();
  if ((c >= '0' && c <= '9') || c == '.') return number();
  fail("expected a value, got " + here() + ".");
}

void NetlistExpressionParser::number() {
  const std::optional<NetlistNumber> found = numberAtStart(text_.substr(place_));
  if (!found) fail("expected a number, got " + here() + ".");
  place_ += found->length;
  emitNumber(found->value);
}

void NetlistExpressionParser::name() {
  const std::size_t start = place_;
  while (place_ < text_.size() && isNamePart(text_[place_])) ++place_;
  // "a ? b:c" without blanks: the colon of the choice is not of the name.
  while (text_[place_ - 1] == ':') --place_;
  const std::string found = inLowerCase(text_.substr(start, place_ - start));
  if (take("(")) return call(found);
  if (const std::optional<double> value = parameters_ ? parameters_(found) : std::nullopt) return emitNumber(*value);
  if (found == "pi") return emitNumber(std::numbers::pi);
  if (found == "e") return emitNumber(std::numbers::e);
  result_.fail(NetlistFault::unknownParameter, "no parameter is called '" + found + "'.");
}

void NetlistExpressionParser::call(const std::string& function) {
  if (takesSignals_ && function == "v") return signal(NetlistSignal::Kind::voltage);
  if (takesSignals_ && function == "i") return signal(NetlistSignal::Kind::current);
  if (function == "if") return conditional();
  if (function == "limit") return limit();
  if (function == "min") return extreme(smallerOf);
  if (function == "max") return extreme(largerOf);
  if (const UnaryFunction unary = unaryFunction(function)) {
    choice();
    result_.code_.push_back({.operation = Operation::unary, .unary = unary});
  } else if (const BinaryFunction binary = binaryFunction(function)) {
    choice();
    expect(",");
    choice();
    emitBinary(binary);
  } else {
    fail("no function is called '" + function + "'.");
  }
  expect(")");
}

void NetlistExpressionParser::conditional() {
  choice();
  expect(",");
  const std::size_t toOther = emitJump(Operation::jumpIfZero);
  choice();
  expect(",");
  const std::size_t toEnd = emitJump(Operation::jump);
  landHere(toOther);
  choice();
  expect(")");
  landHere(toEnd);
}

// limit(x, a, b): x kept between a and b, of which a is the smaller one.
void NetlistExpressionParser::limit() {
  choice();
  expect(",");
  choice();
  emitBinary(largerOf);
  expect(",");
  choice();
  emitBinary(smallerOf);
  expect(")");
}

void NetlistExpressionParser::extreme(double (*function)(double, double)) {
  choice();
  while (take(",")) {
    choice();
    emitBinary(function);
  }
  expect(")");
}

void NetlistExpressionParser::signal(NetlistSignal::Kind kind) {
  NetlistSignal found{kind, signalName(), "0"};
  if (kind == NetlistSignal::Kind::voltage && take(",")) found.second = signalName();
  expect(")");
  auto& all = result_.signals_;
  const auto place = std::find(all.begin(), all.end(), found);
  const auto index = static_cast<std::size_t>(place - all.begin());
  if (place == all.end()) all.push_back(std::move(found));
  result_.code_.push_back({.operation = Operation::signal, .target = index});
}

// The name of a node may be almost anything.
std::string NetlistExpressionParser::signalName() {
  skipSpace();
  const std::size_t end = std::min(text_.find_first_of("(), \t", place_), text_.size());
  if (end == place_) fail("expected the name of a node or an element, got " + here() + ".");
  std::string found(text_.substr(place_, end - place_));
  place_ = end;
  return found;
}

bool NetlistExpressionParser::take(std::string_view symbol) {
  skipSpace();
  if (!isAt(symbol)) return false;
  // "*" is not the first half of "**", which binds more tightly.
  if (symbol == "*" && isAt("**")) return false;
  place_ += symbol.size();
  return true;
}

void NetlistExpressionParser::expect(std::string_view symbol) {
  if (!take(symbol)) fail("expected '" + std::string(symbol) + "', got " + here() + ".");
}

void NetlistExpressionParser::skipSpace() {
  while (place_ < text_.size() && isSpace(text_[place_])) ++place_;
}

std::string NetlistExpressionParser::here() const {
  return place_ < text_.size() ? "'" + std::string(text_.substr(place_, 12)) + "'" : "its end";
}

void NetlistExpressionParser::deeper() {
  if (++depth_ <= NetlistExpression::deepest) return;
  result_.fail(NetlistFault::limit, "nests more than " + std::to_string(NetlistExpression::deepest) + " deep.");
}

std::size_t NetlistExpressionParser::emitJump(Operation operation) {
  emit(operation);
  return result_.code_.size() - 1;
}

}  // namespace delassus
