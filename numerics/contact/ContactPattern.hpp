// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace delassus::numerics {

/// Which contacts W couples: the block columns of each of its block rows, one a contact. Numbers have 32 bits, since
/// large piles have hundreds of thousands of blocks.
struct ContactPattern {
  std::vector<std::uint32_t> starts = {0};  ///< first block of each row, and the number of all
  std::vector<std::uint32_t> columns;       ///< ascending in each row; the diagonal block is one of them

  /// Number of rows.
  std::size_t contacts() const { return starts.size() - 1; }
  /// Block columns of a row.
  std::span<const std::uint32_t> row(std::size_t contact) const {
    return {columns.data() + starts[contact], columns.data() + starts[contact + 1]};
  }
};

/// Whether sweeps over a matrix cost less than over its factors. Two bodies of a contact take two blocks of factors
/// each; blocks of the matrix are read about six times as fast, packed for sweeps. A body with very many contacts makes
/// it dense.
inline bool matrixPays(const ContactPattern& pattern) {
  constexpr std::size_t blocksOfContact = 24;
  return pattern.columns.size() <= blocksOfContact * pattern.contacts();
}

}  // namespace delassus::numerics
