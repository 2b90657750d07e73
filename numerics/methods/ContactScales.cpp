// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/methods/ContactScales.hpp>

#include <array>

namespace delassus::numerics {

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

}  // namespace delassus::numerics
