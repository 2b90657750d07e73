// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/mechanical/MechanicalError.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace delassus::numerics {
namespace {

// Written independently of the solvers' projections. Real is double or, where that does not tell, long double.

template <class Real>
struct Squares {
  Real map = 0.;     // Σ ‖F‖² / d
  double data = 0.;  // Σ ‖q‖² / d
  Real finite = 0.;
  double sum = 0.;            // Σ |λ_i|
  double weightSquared = 0.;  // largest square of what a change of w is multiplied by
  double friction = 1.;       // largest 1 + μ + μ_R / c
  double contacts = 0.;       // Σ of ‖λ‖² + ‖w‖² of contacts with the squares of their weights

  void weigh(double squared) { weightSquared = std::max(weightSquared, squared); }
};

// One part: its rows of λ, w, q, and its block of W (null for a measure without scales).
template <class Real>
struct Rows {
  std::size_t count;
  const double* lambda;
  const Real* w;
  const double* q;
  const double* block;

  double diagonal(std::size_t i) const {
    const double d = block != nullptr ? block[i * (count + 1)] : 1.;
    return d > 0. ? d : 1.;
  }
  double mean(std::size_t first, std::size_t end) const {
    if (block == nullptr) return 1.;
    double sum = 0.;
    for (std::size_t i = first; i < end; ++i) sum += block[i * (count + 1)];
    return sum > 0. ? sum / static_cast<double>(end - first) : 1.;
  }
};

template <class Real>
void addEqualities(const Rows<Real>& rows, Squares<Real>& squares) {
  for (std::size_t i = 0; i < rows.count; ++i) {
    const double weight = 1. / rows.diagonal(i);
    squares.map += weight * rows.w[i] * rows.w[i];
    squares.data += weight * rows.q[i] * rows.q[i];
    squares.finite += Real(0.) * rows.lambda[i];
    squares.sum += std::abs(rows.lambda[i]);
    squares.weigh(weight);
  }
}

// d λ − P(d λ − w) is the middle one of d (λ − u), w and d (λ − l), which needs no difference in which the digits of w
// would be lost where λ is huge.
template <class Real>
void addBox(const Rows<Real>& rows, const double* lower, const double* upper, Squares<Real>& squares) {
  for (std::size_t i = 0; i < rows.count; ++i) {
    const double d = rows.diagonal(i);
    const Real lambda = rows.lambda[i];
    const Real map = std::max<Real>(d * (lambda - upper[i]), std::min<Real>(rows.w[i], d * (lambda - lower[i])));
    squares.map += map * map / d;
    squares.data += rows.q[i] * rows.q[i] / d;
    squares.finite += Real(0.) * rows.w[i] + Real(0.) * lambda;
    squares.sum += std::abs(rows.lambda[i]);
    squares.weigh(1. / d);
  }
}

// A disc ‖x_s‖ ≤ μ x_N of the cone, x = λ − ŵ, in some rows.
template <class Real>
struct Disc {
  Real mu;
  const Real* lambda;
  const Real* w;
  std::size_t rows;
  Real length = 0.;    // ‖x_s‖
  Real velocity = 0.;  // ‖w_s‖

