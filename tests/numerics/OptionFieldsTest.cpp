// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <delassus/numerics/OptionFields.hpp>
#include <delassus/numerics/choice/SolverCatalogue.hpp>
#include <delassus/numerics/problem/FrictionContactProblem.hpp>
#include <delassus/numerics/problem/GenericMechanicalProblem.hpp>
#include <delassus/numerics/problem/GlobalFrictionContactProblem.hpp>
#include <delassus/numerics/problem/LinearComplementarityProblem.hpp>
#include <delassus/numerics/problem/MixedLinearComplementarityProblem.hpp>
#include <delassus/numerics/problem/RelayProblem.hpp>
#include <initializer_list>
#include <limits>
#include <sstream>
#include <string>
#include <string_view>
#include <support/Matchers.hpp>
#include <utility>
#include <vector>

namespace {

using namespace delassus;
using namespace delassus::numerics;
using namespace delassus::test;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();
constexpr double least = std::numeric_limits<double>::denorm_min();

struct Example {
  DELASSUS_OPTIONS((double, tolerance, 1e-8, range::positive, "of the answer"),
                   (double, weight, 0.5, range::between(0., 1.), "of the last step"),
                   (std::size_t, count, 3, range::fromTo(1., 30.), "steps"),
                   (bool, thorough, true, range::any, "tries all"), (double, shift, -2., range::any, "of the origin"))
};

// The options with this value of one member, and the others as they are.
template <class Value>
Example with(Value Example::*member, Value value) {
  Example example;
  example.*member = value;
  return example;
}

void expectRefused(Example example, std::initializer_list<std::string> parts) {
  expectError([&] { requireInRange("Owner", example.fields()); }, parts);
}

void expectNotSet(std::string_view name, std::string_view text, std::initializer_list<std::string> parts) {
  Example example;
  SCOPED_TRACE(std::string(name) + " = '" + std::string(text) + "'");
  expectError([&] { setField("Owner", example.fields(), name, text); }, parts);
}

Example set(std::string_view name, std::string_view text) {
  Example example;
  setField("Owner", example.fields(), name, text);
  return example;
}

class Base {
 public:
  explicit Base(int given) : number(given) {}
  virtual ~Base() = default;
  virtual double tolerance() const = 0;
  virtual Settings settings() const { return {}; }

  int number;
};

class Method final : public WithOptions<Base, Example> {
 public:
  explicit Method(Example options, int given = 0) : WithOptions("Method", options, given) {}

