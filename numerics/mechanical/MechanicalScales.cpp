// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/mechanical/MechanicalScales.hpp>

#include <algorithm>
#include <cmath>

namespace delassus::numerics {
namespace {

double meanDiagonal(const double* block, std::size_t m, std::size_t first, std::size_t end) {
  double sum = 0.;
  for (std::size_t i = first; i < end; ++i) sum += block[i * (m + 1)];
  return sum > 0. ? sum / static_cast<double>(end - first) : 1.;
}

}  // namespace

void MechanicalScales::compute(const GenericMechanicalProblem& problem) {
  d.assign(problem.size(), 1.);
  c.assign(problem.size(), 1.);
  for (std::size_t p = 0; p < problem.parts().size(); ++p) {
    const MechanicalPart& part = problem.parts()[p];
    const double* const block = problem.W().diagonalBlock(p);
    if (block == nullptr) continue;
    double* const rowD = d.data() + problem.offset(p);
    if (!part.isContact()) {
      for (std::size_t i = 0; i < part.rows; ++i) {
        if (block[i * (part.rows + 1)] > 0.) rowD[i] = block[i * (part.rows + 1)];
      }
      continue;
    }
    const std::size_t roll = 1 + part.tangentRows();
    std::fill_n(rowD, part.rows, meanDiagonal(block, part.rows, 0, roll));
    if (roll == part.rows) continue;
    const double length = std::sqrt(rowD[0] / meanDiagonal(block, part.rows, roll, part.rows));
    std::fill_n(c.data() + problem.offset(p) + roll, part.rows - roll, length);
  }
}

double MechanicalScales::rollingLength(const GenericMechanicalProblem& problem, std::size_t part) const {
  return c[problem.offset(part) + problem.parts()[part].rows - 1];
}

double MechanicalScales::velocityNorm(const double* w) const {
  double squares = 0.;
  for (std::size_t i = 0; i < d.size(); ++i) squares += c[i] * w[i] * (c[i] * w[i]) / d[i];
  return std::sqrt(squares);
}

double MechanicalScales::reactionNorm(const double* lambda, std::size_t first, std::size_t end) const {
  double squares = 0.;
  for (std::size_t i = first; i < end; ++i) squares += lambda[i] / c[i] * (lambda[i] / c[i]) * d[i];
  return std::sqrt(squares);
}

}  // namespace delassus::numerics
