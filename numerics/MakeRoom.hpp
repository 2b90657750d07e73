// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
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
