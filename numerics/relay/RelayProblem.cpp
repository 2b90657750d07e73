// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/relay/RelayProblem.hpp>

#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/sets/Box.hpp>
#include <limits>
#include <string>
#include <utility>

namespace delassus::numerics {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

const ProblemTraits RelayProblem::ofItsClass{"RelayProblem", ResidualNorm::velocity};

RelayProblem::RelayProblem() : MatrixProblem(ofItsClass) {
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
    if (lower_(i) <= upper_(i) && lower_(i) < infinity && upper_(i) > -infinity) continue;
    throw Error("RelayProblem", "expected lower <= upper with a number between, got [" + toText(lower_(i)) + ", " +
                                    toText(upper_(i)) + "] in component " + std::to_string(i) + ".");
  }
}

void RelayProblem::validate() const {
  validateVectors();
  requireFinite(matrix(), "RelayProblem: M");
}

bool RelayProblem::takes(const ProblemOverSets& problem) {
  if (!problem.requireMatrix()) return false;
  for (std::size_t part = 0; part < problem.partCount(); ++part) {
    const ConvexSet& set = problem.set(part);
    if (!set.isBox() && !set.isFree() && !set.isOrthant()) return false;
  }
  return true;
}

bool RelayProblem::state(const ProblemOverSets& problem) {
  if (!takes(problem)) return false;
  refer(problem);
  lower_.resize(problem.size(), false);
  upper_.resize(problem.size(), false);
  for (std::size_t part = 0; part < problem.partCount(); ++part) {
    const ConvexSet& set = problem.set(part);
    for (std::size_t i = 0; i < problem.rows(part); ++i) {
      const std::size_t row = problem.offset(part) + i;
      lower_(row) = set.isBox() ? problem.lowerOf(part)[i] : set.isOrthant() ? 0. : -infinity;
      upper_(row) = set.isBox() ? problem.upperOf(part)[i] : infinity;
    }
  }
  return true;
}

}  // namespace delassus::numerics
