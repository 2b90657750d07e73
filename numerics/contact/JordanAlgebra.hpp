// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace delassus::numerics {

// The second-order cone L = { x : x_0 ≥ ‖x_1‖ } in dimension d = 2 or 3, with its Jordan product x ∘ y = (xᵀy, x_0 y_1
// + y_0 x_1) and unit e = (1, 0, 0): the operations that an interior point method needs. (Alizadeh and Goldfarb, Math.
// Program. 95, 2003; Vandenberghe, The CVXOPT linear and quadratic cone program solvers, 2010.)

/// x_0² − ‖x_1‖², as a product of its two eigenvalues, which loses no digits near the boundary.
double coneDeterminant(std::size_t d, const double* x);

/// Largest step in [0, ∞] with x + step · dx in L, x inside.
double stepToBoundary(std::size_t d, const double* x, const double* dx);

/// out := x ∘ y
void jordanProduct(std::size_t d, const double* x, const double* y, double* out);

/// out: the solution of x ∘ out = y, x inside L.
void jordanDivide(std::size_t d, const double* x, const double* y, double* out);

/// Scaling of Nesterov and Todd for x, y inside L: G symmetric with G x = G⁻¹ y = scaled.
struct NesterovTodd {
  double G[9];        ///< d x d, column-major
  double inverse[9];  ///< G⁻¹
  double scaled[3];   ///< λ = G x = G⁻¹ y
  /// Sets all three for the given x and y.
  void compute(std::size_t d, const double* x, const double* y);
};

}  // namespace delassus::numerics
