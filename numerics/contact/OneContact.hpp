// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <delassus/numerics/contact/AlartCurnier.hpp>
#include <delassus/numerics/contact/FrictionCone.hpp>
#include <limits>

namespace delassus::numerics {

/// Common part of the one-contact solvers: the data of a contact in dimension d, with its velocity, its residual, the
/// sticking reaction and a Newton step. Keeps pointers to W and q.
template <std::size_t d>
class OneContact {
 public:
  /// A reaction r, or a velocity u, normal component first.
  using Reaction = std::array<double, d>;

  /// W is d x d, column-major; q, the free velocity, has d components.
  OneContact(const double* W, const double* q, double mu) : W_(W), q_(q), mu_(mu) {
    double trace = 0.;
    double squares = 0.;
    for (std::size_t i = 0; i < d; ++i) {
      trace += W[i * (d + 1)];
      squares += q[i] * q[i];
    }
    stiffness_ = trace > 0. ? trace / static_cast<double>(d) : 0.;
    scale_ = trace > 0. ? stiffness_ : 1.;
    freeSpeed_ = std::sqrt(squares);
  }

  /// The data given to the constructor.
  ///@{
  const double* W() const { return W_; }
  const double* q() const { return q_; }
  double mu() const { return mu_; }
  ///@}
  double scale() const { return scale_; }  ///< δ, the mean diagonal entry of W, or 1

  /// The rounding error of residual(): u_T enters û_N with the factor μ.
  double rounding() const { return 1e-14 * (1. + mu_); }

  /// u = W r + q
  Reaction velocity(const Reaction& r) const {
    Reaction u;
    for (std::size_t i = 0; i < d; ++i) {
      double sum = q_[i];
      for (std::size_t j = 0; j < d; ++j) sum += W_[i + j * d] * r[j];
      u[i] = sum;
    }
    return u;
  }

  /// ‖δ r − P_K(δ r − û)‖ / (‖q‖ + δ‖r‖), the natural map relative to its terms.
  double residual(const Reaction& r) const { return residual(r, velocity(r)); }

  /// The same for a known u = W r + q. Infinite if it is NaN.
  double residual(const Reaction& r, const Reaction& u) const {
    const Reaction map = naturalMap(r, u);
    double squares = 0.;
    double reaction = 0.;
    for (std::size_t i = 0; i < d; ++i) {
      squares += map[i] * map[i];
      reaction += r[i] * r[i];
    }
    const double size = freeSpeed_ + stiffness_ * std::sqrt(reaction);
    // The rounding error of δ r is added: without W, a reaction can grow until q is lost in it.
    const double hidden = std::numeric_limits<double>::epsilon() * std::sqrt(reaction);
    const double value = size == 0. ? 0. : scale_ * std::max(std::sqrt(squares), hidden) / size;
    return std::isfinite(value) ? value : std::numeric_limits<double>::infinity();
  }

  /// r = 0 is a solution.
  bool takesOff() const { return q_[0] >= 0.; }

  /// Whether r is in K, without any tolerance.
  bool isInCone(const Reaction& r) const { return r[0] >= 0. && tangentNorm(d, r.data()) <= mu_ * r[0]; }

  /// r := −W⁻¹ q by L D Lᵀ. Pivots of rounding size count as zero, and so do the components of r there; false if there
  /// are any (W r + q may then be different from zero).
  bool stick(Reaction& r) const;

  /// Step of Newton's method on the Alart–Curnier functions at r, u = W r + q; false if the matrix is singular.
  bool newtonStep(const Reaction& r, const Reaction& u, Reaction& step) const;

 private:
  // r − P_K(r − û/δ), with De Saxcé's û.
  Reaction naturalMap(const Reaction& r, const Reaction& u) const {
    Reaction x{};
    x[0] = r[0] - (u[0] + mu_ * tangentNorm(d, u.data())) / scale_;
    for (std::size_t i = 1; i < d; ++i) x[i] = r[i] - u[i] / scale_;
    projectOnCone(d, mu_, x.data());
    for (std::size_t i = 0; i < d; ++i) x[i] = r[i] - x[i];
    return x;
  }