  void measure() {
    Real lengths = 0., velocities = 0.;
    for (std::size_t i = 0; i < rows; ++i) {
      lengths += (lambda[i] - w[i]) * (lambda[i] - w[i]);
      velocities += w[i] * w[i];
    }
    length = std::sqrt(lengths);
    velocity = std::sqrt(velocities);
  }
  // ‖ w_s + cut x_s/‖x_s‖ ‖²
  Real mapSquared(Real cut) const {
    Real sum = 0.;
    for (std::size_t i = 0; i < rows; ++i) {
      const Real value = w[i] + (cut > Real(0.) ? cut * ((lambda[i] - w[i]) / length) : Real(0.));
      sum += value * value;
    }
    return sum;
  }
};

// ‖λ − P_K(λ − ŵ)‖², λ and w in the same unit. P_K(x) = x + (δ, −(e_s − μ_s δ)₊ x_s/‖x_s‖) with e_s = ‖x_s‖ − μ_s x_N
// and δ = Σ μ_s (e_s − μ_s δ)₊, which is the largest of the solutions with some of the terms only. The map is ŵ minus
// that change, since with a huge λ the digits of ŵ would be lost in x.
template <class Real>
Real coneMapSquared(Real lambda, Real w, Disc<Real> first, Disc<Real> second, Real reactionSquared) {
  const Real zero = 0.;
  first.measure();
  second.measure();
  const Real corrected = w + first.mu * first.velocity + second.mu * second.velocity;
  const Real x = lambda - corrected;
  if (x + first.mu * first.length + second.mu * second.length <= zero) return reactionSquared;
  const Real e1 = first.length - first.mu * x;
  const Real e2 = second.length - second.mu * x;
  const auto lift = [&](Real a, Real b) { return (a * e1 + b * e2) / (Real(1.) + a * a + b * b); };
  const Real delta = std::max({zero, lift(first.mu, zero), lift(zero, second.mu), lift(first.mu, second.mu)});
  return (corrected - delta) * (corrected - delta) + first.mapSquared(e1 - first.mu * delta) +
         second.mapSquared(e2 - second.mu * delta);
}

// Rows of rolling are multiplied by c, which gives their w the unit of a velocity.
template <class Real>
double rollingScale(const Rows<Real>& rows, std::size_t tangents, double d) {
  return rows.count > 1 + tangents ? std::sqrt(d / rows.mean(1 + tangents, rows.count)) : 1.;
}

template <class Real>
void addContact(const Rows<Real>& rows, const MechanicalPart& part, Squares<Real>& squares) {
  const std::size_t tangents = part.tangentRows();
  const std::size_t rolls = rows.count - 1 - tangents;
  const double d = rows.mean(0, 1 + tangents);
  const double c = rollingScale(rows, tangents, d);
  Real lambda[5] = {}, w[5] = {};
  Real reactionSquared = 0., velocitySquared = 0.;
  for (std::size_t i = 0; i < rows.count; ++i) {
    const double scale = i > tangents ? c : 1.;
    lambda[i] = Real(d) * rows.lambda[i] / scale;
    w[i] = scale * rows.w[i];
    reactionSquared += lambda[i] * lambda[i];
    velocitySquared += w[i] * w[i];
    squares.sum += std::abs(rows.lambda[i]);
    squares.data += scale * rows.q[i] * (scale * rows.q[i]) / d;
    squares.finite += Real(0.) * rows.w[i] + Real(0.) * rows.lambda[i];
  }
  const Disc<Real> slip{part.friction, lambda + 1, w + 1, tangents};
  const Disc<Real> roll{part.rolling / c, lambda + 1 + tangents, w + 1 + tangents, rolls};
  squares.map += coneMapSquared<Real>(lambda[0], w[0], slip, roll, reactionSquared) / d;
  const double factor = 1. + part.friction + part.rolling / c;
  const double weight = factor * factor / d;
  squares.weigh(weight * std::max(1., c * c));
  squares.friction = std::max(squares.friction, factor);
  squares.contacts += weight * static_cast<double>(reactionSquared + velocitySquared);
}

template <class Real>
Rows<Real> rowsOf(const GenericMechanicalProblem& problem, ErrorMeasure measure, std::size_t part, const Vector& lambda,
                  const Real* w) {
  const std::size_t first = problem.offset(part);
  return {problem.parts()[part].rows, data(lambda) + first, w + first, data(problem.q()) + first,
          measure == ErrorMeasure::scaled ? problem.W().diagonalBlock(part) : nullptr};
}

// From w = W λ + q.
template <class Real>
Squares<Real> squaresOf(const GenericMechanicalProblem& problem, ErrorMeasure measure, const Vector& lambda,
                        const Real* w) {
  Squares<Real> squares;
  for (std::size_t p = 0; p < problem.parts().size(); ++p) {
    const MechanicalPart& part = problem.parts()[p];
    const std::size_t first = problem.offset(p);
    const Rows<Real> rows = rowsOf(problem, measure, p, lambda, w);
    if (part.isContact()) {
      addContact(rows, part, squares);
    } else if (part.kind == PartKind::box) {
      addBox(rows, data(problem.lower()) + first, data(problem.upper()) + first, squares);
    } else {
      addEqualities(rows, squares);
    }
  }
  return squares;
}

// What rounding may change in the map of a contact, relative to √d, of `bounds` on w. The map moves by no more than ŵ
// does.
double roundingOfContact(const Rows<double>& rows, const MechanicalPart& part, const double* bounds) {
  constexpr double unit = 16. * std::numeric_limits<double>::epsilon();
  const std::size_t tangents = part.tangentRows();
  const double d = rows.mean(0, 1 + tangents);
  const double c = rollingScale(rows, tangents, d);
  double change = 0.;
  for (std::size_t i = 0; i < rows.count; ++i) {
    const double scale = i > tangents ? c : 1.;
    change += scale * bounds[i] + unit * (d / scale * std::abs(rows.lambda[i]) + scale * std::abs(rows.w[i]));
  }
  return (1. + part.friction + part.rolling / c) * change / std::sqrt(d);
}

double rounding(const GenericMechanicalProblem& problem, ErrorMeasure measure, const Vector& lambda, const Vector& w,
                std::vector<double>& bounds) {
  addRounding(problem.W(), data(lambda), bounds.data());
  for (std::size_t i = 0; i < w.size(); ++i) {
    bounds[i] += std::numeric_limits<double>::epsilon() * std::abs(problem.q()(i));
  }
  double squares = 0.;
  for (std::size_t p = 0; p < problem.parts().size(); ++p) {
    const MechanicalPart& part = problem.parts()[p];
    const double* const bound = bounds.data() + problem.offset(p);
    const Rows<double> rows = rowsOf(problem, measure, p, lambda, data(w));
    if (part.isContact()) {
      const double change = roundingOfContact(rows, part, bound);
      squares += change * change;
      continue;
    }
    for (std::size_t i = 0; i < part.rows; ++i) squares += bound[i] * bound[i] / rows.diagonal(i);
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
  const Squares<double> squares = squaresOf(problem, measure, lambda, data(w));
  // An infinite w is projected to a bound and might go unnoticed.
  if (squares.finite != 0. || !std::isfinite(squares.map) || !std::isfinite(squares.data)) {
    return std::numeric_limits<double>::infinity();
  }
  const double normOfData = std::sqrt(squares.data);
  const double scale = normOfData < 1e-150 ? 1. : normOfData;
  const double error = std::sqrt(squares.map) / scale;
  if (!(error <= tolerance)) return error;
  // Of a contact's map 16 ε times a sum of ten terms, see roundingOfContact.
  const double ofMaps = 64. * std::numeric_limits<double>::epsilon() * std::sqrt(squares.contacts);
  const double factor = 3. * std::sqrt(squares.weightSquared);
  const double largest = largestEntry(problem.stamp(), problem.W().values());
  const double ofData = 3. * squares.friction * normOfData / factor;
  if (isSurelyBelow(std::sqrt(squares.map) + ofMaps, tolerance * scale, n, problem.W().longestRow(), factor, largest,
                    squares.sum, ofData)) {
    return error;
  }
  CertificateSums& sums = CertificateSums::ofSize(n);
  return certified(
      error, tolerance, n, [&] { return rounding(problem, measure, lambda, w, sums.bounds) / scale; },
      [&] {
        addExtended(problem.W(), data(lambda), sums.extended.data());
        for (std::size_t i = 0; i < n; ++i) w(i) = static_cast<double>(sums.extended[i] += problem.q()(i));
        return std::sqrt(squaresOf(problem, measure, lambda, sums.extended.data()).map) / scale;
      });
}

}  // namespace delassus::numerics
