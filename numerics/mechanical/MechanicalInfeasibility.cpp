// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/mechanical/MechanicalInfeasibility.hpp>

#include <delassus/numerics/ProofSums.hpp>

namespace delassus::numerics {

bool provesInfeasible(const ProblemOverSets& problem, const Vector& y) {
  requireSize(y, problem.size(), "provesInfeasible: y");
  const double rounding = roundingOfProof(y.size());
  const std::vector<ProofSum> g = transposedProduct(problem.matrix(), y);
  ProofSum sum = product(problem.q(), y);
  for (std::size_t part = 0; part < problem.partCount(); ++part) {
    const ConvexSet& set = problem.set(part);
    const std::size_t rows = problem.rows(part), first = problem.offset(part);
    const double *const lower = problem.lowerOf(part), *const upper = problem.upperOf(part);
    if (!set.implies(data(y) + first, rows, lower, upper) ||
        !set.addLargest(g.data() + first, rows, lower, upper, rounding, sum)) {
      return false;
    }
  }
  return sum.isNegative(clearPart(rounding));
}

}  // namespace delassus::numerics
