// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace delassus::numerics {

/// Rows and coefficients of a contact with friction, normal row first, with or without rows of rolling.
struct ContactShape {
  std::size_t rows = 1;      ///< of the contact
  std::size_t tangents = 0;  ///< rows of friction, after the normal one
  double friction = 0.;      ///< μ
  double rolling = 0.;       ///< μ_R, a length

  /// Rows (N, T) or (N, T1, T2), for dimension 2 or 3.
  static ContactShape coulomb(std::size_t dimension, double friction) {
    return {dimension, dimension - 1, friction, 0.};
  }
  /// Rows (N, T, R) or (N, T1, T2, R1, R2).
  static ContactShape rollingContact(std::size_t dimension, double friction, double rolling) {
    return {2 * dimension - 1, dimension - 1, friction, rolling};
  }

  /// The same contact with rows x_i / c_i, c_i being one of these units.
  ContactShape inUnits(double normal, double tangential, double angular) const {
    return {rows, tangents, friction * normal / tangential, rolling * normal / angular};
  }
  /// Rows of rolling, the last ones.
  std::size_t rolls() const { return rows - 1 - tangents; }
};

/// The cone of a contact with friction and rolling resistance, normal component first,
///
///     K = { x : ‖x_s‖ ≤ μ_s x_N for each disc s },    K* = { w : w_N ≥ Σ_s μ_s ‖w_s‖ },
///
/// with one disc (friction) or two (friction, rolling) of one or two rows each, and the operations that methods need.
/// For one disc it is Coulomb's cone. (Acary and Bourrier, Eur. J. Mech. A/Solids, 2021.)
class ContactCone {
 public:
  /// Rows of a rolling contact in dimension 3.
  static constexpr std::size_t mostRows = 5;

  /// Of a contact.
  explicit ContactCone(const ContactShape& shape);

  /// Of the contact, 2, 3 or 5: the size of x, w, u and r below.
  std::size_t rows() const { return rows_; }

  /// Whether x is in K, without any tolerance.
  bool contains(const double* x) const;
  /// s = Σ μ_s ‖w_s‖, what De Saxcé's ŵ = w + s e_N adds.
  double correction(const double* w) const;

  /// x := P_K(x), the nearest point of the cone. The height of that point is the zero of an increasing function, linear
  /// between the heights ‖x_s‖/μ_s at which the discs reach x_s, and is found piece by piece.
  void project(double* x) const;
  /// The same, and an element of the generalised Jacobian of P_K at the old x into G (rows x rows, symmetric); at kinks
  /// that of the inside of K.
  void project(double* x, double* G) const;

  /// F(u, r) = r − P_K(r − û), zero where the law holds, with an element of its generalised Jacobian by u and r (rows x
  /// rows, column-major). At w_s = 0 the derivative of ‖w_s‖ is taken as 0, the middle of its subdifferential.
  void naturalMap(const double* u, const double* r, double* value, double* byU, double* byR) const;
  /// F(u, r) alone.
  void naturalMap(const double* u, const double* r, double* value) const;
  /// ∂F/∂μ, μ the coefficient of the first disc of a cone that has no other; at kinks as naturalMap().
  void mapByFriction(const double* u, const double* r, double* value) const;

 private:
  struct Disc {
    std::size_t first = 0;
    std::size_t rows = 0;
    double mu = 0.;
    double norm(const double* x) const;
  };
  // The height of the projection, and which discs cut x.
  struct Height {
    double value = 0.;
    double share = 1.;  // 1 / (1 + Σ μ_s² of the discs that cut)
    bool cuts[2] = {false, false};
    bool isZero = false;
  };
  Height heightOf(const double* x, const double* norms) const;
  void lower(const Height& height, const double* norms, double* x) const;
  void tipShifted(const double* u, const double* r, double* x) const;

  std::size_t rows_;
  std::size_t count_;
  Disc discs_[2];
};

}  // namespace delassus::numerics
