// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace delassus::numerics {

/// How a text file holds a matrix.
enum class TextStorage {
  natural,  ///< as the problem does
  dense,    ///< all entries
  blocks,   ///< the blocks that are stored, each with all entries
  sparse    ///< entries that are stored, column by column
};

}  // namespace delassus::numerics
