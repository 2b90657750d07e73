// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/problem/GenericMechanicalProblem.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/BlockPatterns.hpp>
#include <limits>
#include <string>
#include <utility>

namespace delassus::numerics {
namespace {

const ProblemTraits mechanicalTraits{"GenericMechanicalProblem", ResidualNorm::energy, "GenericMechanicalProblem: W"};
constexpr double noEnd = std::numeric_limits<double>::infinity();

Vector filled(Vector given, std::size_t size, double value) {
  if (given.size() > 0) return given;
  Vector all(size);
  std::fill(all.begin(), all.end(), value);
  return all;
}

BlockSparseMatrix parted(const ProblemTraits& traits, const std::vector<Part>& parts, BlockSparseMatrix W) {
  std::vector<std::size_t> sizes;
  std::size_t rows = 0;
  for (const Part& part : parts) {
    sizes.push_back(part.rows);
    rows += part.rows;
  }
  if (rows == W.size()) return partedBy(sizes, std::move(W));
  throw Error(std::string(traits.name), "expected parts with as many rows as W, " + std::to_string(W.size()) +
                                            ", got " + std::to_string(rows) + ".");
}

}  // namespace

GenericMechanicalProblem::GenericMechanicalProblem() : GenericMechanicalProblem(mechanicalTraits) {
}

GenericMechanicalProblem::GenericMechanicalProblem(const ProblemTraits& traits, BlockSparseMatrix W, Vector q,
                                                   std::vector<Part> parts, Vector lower, Vector upper)
    : MatrixProblem(traits) {
  parts_ = std::move(parts);
  own() = parted(traits, parts_, std::move(W));
  q_ = std::move(q);
  lower_ = filled(std::move(lower), q_.size(), -noEnd);
  upper_ = filled(std::move(upper), q_.size(), noEnd);
  validate();
}

GenericMechanicalProblem::GenericMechanicalProblem(BlockSparseMatrix W, Vector q, std::vector<Part> parts, Vector lower,
                                                   Vector upper)
    : GenericMechanicalProblem(mechanicalTraits, std::move(W), std::move(q), std::move(parts), std::move(lower),
                               std::move(upper)) {
}

GenericMechanicalProblem::GenericMechanicalProblem(const Matrix& W, Vector q, std::vector<Part> parts, Vector lower,
                                                   Vector upper)
    : GenericMechanicalProblem(BlockSparseMatrix(W), std::move(q), std::move(parts), std::move(lower),
                               std::move(upper)) {
}

bool GenericMechanicalProblem::state(const ProblemOverSets& problem) {
  if (!problem.requireMatrix()) return false;
  refer(problem);
  parts_.resize(problem.partCount());
  for (std::size_t part = 0; part < parts_.size(); ++part) parts_[part] = {problem.sharedSet(part), problem.rows(part)};
  assign(problem.lower(), lower_);
  assign(problem.upper(), upper_);
  return true;
}

void GenericMechanicalProblem::validateVectors() const {
  bool isParted = matrix().blockRows() == parts_.size();
  for (std::size_t part = 0; isParted && part < parts_.size(); ++part) {
    isParted = matrix().blockSize(part) == parts_[part].rows;
  }
  if (!isParted) {
    throw Error(std::string(traits().name), "expected a W with one block row for each part, with as many rows; got " +
                                                std::to_string(matrix().blockRows()) + " block rows for " +
                                                std::to_string(parts_.size()) + " parts.");
  }
  if (q_.size() != matrix().size()) requireSize(q_, matrix().size(), std::string(traits().name) + ": q");
  if (!allFinite(q_)) requireFinite(q_, std::string(traits().name) + ": q");
  validateParts();
}

void GenericMechanicalProblem::validate() const {
  validateVectors();
  requireFinite(matrix(), traits().matrix);
}

}  // namespace delassus::numerics
