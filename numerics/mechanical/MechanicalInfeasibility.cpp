// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/mechanical/MechanicalInfeasibility.hpp>

#include <cmath>
#include <delassus/numerics/algebra/Rounding.hpp>
#include <limits>
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

struct Sums {
  std::vector<double> values, sizes;
};

Sums transposedProduct(const BlockSparseMatrix& W, const Vector& y) {
  Sums g{std::vector<double>(W.size(), 0.), std::vector<double>(W.size(), 0.)};
  for (std::size_t row = 0; row < W.blockRows(); ++row) {
    for (std::size_t k = W.rowBegin(row); k < W.rowEnd(row); ++k) {
      const double* entry = W.block(k);
      const std::size_t first = W.offset(W.column(k));
      for (std::size_t j = first; j < first + W.blockSize(W.column(k)); ++j) {
        for (std::size_t i = 0; i < W.blockSize(row); ++i, ++entry) {
          const double term = *entry * y(W.offset(row) + i);
          g.values[j] += term;
          g.sizes[j] += std::abs(term);
        }
      }
    }
  }
  return g;
}

double length(const std::vector<double>& x, std::size_t first, std::size_t rows) {
  double squares = 0.;
  for (std::size_t i = first; i < first + rows; ++i) squares += x[i] * x[i];
  return std::sqrt(squares);
}

// g_N + μ‖g_T‖ + μ_R‖g_R‖
double coneSum(const std::vector<double>& g, std::size_t first, const MechanicalPart& part) {
  const std::size_t tangents = part.tangentRows();
  return g[first] + part.friction * length(g, first + 1, tangents) +
         part.rolling * length(g, first + 1 + tangents, part.rows - 1 - tangents);
}

}  // namespace

bool provesInfeasible(const GenericMechanicalProblem& problem, const Vector& y) {
  requireSize(y, problem.size(), "provesInfeasible: y");
  if (!isAdmissible(problem, y)) return false;
  const double rounding = 100. * static_cast<double>(y.size()) * std::numeric_limits<double>::epsilon();
  const Sums g = transposedProduct(problem.W(), y);
  double product = 0., size = 0.;
  for (std::size_t i = 0; i < y.size(); ++i) {
    product += problem.q()(i) * y(i);
    size += std::abs(problem.q()(i) * y(i));
  }
  for (std::size_t p = 0; p < problem.parts().size(); ++p) {
    const MechanicalPart& part = problem.parts()[p];
    const std::size_t first = problem.offset(p);
    if (part.isContact()) {
      if (!(coneSum(g.values, first, part) <= rounding * coneSum(g.sizes, first, part))) return false;
      continue;
    }
    for (std::size_t i = first; i < first + part.rows; ++i) {
      const bool isZero = std::abs(g.values[i]) <= rounding * g.sizes[i];
      if (part.kind == PartKind::equality) {
        if (!isZero) return false;
        continue;
      }
      const double bound = g.values[i] > 0. ? problem.upper()(i) : problem.lower()(i);
      if (isZero && !std::isfinite(bound)) continue;
      product += g.values[i] * bound;
      size += g.sizes[i] * std::abs(bound);
    }
  }
  return std::isfinite(size) && product < -clearPart(rounding) * size;
}

}  // namespace delassus::numerics
