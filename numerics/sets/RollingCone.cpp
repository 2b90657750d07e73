// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/sets/RollingCone.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace delassus::numerics {
namespace {

constexpr std::size_t most = ContactCone::mostRows;
constexpr std::size_t newtonSteps = 50;
constexpr std::size_t bisections = 60;
constexpr std::size_t gradientSteps = 500;
constexpr double unknown = std::numeric_limits<double>::infinity();

using Rows = std::array<double, most>;
using Block = std::array<double, most * most>;

// x := A⁻¹ x by elimination with partial pivoting; false if a pivot is lost.
bool solveInPlace(std::size_t m, Block& A, Rows& x) {
  double largest = 0.;
  for (std::size_t i = 0; i < m * m; ++i) largest = std::max(largest, std::abs(A[i]));
  for (std::size_t k = 0; k < m; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < m; ++i) {
      if (std::abs(A[i + k * m]) > std::abs(A[pivot + k * m])) pivot = i;
    }
    if (!(std::abs(A[pivot + k * m]) > 1e-14 * largest)) return false;
    if (pivot != k) {
      for (std::size_t j = k; j < m; ++j) std::swap(A[k + j * m], A[pivot + j * m]);
      std::swap(x[k], x[pivot]);
    }
    for (std::size_t i = k + 1; i < m; ++i) {
      const double factor = A[i + k * m] / A[k + k * m];
      for (std::size_t j = k + 1; j < m; ++j) A[i + j * m] -= factor * A[k + j * m];
      x[i] -= factor * x[k];
    }
  }
  for (std::size_t k = m; k-- > 0;) {
    for (std::size_t j = k + 1; j < m; ++j) x[k] -= A[k + j * m] * x[j];
    x[k] /= A[k + k * m];
  }
  return true;
}

double norm(std::size_t m, const Rows& x) {
  double squares = 0.;
  for (std::size_t i = 0; i < m; ++i) squares += x[i] * x[i];
  return std::sqrt(squares);
}

// The problem in units in which W has diagonals near 1, and a search that keeps the best answer.
class OneRollingContact {
 public:
  OneRollingContact(const ContactShape& shape, const double* W, const double* q, const double* start);

  bool search();
  void answer(double* r) const;

 private:
  Rows velocity(const Rows& r) const;
  double residual(const Rows& r) const;
  bool accept(const Rows& r);
  bool stick();
  bool newton(Rows r);
  bool bisect();
  void convexAnswer(double correction, Rows& r) const;

  std::size_t m_;
  std::size_t tangents_;
  double d_, c_;
  ContactCone cone_;
  Block W_{};
  Rows q_{}, start_{}, stick_{}, best_{};
  double bestResidual_ = unknown;
  double step_ = 1.;  // of the gradients, 1/‖W‖
};

double lengthOf(const ContactShape& shape, const double* W) {
  const std::size_t first = 1 + shape.tangents;
  if (first == shape.rows) return 1.;
  return std::sqrt(meanDiagonal(W, shape.rows, 0, first) / meanDiagonal(W, shape.rows, first, shape.rows));
}

OneRollingContact::OneRollingContact(const ContactShape& shape, const double* W, const double* q, const double* start)
    : m_(shape.rows),
      tangents_(shape.tangents),
      d_(meanDiagonal(W, m_, 0, 1 + tangents_)),
      c_(lengthOf(shape, W)),
      cone_(shape.inUnits(1., 1., c_)) {
  const auto scale = [&](std::size_t i) { return i > tangents_ ? c_ : 1.; };
  double squares = 0.;
  for (std::size_t j = 0; j < m_; ++j) {
    for (std::size_t i = 0; i < m_; ++i) {
      W_[i + m_ * j] = scale(i) * scale(j) * W[i + m_ * j] / d_;
      squares += W_[i + m_ * j] * W_[i + m_ * j];
    }
    q_[j] = scale(j) * q[j];
    start_[j] = d_ * start[j] / scale(j);
  }
  if (squares > 0.) step_ = 1. / std::sqrt(squares);
}

void OneRollingContact::answer(double* r) const {
  for (std::size_t i = 0; i < m_; ++i) r[i] = best_[i] * (i > tangents_ ? c_ : 1.) / d_;
}

Rows OneRollingContact::velocity(const Rows& r) const {
  Rows u = q_;
  for (std::size_t j = 0; j < m_; ++j) {
    for (std::size_t i = 0; i < m_; ++i) u[i] += W_[i + m_ * j] * r[j];
  }
  return u;
}

// The natural map relative to its terms.
double OneRollingContact::residual(const Rows& r) const {
  const Rows u = velocity(r);
  Rows value{};
  cone_.naturalMap(u.data(), r.data(), value.data());
  const double size = norm(m_, q_) + norm(m_, r);
  const double relative = size > 0. ? norm(m_, value) / size : 0.;
  return std::isfinite(relative) ? relative : unknown;
}

