// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/Solver.hpp>
#include <delassus/numerics/friction/GlobalFrictionContactProblem.hpp>
#include <delassus/numerics/problem/Certificate.hpp>

namespace delassus::numerics {

/// Error measure of x = (v, r) in a global friction contact problem, and u = Hᵀ v + b computed again. The local measure
/// at (r, u) and the residual of the dynamics, each relative to its terms:
///
///     error = ( Σ_c ‖ d_c r_c − P_K(d_c r_c − û_c) ‖₂² / s_u² + ‖ M v − H r − f ‖₂² / s_f² )^½
///
/// with s_f = max(‖f‖₂, ‖H r‖₂), s_u = max(‖b‖₂, ‖|H|ᵀ |v|‖₂) (the velocities that are subtracted to give u), each
/// replaced by 1 where it is below 10⁻¹⁵⁰, and d_c the mean diagonal entry of the contact's block of Hᵀ diag(M)⁻¹ H (1
/// where that is not positive). ErrorMeasure::published has d = 1, s_f = ‖f‖₂ and s_u = ‖b‖₂ (each 1 where it is 0).
/// NaN gives an infinite error.
/// It is at most `tolerance` only if it is so in exact arithmetic (see certified()).
double errorOf(const GlobalFrictionContactProblem& problem, ErrorMeasure measure, const Vector& x, Vector& u,
               double tolerance = defaultTolerance);

}  // namespace delassus::numerics
