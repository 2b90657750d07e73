// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/mechanical/MechanicalError.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace delassus::numerics {
namespace {

// Written for itself, without the solvers' projections.

struct Squares {
  double map = 0.;   // Σ ‖F‖² / d
  double data = 0.;  // Σ ‖q‖² / d
  double finite = 0.;
};

// One part: its rows of λ, w, q, and its block of W (null for a measure without scales).
struct Rows {
  std::size_t count;
  const double* lambda;
  const double* w;
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

void addEqualities(const Rows& rows, Squares& squares) {
  for (std::size_t i = 0; i < rows.count; ++i) {
    const double weight = 1. / rows.diagonal(i);
    squares.map += weight * rows.w[i] * rows.w[i];
    squares.data += weight * rows.q[i] * rows.q[i];
    squares.finite += 0. * rows.lambda[i];
  }
}

void addBox(const Rows& rows, const double* lower, const double* upper, Squares& squares) {
  for (std::size_t i = 0; i < rows.count; ++i) {
    const double d = rows.diagonal(i);
    const double x = d * rows.lambda[i] - rows.w[i];
    const double projected = std::clamp(x, d * lower[i], d * upper[i]);
    // Inside the box w itself, whose digits would be lost in x where λ is huge.
    const double map = projected == x ? rows.w[i] : d * rows.lambda[i] - projected;
    squares.map += map * map / d;
    squares.data += rows.q[i] * rows.q[i] / d;
    squares.finite += 0. * rows.w[i];
  }
}

// A disc ‖x_s‖ ≤ μ x_N of the cone, x = λ − ŵ, in some rows.
struct Disc {
  double mu;
  const double* lambda;
  const double* w;
  std::size_t rows;
  double length = 0.;    // ‖x_s‖
  double velocity = 0.;  // ‖w_s‖

  void measure() {
    double lengths = 0., velocities = 0.;
    for (std::size_t i = 0; i < rows; ++i) {
      lengths += (lambda[i] - w[i]) * (lambda[i] - w[i]);
      velocities += w[i] * w[i];
    }
    length = std::sqrt(lengths);
    velocity = std::sqrt(velocities);
  }
  // ‖ w_s + cut x_s/‖x_s‖ ‖²
  double mapSquared(double cut) const {
    double sum = 0.;
    for (std::size_t i = 0; i < rows; ++i) {
      const double value = w[i] + (cut > 0. ? cut * ((lambda[i] - w[i]) / length) : 0.);
      sum += value * value;
    }
    return sum;
  }
};

// ‖λ − P_K(λ − ŵ)‖², λ and w in the same unit. P_K(x) = x + (δ, −(e_s − μ_s δ)₊ x_s/‖x_s‖) with e_s = ‖x_s‖ − μ_s x_N
// and δ = Σ μ_s (e_s − μ_s δ)₊, which is the largest of the solutions with some of the terms only. The map is ŵ minus
// that change, since with a huge λ the digits of ŵ would be lost in x.
double coneMapSquared(double lambda, double w, Disc first, Disc second, double reactionSquared) {
  first.measure();
  second.measure();
  const double corrected = w + first.mu * first.velocity + second.mu * second.velocity;
  const double x = lambda - corrected;
  if (x + first.mu * first.length + second.mu * second.length <= 0.) return reactionSquared;
  const double e1 = first.length - first.mu * x;
  const double e2 = second.length - second.mu * x;
  const auto lift = [&](double a, double b) { return (a * e1 + b * e2) / (1. + a * a + b * b); };
  const double delta = std::max({0., lift(first.mu, 0.), lift(0., second.mu), lift(first.mu, second.mu)});
  return (corrected - delta) * (corrected - delta) + first.mapSquared(e1 - first.mu * delta) +
         second.mapSquared(e2 - second.mu * delta);
}

void addContact(const Rows& rows, const MechanicalPart& part, Squares& squares) {
  const std::size_t tangents = part.tangentRows();
  const std::size_t rolls = rows.count - 1 - tangents;
  const double d = rows.mean(0, 1 + tangents);
  const double c = rolls > 0 ? std::sqrt(d / rows.mean(1 + tangents, rows.count)) : 1.;
  double lambda[5] = {}, w[5] = {};
  double reactionSquared = 0.;
  for (std::size_t i = 0; i < rows.count; ++i) {
    const double scale = i > tangents ? c : 1.;
    lambda[i] = d * rows.lambda[i] / scale;
    w[i] = scale * rows.w[i];
    reactionSquared += lambda[i] * lambda[i];
    squares.data += scale * rows.q[i] * (scale * rows.q[i]) / d;
    squares.finite += 0. * rows.w[i] + 0. * rows.lambda[i];
  }
  const Disc slip{part.friction, lambda + 1, w + 1, tangents};
  const Disc roll{part.rolling / c, lambda + 1 + tangents, w + 1 + tangents, rolls};
  squares.map += coneMapSquared(lambda[0], w[0], slip, roll, reactionSquared) / d;
}

}  // namespace

double errorOf(const GenericMechanicalProblem& problem, ErrorMeasure measure, const Vector& lambda, Vector& w) {
  requireSize(lambda, problem.size(), "mechanical error: λ");
  if (w.size() != lambda.size()) w.resize(lambda.size(), false);
  problem.W().multiply(data(lambda), data(w));
  for (std::size_t i = 0; i < w.size(); ++i) w(i) += problem.q()(i);
  Squares squares;
  for (std::size_t p = 0; p < problem.parts().size(); ++p) {
    const MechanicalPart& part = problem.parts()[p];
    const std::size_t first = problem.offset(p);
    const Rows rows{part.rows, data(lambda) + first, data(w) + first, data(problem.q()) + first,
                    measure == ErrorMeasure::scaled ? problem.W().diagonalBlock(p) : nullptr};
    if (part.isContact()) {
      addContact(rows, part, squares);
    } else if (part.kind == PartKind::box) {
      addBox(rows, data(problem.lower()) + first, data(problem.upper()) + first, squares);
    } else {
      addEqualities(rows, squares);
    }
  }
  // An infinite w is projected to a bound, and may then not show.
  if (squares.finite != 0. || !std::isfinite(squares.map) || !std::isfinite(squares.data)) {
    return std::numeric_limits<double>::infinity();
  }
  const double normOfData = std::sqrt(squares.data);
  return std::sqrt(squares.map) / (normOfData < 1e-150 ? 1. : normOfData);
}

}  // namespace delassus::numerics
