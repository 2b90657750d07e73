// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/container/small_vector.hpp>
#include <boost/preprocessor/seq/for_each.hpp>
#include <boost/preprocessor/variadic/to_seq.hpp>
#include <cstddef>
#include <delassus/numerics/Settings.hpp>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace delassus {

/// The values that an option may have. Infinity and NaN are in no range.
struct OptionRange {
  double least = -std::numeric_limits<double>::infinity();  ///< lower end
  double most = std::numeric_limits<double>::infinity();    ///< upper end
  bool withLeast = true;                                    ///< whether the lower end is in it
  bool withMost = true;                                     ///< whether the upper end is in it

  /// Whether a finite value lies in the range.
  bool contains(double value) const;
  /// "positive", "in (0, 2)", …: what an option of this range must be.
  std::string text() const;
};

/// The usual ranges.
namespace range {
inline constexpr OptionRange any{};                                      ///< all finite numbers
inline constexpr OptionRange positive{.least = 0., .withLeast = false};  ///< (0, ∞)
inline constexpr OptionRange notNegative{.least = 0.};                   ///< [0, ∞)

/// (least, most)
constexpr OptionRange between(double least, double most) {
  return {least, most, false, false};
}
/// [least, most)
constexpr OptionRange fromBelow(double least, double most) {
  return {least, most, true, false};
}
/// [least, most]
constexpr OptionRange fromTo(double least, double most) {
  return {least, most, true, true};
}
}  // namespace range

/// One member of an options struct.
struct OptionField {
  std::string_view name;                             ///< that of the member
  std::variant<double*, std::size_t*, bool*> value;  ///< the member
  OptionRange range;                                 ///< of numbers; not used for bool
  std::string_view meaning;                          ///< one clause, for help
};

/// All members of an options struct, by its fields(). What checks, lists, describes or sets options goes by this list.
/// Up to eight take no heap: each new solver checks its options.
using OptionFields = boost::container::small_vector<OptionField, 8>;

/// The members of an options struct, each said once: its type (double, std::size_t or bool), name, default, range and
/// meaning. The struct stays an aggregate with named fields, `AdmmOptions{.tolerance = 1e-6}`, and has fields():
///
///     struct AdmmOptions {
///       DELASSUS_OPTIONS((double, tolerance, 1e-4, range::positive, "for the certificate"),
///                        (double, relaxation, 1.6, range::between(0., 2.), "factor of a step"))
///     };
#define DELASSUS_OPTIONS(...)                                                                       \
  BOOST_PP_SEQ_FOR_EACH(DELASSUS_OPTION_MEMBER, , BOOST_PP_VARIADIC_TO_SEQ(__VA_ARGS__))            \
  ::delassus::OptionFields fields() {                                                               \
    return {BOOST_PP_SEQ_FOR_EACH(DELASSUS_OPTION_FIELD, , BOOST_PP_VARIADIC_TO_SEQ(__VA_ARGS__))}; \
  }
/// @cond
#define DELASSUS_OPTION_MEMBER(unused, none, option) DELASSUS_OPTION_MEMBER_OF option
#define DELASSUS_OPTION_MEMBER_OF(type, name, value, range, meaning) type name = value;
#define DELASSUS_OPTION_FIELD(unused, none, option) DELASSUS_OPTION_FIELD_OF option
#define DELASSUS_OPTION_FIELD_OF(type, name, value, range, meaning) {#name, &name, range, meaning},
/// @endcond

/// Throws Error, naming `owner` and the field, unless each value lies in its range.
void requireInRange(std::string_view owner, const OptionFields& fields);

/// The values by their names.
Settings settingsOf(const OptionFields& fields);

/// "relaxation = 1.6, in (0, 2): factor of a step", a line each.
std::string describe(const OptionFields& fields);

/// Sets a field from text: a number, or "true" or "false". Throws Error, naming `owner` and its fields, if there is no
/// such field, or if the text is no value of its range.
void setField(std::string_view owner, const OptionFields& fields, std::string_view name, std::string_view text);

/// The options, where each lies in its range. Throws Error as requireInRange() does.
template <class Options>
Options inRange(std::string_view owner, Options options) {
  requireInRange(owner, options.fields());
  return options;
}

/// A base class with options, for classes that have settings() and a tolerance(): it checks, holds and lists them.
template <class Base, class Options>
class WithOptions : public Base {
 public:
  /// That of the options.
  double tolerance() const override { return options_.tolerance; }
  /// All options.
  Settings settings() const override {
    Options options = options_;
    return settingsOf(options.fields());
  }

 protected:
  /// `owner`: the class, for messages; further arguments are those of the base class. Throws Error if an option is out
  /// of its range.
  template <class... Arguments>
  WithOptions(std::string_view owner, Options options, Arguments&&... arguments)
      : Base(std::forward<Arguments>(arguments)...), options_(inRange(owner, std::move(options))) {}

  Options options_;  ///< in their ranges
};

}  // namespace delassus
