// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/contact/ContactPattern.hpp>

namespace delassus::numerics {

/// Whether sweeps over a matrix cost less than over its factors. Two bodies of a contact take two blocks of factors
/// each; blocks of the matrix are read about six times as fast, packed for sweeps. A body with very many contacts makes
/// it dense.
inline bool matrixPays(const ContactPattern& pattern) {
  constexpr std::size_t blocksOfContact = 24;
  return pattern.columns.size() <= blocksOfContact * pattern.contacts();
}

}  // namespace delassus::numerics
