// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <delassus/numerics/methods/ProductOfSets.hpp>

namespace delassus::numerics {

// visit(part, first row, rows) for all parts, on all threads of the library.
template <class Visit>
void ProductOfSets::forParts(const Visit& visit) const {
  ranges_.forEach([&](std::size_t, std::size_t begin, std::size_t end, std::size_t first) {
    for (std::size_t part = begin; part < end; ++part) {
      const std::size_t count = problem_->rows(part);
      visit(part, first, count);
      first += count;
    }
  });
}

void ProductOfSets::take(const ProblemOverSets& problem) {
  problem_ = &problem;
  isOneSet_ = problem.commonSet() != nullptr && !problem.commonSet()->couplesRows();
  for (auto* const v : {&d_, &c_, &metric_, &weights_}) v->assign(problem.size(), 1.);
  normOfData_ = 1.;
  ranges_.take(problem);
}

void ProductOfSets::beginWithoutMatrix(const ProblemOverSets& problem) {
  take(problem);
}

void ProductOfSets::begin(const ProblemOverSets& problem) {
  take(problem);
  std::size_t first = 0;
  for (std::size_t part = 0; part < problem.partCount(); ++part) {
    takeScales(problem.scaleBlock(part, block_), part, first);
    first += problem.rows(part);
  }
  const double norm = residualNorm(data(problem.q()));
  if (norm > 0.) normOfData_ = norm;
}

void ProductOfSets::takeScales(const double* block, std::size_t part, std::size_t first) {
  const std::size_t m = problem_->rows(part);
  double *const d = d_.data() + first, *const c = c_.data() + first;
  problem_->set(part).scales(block, m, d, c);
  const bool countsEnergy = problem_->norm() == ResidualNorm::energy;
  for (std::size_t i = 0; i < m; ++i) weights_[first + i] = countsEnergy ? c[i] * c[i] / d[i] : c[i] * c[i];
  problem_->set(part).scalesOfProjection(block, m, d, c);
  for (std::size_t i = 0; i < m; ++i) metric_[first + i] = d[i] / (c[i] * c[i]);
}

ConvexSet::Rows ProductOfSets::rows(std::size_t first, std::size_t count) const {
  const bool hasBounds = problem_->lower().size() > 0;
  return {count, hasBounds ? data(problem_->lower()) + first : nullptr,
          hasBounds ? data(problem_->upper()) + first : nullptr, d_.data() + first, c_.data() + first};
}

void ProductOfSets::project(double* x) const {
  if (isOneSet_) {
    problem_->commonSet()->project(rows(0, problem_->size()), x);
    return;
  }
  forParts([&](std::size_t part, std::size_t first, std::size_t count) {
    problem_->set(part).project(rows(first, count), x + first);
  });
}

void ProductOfSets::addShift(const double* w, double* target) const {
  if (isOneSet_) {
    problem_->commonSet()->addShift(problem_->size(), w, target);
    return;
  }
  forParts([&](std::size_t part, std::size_t first, std::size_t count) {
    problem_->set(part).addShift(count, w + first, target + first);
  });
}

void ProductOfSets::step(const Vector& x, const Vector& w, double tau, Vector& y) const {
  if (y.size() != x.size()) y.resize(x.size(), false);
  for (std::size_t i = 0; i < x.size(); ++i) y(i) = x(i) - tau * w(i) / metric_[i];
  project(data(y));
}

double ProductOfSets::residualNorm(const double* w) const {
  double squares = 0.;
  for (std::size_t i = 0; i < weights_.size(); ++i) squares += w[i] * w[i] * weights_[i];
  problem_->sum({&squares, 1});
  return std::sqrt(squares) / normOfData_;
}

}  // namespace delassus::numerics
