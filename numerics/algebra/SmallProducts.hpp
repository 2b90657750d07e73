// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>

namespace delassus::detail {

/// y = α A x, or y += α A x where `adds`, for a panel of a few rows, whose sums stay in registers. A has `columns`
/// columns, `stride` apart. The order of the sums is that of a plain loop over the columns.
template <std::size_t rows>
inline void multiplyPanel(double alpha, const double* A, std::size_t stride, std::size_t columns, const double* x,
                          bool adds, double* y) {
  double sums[rows];
  for (std::size_t i = 0; i < rows; ++i) sums[i] = adds ? y[i] : 0.;
  for (std::size_t j = 0; j < columns; ++j) {
    const double factor = alpha * x[j];
    for (std::size_t i = 0; i < rows; ++i) sums[i] += A[i + j * stride] * factor;
  }
  for (std::size_t i = 0; i < rows; ++i) y[i] = sums[i];
}

/// The same for a column-major matrix of m rows, panel by panel: several times as fast as column by column where m is a
/// handful, as in the products of each step of a small model.
inline void multiplySmall(double alpha, const double* A, std::size_t m, std::size_t columns, const double* x, bool adds,
                          double* y) {
  if (columns == 0) {  // A may be null
    if (!adds) std::fill_n(y, m, 0.);
    return;
  }
  std::size_t i = 0;
  for (; i + 8 <= m; i += 8) multiplyPanel<8>(alpha, A + i, m, columns, x, adds, y + i);
  switch (m - i) {
    case 7:
      multiplyPanel<4>(alpha, A + i, m, columns, x, adds, y + i);
      multiplyPanel<3>(alpha, A + i + 4, m, columns, x, adds, y + i + 4);
      break;
    case 6:
      multiplyPanel<6>(alpha, A + i, m, columns, x, adds, y + i);
      break;
    case 5:
      multiplyPanel<4>(alpha, A + i, m, columns, x, adds, y + i);
      multiplyPanel<1>(alpha, A + i + 4, m, columns, x, adds, y + i + 4);
      break;
    case 4:
      multiplyPanel<4>(alpha, A + i, m, columns, x, adds, y + i);
      break;
    case 3:
      multiplyPanel<3>(alpha, A + i, m, columns, x, adds, y + i);
      break;
    case 2:
      multiplyPanel<2>(alpha, A + i, m, columns, x, adds, y + i);
      break;
    case 1:
      multiplyPanel<1>(alpha, A + i, m, columns, x, adds, y + i);
      break;
    default:
      break;
  }
}

}  // namespace delassus::detail
