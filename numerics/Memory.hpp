// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/Error.hpp>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

namespace delassus::numerics {

/// Makes room for so many entries, all of which will be written anew. Beyond the capacity the old storage goes, with
/// its contents, before the new one comes, with an eighth to spare: where many megabytes grow step by step, old and new
/// must not lie side by side.
template <class T>
void makeRoom(std::vector<T>& values, std::size_t size) {
  if (size <= values.capacity()) return;
  values = std::vector<T>();
  values.reserve(size + size / 8);
}

}  // namespace delassus::numerics

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
