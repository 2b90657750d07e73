// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/lcp/LinearComplementarityProblem.hpp>

#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/sets/Orthant.hpp>
#include <utility>

namespace delassus::numerics {

namespace {

bool isHalfLine(const ProblemOverSets& problem, std::size_t part) {
  if (problem.set(part).isOrthant()) return true;
  if (!problem.set(part).isBox()) return false;
  for (std::size_t i = 0; i < problem.rows(part); ++i) {
    if (problem.lowerOf(part)[i] != 0. || std::isfinite(problem.upperOf(part)[i])) return false;
  }
  return true;
}

}  // namespace

const ProblemTraits LinearComplementarityProblem::ofItsClass{"LinearComplementarityProblem", ResidualNorm::velocity};

LinearComplementarityProblem::LinearComplementarityProblem() : MatrixProblem(ofItsClass) {
  static const auto set = std::make_shared<const Orthant>();
  common_ = set;
}

LinearComplementarityProblem::LinearComplementarityProblem(const Matrix& M, const Vector& q)
    : LinearComplementarityProblem(BlockSparseMatrix(M), q) {
}

LinearComplementarityProblem::LinearComplementarityProblem(BlockSparseMatrix M, Vector q)
    : LinearComplementarityProblem() {
  own() = std::move(M);
  q_ = std::move(q);
  validate();
}

bool LinearComplementarityProblem::state(const ProblemOverSets& problem) {
  if (!problem.requireMatrix()) return false;
  for (std::size_t part = 0; part < problem.partCount(); ++part) {
    if (!isHalfLine(problem, part)) return false;
  }
  refer(problem);
  return true;
}

void LinearComplementarityProblem::validateVectors() const {
  requireSize(q_, matrix().size(), "LinearComplementarityProblem: q");
  requireFinite(q_, "LinearComplementarityProblem: q");
}

void LinearComplementarityProblem::validate() const {
  validateVectors();
  requireFinite(matrix(), "LinearComplementarityProblem: M");
}

}  // namespace delassus::numerics
