// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/algebra/Matrix.hpp>
#include <delassus/numerics/algebra/SparseMatrix.hpp>
#include <limits>

namespace delassus {

/// The part of its terms below which a sum of so many is nothing but rounding.
inline double roundingOfSums(std::size_t terms) {
  return 20. * static_cast<double>(terms + 1) * std::numeric_limits<double>::epsilon();
}

/// C + α A B with 0 for entries that are nothing but rounding of their terms: as numbers they would be a stiffness or
/// curvature of 10⁻¹⁶ of which some unknown becomes 10¹⁶. For Schur complements, of which the equalities that are
/// eliminated may determine rows. Left is the type of A, Matrix or SparseMatrix. Dense, it allocates only where the
/// operands are larger than any before.
template <class Left>
class ClearedProduct {
 public:
  /// C := C + α A B
  void add(double alpha, const Left& A, const Matrix& B, Matrix& C);

 private:
  Left left_;  // magnitudes of A
  Matrix right_, terms_;
};

}  // namespace delassus