  std::size_t count() const { return options_.count; }
};

TEST(OptionRange, ContainsItsValuesAndNeitherInfinityNorNaN) {
  struct Case {
    OptionRange range;
    std::vector<double> inside, outside;
  };
  const std::vector<Case> cases{
      {range::any, {-1e300, 0., 1e300}, {}},
      {range::positive, {least, 1e300}, {0., -0., -least, -1.}},
      {range::notNegative, {0., -0., least, 1e300}, {-least, -1.}},
      {range::between(0., 2.), {least, 1., std::nextafter(2., 0.)}, {0., 2., -1., 3.}},
      {range::fromBelow(0., 1.), {0., 0.5, std::nextafter(1., 0.)}, {-least, 1., 2.}},
      {range::fromTo(1., 30.), {1., 2.5, 30.}, {std::nextafter(1., 0.), std::nextafter(30., 31.)}},
      {{.least = 1.}, {1., 1e300}, {std::nextafter(1., 0.), -1e300}},
      {{.most = 3.}, {-1e300, 3.}, {std::nextafter(3., 4.), 1e300}}};
  for (const Case& test : cases) {
    SCOPED_TRACE(test.range.text());
    for (const double value : test.inside) EXPECT_TRUE(test.range.contains(value)) << value;
    for (const double value : test.outside) EXPECT_FALSE(test.range.contains(value)) << value;
    for (const double value : {infinity, -infinity, notANumber}) EXPECT_FALSE(test.range.contains(value)) << value;
  }
}

TEST(OptionRange, IsToldInWords) {
  EXPECT_EQ(range::any.text(), "");
  EXPECT_EQ(range::positive.text(), "positive");
  EXPECT_EQ(range::notNegative.text(), "not negative");
  EXPECT_EQ(range::between(0., 2.).text(), "in (0, 2)");
  EXPECT_EQ(range::fromBelow(0., 0.5).text(), "in [0, 0.5)");
  EXPECT_EQ(range::fromTo(1., 30.).text(), "in [1, 30]");
  EXPECT_EQ((OptionRange{.least = 0., .most = 1., .withLeast = false}).text(), "in (0, 1]");
  EXPECT_EQ((OptionRange{.least = 1.}).text(), "at least 1");
  EXPECT_EQ((OptionRange{.least = 1., .withLeast = false}).text(), "above 1");
  EXPECT_EQ((OptionRange{.most = 3.}).text(), "at most 3");
}

TEST(OptionFields, InTheirRangesAreTaken) {
  Example usual;
  EXPECT_NO_THROW(requireInRange("Owner", usual.fields()));
  for (const std::size_t count : {std::size_t{1}, std::size_t{30}}) {
    EXPECT_EQ(inRange("Owner", with(&Example::count, count)).count, count);
  }
  EXPECT_EQ(inRange("Owner", with(&Example::shift, -1e300)).shift, -1e300);
  EXPECT_FALSE(inRange("Owner", with(&Example::thorough, false)).thorough);
}

TEST(OptionFields, OutOfTheirRangesAreRefusedByName) {
  for (const double value : {0., -1., infinity, -infinity, notANumber}) {
    SCOPED_TRACE(value);
    expectRefused(with(&Example::tolerance, value),
                  {"Owner", "tolerance must be a finite number, positive, got " + toText(value)});
  }
  for (const double value : {0., 1., 2., infinity, notANumber}) {
    SCOPED_TRACE(value);
    expectRefused(with(&Example::weight, value),
                  {"Owner", "weight must be a finite number, in (0, 1), got " + toText(value)});
  }
  for (const std::size_t value : {std::size_t{0}, std::size_t{31}}) {
    SCOPED_TRACE(value);
    expectRefused(with(&Example::count, value),
                  {"Owner", "count must be a whole number, in [1, 30], got " + std::to_string(value)});
  }
  for (const double value : {infinity, -infinity, notANumber}) {
    SCOPED_TRACE(value);
    expectRefused(with(&Example::shift, value), {"Owner", "shift must be a finite number, got " + toText(value)});
  }
}

TEST(OptionFields, AreSetFromText) {
  EXPECT_EQ(set("tolerance", "1e-7").tolerance, 1e-7);
  EXPECT_EQ(set("weight", "0.25").weight, 0.25);
  EXPECT_EQ(set("shift", "-1.5e3").shift, -1500.);
  EXPECT_EQ(set("count", "30").count, 30u);
  EXPECT_FALSE(set("thorough", "false").thorough);
  EXPECT_TRUE(set("thorough", "true").thorough);

  const Example changed = set("count", "4");
  EXPECT_EQ(changed.tolerance, Example().tolerance);
  EXPECT_EQ(changed.weight, Example().weight);
  EXPECT_EQ(changed.shift, Example().shift);
}

TEST(OptionFields, TakeNoTextThatIsNoValue) {
  for (const char* const text : {"", "x", " 1", "1 ", "1x", "1,5", "+1", "0", "-1", "inf", "nan", "1e400"}) {
    expectNotSet("tolerance", text,
                 {"Owner", "tolerance must be a finite number, positive, got '" + std::string(text) + "'"});
  }
  for (const char* const text : {"", "-1", "1.5", "1e1", "3.", " 3", "3 ", "+3", "0", "31", "true",
                                 "18446744073709551617"}) {  // that is 2⁶⁴ + 1
    expectNotSet("count", text, {"Owner", "count must be a whole number, in [1, 30], got '" + std::string(text) + "'"});
  }
  for (const char* const text : {"", "1", "0", "True", "yes", "truex", " false"}) {
    expectNotSet("thorough", text, {"Owner", "thorough must be true or false, got '" + std::string(text) + "'"});
  }
}

TEST(OptionFields, ThatDoNotExistAreRefusedWithThoseThatDo) {
  for (const char* const name : {"", "Count", "counts", "count "}) {
    expectNotSet(name, "1",
                 {"Owner", "no option '" + std::string(name) + "'", "tolerance, weight, count, thorough, shift"});
  }
}

TEST(OptionFields, AreSettingsInTheirOrder) {
  Example example;
  example.count = 7;
  Settings expected;
  expected.add("tolerance", 1e-8);
  expected.add("weight", 0.5);
  expected.add("count", std::size_t{7});
  expected.add("thorough", true);
  expected.add("shift", -2.);
  EXPECT_TRUE(settingsOf(example.fields()) == expected);
  EXPECT_TRUE(settingsOf(OptionFields{}).list().empty());
}

TEST(OptionFields, AreDescribedALineEach) {
  Example example;
  EXPECT_EQ(describe(example.fields()),
            "tolerance = 1e-08, positive: of the answer\n"
            "weight = 0.5, in (0, 1): of the last step\n"
            "count = 3, in [1, 30]: steps\n"
            "thorough = true, true or false: tries all\n"
            "shift = -2: of the origin\n");
}

TEST(WithOptions, ChecksHoldsAndListsThem) {
  Example options;
  options.tolerance = 1e-5;
  options.count = 9;
  const Method method(options, 4);
  EXPECT_EQ(method.tolerance(), 1e-5);
  EXPECT_EQ(method.count(), 9u);
  EXPECT_EQ(method.number, 4);
  EXPECT_TRUE(method.settings() == settingsOf(options.fields()));
  expectError([] { Method(with(&Example::weight, 1.)); }, {"Method", "weight"});
}

// check(entry) for the solvers of all classes.
template <class Check>
void forAllEntries(const Check& check) {
  const auto forClass = [&](auto entries) {
    ASSERT_FALSE(entries.empty());
    for (const auto& entry : entries) {
      SCOPED_TRACE(std::string(entry.name) + ": " + std::string(entry.summary));
      check(entry);
    }
  };
  forClass(solversFor<LinearComplementarityProblem>());
  forClass(solversFor<MixedLinearComplementarityProblem>());
  forClass(solversFor<RelayProblem>());
  forClass(solversFor<FrictionContactProblem>());
  forClass(solversFor<GlobalFrictionContactProblem>());
  forClass(solversFor<GenericMechanicalProblem>());
}

SolverSettings withOption(std::string name, std::string_view value) {
  SolverSettings settings;
  settings.options.add(std::move(name), value);
  return settings;
}

TEST(SolverCatalogue, TakesToleranceFromTheOptions) {
  std::size_t count = 0;
  forAllEntries([&](const auto& entry) {
    if (entry.options == nullptr) return;
    ++count;
    EXPECT_EQ(entry.make(withOption("tolerance", "1e-7"))->tolerance(), 1e-7);
  });
  EXPECT_GT(count, 0u);
}

TEST(SolverCatalogue, RefusesTolerancesThatAreNotPositive) {
  forAllEntries([](const auto& entry) {
    if (entry.options == nullptr) return;
    for (const double tolerance : {0., -1., notANumber, infinity}) {
      EXPECT_THROW(entry.make({.tolerance = tolerance}), Error) << tolerance;
    }
    for (const char* const tolerance : {"0", "nan", "x"}) {
      expectError([&] { entry.make(withOption("tolerance", tolerance)); }, {"tolerance", "positive", tolerance});
    }
  });
}

TEST(SolverCatalogue, RefusesOptionsThatASolverDoesNotHave) {
  forAllEntries([](const auto& entry) {
    expectError([&] { entry.make(withOption("nonsense", "1")); }, {"solver catalogue", "'nonsense'"});
  });
}

// "relaxation = 1.6, in (0, 2): factor of a step"
TEST(SolverCatalogue, TakesEachOptionWithTheValueThatItTells) {
  forAllEntries([](const auto& entry) {
    if (entry.options == nullptr) return;
    std::istringstream lines(entry.options());
    std::size_t count = 0;
    for (std::string line; std::getline(lines, line); ++count) {
      SCOPED_TRACE(line);
      const std::size_t sign = line.find(" = ");
      ASSERT_NE(sign, std::string::npos);
      const std::size_t value = sign + 3;
      const std::size_t end = line.find_first_of(",:", value);
      ASSERT_NE(end, std::string::npos);
      EXPECT_LT(line.find(": ") + 2, line.size()) << "no meaning";
      EXPECT_NO_THROW(entry.make(withOption(line.substr(0, sign), line.substr(value, end - value))));
    }
    EXPECT_GT(count, 0u);
  });
}

}  // namespace
