// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/mechanical/MechanicalScales.hpp>

#include <cmath>

namespace delassus::numerics {

void MechanicalScales::compute(const GenericMechanicalProblem& problem) {
  d.resize(problem.size());
  c.resize(problem.size());
  for (std::size_t part = 0; part < problem.parts().size(); ++part) {
    const std::size_t first = problem.offset(part);
    problem.set(part).scales(problem.W().diagonalBlock(part), problem.parts()[part].rows, d.data() + first,
                             c.data() + first);
  }
}

ConvexSet::Rows MechanicalScales::rows(const GenericMechanicalProblem& problem, std::size_t part) const {
  const std::size_t first = problem.offset(part);
  return {problem.parts()[part].rows, data(problem.lower()) + first, data(problem.upper()) + first, d.data() + first,
          c.data() + first};
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
