// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/sets/ContactCone.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace delassus::numerics {

double ContactCone::Disc::norm(const double* x) const {
  return rows == 1 ? std::abs(x[first]) : std::sqrt(x[first] * x[first] + x[first + 1] * x[first + 1]);
}

ContactCone::ContactCone(const ContactShape& shape) : rows_(shape.rows), count_(shape.rolls() > 0 ? 2 : 1) {
  discs_[0] = {1, shape.tangents, shape.friction};
  if (count_ == 2) discs_[1] = {1 + shape.tangents, shape.rolls(), shape.rolling};
}

bool ContactCone::contains(const double* x) const {
  bool inside = x[0] >= 0.;
  for (std::size_t s = 0; s < count_; ++s) inside = inside && discs_[s].norm(x) <= discs_[s].mu * x[0];
  return inside;
}

double ContactCone::correction(const double* w) const {
  double sum = 0.;
  for (std::size_t s = 0; s < count_; ++s) sum += discs_[s].mu * discs_[s].norm(w);
  return sum;
}

ContactCone::Height ContactCone::heightOf(const double* x, const double* norms) const {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double polar = x[0];
  double reach[2] = {0., 0.};  // the height at which a disc reaches x_s
  for (std::size_t s = 0; s < count_; ++s) {
    polar += discs_[s].mu * norms[s];
    reach[s] = discs_[s].mu > 0. ? norms[s] / discs_[s].mu : infinity;
  }
  Height height;
  if (!(polar > 0.)) {
    // On the axis of a cone of zero width, tip and inside coincide.
    height.isZero = true;
    return height;
  }
  // First with all discs cutting, then without the one that is reached first, then with none.
  for (std::size_t s = 0; s < count_; ++s) height.cuts[s] = norms[s] > 0. || discs_[s].mu == 0.;
  for (;;) {
    double sum = x[0], squares = 1.;
    std::size_t lowest = count_;
    for (std::size_t s = 0; s < count_; ++s) {
      if (!height.cuts[s]) continue;
      sum += discs_[s].mu * norms[s];
      squares += discs_[s].mu * discs_[s].mu;
      if (lowest == count_ || reach[s] < reach[lowest]) lowest = s;
    }
    height.share = 1. / squares;
    height.value = sum * height.share;
    if (lowest == count_ || height.value < reach[lowest]) return height;
    height.cuts[lowest] = false;
  }
}

void ContactCone::lower(const Height& height, const double* norms, double* x) const {
  if (height.isZero) {
    std::fill_n(x, rows_, 0.);
    return;
  }
  x[0] = height.value;
  for (std::size_t s = 0; s < count_; ++s) {
    if (!height.cuts[s]) continue;
    const double factor = norms[s] > 0. ? discs_[s].mu * height.value / norms[s] : 0.;
    for (std::size_t i = 0; i < discs_[s].rows; ++i) x[discs_[s].first + i] *= factor;
  }
}

void ContactCone::project(double* x) const {
  double norms[2] = {0., 0.};
  for (std::size_t s = 0; s < count_; ++s) norms[s] = discs_[s].norm(x);
  lower(heightOf(x, norms), norms, x);
}

// P_N = share (x_N + Σ μ_s ‖x_s‖) and P_s = μ_s P_N x_s/‖x_s‖ over the discs that cut, P_s = x_s for the others.
void ContactCone::project(double* x, double* G) const {
  double norms[2] = {0., 0.};
  for (std::size_t s = 0; s < count_; ++s) norms[s] = discs_[s].norm(x);
  const Height height = heightOf(x, norms);
  const std::size_t m = rows_;
  std::fill_n(G, m * m, 0.);
  if (!height.isZero) {
    double gradient[mostRows] = {height.share};
    for (std::size_t s = 0; s < count_; ++s) {
      const Disc& disc = discs_[s];
      for (std::size_t i = disc.first; i < disc.first + disc.rows; ++i) {
        if (height.cuts[s] && norms[s] > 0.) {
          gradient[i] = height.share * disc.mu * x[i] / norms[s];
        } else if (!height.cuts[s]) {
          G[i * (m + 1)] = 1.;
        }
      }
    }
    for (std::size_t j = 0; j < m; ++j) {
      if (gradient[j] == 0.) continue;
      for (std::size_t i = 0; i < m; ++i) G[i + m * j] += gradient[i] * gradient[j] / height.share;
    }
    for (std::size_t s = 0; s < count_; ++s) {
      const Disc& disc = discs_[s];
      if (!height.cuts[s] || disc.rows == 1 || !(norms[s] > 0.)) continue;
      // Across x_s the circle turns with it.
      const double turn = disc.mu * height.value / norms[s];
      const double a = x[disc.first] / norms[s], b = x[disc.first + 1] / norms[s];
      double* const corner = G + disc.first * (m + 1);
      corner[0] += turn * b * b;
      corner[1] -= turn * a * b;
      corner[m] -= turn * a * b;
      corner[m + 1] += turn * a * a;
    }
  }
  lower(height, norms, x);
}

void ContactCone::tipShifted(const double* u, const double* r, double* x) const {
  for (std::size_t i = 0; i < rows_; ++i) x[i] = r[i] - u[i];
  x[0] -= correction(u);
}

void ContactCone::naturalMap(const double* u, const double* r, double* value) const {
  double x[mostRows];
  tipShifted(u, r, x);
  project(x);
  for (std::size_t i = 0; i < rows_; ++i) value[i] = r[i] - x[i];
}

// P_N = share (x_N + μ ‖x_T‖) and P_T = μ P_N x_T/‖x_T‖ depend on μ by themselves, and by x_N = r_N − u_N − μ ‖u_T‖.
void ContactCone::mapByFriction(const double* u, const double* r, double* value) const {
  const Disc& disc = discs_[0];
  double x[mostRows], G[mostRows * mostRows];
  tipShifted(u, r, x);
  const double norms[2] = {disc.norm(x), 0.};
  const Height height = heightOf(x, norms);
  double own[mostRows] = {};
  if (height.cuts[0] && !height.isZero && norms[0] > 0.) {
    own[0] = height.share * (norms[0] - 2. * disc.mu * height.value);
    for (std::size_t i = 1; i < rows_; ++i) own[i] = (height.value + disc.mu * own[0]) * x[i] / norms[0];
  }
  project(x, G);
  const double slip = disc.norm(u);
  for (std::size_t i = 0; i < rows_; ++i) value[i] = G[i] * slip - own[i];
}

void ContactCone::naturalMap(const double* u, const double* r, double* value, double* byU, double* byR) const {
  const std::size_t m = rows_;
  double x[mostRows], G[mostRows * mostRows];
  tipShifted(u, r, x);
  project(x, G);
  double slope[mostRows] = {};  // of the correction
  for (std::size_t s = 0; s < count_; ++s) {
    const double norm = discs_[s].norm(u);
    if (!(norm > 0.)) continue;
    for (std::size_t i = discs_[s].first; i < discs_[s].first + discs_[s].rows; ++i) {
      slope[i] = discs_[s].mu * u[i] / norm;
    }
  }
  for (std::size_t j = 0; j < m; ++j) {
    value[j] = r[j] - x[j];
    for (std::size_t i = 0; i < m; ++i) {
      byU[i + m * j] = G[i + m * j] + G[i] * slope[j];
      byR[i + m * j] = (i == j ? 1. : 0.) - G[i + m * j];
    }
  }
}

}  // namespace delassus::numerics
