// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <delassus/numerics/io/JsonWriter.hpp>
#include <limits>

namespace {

using namespace delassus;
using numerics::JsonWriter;

TEST(JsonWriter, WritesObjectsAndArrays) {
  JsonWriter json;
  json.beginArray(true);
  json.beginObject();
  json.key("name");
  json.string("a");
  json.key("values");
  json.numbers(makeVector({1., -0.1, 1e300}));
  json.key("nothing");
  json.beginArray();
  json.endArray();
  json.endObject();
  json.count(7);
  json.endArray();
  EXPECT_EQ(json.text(), "[\n{\"name\": \"a\", \"values\": [1, -0.1, 1e+300], \"nothing\": []},\n7\n]");
}

TEST(JsonWriter, HasNullForWhatJsonDoesNotKnow) {
  JsonWriter json;
  json.numbers(makeVector({std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN(), 1.}));
  EXPECT_EQ(json.text(), "[null, null, 1]");
}

TEST(JsonWriter, EscapesWhatAStringMustNotHold) {
  JsonWriter json;
  json.string("\"\\\n\x01 µ \xff");
  EXPECT_EQ(json.text(), "\"\\\"\\\\\\u000a\\u0001 µ \\ufffd\"");
}

}  // namespace
