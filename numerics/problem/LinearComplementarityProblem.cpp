// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/problem/LinearComplementarityProblem.hpp>

#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/sets/RowwiseSet.hpp>
#include <utility>

namespace delassus::numerics {

namespace {

const ProblemTraits lcpTraits{"LinearComplementarityProblem", ResidualNorm::velocity};

}  // namespace

LinearComplementarityProblem::LinearComplementarityProblem() : MatrixProblem(lcpTraits) {
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

void LinearComplementarityProblem::validateVectors() const {
  requireSize(q_, matrix().size(), "LinearComplementarityProblem: q");
  requireFinite(q_, "LinearComplementarityProblem: q");
}

void LinearComplementarityProblem::validate() const {
  validateVectors();
  requireFinite(matrix(), "LinearComplementarityProblem: M");
}

}  // namespace delassus::numerics
