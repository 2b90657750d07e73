// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/algebra/LeastSquares.hpp>

#include <lapacke.h>

#include <algorithm>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <vector>

namespace delassus {

LeastSquaresSolution leastSquares(const Matrix& A, const Vector& b, std::string_view name, double rankTolerance) {
  const std::size_t m = A.size1();
  const std::size_t n = A.size2();
  requireSize(b, m, std::string("right-hand side of ") + std::string(name));
  requireFinite(A, name);
  requireFinite(b, std::string("right-hand side of ") + std::string(name));

  LeastSquaresSolution solution;
  solution.x = Vector(n);
  if (m > 0 && n > 0) {
    Matrix work = A;
    const std::size_t rows = std::max(m, n);
    std::vector<double> rhs(rows);
    std::copy(b.begin(), b.end(), rhs.begin());
    std::vector<int> permutation(n, 0);
    int rank = 0;
    const int info =
        LAPACKE_dgelsy(LAPACK_COL_MAJOR, static_cast<int>(m), static_cast<int>(n), 1, data(work), static_cast<int>(m),
                       rhs.data(), static_cast<int>(rows), permutation.data(), rankTolerance, &rank);
    if (info != 0) throw Error(std::string(name), "the least-squares factorisation failed.");
    std::copy_n(rhs.begin(), n, solution.x.begin());
    solution.rank = static_cast<std::size_t>(rank);
  }
  Vector residual = b;
  multiply(1., A, solution.x, -1., residual);
  solution.residual = norm2(residual);
  return solution;
}

}  // namespace delassus