  const double* W_;
  const double* q_;
  double mu_;
  double stiffness_;  // δ, but 0 where W = 0
  double scale_;
  double freeSpeed_;
};

/// The residual for any dimension, 2 or 3.
inline double oneContactResidual(std::size_t dimension, const double* W, const double* q, double mu, const double* r) {
  if (dimension == 2) return OneContact<2>(W, q, mu).residual({r[0], r[1]});
  return OneContact<3>(W, q, mu).residual({r[0], r[1], r[2]});
}

/// x := A⁻¹ x by elimination with partial pivoting, A column-major and overwritten; false if a pivot is zero or NaN.
template <std::size_t d>
bool solveInPlace(std::array<double, d * d>& A, std::array<double, d>& x) {
  for (std::size_t k = 0; k < d; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < d; ++i) {
      if (std::abs(A[i + k * d]) > std::abs(A[pivot + k * d])) pivot = i;
    }
    if (!(std::abs(A[pivot + k * d]) > 0.)) return false;
    if (pivot != k) {
      for (std::size_t j = k; j < d; ++j) std::swap(A[k + j * d], A[pivot + j * d]);
      std::swap(x[k], x[pivot]);
    }
    const double inverse = 1. / A[k + k * d];
    for (std::size_t i = k + 1; i < d; ++i) {
      const double factor = A[i + k * d] * inverse;
      for (std::size_t j = k + 1; j < d; ++j) A[i + j * d] -= factor * A[k + j * d];
      x[i] -= factor * x[k];
    }
    x[k] *= inverse;
    for (std::size_t j = k + 1; j < d; ++j) A[k + j * d] *= inverse;
  }
  for (std::size_t k = d; k-- > 0;) {
    for (std::size_t j = k + 1; j < d; ++j) x[k] -= A[k + j * d] * x[j];
  }
  return true;
}

template <std::size_t d>
bool OneContact<d>::stick(Reaction& r) const {
  constexpr double threshold = 8. * std::numeric_limits<double>::epsilon();
  std::array<double, d * d> L;  // L below the diagonal; on it the inverse pivots, 0 where there is none
  bool regular = true;
  for (std::size_t j = 0; j < d; ++j) {
    double pivot = W_[j * (d + 1)];
    for (std::size_t k = 0; k < j; ++k) pivot -= L[j + k * d] * L[k + j * d];
    const bool good = pivot > threshold * W_[j * (d + 1)];
    regular = regular && good;
    const double inverse = good ? 1. / pivot : 0.;
    L[j * (d + 1)] = inverse;
    for (std::size_t i = j + 1; i < d; ++i) {
      double entry = W_[i + j * d];
      for (std::size_t k = 0; k < j; ++k) entry -= L[i + k * d] * L[k + j * d];
      L[j + i * d] = good ? entry : 0.;  // D Lᵀ
      L[i + j * d] = entry * inverse;
    }
  }
  for (std::size_t i = 0; i < d; ++i) {
    r[i] = -q_[i];
    for (std::size_t k = 0; k < i; ++k) r[i] -= L[i + k * d] * r[k];
  }
  for (std::size_t i = 0; i < d; ++i) r[i] *= L[i * (d + 1)];
  for (std::size_t i = d; i-- > 0;) {
    for (std::size_t k = i + 1; k < d; ++k) r[i] -= L[k + i * d] * r[k];
  }
  return regular;
}

template <std::size_t d>
bool OneContact<d>::newtonStep(const Reaction& r, const Reaction& u, Reaction& step) const {
  // ρ of the diagonal gives both terms of the maps the same size, whatever the units.
  const double rhoNormal = W_[0] > 0. ? 1. / W_[0] : 1. / scale_;
  double tangent = 0.;
  for (std::size_t i = 1; i < d; ++i) tangent = std::max(tangent, W_[i * (d + 1)]);
  const double rhoTangent = tangent > 0. ? 1. / tangent : 1. / scale_;
  const ContactMap<d> map = alartCurnier<d>(mu_, rhoNormal, rhoTangent, u.data(), r.data());
  std::array<double, d* d> J = map.byP;
  for (std::size_t j = 0; j < d; ++j) {
    for (std::size_t k = 0; k < d; ++k) {
      for (std::size_t i = 0; i < d; ++i) J[i + j * d] += map.byU[i + k * d] * W_[k + j * d];
    }
  }
  for (std::size_t i = 0; i < d; ++i) step[i] = -map.value[i];
  return solveInPlace<d>(J, step);
}

}  // namespace delassus::numerics
