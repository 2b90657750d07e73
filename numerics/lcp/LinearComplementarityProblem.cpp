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

void LinearComplementarityProblem::validate() const {
  requireSize(q_, M_.size(), "LinearComplementarityProblem: q");
  requireFinite(q_, "LinearComplementarityProblem: q");
  for (const double entry : M_.values()) {
    if (!std::isfinite(entry)) {
      throw Error("LinearComplementarityProblem: M", "expected finite numbers, but an entry is " + toText(entry) + ".");
    }
  }
}

}  // namespace delassus::numerics
