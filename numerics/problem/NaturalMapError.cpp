// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/problem/NaturalMapError.hpp>

#include <array>
#include <cassert>
#include <cmath>
#include <cstdlib>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/problem/PartRanges.hpp>
#include <limits>
#include <string>
#include <vector>

namespace delassus::numerics {
namespace {

// Of what bounds give to w, the part that counts as data: its rounding, some 1e-16, is then below a tolerance of 1e-8,
// and a constant that is more than rounding stays what errors are relative to.
constexpr double shareOfBounds = 1e-6;

// What an error in this measure is relative to.
const Vector& dataOf(const ProblemOverSets& problem, ErrorMeasure measure) {
  return measure == ErrorMeasure::published ? problem.outputsAtRest() : problem.q();
}

// What an error is an error of: in this measure, relative to this.
struct Measured {
  const ProblemOverSets& problem;
  ErrorMeasure measure;
  const Vector& relativeTo;

  Measured(const ProblemOverSets& of, ErrorMeasure by) : Measured(of, by, dataOf(of, by)) {}
  Measured(const ProblemOverSets& of, ErrorMeasure by, const Vector& to) : problem(of), measure(by), relativeTo(to) {}
};

// The rows from `first` on at a point, without their block.
template <class Real>
ResidualRows<Real> rowsFrom(const Measured& what, std::size_t first, std::size_t count, const Real* lambda,
                            const Real* w) {
  const ProblemOverSets& problem = what.problem;
  const bool hasBounds = problem.lower().size() > 0;
  return {count,
          lambda + first,
          w + first,
          data(what.relativeTo) + first,
          nullptr,
          hasBounds ? data(problem.lower()) + first : nullptr,
          hasBounds ? data(problem.upper()) + first : nullptr,
          problem.norm() == ResidualNorm::energy};
}

std::vector<double>& blockBuffer(std::size_t entries) {
  static thread_local std::vector<double> buffer;
  if (buffer.size() < entries) buffer.resize(entries);
  return buffer;
}

// Calls action(set, rows, first) for all rows at once, where one set takes them one by one.
template <class Real, class Action>
void forAllRows(const Measured& what, const Real* lambda, const Real* w, const Action& action) {
  const ProblemOverSets& problem = what.problem;
  ResidualRows<Real> rows = rowsFrom(what, 0, problem.size(), lambda, w);
  if (what.measure == ErrorMeasure::scaled && problem.matrix().blockRows() == 1) {
    rows.block = problem.matrix().diagonalBlock(0);
  } else if (what.measure == ErrorMeasure::scaled) {
    std::vector<double>& diagonal = blockBuffer(problem.size());
    problem.matrix().diagonal(diagonal.data());
    rows.block = diagonal.data();
    rows.step = 1;
  }
  action(*problem.commonSet(), rows, 0);
}

// Calls action(set, rows, first) for the parts begin .. end − 1 at a point, `first` being the first row of each; given
// is that of the first one. Gives the row after the last.
template <class Real, class Action>
std::size_t forParts(const Measured& what, const Real* lambda, const Real* w, std::size_t begin, std::size_t end,
                     std::size_t first, const Action& action) {
  const ProblemOverSets& problem = what.problem;
  for (std::size_t part = begin; part < end; ++part) {
    ResidualRows<Real> rows = rowsFrom(what, first, problem.rows(part), lambda, w);
    if (what.measure == ErrorMeasure::scaled) rows.block = problem.scaleBlock(part, blockBuffer(0));
    action(problem.set(part), rows, first);
    first += rows.count;
  }
  return first;
}

// Adds up what add(set, rows, first, sums) adds to the sums of a range of parts, on all threads of the library.
template <class Sums, class Real, class Add>
Sums sumOverParts(const Measured& what, const Real* lambda, const Real* w, const Add& add) {
  const ProblemOverSets& problem = what.problem;
  const auto addTo = [&add](Sums& sums) {
    return
        [&](const ConvexSet& set, const ResidualRows<Real>& rows, std::size_t first) { add(set, rows, first, sums); };
  };
  Sums all;
  const std::size_t parts = problem.partCount();
  if (problem.commonSet() != nullptr && !problem.commonSet()->couplesRows()) {
    forAllRows(what, lambda, w, addTo(all));
    return all;
  }
  // Of most problems there is one, and nothing to be added up.
  if (parts <= PartRanges::size) {
    [[maybe_unused]] const std::size_t rows = forParts(what, lambda, w, 0, parts, 0, addTo(all));
    assert(rows == problem.size());
    return all;
  }
  static thread_local PartRanges ranges;
  static thread_local std::vector<Sums> kept;
  std::vector<Sums>& sums = kept;  // other threads would see their own
  ranges.take(problem);
  sums.assign(ranges.count(), {});
  ranges.forEach([&](std::size_t range, std::size_t begin, std::size_t end, std::size_t first) {
    forParts(what, lambda, w, begin, end, first, addTo(sums[range]));
  });
  for (const Sums& each : sums) all.add(each);
  return all;
}

// From w = W λ + q.
template <class Real>
ResidualSums<Real> residual(const Measured& what, const Real* lambda, const Real* w) {
  return sumOverParts<ResidualSums<Real>>(
      what, lambda, w, [](const ConvexSet& set, const ResidualRows<Real>& rows, std::size_t, ResidualSums<Real>& sums) {
        set.addResidual(rows, sums);
      });
}

// A sum of squares.
struct Squares {
  double sum = 0.;
  void add(const Squares& other) { sum += other.sum; }
};

double rounding(const ProblemOverSets& problem, ErrorMeasure measure, const Vector& lambda, const Vector& w,
                std::vector<double>& bounds) {
  problem.addRounding(data(lambda), bounds.data());
  for (std::size_t i = 0; i < w.size(); ++i) {
    bounds[i] += std::numeric_limits<double>::epsilon() * std::abs(problem.q()(i));
  }
  double squares =
      sumOverParts<Squares>({problem, measure}, data(lambda), data(w),
                            [&](const ConvexSet& set, const ResidualRows<double>& rows, std::size_t first,
                                Squares& all) { all.sum += set.roundingSquared(rows, bounds.data() + first); })
          .sum;
  problem.sum({&squares, 1});
  return std::sqrt(squares);
}

// Whether rounding cannot have moved the map beyond `limit`, by what can be said without another product.
bool isClearlyBelow(const ProblemOverSets& problem, const ResidualSums<double>& sums, double norm, double normOfData,
                    double limit) {
  if (!problem.isMatrixProduct()) return false;
  // Of a contact's map 16 ε times a sum of ten terms, see ContactSet::roundingSquared. Square roots are left out where
  // they can be, since one takes as long as all the rest.
  const double ofMaps =
      sums.contacts > 0. ? 64. * std::numeric_limits<double>::epsilon() * std::sqrt(sums.contacts) : 0.;
  const double weight = sums.weightSquared == 1. ? 1. : std::sqrt(sums.weightSquared);
  const double largest = largestEntry(problem.stamp(), problem.matrix().values());
  const double ofData = sums.shift * (weight == 1. ? normOfData : normOfData / weight);
  return isSurelyBelow(norm + ofMaps, limit, problem.size(), problem.matrix().longestRow(), 3. * weight, largest,
                       sums.sum, ofData);
}

}  // namespace

namespace {

// The error once more where the rough bound of its rounding does not do. Apart, so that the usual way stays short.
[[gnu::noinline]] double sharpError(const ProblemOverSets& problem, ErrorMeasure measure, const Vector& lambda,
                                    Vector& w, double error, double tolerance, double scale, std::size_t rows) {
  const std::size_t n = lambda.size();
  CertificateSums& workspace = CertificateSums::ofSize(n);
  return certified(
      error, tolerance, rows, [&] { return rounding(problem, measure, lambda, w, workspace.bounds) / scale; },
      [&] {
        problem.addExtended(data(lambda), workspace.extended.data());
        for (std::size_t i = 0; i < n; ++i) w(i) = static_cast<double>(workspace.extended[i] += problem.q()(i));
        workspace.unknown.assign(lambda.begin(), lambda.end());
        auto squares = static_cast<double>(
            residual<long double>({problem, measure}, workspace.unknown.data(), workspace.extended.data()).map);
        problem.sum({&squares, 1});
        return std::sqrt(squares) / scale;
      });
}

// Over all processes that have a part of the problem. Gives their rows.
std::size_t addUp(const ProblemOverSets& problem, ResidualSums<double>& sums) {
  std::array<double, 4> all{sums.map, sums.data, sums.finite, static_cast<double>(problem.size())};
  problem.sum(all);
  sums.map = all[0];
  sums.data = all[1];
  sums.finite = all[2];
  return static_cast<std::size_t>(all[3]);
}

// At most the norm of the data, and that itself in one process: (Σ ‖x_k‖)² ≤ p Σ ‖x_k‖² for p of them.
double normOf(const ProblemOverSets& problem, ErrorMeasure measure) {
  std::array<double, 2> all{norm2(dataOf(problem, measure)), 1.};
  problem.sum(all);
  return all[0] / std::sqrt(all[1]);
}

// What bounds other than zero give to w where λ is at them, by the share that counts as data; 0 where none does.
// By a product, where it may be more than `size`. (No problem of several processes has bounds.)
double sizeOfBounds(const ProblemOverSets& problem, ErrorMeasure measure, const Vector& lambda, double size) {
  if (problem.lower().size() == 0 || measure == ErrorMeasure::published) return 0.;
  static thread_local Vector atBounds, given;
  assignZero(atBounds, lambda.size());
  double sum = 0.;
  for (std::size_t i = 0; i < lambda.size(); ++i) {
    if (lambda(i) == 0. || (lambda(i) != problem.lower()(i) && lambda(i) != problem.upper()(i))) continue;
    atBounds(i) = lambda(i);
    sum += std::abs(lambda(i));
  }
  if (sum == 0.) return 0.;
  if (problem.isMatrixProduct() && problem.norm() == ResidualNorm::velocity) {
    const double largest = largestEntry(problem.stamp(), problem.matrix().values());
    if (shareOfBounds * std::sqrt(static_cast<double>(lambda.size())) * largest * sum <= size) return 0.;
  }
  assignZero(given, lambda.size());
  problem.multiply(data(atBounds), data(given));
  return shareOfBounds * std::sqrt(residual<double>({problem, measure, given}, data(given), data(given)).data);
}

// Rows that no part has would count as solved.
bool coversRows(const ProblemOverSets& problem) {
  if (problem.commonSet() != nullptr) return problem.matrix().size() == problem.size();
  std::size_t rows = 0;
  for (std::size_t part = 0; part < problem.partCount(); ++part) rows += problem.rows(part);
  return rows == problem.size();
}

[[noreturn, gnu::noinline]] void failSize(const ProblemOverSets& problem, const Vector& lambda) {
  requireSize(lambda, problem.size(), std::string(problem.traits().name) + ": the unknown");
  std::abort();
}

}  // namespace

double sizeOfData(const ProblemOverSets& problem, ErrorMeasure measure) {
  const double* const q = data(problem.q());  // whatever the point
  ResidualSums<double> sums = residual<double>({problem, measure}, q, q);
  addUp(problem, sums);
  return std::sqrt(sums.data);
}

double errorOf(const ProblemOverSets& stated, ErrorMeasure measure, const Vector& lambda, Vector& w, double tolerance) {
  const ProblemOverSets& problem = stated.origin();
  const std::size_t n = lambda.size();
  if (n != problem.size()) failSize(problem, lambda);
  if (!coversRows(problem)) return std::numeric_limits<double>::infinity();
  if (w.size() != n) w.resize(n, false);
  problem.multiply(data(lambda), data(w));
  const double* const q = data(problem.q());
  double* const dual = data(w);
  for (std::size_t i = 0; i < n; ++i) dual[i] += q[i];
  ResidualSums<double> sums = residual<double>({problem, measure}, data(lambda), dual);
  const std::size_t rows = addUp(problem, sums);
  // An infinite w is projected to a bound and might go unnoticed.
  if (sums.finite != 0. || !std::isfinite(sums.map)) return std::numeric_limits<double>::infinity();
  // Squares of representable numbers may not be.
  const bool isPlain = problem.norm() == ResidualNorm::velocity || measure == ErrorMeasure::published;
  const double normOfData = !std::isfinite(sums.data) && isPlain ? normOf(problem, measure) : std::sqrt(sums.data);
  if (!std::isfinite(normOfData)) return std::numeric_limits<double>::infinity();
  const double scale = normOfData < leastData ? 1. : normOfData;
  const double norm = std::sqrt(sums.map);
  const auto relativeTo = [&](double size) {
    const double error = norm / size;
    if (!(error <= tolerance) || isClearlyBelow(problem, sums, norm, normOfData, tolerance * size)) return error;
    return sharpError(problem, measure, lambda, w, error, tolerance, size, rows);
  };
  const double error = relativeTo(scale);
  if (error <= tolerance) return error;
  const double ofBounds = sizeOfBounds(problem, measure, lambda, scale);
  return ofBounds > scale ? relativeTo(ofBounds) : error;
}

}  // namespace delassus::numerics
