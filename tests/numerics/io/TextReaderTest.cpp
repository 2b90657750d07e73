// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/numerics/io/TextReader.hpp>
#include <limits>

#include "../../support/Matchers.hpp"

namespace {

using namespace delassus;
using numerics::TextReader;
using test::expectError;

TEST(TextReader, ReadsNumbersWhateverTheWhiteSpaceBetween) {
  TextReader reader("1\t2\r\n\n  -3.5e-2\v+4", "text");
  EXPECT_EQ(reader.count("a count"), 1U);
  EXPECT_EQ(reader.number("a number"), 2.);
  EXPECT_EQ(reader.number("a number"), -0.035);
  EXPECT_EQ(reader.number("a number"), 4.);
}

TEST(TextReader, NamesTextLineExpectationAndWhatCame) {
  TextReader reader("1\n2\nx", "file.dat");
  reader.count("a count");
  reader.count("a count");
  expectError([&] { reader.number("an entry of q"); }, {"file.dat, line 3", "expected an entry of q", "'x'"});
}

TEST(TextReader, RefusesWhatIsNoCount) {
  for (const char* text : {"-1", "1.5", "1e3", "99999999999999999999999", "x", ""}) {
    SCOPED_TRACE(text);
    TextReader reader(text, "text");
    expectError([&] { reader.count("a count"); }, {"line 1", "expected a count"});
  }
}

TEST(TextReader, RefusesWhatIsNotFinite) {
  for (const char* text : {"nan", "NaN", "inf", "-inf", "infinity", "1e400", "-1e999", "1.0.0", "0x10", "--1"}) {
    SCOPED_TRACE(text);
    TextReader reader(text, "text");
    expectError([&] { reader.number("a number"); }, {"line 1", "expected a number"});
  }
}

TEST(TextReader, TakesInfiniteBoundsButNoNaN) {
  TextReader reader("inf -inf nan", "text");
  EXPECT_EQ(reader.extendedNumber("a bound"), std::numeric_limits<double>::infinity());
  EXPECT_EQ(reader.extendedNumber("a bound"), -std::numeric_limits<double>::infinity());
  expectError([&] { reader.extendedNumber("a bound"); }, {"expected a bound", "nan"});
}

TEST(TextReader, TakesWhatIsTooSmallForADoubleAsZero) {
  TextReader reader("1e-400 -1e-999", "text");
  EXPECT_EQ(reader.number("a number"), 0.);
  EXPECT_TRUE(std::signbit(reader.number("a number")));
}

TEST(TextReader, FindsThatATextIsTooShortBeforeReadingIt) {
  TextReader reader("1000000000 1 2 3", "text");
  const std::size_t size = reader.count("the size");
  expectError([&] { reader.vector(size, "q"); }, {"expected q with 1000000000 numbers", "6 bytes"});
  expectError([&] { reader.requireProduct(size * size, size * size, "M"); }, {"expected M that a computer can hold"});
}

TEST(TextReader, CountsTheNumbersThatAreLeft) {
  TextReader reader("1 2 3 nan and 4", "text");
  reader.count("a count");
  EXPECT_EQ(reader.numbersLeft(), 3U);
  EXPECT_EQ(reader.number("a number"), 2.);
}

TEST(TextReader, KeepsBinaryBytesOutOfItsMessages) {
  TextReader reader("\x1b[31m\x01", "text");
  expectError([&] { reader.count("a count"); }, {"'?[31m?'"});
}

}  // namespace
