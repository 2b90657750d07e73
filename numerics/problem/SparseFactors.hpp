// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <delassus/numerics/algebra/SparseInverse.hpp>
#include <delassus/numerics/algebra/SparseMatrix.hpp>
#include <memory>

namespace delassus::numerics {

/// W = Hᵀ M⁻¹ H by its factors.
struct SparseFactors {
  std::shared_ptr<const SparseInverse> inverse;  ///< M⁻¹, m x m
  SparseMatrix H;                                ///< m x n
  SparseMatrix transposedH;                      ///< Hᵀ, to go through H by rows
  std::uint64_t stamp = 0;                       ///< identifies the values

  /// Without rows.
  SparseFactors() : inverse(std::make_shared<const SparseInverse>()) {}
  /// Of matrices that fit each other.
  SparseFactors(std::shared_ptr<const SparseInverse> M, SparseMatrix columns);

  /// Rows up to which a W that M couples everywhere is made a matrix, of at most 288 MB by itself.
  static constexpr std::size_t largestMatrix = 6000;
  /// Whether M is positive definite, and M + H R⁻¹ Hᵀ, R diagonal, sparse enough to be made: the columns of H have few
  /// entries.
  bool mayPenalise = true;
  /// Whether W may be made a matrix: it has few rows, or M consists of small blocks that have few rows each.
  bool mayMultiply = true;
};

}  // namespace delassus::numerics
