// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/Error.hpp>
#include <new>
#include <stdexcept>
#include <string>

namespace delassus {

/// What `allocate()` returns, for sizes that a user gives. Throws Error where there is not so much memory: `where`
/// names the object, `what` what was asked for, "a history of 1000000000000 states".
template <class Allocate>
auto memoryFor(const std::string& where, const std::string& what, const Allocate& allocate) {
  const auto refuse = [&]() -> Error { return Error(where, "there is no memory for " + what + "."); };
  try {
    return allocate();
  } catch (const std::bad_alloc&) {
    throw refuse();
  } catch (const std::length_error&) {
    throw refuse();
  }
}

}  // namespace delassus