bool OneRollingContact::accept(const Rows& r) {
  const double value = residual(r);
  if (value < bestResidual_) {
    bestResidual_ = value;
    best_ = r;
  }
  return value <= 1e-14 * (1. + cone_.correction(q_.data()) / (norm(m_, q_) + 1e-300));
}

bool OneRollingContact::stick() {
  Block A = W_;
  for (std::size_t i = 0; i < m_; ++i) stick_[i] = -q_[i];
  if (!solveInPlace(m_, A, stick_)) {
    stick_ = {};
    return false;
  }
  return cone_.contains(stick_.data()) && accept(stick_);
}

bool OneRollingContact::newton(Rows r) {
  double merit = residual(r);
  for (std::size_t step = 0; step < newtonSteps; ++step) {
    const Rows u = velocity(r);
    Rows change{};
    Block byU{}, J{};
    cone_.naturalMap(u.data(), r.data(), change.data(), byU.data(), J.data());
    for (std::size_t j = 0; j < m_; ++j) {
      for (std::size_t k = 0; k < m_; ++k) {
        for (std::size_t i = 0; i < m_; ++i) J[i + m_ * j] += byU[i + m_ * k] * W_[k + m_ * j];
      }
    }
    if (!solveInPlace(m_, J, change)) break;
    bool accepted = false;
    for (double length = 1.; length > 1e-4 && !accepted; length *= 0.5) {
      Rows trial = r;
      for (std::size_t i = 0; i < m_; ++i) trial[i] -= length * change[i];
      const double value = residual(trial);
      accepted = value < merit * (1. - 1e-4 * length);
      if (!accepted) continue;
      r = trial;
      merit = value;
    }
    if (!accepted) break;
    if (merit <= 1e-15) break;
  }
  return accept(r);
}

// min ½ rᵀW r + (q + s e_N)ᵀr on K, from r.
void OneRollingContact::convexAnswer(double correction, Rows& r) const {
  Rows y = r;
  double momentum = 1.;
  for (std::size_t step = 0; step < gradientSteps; ++step) {
    const Rows u = velocity(y);
    Rows next{};
    for (std::size_t i = 0; i < m_; ++i) next[i] = y[i] - step_ * (u[i] + (i == 0 ? correction : 0.));
    cone_.project(next.data());
    double uphill = 0., moved = 0.;
    for (std::size_t i = 0; i < m_; ++i) {
      uphill += (y[i] - next[i]) * (next[i] - r[i]);
      moved += (next[i] - y[i]) * (next[i] - y[i]);
    }
    if (uphill > 0.) momentum = 1.;
    const double following = 0.5 * (1. + std::sqrt(1. + 4. * momentum * momentum));
    for (std::size_t i = 0; i < m_; ++i) y[i] = next[i] + (momentum - 1.) / following * (next[i] - r[i]);
    momentum = following;
    r = next;
    if (std::sqrt(moved) <= 1e-15 * norm(m_, q_)) break;
  }
}

bool OneRollingContact::bisect() {
  double low = 0.;
  double high = cone_.correction(q_.data()) - q_[0];
  Rows r{};
  for (std::size_t step = 0; step < bisections && high - low > 1e-14 * high; ++step) {
    const double middle = 0.5 * (low + high);
    convexAnswer(middle, r);
    const Rows u = velocity(r);
    (cone_.correction(u.data()) > middle ? low : high) = middle;
  }
  return accept(r) || newton(r);
}

bool OneRollingContact::search() {
  if (q_[0] >= 0.) return accept(Rows{});
  Rows lower = start_;
  lower[0] *= 1. - 1e-9;
  const bool slides = start_[0] > 0. && !cone_.contains(lower.data());
  if (slides && newton(start_)) return true;
  if (stick()) return true;
  if (!slides && start_[0] > 0. && newton(start_)) return true;
  Rows trial = stick_;
  cone_.project(trial.data());
  if (newton(trial)) return true;
  trial = {};
  trial[0] = W_[0] > 0. ? -q_[0] / W_[0] : 0.;
  if (newton(trial)) return true;
  return bisect();
}

}  // namespace

double meanDiagonal(const double* block, std::size_t rows, std::size_t first, std::size_t end) {
  double sum = 0.;
  for (std::size_t i = first; i < end; ++i) sum += block[i * (rows + 1)];
  return sum > 0. ? sum / static_cast<double>(end - first) : 1.;
}

bool RollingContactSolver::solve(const ContactShape& shape, const double* W, const double* q, double* r) const {
  OneRollingContact contact(shape, W, q, r);
  const bool solved = contact.search();
  contact.answer(r);
  return solved;
}

void RollingCone::solveLocal(const Rows& rows, const double* block, const RankRevealingLU&, double* w,
                             double* lambda) const {
  constexpr std::array<double, 25> zeros{};
  subtractOwn(rows.count, block, lambda, w);
  RollingContactSolver().solve(shape(rows.count), block != nullptr ? block : zeros.data(), w, lambda);
}

}  // namespace delassus::numerics
