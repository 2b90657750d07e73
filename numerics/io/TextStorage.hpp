// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace delassus::numerics {

/// How a text file holds a matrix; `natural` is as the problem does: dense, in blocks or sparse.
enum class TextStorage { natural, dense, blocks, sparse };

}  // namespace delassus::numerics
