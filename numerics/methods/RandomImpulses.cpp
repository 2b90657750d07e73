// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/methods/RandomImpulses.hpp>

#include <delassus/numerics/RandomGenerator.hpp>
#include <delassus/numerics/methods/MechanicalScales.hpp>

namespace delassus::numerics {

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

}  // namespace delassus::numerics
