// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/mechanical/MechanicalInfeasibility.hpp>

#include <cmath>
#include <delassus/numerics/ProofSums.hpp>
#include <vector>

namespace delassus::numerics {
namespace {

// Whether y uses only what the laws imply about the signs of w.
bool isAdmissible(const GenericMechanicalProblem& problem, const Vector& y) {
  for (std::size_t p = 0; p < problem.parts().size(); ++p) {
    const MechanicalPart& part = problem.parts()[p];
    const std::size_t first = problem.offset(p);
    for (std::size_t i = first; i < first + part.rows; ++i) {
      if (!std::isfinite(y(i))) return false;
      if (part.isContact() && (i == first ? y(i) < 0. : y(i) != 0.)) return false;
      if (part.kind != PartKind::box) continue;
      if ((y(i) > 0. && std::isfinite(problem.upper()(i))) || (y(i) < 0. && std::isfinite(problem.lower()(i)))) {
        return false;
      }
    }
  }
  return true;
}

// g_N + μ‖g_T‖ + μ_R‖g_R‖ of the rows of g from `first` on.
ProofSum coneSum(const std::vector<ProofSum>& g, std::size_t first, const MechanicalPart& part) {
  const auto length = [&](std::size_t begin, std::size_t end) {
    ProofSum squares;
    for (std::size_t i = begin; i < end; ++i) {
      squares.value += g[i].value * g[i].value;
      squares.size += g[i].size * g[i].size;
    }
    return ProofSum{std::sqrt(squares.value), std::sqrt(squares.size)};
  };
  const std::size_t rolls = first + 1 + part.tangentRows();
  const ProofSum slip = length(first + 1, rolls), roll = length(rolls, first + part.rows);
  return {g[first].value + part.friction * slip.value + part.rolling * roll.value,
          g[first].size + part.friction * slip.size + part.rolling * roll.size};
}

}  // namespace

bool provesInfeasible(const GenericMechanicalProblem& problem, const Vector& y) {
  requireSize(y, problem.size(), "provesInfeasible: y");
  if (!isAdmissible(problem, y)) return false;
  const double rounding = roundingOfProof(y.size());
  const std::vector<ProofSum> g = transposedProduct(problem.W(), y);
  ProofSum sum = product(problem.q(), y);
  for (std::size_t p = 0; p < problem.parts().size(); ++p) {
    const MechanicalPart& part = problem.parts()[p];
    const std::size_t first = problem.offset(p);
    if (part.isContact()) {
      if (!coneSum(g, first, part).isNotPositive(rounding)) return false;
      continue;
    }
    for (std::size_t i = first; i < first + part.rows; ++i) {
      if (part.kind == PartKind::equality) {
        if (!g[i].isZero(rounding)) return false;
        continue;
      }
      const double bound = g[i].value > 0.L ? problem.upper()(i) : problem.lower()(i);
      if (g[i].isZero(rounding) && !std::isfinite(bound)) continue;
      sum.value += g[i].value * bound;
      sum.size += g[i].size * std::abs(bound);
    }
  }
  return sum.isNegative(clearPart(rounding));
}

}  // namespace delassus::numerics
