// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <delassus/kernel/circuits/netlist/NetlistNumber.hpp>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace delassus;

TEST(NetlistNumber, IsTheDoubleNextToTheDecimalNumber) {
  const std::vector<std::pair<std::string, double>> numbers{{"4.7u", 4.7e-6},
                                                            {"4.7uF", 4.7e-6},
                                                            {"2.2k", 2.2e3},
                                                            {"2.2K", 2.2e3},
                                                            {"1meg", 1e6},
                                                            {"1MEGohm", 1e6},
                                                            {"3.3m", 3.3e-3},
                                                            {"3.3M", 3.3e-3},
                                                            {"100n", 100e-9},
                                                            {"33p", 33e-12},
                                                            {"1f", 1e-15},
                                                            {"1F", 1e-15},
                                                            {"1.5g", 1.5e9},
                                                            {"1.5t", 1.5e12},
                                                            {"1e3", 1e3},
                                                            {"1e-3k", 1.},
                                                            {"-12.5", -12.5},
                                                            {"+5V", 5.},
                                                            {".5", .5},
                                                            {"5.", 5.},
                                                            {"10Hz", 10.},
                                                            {"1mil", 25.4e-6},
                                                            {"0", 0.},
                                                            {"1e+2", 100.},
                                                            {"2.5e3m", 2.5},
                                                            {"7\xC2\xB5"
                                                             "F",
                                                             7e-6},
                                                            {"7\xCE\xBC", 7e-6},
                                                            {"3\xCE\xA9", 3.},
                                                            {"5A", 5.},
                                                            {"0.1e-9", 1e-10}};
  for (const auto& [text, value] : numbers) EXPECT_EQ(netlistNumber(text), value) << text;
}

TEST(NetlistNumber, IsRefusedWhereItIsNone) {
  for (const char* const text : {"", "k", "-", "+", ".", "e5", "inf", "nan", "4k7", "1e400", "1e300t", "1.2.3", "--1",
                                 "1e99999999999", "0x10", "1 2", "5%", "1_000"}) {
    EXPECT_FALSE(netlistNumber(text)) << text;
  }
}

TEST(NetlistNumber, EndsBeforeAnOperator) {
  const std::string text = "2.2kOhm*3";
  const auto number = numberAtStart(text);
  ASSERT_TRUE(number);
  EXPECT_EQ(number->value, 2200.);
  EXPECT_EQ(number->length, 7U);
}

}  // namespace
