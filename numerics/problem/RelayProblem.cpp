// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/problem/RelayProblem.hpp>

#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/sets/RowwiseSet.hpp>
#include <limits>
#include <string>
#include <utility>

namespace delassus::numerics {

namespace {

constexpr double noBound = std::numeric_limits<double>::infinity();
const ProblemTraits relayTraits{"RelayProblem", ResidualNorm::velocity};

}  // namespace

RelayProblem::RelayProblem() : MatrixProblem(relayTraits) {
  static const auto set = std::make_shared<const Box>();
  common_ = set;
}

RelayProblem::RelayProblem(BlockSparseMatrix M, Vector q, Vector lower, Vector upper) : RelayProblem() {
  own() = std::move(M);
  q_ = std::move(q);
  lower_ = std::move(lower);
  upper_ = std::move(upper);
  validate();
}

RelayProblem::RelayProblem(const Matrix& M, Vector q, Vector lower, Vector upper)
    : RelayProblem(BlockSparseMatrix(M), std::move(q), std::move(lower), std::move(upper)) {
}

void RelayProblem::validateVectors() const {
  requireSize(q_, matrix().size(), "RelayProblem: q");
  requireFinite(q_, "RelayProblem: q");
  requireSize(lower_, matrix().size(), "RelayProblem: the lower bounds");
  requireSize(upper_, matrix().size(), "RelayProblem: the upper bounds");
  for (std::size_t i = 0; i < size(); ++i) {
    if (lower_(i) <= upper_(i) && lower_(i) < noBound && upper_(i) > -noBound) continue;
    throw Error("RelayProblem", "expected lower <= upper with a number between, got [" + toText(lower_(i)) + ", " +
                                    toText(upper_(i)) + "] in component " + std::to_string(i) + ".");
  }
}

void RelayProblem::validate() const {
  validateVectors();
  requireFinite(matrix(), "RelayProblem: M");
}

}  // namespace delassus::numerics
