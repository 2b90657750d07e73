// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/Error.hpp>
#include <string>

namespace delassus {

/// Throws Error: `where` needs `library`, which was left out of this build by `option`. For the sources that stand in
/// for those that use the library.
[[noreturn]] inline void throwAbsent(const std::string& where, const std::string& library, const std::string& option) {
  throw Error(where, "this build of Delassus has no " + library + "; configure it with " + option + "=ON.");
}

}  // namespace delassus
