// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/sets/ProblemOverSets.hpp>

namespace delassus::numerics {

bool ProblemOverSets::hasFree() const {
  return freeRows() > 0;
}

std::size_t ProblemOverSets::freeRows() const {
  std::size_t sum = 0;
  for (std::size_t part = 0; part < partCount(); ++part) sum += set(part).isFree() ? rows(part) : 0;
  return sum;
}

void MatrixProblem::refer(const ProblemOverSets& other) {
  matrix_ = &other.matrix();
  norm_ = other.norm();
  assign(other.q(), q_);
}

}  // namespace delassus::numerics
