// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace delassus {

/// A number at the beginning of a text.
struct NetlistNumber {
  double value = 0.;       ///< with its suffix
  std::size_t length = 0;  ///< characters, with the suffix and the unit
};

/// The number at the beginning of `text`: decimal digits, an exponent, an engineering suffix in upper or lower case
/// (f 1e-15, p 1e-12, n 1e-9, u or µ 1e-6, m 1e-3, k 1e3, meg 1e6, g 1e9, t 1e12, mil 25.4e-6) and letters of a unit
/// that mean nothing: "4.7uF", "2.2k", "10megHz", "5V". The value is the double next to the decimal number. SPICE's
/// trap remains: 1F is a femto, 1M a milli. Nothing where there is no number, where it overflows, and where digits
/// follow its letters ("4k7").
std::optional<NetlistNumber> numberAtStart(std::string_view text);

/// The whole of `text` as a number.
std::optional<double> netlistNumber(std::string_view text);

/// `text` with ASCII letters in lower case: names of a netlist are compared in it.
std::string inLowerCase(std::string_view text);

}  // namespace delassus
