// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/Certificate.hpp>
#include <delassus/numerics/Solver.hpp>
#include <delassus/numerics/lcp/LinearComplementarityProblem.hpp>

namespace delassus::numerics {

/// Error measure of an LCP: the natural map, relative to the data. With w = M z + q computed again and d_i = M_ii if
/// positive, 1 otherwise,
///
///     error = ‖ min(d_i z_i, w_i) ‖₂ / ‖q‖₂,     divided by 1 instead where ‖q‖₂ < 10⁻¹⁵⁰.
///
/// z solves the problem if and only if the error is 0. The scaling by d gives both arguments of the
/// minimum the unit of w, so that a change of units of z (kg to g, say) changes nothing. NaN in z, and
/// a w or a sum of squares that overflows, give an infinite error.
/// (Natural map: Facchinei and Pang, Finite-Dimensional Variational Inequalities, 2003, section 1.5.)
double lcpError(const LinearComplementarityProblem& problem, const Vector& z);
/// The same, and w = M z + q (resized if need be).
double lcpError(const LinearComplementarityProblem& problem, const Vector& z, Vector& w);

/// The measure used by published results of other programs: d_i = 1, that is ‖ min(z, M z + q) ‖₂ / ‖q‖₂ (divided by 1
/// where q = 0).
double publishedLcpError(const LinearComplementarityProblem& problem, const Vector& z);

/// The certificate of LcpSolver: one of the two above, and w. It is at most `tolerance` only if it is so in exact
/// arithmetic (see certified()).
double errorOf(const LinearComplementarityProblem& problem, ErrorMeasure measure, const Vector& z, Vector& w,
               double tolerance = defaultTolerance);

}  // namespace delassus::numerics
