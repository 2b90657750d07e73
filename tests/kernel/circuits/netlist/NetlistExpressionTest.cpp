// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <delassus/kernel/circuits/netlist/NetlistExpression.hpp>
#include <numbers>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace delassus;

double valueOf(const std::string& text) {
  const auto parameters = [](const std::string& name) -> std::optional<double> {
    if (name == "a") return 3.;
    if (name == "b") return -0.5;
    if (name == "zero") return 0.;
    return std::nullopt;
  };
  return NetlistExpression(text, parameters, false, {}, "test").evaluate();
}

NetlistFault faultOf(const std::string& text) {
  try {
    valueOf(text);
  } catch (const NetlistError& error) {
    return error.fault();
  }
  ADD_FAILURE() << text << " was taken";
  return NetlistFault::file;
}

TEST(NetlistExpression, KnowsPrecedenceAndFunctions) {
  const std::vector<std::pair<std::string, double>> values{
      {"1 + 2*3", 7.},
      {"(1+2)*3", 9.},
      {"-2^2", -4.},
      {"2^3^2", 512.},
      {"2**-1", 0.5},
      {"2*3**2", 18.},
      {"10-4-3", 3.},
      {"24/4/2", 3.},
      {"7%4", 3.},
      {"-a*b", 1.5},
      {"A + B", 2.5},
      {"1k/2.5", 400.},
      {"1<2", 1.},
      {"2<=1", 0.},
      {"1+1==2", 1.},
      {"1!=1", 0.},
      {"!a", 0.},
      {"!zero || 0", 1.},
      {"1 || 0 && 0", 1.},
      {"2 && 3", 1.},
      {"1 && 0", 0.},
      {"0 || 5", 1.},
      {"zero ? 1 : a ? 2 : 3", 2.},
      {"a>2?10:20", 10.},
      {"zero==0 ? 7 : 1/zero", 7.},
      {"zero!=0 && 1/zero>2", 0.},
      {"if(zero, 1/zero, 4)", 4.},
      {"sqrt(2)*230", std::sqrt(2.) * 230.},
      {"pi", std::numbers::pi},
      {"ln(e)", 1.},
      {"log(e)", 1.},
      {"log10(1k)", 3.},
      {"min(3,1,2)+max(3,1,2)+min(4)", 8.},
      {"limit(5,0,2)+limit(-5,0,2)", 2.},
      {"atan2(1,-1)", std::atan2(1., -1.)},
      {"pow(2,10)+hypot(3,4)", 1029.},
      {"int(-2.7)+floor(-2.7)+ceil(-2.2)", -7.},
      {"abs(b)+sgn(b)+u(b)+u(a)", 0.5},
      {"sin(1)+cos(1)+tan(1)", std::sin(1.) + std::cos(1.) + std::tan(1.)},
      {"asin(.5)+acos(.5)+atan(.5)", std::asin(.5) + std::acos(.5) + std::atan(.5)},
      {"sinh(1)+cosh(1)+tanh(1)+exp(1)", std::sinh(1.) + std::cosh(1.) + std::tanh(1.) + std::exp(1.)},
      {"- - +1", 1.}};
  for (const auto& [text, value] : values) EXPECT_DOUBLE_EQ(valueOf(text), value) << text;
}

TEST(NetlistExpression, SaysWhatIsWrong) {
  for (const char* const text : {"1/0", "1/zero", "5%(a-3)", "1/(b+0.5)"}) {
    EXPECT_EQ(faultOf(text), NetlistFault::divisionByZero) << text;
  }
  for (const char* const text : {"", "1+", "(1", "1)", "2 3", "sin(1,2)", "foo(1)", "min()", "1 ? 2", "*2", "sqrt(-1)",
                                 "ln(0)", "1e308*10", "(-8)^(1/3)", "a..b(", "1,2", "{1}", "v(1)", "=1"}) {
    EXPECT_EQ(faultOf(text), NetlistFault::expression) << text;
  }
  EXPECT_EQ(faultOf("a+c"), NetlistFault::unknownParameter);
  EXPECT_EQ(faultOf("sin 1"), NetlistFault::unknownParameter);
  EXPECT_EQ(faultOf(std::string(1000, '(') + "1" + std::string(1000, ')')), NetlistFault::limit);
  EXPECT_EQ(faultOf(std::string(1000, '-') + "1"), NetlistFault::limit);
}

TEST(NetlistExpression, TakesLongChains) {
  std::string text = "1";
  for (int k = 0; k < 100000; ++k) text += "+1";
  EXPECT_EQ(valueOf(text), 100001.);
}

TEST(NetlistExpression, OfSignalsCountsEachOnce) {
  const NetlistExpression power("(V(a, b) - v(c))*I(X1.R1) + V(a,b)", {}, true, {}, "test");
  ASSERT_EQ(power.signals().size(), 3U);
  EXPECT_EQ(power.signals()[0].text(), "V(a,b)");
  EXPECT_EQ(power.signals()[1].text(), "V(c)");
  EXPECT_EQ(power.signals()[2].text(), "I(X1.R1)");
  EXPECT_EQ(power.evaluate(std::array{2., 0.5, 4.}), 8.);
}

// An expression that is made at random, with as few parentheses as precedence allows, beside its value by C++.
struct Written {
  std::string text;
  double value = 0.;
  int level = 0;  // 0 sum, 1 product, 2 sign, 3 power, 4 primary
};

class Writer {
 public:
  explicit Writer(unsigned seed) : random_(seed) {}

  Written expression(int depth) {
    switch (depth == 0 ? 0 : pick(7)) {
      case 0:
        return number();
      case 1:
        return binary(depth, '+', 0);
      case 2:
        return binary(depth, '-', 0);
      case 3:
        return binary(depth, '*', 1);
      case 4:
        return binary(depth, '/', 1);
      case 5: {
        const Written inner = expression(depth - 1);
        return {"-" + enclosed(inner, 2), -inner.value, 2};
      }
      default: {
        const Written inner = expression(depth - 1);
        return {"atan(" + inner.text + ")", std::atan(inner.value), 4};
      }
    }
  }

 private:
  int pick(int count) { return std::uniform_int_distribution<int>(0, count - 1)(random_); }

  Written number() {
    const int k = 1 + pick(999);
    return {std::to_string(k) + "m", std::stod(std::to_string(k) + "e-3"), 4};
  }

  static std::string enclosed(const Written& inner, int level) {
    return inner.level >= level ? inner.text : "(" + inner.text + ")";
  }

  Written binary(int depth, char operation, int level) {
    const Written left = expression(depth - 1);
    const Written right = expression(depth - 1);
    const double a = left.value, b = right.value;
    const double value = operation == '+' ? a + b : operation == '-' ? a - b : operation == '*' ? a * b : a / b;
    if (!std::isfinite(value)) return left;
    const std::string space = pick(2) == 0 ? " " : "";
    return {enclosed(left, level) + space + operation + space + enclosed(right, level + 1), value, level};
  }

  std::mt19937 random_;
};

TEST(NetlistExpression, AgreesWithTheCompilerOnRandomOnes) {
  Writer writer(1);
  for (int k = 0; k < 2000; ++k) {
    const Written made = writer.expression(1 + k % 6);
    EXPECT_EQ(valueOf(made.text), made.value) << made.text;
  }
}

}  // namespace
