// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/Error.hpp>

namespace delassus {

Error::Error(const std::string& message) : std::runtime_error(message) {
}

Error::Error(const std::string& where, const std::string& what) : std::runtime_error(where + ": " + what) {
}

}  // namespace delassus
