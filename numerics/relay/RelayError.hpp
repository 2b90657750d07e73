// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/Certificate.hpp>
#include <delassus/numerics/Solver.hpp>
#include <delassus/numerics/relay/RelayProblem.hpp>

namespace delassus::numerics {

/// Error measure of a relay problem, and w = M z + q computed again. With d_i = M_ii if positive, 1 otherwise,
///
///     error = ‖ d z − P_[d l, d u](d z − w) ‖₂ / ‖q‖₂,     divided by 1 instead where ‖q‖₂ < 10⁻¹⁵⁰.
///
/// ErrorMeasure::published has d = 1. NaN in z gives an infinite error. It is at most `tolerance` only if it is so in
/// exact arithmetic (see certified()). Throws Error if z has the wrong size.
double errorOf(const RelayProblem& problem, ErrorMeasure measure, const Vector& z, Vector& w,
               double tolerance = defaultTolerance);

}  // namespace delassus::numerics
