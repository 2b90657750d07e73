// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/systems/LumpedMass.hpp>

#include <delassus/numerics/Error.hpp>
#include <string>
#include <utility>
#include <vector>

namespace delassus {

SparseMatrix lumped(const SquareMatrix& M) {
  const std::size_t n = M.size1();
  requireSize(M, n, n, "lumped: mass M");
  requireFinite(M, "lumped: mass M");
  Vector sums(n);
  forEachEntry(M, [&](std::size_t i, std::size_t, double entry) { sums(i) += entry; });
  std::vector<Triplet> diagonal;
  diagonal.reserve(n);
  for (std::size_t i = 0; i < n; ++i) {
    if (!(sums(i) > 0.)) {
      throw Error("lumped", "the sum of each row of M must be positive, but that of row " + std::to_string(i) + " is " +
                                toText(sums(i)) + ": these elements cannot be lumped by row sums.");
    }
    diagonal.push_back({i, i, sums(i)});
  }
  return sparseFromTriplets(n, n, std::move(diagonal));
}

}  // namespace delassus
