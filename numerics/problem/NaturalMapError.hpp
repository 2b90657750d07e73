// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/Solver.hpp>
#include <delassus/numerics/problem/Certificate.hpp>
#include <delassus/numerics/problem/ProblemOverSets.hpp>

namespace delassus::numerics {

/// Error measure of a problem over sets, and w = W λ + q computed again: the natural map of each part, relative to q,
///
///     error = ( Σ_p ‖F_p‖² e_p )^½ / ( Σ_p ‖q_p‖² e_p )^½,    divided by 1 instead where that is below 10⁻¹⁵⁰,
///
///     equality   F_i = w_i                                    d_i = W_ii, row by row
///     box        F_i = d_i λ_i − P_[d_i l_i, d_i u_i](d_i λ_i − w_i)       d_i = W_ii, row by row
///     orthant    F_i = min(d_i λ_i, w_i)                      d_i = W_ii, row by row
///     contacts   F = d λ − P_K(d λ − ŵ)                       d the mean of W_NN and the W_TT
///                with ŵ = (w_N + μ‖w_T‖ + μ_R‖w_R‖, w_T, w_R)
///     others     F = d λ − P_C(d λ − w),    d the mean of the W_ii of the part
///
/// λ solves the problem if and only if the error is 0. The rolling rows enter as c w_R, λ_R/c and μ_R/c, and q_R as c
/// q_R, with the length c = (d / mean of the W_RR)^½. What is not positive of d and c is 1 instead. d gives both terms
/// of F the unit of a velocity, so that units of mass, length and time change nothing.
///
/// The problem's norm() says how rows count: ResidualNorm::velocity, of contact problems, relay problems and LCPs, has
/// e = 1; ResidualNorm::energy, of generic mechanical problems, e = 1/d: w²/W_ii is an energy, so that rows of metres
/// and of radians a second add up, and the velocity of a light body counts for less than that of a heavy one.
///
/// Bounds other than zero are data, too: where λ is at some of them, λ_b, the error is relative to 10⁻⁶ W λ_b where
/// that is larger than q. A relay whose q is a sum of such terms, zero up to rounding, has no more digits.
///
/// ErrorMeasure::published has d = c = e = 1, and knows no such terms. Of problems in global form
/// (GlobalMechanicalProblem) W = Hᵀ M⁻¹ H, but d and c are those of Hᵀ diag(M)⁻¹ H, and the published measure is
/// relative to b. NaN in λ gives an infinite error. It is at most `tolerance` only if it is so in exact arithmetic (see
/// certified()). Infinite where the parts do not have all rows. Throws Error if λ has the wrong size. (De Saxcé and
/// Feng, 1998; Facchinei and Pang, 2003, section 1.5; Acary, Brémond and Huber, 2018; Acary and Bourrier, 2021.)
double errorOf(const ProblemOverSets& problem, ErrorMeasure measure, const Vector& lambda, Vector& w,
               double tolerance = defaultTolerance);

/// What the error is relative to, ( Σ_p ‖q_p‖² e_p )^½, where it is at least leastData.
double sizeOfData(const ProblemOverSets& problem, ErrorMeasure measure);

/// Below this a q is none, and errors are absolute.
inline constexpr double leastData = 1e-150;

}  // namespace delassus::numerics
