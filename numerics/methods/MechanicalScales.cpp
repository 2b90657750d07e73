// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/methods/MechanicalScales.hpp>

#include <array>
#include <cmath>
#include <delassus/numerics/RandomGenerator.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <random>

namespace delassus::numerics {

void MechanicalScales::compute(const ProblemOverSets& problem) {
  d.resize(problem.size());
  c.resize(problem.size());
  for (std::size_t part = 0; part < problem.partCount(); ++part) {
    const std::size_t first = problem.offset(part);
    problem.set(part).scales(problem.scaleBlock(part, block_), problem.rows(part), d.data() + first, c.data() + first);
  }
  weight.resize(d.size());
  const bool countsEnergy = problem.norm() == ResidualNorm::energy;
  for (std::size_t i = 0; i < d.size(); ++i) weight[i] = countsEnergy ? 1. / d[i] : 1.;
}

ConvexSet::Rows MechanicalScales::rows(const ProblemOverSets& problem, std::size_t part) const {
  const std::size_t first = problem.offset(part);
  return {problem.rows(part), problem.lowerOf(part), problem.upperOf(part), d.data() + first, c.data() + first};
}

double MechanicalScales::velocityNorm(const double* w) const {
  double squares = 0.;
  for (std::size_t i = 0; i < d.size(); ++i) squares += c[i] * w[i] * (c[i] * w[i]) * weight[i];
  return std::sqrt(squares);
}

double MechanicalScales::energy(const double* w) const {
  double sum = 0.;
  for (std::size_t i = 0; i < d.size(); ++i) sum += c[i] * w[i] * (c[i] * w[i]) / d[i];
  return sum;
}

void contactScales(const FrictionContactProblem& problem, std::vector<double>& scales) {
  scales.resize(problem.contacts());
  std::array<double, 9> block{};
  std::array<double, 3> d{}, c{};
  for (std::size_t contact = 0; contact < problem.contacts(); ++contact) {
    problem.W().diagonalBlock(contact, block.data());
    problem.set(contact).scales(block.data(), problem.dimension(), d.data(), c.data());
    scales[contact] = d[0];
  }
}

void drawImpulses(const ProblemOverSets& problem, RandomGenerator& generator, Vector& lambda) {
  setZero(lambda);
  if (!problem.requireMatrix()) return;
  MechanicalScales scales;
  scales.compute(problem);
  const double energy = scales.energy(data(problem.q())) / static_cast<double>(problem.partCount());
  for (std::size_t part = 0; part < problem.partCount(); ++part) {
    problem.set(part).draw(scales.rows(problem, part), energy, generator, data(lambda) + problem.offset(part));
  }
}

void scaleImpulses(const ProblemOverSets& problem, RandomGenerator& generator, Vector& lambda) {
  std::uniform_real_distribution<double> factors(0., 1.5);
  // Problems without a matrix have no offsets.
  std::size_t row = 0;
  for (std::size_t part = 0; part < problem.partCount(); ++part) {
    const double factor = factors(generator);
    for (const std::size_t end = row + problem.rows(part); row < end; ++row) lambda(row) *= factor;
  }
}

void drawNear(const ProblemOverSets& problem, std::size_t, RandomGenerator& generator, const Vector& given,
              Vector& lambda) {
  if (normInf(given) == 0.) return drawImpulses(problem, generator, lambda);
  assign(given, lambda);
  scaleImpulses(problem, generator, lambda);
}

void drawNearAndFar(const ProblemOverSets& problem, std::size_t number, RandomGenerator& generator, const Vector& given,
                    Vector& lambda) {
  if (number % 2 == 0) return drawNear(problem, number, generator, given, lambda);
  drawImpulses(problem, generator, lambda);
}

}  // namespace delassus::numerics
