// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/problem/ProblemOverSets.hpp>

#include <algorithm>
#include <delassus/numerics/SolverDefinitions.hpp>
#include <delassus/numerics/problem/FrictionContactProblem.hpp>
#include <delassus/numerics/problem/NaturalMapError.hpp>
#include <string>

namespace delassus::numerics {

std::size_t ProblemOverSets::freeRows() const {
  std::size_t sum = 0, first = 0;
  for (std::size_t part = 0; part < partCount(); ++part) {
    const std::size_t end = first + rows(part);
    if (set(part).isFree()) sum += rows(part);
    for (std::size_t row = first; set(part).isBox() && row < end; ++row) sum += isFreeRow(part, row) ? 1 : 0;
    first = end;
  }
  return sum;
}

void ProblemOverSets::validateParts() const {
  for (std::size_t part = 0; part < parts_.size(); ++part) {
    if (parts_[part].set == nullptr) failPart(part, "expected a set, got none.");
    if (parts_[part].rows == 0) failPart(part, "expected at least one row, got 0.");
  }
  for (const Vector* const bounds : {&lower_, &upper_}) {
    if (bounds->size() == size()) continue;
    requireSize(*bounds, size(),
                std::string(traits().name) + (bounds == &lower_ ? ": the lower bounds" : ": the upper bounds"));
  }
  for (std::size_t part = 0; part < parts_.size(); ++part) {
    if (!set(part).isFree()) set(part).validate(part, parts_[part].rows, lowerOf(part), upperOf(part));
  }
}

std::size_t ProblemOverSets::independentGroups(std::vector<std::size_t>& group) const {
  if (requireMatrix()) return matrix().independentGroups(group);
  group.assign(partCount(), 0);
  return group.empty() ? 0 : 1;
}

void MatrixProblem::diagonalBlock(std::size_t part, double* block) const {
  const std::size_t entries = rows(part) * rows(part);
  const double* const stored = matrix_->diagonalBlock(part);
  stored != nullptr ? std::copy_n(stored, entries, block) : std::fill_n(block, entries, 0.);
}

void MatrixProblem::refer(const ProblemOverSets& other) {
  matrix_ = &other.matrix();
  norm_ = other.norm();
  assign(other.q(), q_);
}

template class CertifiedSolver<ProblemOverSets>;
template class Solver<FrictionContactProblem>;
template class Solver<ProblemOverSets>;

}  // namespace delassus::numerics
