// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/sets/NaturalMapError.hpp>

#include <cmath>
#include <delassus/numerics/algebra/Products.hpp>
#include <limits>
#include <string>
#include <vector>

namespace delassus::numerics {
namespace {

// Calls action(set, rows, first) for each part at a point, `first` being its first row.
template <class Real, class Action>
void forParts(const ProblemOverSets& problem, ErrorMeasure measure, const Real* lambda, const Real* w,
              const Action& action) {
  static thread_local std::vector<double> buffer;
  const bool hasBounds = problem.lower().size() > 0;
  std::size_t first = 0;
  for (std::size_t part = 0; part < problem.partCount(); ++part) {
    const std::size_t rows = problem.rows(part);
    const double* block = nullptr;
    if (measure == ErrorMeasure::scaled) {
      if (!problem.hasMatrix()) buffer.resize(rows * rows);
      block = problem.diagonalBlock(part, buffer.data());
    }
    action(
        problem.set(part),
        ResidualRows<Real>{rows, lambda + first, w + first, data(problem.q()) + first, block,
                           hasBounds ? data(problem.lower()) + first : nullptr,
                           hasBounds ? data(problem.upper()) + first : nullptr, problem.norm() == ResidualNorm::energy},
        first);
    first += rows;
  }
}

// From w = W λ + q.
template <class Real>
ResidualSums<Real> residual(const ProblemOverSets& problem, ErrorMeasure measure, const Real* lambda, const Real* w) {
  ResidualSums<Real> sums;
  forParts(problem, measure, lambda, w,
           [&](const ConvexSet& set, const ResidualRows<Real>& rows, std::size_t) { set.addResidual(rows, sums); });
  return sums;
}

double rounding(const ProblemOverSets& problem, ErrorMeasure measure, const Vector& lambda, const Vector& w,
                std::vector<double>& bounds) {
  problem.addRounding(data(lambda), bounds.data());
  for (std::size_t i = 0; i < w.size(); ++i) {
    bounds[i] += std::numeric_limits<double>::epsilon() * std::abs(problem.q()(i));
  }
  double squares = 0.;
  forParts(problem, measure, data(lambda), data(w),
           [&](const ConvexSet& set, const ResidualRows<double>& rows, std::size_t first) {
             squares += set.roundingSquared(rows, bounds.data() + first);
           });
  return std::sqrt(squares);
}

// Whether rounding cannot have moved the map beyond `limit`, by what can be said without another product.
bool isClearlyBelow(const ProblemOverSets& problem, const ResidualSums<double>& sums, double normOfData, double limit) {
  if (!problem.hasMatrix()) return false;
  // Of a contact's map 16 ε times a sum of ten terms, see ContactSet::roundingSquared.
  const double ofMaps = 64. * std::numeric_limits<double>::epsilon() * std::sqrt(sums.contacts);
  const double factor = 3. * std::sqrt(sums.weightSquared);
  const double largest = largestEntry(problem.stamp(), problem.matrix().values());
  const double ofData = 3. * sums.shift * normOfData / factor;
  return isSurelyBelow(std::sqrt(sums.map) + ofMaps, limit, problem.size(), problem.matrix().longestRow(), factor,
                       largest, sums.sum, ofData);
}

}  // namespace

double errorOf(const ProblemOverSets& problem, ErrorMeasure measure, const Vector& lambda, Vector& w,
               double tolerance) {
  if (lambda.size() != problem.size()) {
    requireSize(lambda, problem.size(), std::string(problem.traits().name) + ": the unknown");
  }
  const std::size_t n = lambda.size();
  if (w.size() != n) w.resize(n, false);
  problem.multiply(data(lambda), data(w));
  for (std::size_t i = 0; i < n; ++i) w(i) += problem.q()(i);
  const ResidualSums<double> sums = residual(problem, measure, data(lambda), data(w));
  // An infinite w is projected to a bound and might go unnoticed.
  if (sums.finite != 0. || !std::isfinite(sums.map)) return std::numeric_limits<double>::infinity();
  // Squares of representable numbers may not be.
  const bool isPlain = problem.norm() == ResidualNorm::velocity || measure == ErrorMeasure::published;
  const double normOfData = !std::isfinite(sums.data) && isPlain ? norm2(problem.q()) : std::sqrt(sums.data);
  if (!std::isfinite(normOfData)) return std::numeric_limits<double>::infinity();
  const double scale = normOfData < 1e-150 ? 1. : normOfData;
  const double error = std::sqrt(sums.map) / scale;
  if (!(error <= tolerance) || isClearlyBelow(problem, sums, normOfData, tolerance * scale)) return error;
  CertificateSums& workspace = CertificateSums::ofSize(n);
  return certified(
      error, tolerance, n, [&] { return rounding(problem, measure, lambda, w, workspace.bounds) / scale; },
      [&] {
        problem.addExtended(data(lambda), workspace.extended.data());
        for (std::size_t i = 0; i < n; ++i) w(i) = static_cast<double>(workspace.extended[i] += problem.q()(i));
        workspace.unknown.assign(lambda.begin(), lambda.end());
        return std::sqrt(residual(problem, measure, workspace.unknown.data(), workspace.extended.data()).map) / scale;
      });
}

}  // namespace delassus::numerics
