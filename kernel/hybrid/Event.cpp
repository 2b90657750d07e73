// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/hybrid/Event.hpp>

#include <array>

namespace delassus {

std::string_view toString(EventKind kind) {
  constexpr std::array<std::string_view, 11> names = {"impact", "accumulation", "landing",     "take-off",
                                                      "stick",  "slip",         "mode switch", "sliding",
                                                      "user",   "sample",       "jump"};
  return names[static_cast<std::size_t>(kind)];
}

}  // namespace delassus
