// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/friction/GlobalFrictionContactProblem.hpp>

#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/Stamp.hpp>
#include <string>
#include <utility>

namespace delassus::numerics {

GlobalFrictionContactProblem::GlobalFrictionContactProblem(std::size_t dimension, SparseMatrix M, SparseMatrix H,
                                                           Vector f, Vector b, Vector mu)
    : dimension_(dimension),
      M_(std::move(M)),
      H_(std::move(H)),
      f_(std::move(f)),
      b_(std::move(b)),
      mu_(std::move(mu)),
      stamp_(newStamp()) {
  if (dimension != 2 && dimension != 3) {
    throw Error("GlobalFrictionContactProblem", "expected dimension 2 or 3, got " + std::to_string(dimension) + ".");
  }
  validate();
}

void GlobalFrictionContactProblem::validateVectors() const {
  requireSize(f_, M_.size1(), "GlobalFrictionContactProblem: f");
  requireFinite(f_, "GlobalFrictionContactProblem: f");
  requireSize(b_, H_.size2(), "GlobalFrictionContactProblem: b");
  requireFinite(b_, "GlobalFrictionContactProblem: b");
  requireSize(mu_, H_.size2() / dimension_, "GlobalFrictionContactProblem: mu");
  requireFinite(mu_, "GlobalFrictionContactProblem: mu");
  for (std::size_t contact = 0; contact < contacts(); ++contact) {
    if (mu_(contact) >= 0.) continue;
    throw Error("GlobalFrictionContactProblem: mu", "expected coefficients of friction >= 0, got " +
                                                        toText(mu_(contact)) + " at contact " +
                                                        std::to_string(contact) + ".");
  }
}

void GlobalFrictionContactProblem::validate() const {
  requireSize(M_, M_.size1(), M_.size1(), "GlobalFrictionContactProblem: M");
  requireFinite(M_, "GlobalFrictionContactProblem: M");
  if (!isSymmetric(M_)) throw Error("GlobalFrictionContactProblem: M", "expected a symmetric matrix.");
  if (H_.size1() != M_.size1() || H_.size2() % dimension_ != 0) {
    throw Error("GlobalFrictionContactProblem: H",
                "expected " + std::to_string(M_.size1()) + " rows and a multiple of " + std::to_string(dimension_) +
                    " columns, got " + std::to_string(H_.size1()) + " x " + std::to_string(H_.size2()) + ".");
  }
  requireFinite(H_, "GlobalFrictionContactProblem: H");
  validateVectors();
}

}  // namespace delassus::numerics
