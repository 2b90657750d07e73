// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/Certificate.hpp>
#include <delassus/numerics/Solver.hpp>
#include <delassus/numerics/mechanical/GenericMechanicalProblem.hpp>

namespace delassus::numerics {

/// Error measure of a generic mechanical problem, and w = W λ + q computed again: the natural map of each part, in the
/// energy norm, relative to q,
///
///     error = ( Σ_p ‖F_p‖² / d_p )^½ / ( Σ_p ‖q_p‖² / d_p )^½,    divided by 1 instead where that is below 10⁻¹⁵⁰,
///
///     equality   F_i = w_i                                    d_i = W_ii, row by row
///     box        F_i = d_i λ_i − P_[d_i l_i, d_i u_i](d_i λ_i − w_i)       d_i = W_ii, row by row
///     contacts   F = d λ − P_K(d λ − ŵ),    ŵ = (w_N + μ‖w_T‖ + μ_R‖w_R‖, w_T, w_R),    d the mean of W_NN and the
///     W_TT
///
/// λ solves the problem if and only if the error is 0. The rolling rows enter as c w_R, λ_R/c and μ_R/c, and q_R as c
/// q_R, with the length c = (d / mean of the W_RR)^½. What is not positive of d and c is 1 instead. Because d maps
/// impulses to velocities and w²/W_ii is an energy, no unit of mass, length, angle or time changes the error, although
/// rows of metres and of radians a second add up; where all d are the same this is ‖F‖₂/‖q‖₂ as in FrictionError.hpp. A
/// row counts by its energy: the velocity of a light body for less than that of a heavy one.
///
/// ErrorMeasure::published has d = c = 1. NaN in λ gives an infinite error. (De Saxcé and Feng, 1998; Acary, Brémond
/// and Huber, 2018; Acary and Bourrier, 2021.)
/// It is at most `tolerance` only if it is so in exact arithmetic (see certified()).
double errorOf(const GenericMechanicalProblem& problem, ErrorMeasure measure, const Vector& lambda, Vector& w,
               double tolerance = defaultTolerance);

}  // namespace delassus::numerics
