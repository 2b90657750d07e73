// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/sets/RowwiseSet.hpp>

namespace delassus::numerics {

void RowwiseSet::scales(const double* block, std::size_t rows, double* d, double* c) const {
  for (std::size_t i = 0; i < rows; ++i) {
    const double diagonal = block != nullptr ? block[i * (rows + 1)] : 1.;
    d[i] = diagonal > 0. ? diagonal : 1.;
    c[i] = 1.;
  }
}

// F moves by no more than w does.
double RowwiseSet::roundingSquared(const ResidualRows<double>& rows, const double* bounds) const {
  double squares = 0.;
  for (std::size_t i = 0; i < rows.count; ++i) squares += bounds[i] * bounds[i] * rows.weight(rows.diagonal(i));
  return squares;
}

}  // namespace delassus::numerics
