// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/friction/GlobalContactSystem.hpp>

#include <utility>

namespace delassus::numerics {

void GlobalContactSystem::begin(const GlobalFrictionContactProblem& problem) {
  dimension_ = problem.dimension();
  byU_.assign(problem.contacts() * dimension_ * dimension_, 0.);
  byP_.assign(problem.contacts() * dimension_ * dimension_, 0.);
  if (stamp_ != problem.stamp()) buildPattern(problem);
  stamp_ = problem.stamp();
}

// Column by column with ascending rows, so that the position of an entry in the list is its position in J.
void GlobalContactSystem::buildPattern(const GlobalFrictionContactProblem& problem) {
  const SparseMatrix& M = problem.M();
  const SparseMatrix& H = problem.H();
  const SparseMatrix rows = transposed(H);
  const std::size_t freedoms = problem.degreesOfFreedom();
  std::vector<Triplet> entries;
  arms_.clear();
  for (std::size_t j = 0; j < freedoms; ++j) {
    for (std::size_t k = columnStart(M, j); k < columnStart(M, j + 1); ++k)
      entries.push_back({rowOf(M, k), j, -valueOf(M, k)});
    std::size_t last = problem.contacts();
    for (std::size_t k = columnStart(rows, j); k < columnStart(rows, j + 1); ++k) {
      const std::size_t contact = rowOf(rows, k) / dimension_;
      if (contact != last) {
        last = contact;
        arms_.push_back({contact, entries.size(), {}});
        for (std::size_t i = 0; i < dimension_; ++i) entries.push_back({freedoms + dimension_ * contact + i, j, 0.});
      }
      arms_.back().values[rowOf(rows, k) % dimension_] = valueOf(rows, k);
    }
  }
  localEntries_.clear();
  for (std::size_t column = 0; column < H.size2(); ++column) {
    for (std::size_t k = columnStart(H, column); k < columnStart(H, column + 1); ++k)
      entries.push_back({rowOf(H, k), freedoms + column, valueOf(H, k)});
    localEntries_.push_back(entries.size());
    const std::size_t first = column - column % dimension_;
    for (std::size_t i = 0; i < dimension_; ++i) entries.push_back({freedoms + first + i, freedoms + column, 0.});
  }
  J_ = sparseFromTriplets(problem.size(), problem.size(), std::move(entries));
}

const SparseMatrix& GlobalContactSystem::assemble() {
  double* const values = J_.value_data().data();
  for (const Arm& arm : arms_) {
    const double* const derivative = byU(arm.contact);
    for (std::size_t i = 0; i < dimension_; ++i) {
      double sum = 0.;
      for (std::size_t j = 0; j < dimension_; ++j) sum += derivative[i + j * dimension_] * arm.values[j];
      values[arm.firstEntry + i] = sum;
    }
  }
  for (std::size_t column = 0; column < localEntries_.size(); ++column) {
    for (std::size_t i = 0; i < dimension_; ++i) values[localEntries_[column] + i] = byP_[column * dimension_ + i];
  }
  return J_;
}

}  // namespace delassus::numerics
