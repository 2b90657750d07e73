// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

namespace delassus {

/// What every public entry of the library throws on bad input or on a result that could not be
/// certified. The message is a sentence (or two) that names the object, what was expected, what
/// came, and where there is one the way out.
class Error : public std::runtime_error {
 public:
  /// `message`: the whole of it, with the object and what went wrong.
  explicit Error(const std::string& message);

  /// `where`: the object or function concerned, `what`: the rest of the sentence.
  Error(const std::string& where, const std::string& what);
};

/// A number for a message: the shortest digits that read back to the same double.
std::string toText(double value);

}  // namespace delassus
