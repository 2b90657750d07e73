// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/algebra/SingularValues.hpp>

#include <lapacke.h>

#include <algorithm>
#include <delassus/numerics/Error.hpp>
#include <limits>

namespace delassus {

double SingularValues::condition() const {
  if (values.size() == 0) return 1.;
  const double least = values(values.size() - 1);
  return least > 0. ? values(0) / least : std::numeric_limits<double>::infinity();
}

double SingularValues::conditionOnRange() const {
  return rank == 0 ? 1. : values(0) / values(rank - 1);
}

SingularValues singularValues(const Matrix& A, double rankTolerance) {
  const std::size_t n = A.size1();
  requireSize(A, n, n, "matrix of which singular values are wanted");
  requireFinite(A, "matrix of which singular values are wanted");
  SingularValues result;
  result.values = Vector(n);
  if (n == 0) return result;
  Matrix work = A, left(n, n), right(n, n);
  const int order = static_cast<int>(n);
  const int info = LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'A', order, order, data(work), order, data(result.values),
                                  data(left), order, data(right), order);
  if (info != 0) throw Error("singular values", "the iteration of LAPACK did not converge.");
  while (result.rank < n && result.values(result.rank) > rankTolerance * result.values(0)) ++result.rank;
  result.nullSpace = Matrix(n, n - result.rank);
  for (std::size_t k = result.rank; k < n; ++k) {
    for (std::size_t i = 0; i < n; ++i) result.nullSpace(i, k - result.rank) = right(k, i);
  }
  return result;
}

}  // namespace delassus
