// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/friction/ContactScales.hpp>

#include <array>

namespace delassus::numerics {

void contactScales(const FrictionContactProblem& problem, std::vector<double>& scales) {
  const std::size_t d = problem.dimension();
  scales.resize(problem.contacts());
  std::array<double, 9> block{};
  for (std::size_t contact = 0; contact < problem.contacts(); ++contact) {
    problem.W().diagonalBlock(contact, block.data());
    double trace = 0.;
    for (std::size_t i = 0; i < d; ++i) trace += block[i * (d + 1)];
    scales[contact] = trace > 0. ? trace / static_cast<double>(d) : 1.;
  }
}

}  // namespace delassus::numerics
