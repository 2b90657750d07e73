// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/Certificate.hpp>
#include <delassus/numerics/Solver.hpp>
#include <delassus/numerics/mlcp/MixedLinearComplementarityProblem.hpp>

namespace delassus::numerics {

/// Error measure of an MLCP, and w = M z + q computed again. Over equality rows i and complementarity rows k with
/// unknown c(k), and d_k = M_k,c(k) where that is positive and 1 elsewhere,
///
///     error = ‖ ( w_i , min(d_k z_c(k), w_k) ) ‖₂ / ‖q‖₂,     divided by 1 instead where ‖q‖₂ < 10⁻¹⁵⁰.
///
/// ErrorMeasure::published has d_k = 1. NaN in z, and a w or a sum of squares that overflows, give an infinite
/// error. It is at most `tolerance` only if it is so in exact arithmetic (see certified()). Throws Error if z has the
/// wrong size.
double errorOf(const MixedLinearComplementarityProblem& problem, ErrorMeasure measure, const Vector& z, Vector& w,
               double tolerance = defaultTolerance);

}  // namespace delassus::numerics
