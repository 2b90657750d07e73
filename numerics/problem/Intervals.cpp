// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/problem/Intervals.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace delassus::numerics {

bool BoxView::isFree(std::size_t i) const {
  return !std::isfinite(lower(i)) && !std::isfinite(upper(i));
}

double BoxView::scale(std::size_t i) const {
  const double diagonal = M(i, i);
  if (diagonal > 0.) return diagonal;
  double largest = 0.;
  for (std::size_t j = 0; j < M.size2(); ++j) largest = std::max(largest, std::abs(M(i, j)));
  return largest > 0. ? largest : 1.;
}

double BoxView::rowScale(std::size_t i, const Vector& z) const {
  double sum = std::abs(q(i));
  for (std::size_t j = 0; j < z.size(); ++j) sum += std::abs(M(i, j) * z(j));
  return sum;
}

void BoxView::enterBox(Vector& z) const {
  for (std::size_t i = 0; i < z.size(); ++i) z(i) = std::clamp(z(i), lower(i), upper(i));
}

namespace {

constexpr double openEnd = std::numeric_limits<double>::infinity();

bool readEnds(const ProblemOverSets& problem, double* lower, double* upper) {
  const bool hasBounds = problem.lower().size() > 0;
  const double* const lowers = hasBounds ? data(problem.lower()) : nullptr;
  const double* const uppers = hasBounds ? data(problem.upper()) : nullptr;
  const ConvexSet* const common = problem.commonSet();
  if (common != nullptr && !common->couplesRows()) {
    return common->intervals(problem.size(), lowers, uppers, lower, upper);
  }
  std::size_t first = 0;
  for (std::size_t part = 0; part < problem.partCount(); ++part) {
    const bool isTaken =
        problem.set(part).intervals(problem.rows(part), hasBounds ? lowers + first : nullptr,
                                    hasBounds ? uppers + first : nullptr, lower + first, upper + first);
    if (!isTaken) return false;
    first += problem.rows(part);
  }
  return first == problem.size();
}

}  // namespace

bool Intervals::take(const ProblemOverSets& problem) {
  if (!problem.requireMatrix()) return false;
  const bool isOrthant = problem.commonSet() != nullptr && problem.commonSet()->isOrthant();
  const bool isKept = isOrthant && content_ == Content::halfLines && size_ == problem.size();
  size_ = problem.size();
  if (!isKept) content_ = isOrthant ? Content::none : Content::read;
  if (isOrthant) return areHalfLines_ = areMixed_ = true;
  for (Vector* const ends : {&lower_, &upper_}) {
    if (ends->size() != size_) ends->resize(size_, false);
  }
  return readEnds(problem, data(lower_), data(upper_)) && sort();
}

bool Intervals::sort() {
  areHalfLines_ = areMixed_ = true;
  for (std::size_t i = 0; i < size_; ++i) {
    const bool isHalfLine = lower_(i) == 0. && upper_(i) == openEnd;
    areHalfLines_ = areHalfLines_ && isHalfLine;
    areMixed_ = areMixed_ && (isHalfLine || (lower_(i) == -openEnd && upper_(i) == openEnd));
  }
  return true;
}

void Intervals::fill() const {
  assignZero(lower_, size_);
  if (upper_.size() != size_) upper_.resize(size_, false);
  std::fill(upper_.begin(), upper_.end(), openEnd);
  content_ = Content::halfLines;
}

bool isComplementarity(const ProblemOverSets& problem) {
  static thread_local Intervals intervals;
  return intervals.take(problem) && intervals.areHalfLines();
}

}  // namespace delassus::numerics
