// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/relay/RelayProblem.hpp>

#include <delassus/numerics/Error.hpp>
#include <limits>
#include <string>
#include <utility>

namespace delassus::numerics {

RelayProblem::RelayProblem(BlockSparseMatrix M, Vector q, Vector lower, Vector upper)
    : M_(std::move(M)), q_(std::move(q)), lower_(std::move(lower)), upper_(std::move(upper)) {
  validate();
}

RelayProblem::RelayProblem(const Matrix& M, Vector q, Vector lower, Vector upper)
    : RelayProblem(BlockSparseMatrix(M), std::move(q), std::move(lower), std::move(upper)) {
}

void RelayProblem::validateVectors() const {
  requireSize(q_, M_.size(), "RelayProblem: q");
  requireFinite(q_, "RelayProblem: q");
  requireSize(lower_, M_.size(), "RelayProblem: the lower bounds");
  requireSize(upper_, M_.size(), "RelayProblem: the upper bounds");
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < size(); ++i) {
    if (lower_(i) <= upper_(i) && lower_(i) < infinity && upper_(i) > -infinity) continue;
    throw Error("RelayProblem", "expected lower <= upper with a number between, got [" + toText(lower_(i)) + ", " +
                                    toText(upper_(i)) + "] in component " + std::to_string(i) + ".");
  }
}

void RelayProblem::validate() const {
  validateVectors();
  requireFinite(M_, "RelayProblem: M");
}

}  // namespace delassus::numerics
