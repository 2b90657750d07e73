// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/mechanical/RandomImpulses.hpp>

#include <delassus/numerics/friction/ContactScales.hpp>
#include <delassus/numerics/mechanical/MechanicalScales.hpp>
#include <delassus/numerics/sets/CoulombCone.hpp>
#include <vector>

namespace delassus::numerics {

void drawImpulses(const GenericMechanicalProblem& problem, std::mt19937_64& generator, Vector& lambda) {
  MechanicalScales scales;
  scales.compute(problem);
  const double norm = scales.velocityNorm(data(problem.q()));
  const double energy = norm * norm / static_cast<double>(problem.parts().size());
  for (std::size_t part = 0; part < problem.parts().size(); ++part) {
    problem.set(part).draw(scales.rows(problem, part), energy, generator, data(lambda) + problem.offset(part));
  }
}

void drawReactions(const FrictionContactProblem& problem, std::mt19937_64& generator, Vector& r) {
  std::vector<double> scales;
  contactScales(problem, scales);
  const std::size_t d = problem.dimension();
  double energy = 0.;
  for (std::size_t i = 0; i < r.size(); ++i) energy += problem.q()(i) * problem.q()(i) / scales[i / d];
  energy /= static_cast<double>(problem.contacts());
  for (std::size_t contact = 0; contact < problem.contacts(); ++contact) {
    const ConvexSet::Rows rows{d, nullptr, nullptr, &scales[contact], nullptr};
    CoulombCone(problem.mu()(contact)).draw(rows, energy, generator, data(r) + d * contact);
  }
}

}  // namespace delassus::numerics
