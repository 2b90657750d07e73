// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/friction/FrictionContactProblem.hpp>

#include <delassus/numerics/Error.hpp>
#include <string>
#include <utility>

namespace delassus::numerics {

FrictionContactProblem::FrictionContactProblem()
    : W_(std::make_shared<AssembledDelassus>(dimension_, BlockSparseMatrix())) {
}

FrictionContactProblem::FrictionContactProblem(std::size_t dimension, const Matrix& W, Vector q, Vector mu)
    : FrictionContactProblem(dimension, BlockSparseMatrix(W), std::move(q), std::move(mu)) {
}

FrictionContactProblem::FrictionContactProblem(std::size_t dimension, BlockSparseMatrix W, Vector q, Vector mu)
    : FrictionContactProblem(dimension, std::make_shared<AssembledDelassus>(dimension, std::move(W)), std::move(q),
                             std::move(mu)) {
}

FrictionContactProblem::FrictionContactProblem(std::size_t dimension, std::shared_ptr<const DelassusOperator> W,
                                               Vector q, Vector mu)
    : dimension_(dimension), W_(std::move(W)), q_(std::move(q)), mu_(std::move(mu)) {
  if (dimension != 2 && dimension != 3) {
    throw Error("FrictionContactProblem", "expected dimension 2 or 3, got " + std::to_string(dimension) + ".");
  }
  if (!W_) throw Error("FrictionContactProblem", "expected an operator W, got none.");
  validate();
}

void FrictionContactProblem::validateVectors() const {
  if (W_->dimension() != dimension_) {
    throw Error("FrictionContactProblem: W", "expected an operator of dimension " + std::to_string(dimension_) +
                                                 ", got one of dimension " + std::to_string(W_->dimension()) + ".");
  }
  requireSize(q_, W_->size(), "FrictionContactProblem: q");
  requireFinite(q_, "FrictionContactProblem: q");
  requireSize(mu_, W_->size() / dimension_, "FrictionContactProblem: mu");
  requireFinite(mu_, "FrictionContactProblem: mu");
  for (std::size_t contact = 0; contact < contacts(); ++contact) {
    if (mu_(contact) >= 0.) continue;
    throw Error("FrictionContactProblem: mu", "expected coefficients of friction >= 0, got " + toText(mu_(contact)) +
                                                  " at contact " + std::to_string(contact) + ".");
  }
}

void FrictionContactProblem::validate() const {
  W_->validate();
  validateVectors();
}

}  // namespace delassus::numerics
