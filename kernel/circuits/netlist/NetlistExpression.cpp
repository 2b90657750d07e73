// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cmath>
#include <delassus/kernel/circuits/netlist/NetlistExpression.hpp>
#include <delassus/kernel/circuits/netlist/NetlistExpressionParser.hpp>
#include <utility>

namespace delassus {
namespace {

using Operation = NetlistExpression::Operation;

double truthOf(bool condition) {
  return condition ? 1. : 0.;
}

double applyBinary(Operation operation, double a, double b) {
  switch (operation) {
    case Operation::add:
      return a + b;
    case Operation::subtract:
      return a - b;
    case Operation::multiply:
      return a * b;
    case Operation::divide:
      return a / b;
    case Operation::remainder:
      return std::fmod(a, b);
    case Operation::power:
      return std::pow(a, b);
    case Operation::equal:
      return truthOf(a == b);
    case Operation::different:
      return truthOf(a != b);
    case Operation::less:
      return truthOf(a < b);
    case Operation::notGreater:
      return truthOf(a <= b);
    case Operation::greater:
      return truthOf(a > b);
    default:
      return truthOf(a >= b);
  }
}

bool divides(Operation operation) {
  return operation == Operation::divide || operation == Operation::remainder;
}

}  // namespace

std::string NetlistSignal::text() const {
  if (kind == Kind::current) return "I(" + first + ")";
  return "V(" + first + (second == "0" ? "" : "," + second) + ")";
}

NetlistExpression::NetlistExpression(std::string_view text, const Parameters& parameters, bool takesSignals,
                                     NetlistPlace place, std::string element)
    : text_(text), place_(std::move(place)), element_(std::move(element)) {
  NetlistExpressionParser(*this, parameters, takesSignals).parse();
}

double NetlistExpression::evaluate(std::span<const double> signals) const {
  std::array<double, NetlistExpressionParser::deepestStack> stack;  // of which the parser has counted what is needed
  std::size_t top = 0;
  for (std::size_t next = 0; next < code_.size(); ++next) {
    const Instruction& step = code_[next];
    switch (step.operation) {
      case Operation::number:
        stack[top++] = step.number;
        break;
      case Operation::signal:
        stack[top++] = signals[step.target];
        break;
      case Operation::negate:
        stack[top - 1] = -stack[top - 1];
        break;
      case Operation::opposite:
        stack[top - 1] = truthOf(stack[top - 1] == 0.);
        break;
      case Operation::truth:
        stack[top - 1] = truthOf(stack[top - 1] != 0.);
        break;
      case Operation::unary:
        stack[top - 1] = step.unary(stack[top - 1]);
        break;
      case Operation::binary:
        --top;
        stack[top - 1] = step.binary(stack[top - 1], stack[top]);
        break;
      case Operation::jump:
        next = step.target - 1;
        break;
      case Operation::jumpIfZero:
        if (stack[--top] == 0.) next = step.target - 1;
        break;
      default:
        --top;
        if (divides(step.operation) && stack[top] == 0.) fail(NetlistFault::divisionByZero, "divides by zero.");
        stack[top - 1] = applyBinary(step.operation, stack[top - 1], stack[top]);
    }
  }
  if (!std::isfinite(stack[0]))
    fail(NetlistFault::expression, "expected a finite value, got " + toText(stack[0]) + ".");
  return stack[0];
}

void NetlistExpression::fail(NetlistFault fault, const std::string& what) const {
  throw NetlistError(fault, place_, element_, "expression '" + text_ + "': " + what);
}

}  // namespace delassus
