// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/lcp/LinearComplementarityProblem.hpp>

#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <utility>

namespace delassus::numerics {

LinearComplementarityProblem::LinearComplementarityProblem(const Matrix& M, const Vector& q)
    : LinearComplementarityProblem(BlockSparseMatrix(M), q) {
}

LinearComplementarityProblem::LinearComplementarityProblem(BlockSparseMatrix M, Vector q)
    : M_(std::move(M)), q_(std::move(q)) {
  validate();
}

void LinearComplementarityProblem::validateVectors() const {
  requireSize(q_, M_.size(), "LinearComplementarityProblem: q");
  requireFinite(q_, "LinearComplementarityProblem: q");
}

void LinearComplementarityProblem::validate() const {
  validateVectors();
  requireFinite(M_, "LinearComplementarityProblem: M");
}

}  // namespace delassus::numerics
