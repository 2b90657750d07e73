// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/mechanical/MechanicalError.hpp>

#include <cmath>
#include <limits>

namespace delassus::numerics {
namespace {

template <class Real>
ResidualRows<Real> rowsOf(const GenericMechanicalProblem& problem, ErrorMeasure measure, std::size_t part,
                          const Real* lambda, const Real* w) {
  const std::size_t first = problem.offset(part);
  return {problem.parts()[part].rows,
          lambda + first,
          w + first,
          data(problem.q()) + first,
          measure == ErrorMeasure::scaled ? problem.W().diagonalBlock(part) : nullptr,
          data(problem.lower()) + first,
          data(problem.upper()) + first};
}

// From w = W λ + q.
template <class Real>
ResidualSums<Real> residual(const GenericMechanicalProblem& problem, ErrorMeasure measure, const Real* lambda,
                            const Real* w) {
  ResidualSums<Real> sums;
  for (std::size_t part = 0; part < problem.parts().size(); ++part) {
    problem.set(part).addResidual(rowsOf(problem, measure, part, lambda, w), sums);
  }
  return sums;
}

double rounding(const GenericMechanicalProblem& problem, ErrorMeasure measure, const Vector& lambda, const Vector& w,
                std::vector<double>& bounds) {
  addRounding(problem.W(), data(lambda), bounds.data());
  for (std::size_t i = 0; i < w.size(); ++i) {
    bounds[i] += std::numeric_limits<double>::epsilon() * std::abs(problem.q()(i));
  }
  double squares = 0.;
  for (std::size_t part = 0; part < problem.parts().size(); ++part) {
    squares += problem.set(part).roundingSquared(rowsOf(problem, measure, part, data(lambda), data(w)),
                                                 bounds.data() + problem.offset(part));
  }
  return std::sqrt(squares);
}

}  // namespace

double errorOf(const GenericMechanicalProblem& problem, ErrorMeasure measure, const Vector& lambda, Vector& w,
               double tolerance) {
  requireSize(lambda, problem.size(), "mechanical error: λ");
  const std::size_t n = lambda.size();
  if (w.size() != n) w.resize(n, false);
  problem.W().multiply(data(lambda), data(w));
  for (std::size_t i = 0; i < n; ++i) w(i) += problem.q()(i);
  const ResidualSums<double> sums = residual(problem, measure, data(lambda), data(w));
  // An infinite w is projected to a bound and might go unnoticed.
  if (sums.finite != 0. || !std::isfinite(sums.map) || !std::isfinite(sums.data)) {
    return std::numeric_limits<double>::infinity();
  }
  const double normOfData = std::sqrt(sums.data);
  const double scale = normOfData < 1e-150 ? 1. : normOfData;
  const double error = std::sqrt(sums.map) / scale;
  if (!(error <= tolerance)) return error;
  // Of a contact's map 16 ε times a sum of ten terms, see ContactSet::roundingSquared.
  const double ofMaps = 64. * std::numeric_limits<double>::epsilon() * std::sqrt(sums.contacts);
  const double factor = 3. * std::sqrt(sums.weightSquared);
  const double largest = largestEntry(problem.stamp(), problem.W().values());
  const double ofData = 3. * sums.shift * normOfData / factor;
  if (isSurelyBelow(std::sqrt(sums.map) + ofMaps, tolerance * scale, n, problem.W().longestRow(), factor, largest,
                    sums.sum, ofData)) {
    return error;
  }
  CertificateSums& workspace = CertificateSums::ofSize(n);
  return certified(
      error, tolerance, n, [&] { return rounding(problem, measure, lambda, w, workspace.bounds) / scale; },
      [&] {
        addExtended(problem.W(), data(lambda), workspace.extended.data());
        for (std::size_t i = 0; i < n; ++i) w(i) = static_cast<double>(workspace.extended[i] += problem.q()(i));
        workspace.unknown.assign(lambda.begin(), lambda.end());
        return std::sqrt(residual(problem, measure, workspace.unknown.data(), workspace.extended.data()).map) / scale;
      });
}

}  // namespace delassus::numerics
