// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

namespace delassus {

/// Thrown by every public function of the library on bad input or on a result that could not be certified. The message
/// is a sentence or two that name the object, what was expected, what came and, if there is one, a way out.
class Error : public std::runtime_error {
 public:
  /// `message`: the whole of it, with the object and what went wrong.
  explicit Error(const std::string& message);

  /// `where`: the object or function concerned, `what`: the rest of the sentence.
  Error(const std::string& where, const std::string& what);
};

/// A number for a message: the shortest digits that read back to the same double.
std::string toText(double value);

/// Throws Error: `where` needs `library`, which was left out of this build by `option`. For the sources that stand in
/// for those that use the library.
[[noreturn]] inline void throwAbsent(const std::string& where, const std::string& library, const std::string& option) {
  throw Error(where, "this build of Delassus has no " + library + "; configure it with " + option + "=ON.");
}

}  // namespace delassus
