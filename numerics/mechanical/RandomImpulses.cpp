// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/mechanical/RandomImpulses.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/friction/ContactScales.hpp>
#include <delassus/numerics/mechanical/MechanicalScales.hpp>
#include <vector>

namespace delassus::numerics {
namespace {

class Draw {
 public:
  explicit Draw(std::mt19937_64& generator) : generator_(generator) {}

  double signedShare() { return signed_(generator_); }
  double share() { return std::abs(signedShare()); }
  bool half() { return signedShare() > 0.; }

  // ‖x‖ ≤ radius, on the border half of the time.
  void disc(std::size_t rows, double radius, double* x) {
    double squares = 0.;
    for (std::size_t i = 0; i < rows; ++i) {
      x[i] = signedShare();
      squares += x[i] * x[i];
    }
    const double length = std::sqrt(squares);
    const double wanted = radius * (half() ? 1. : share());
    for (std::size_t i = 0; i < rows; ++i) x[i] *= length > 0. ? wanted / length : 0.;
  }

  // Open half of the time; `size` is that of the normal component.
  void contact(std::size_t tangents, std::size_t rolls, double mu, double rolling, double size, double* r) {
    r[0] = half() ? 0. : size * share();
    disc(tangents, mu * r[0], r + 1);
    disc(rolls, rolling * r[0], r + 1 + tangents);
  }

 private:
  std::mt19937_64& generator_;
  std::uniform_real_distribution<double> signed_{-1., 1.};
};

// Twice what a row needs by itself, as rows push each other.
double sizeFor(double energy, double d) {
  return 2. * std::sqrt(energy / d);
}

}  // namespace

void drawImpulses(const GenericMechanicalProblem& problem, std::mt19937_64& generator, Vector& lambda) {
  MechanicalScales scales;
  scales.compute(problem);
  const double norm = scales.velocityNorm(data(problem.q()));
  const double energy = norm * norm / static_cast<double>(problem.parts().size());
  Draw draw(generator);
  for (std::size_t p = 0; p < problem.parts().size(); ++p) {
    const MechanicalPart& part = problem.parts()[p];
    const std::size_t first = problem.offset(p);
    if (part.isContact()) {
      const std::size_t tangents = part.tangentRows();
      draw.contact(tangents, part.rows - 1 - tangents, part.friction, part.rolling, sizeFor(energy, scales.d[first]),
                   data(lambda) + first);
      continue;
    }
    for (std::size_t i = first; i < first + part.rows; ++i) {
      lambda(i) = sizeFor(energy, scales.d[i]) * draw.signedShare();
      if (part.kind == PartKind::box) lambda(i) = std::clamp(lambda(i), problem.lower()(i), problem.upper()(i));
    }
  }
}

void drawReactions(const FrictionContactProblem& problem, std::mt19937_64& generator, Vector& r) {
  std::vector<double> scales;
  contactScales(problem, scales);
  const std::size_t d = problem.dimension();
  double energy = 0.;
  for (std::size_t i = 0; i < r.size(); ++i) energy += problem.q()(i) * problem.q()(i) / scales[i / d];
  energy /= static_cast<double>(problem.contacts());
  Draw draw(generator);
  for (std::size_t contact = 0; contact < problem.contacts(); ++contact) {
    draw.contact(d - 1, 0, problem.mu()(contact), 0., sizeFor(energy, scales[contact]), data(r) + d * contact);
  }
}

}  // namespace delassus::numerics
