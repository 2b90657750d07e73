// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/Certificate.hpp>
#include <delassus/numerics/Solver.hpp>
#include <delassus/numerics/friction/FrictionContactProblem.hpp>

namespace delassus::numerics {

/// Error measure of a friction contact problem, and u = W r + q computed again: the natural map with De Saxcé's
/// correction, relative to the free velocity. With d_c the mean diagonal entry of the contact's block of W (1 where
/// that is not positive) and û = (u_N + μ‖u_T‖, u_T),
///
///     error = ( Σ_c ‖ d_c r_c − P_K(d_c r_c − û_c) ‖₂² )^½ / ‖q‖₂,     divided by 1 instead where ‖q‖₂ < 10⁻¹⁵⁰.
///
/// r solves the problem if and only if the error is 0. d gives both terms the unit of a velocity, so that units of
/// mass, length and time change nothing. ErrorMeasure::published has d = 1. NaN in r gives an infinite error. The
/// attainable accuracy in double precision is about 10⁻¹⁶ ‖W‖‖r‖/‖q‖. It is at most `tolerance` only if it is so in
/// exact arithmetic (see certified()). (De Saxcé and Feng, 1998; Acary, Brémond and Huber, 2018.)
double errorOf(const FrictionContactProblem& problem, ErrorMeasure measure, const Vector& r, Vector& u,
               double tolerance = defaultTolerance);

/// ‖ r − P_K(r − û) ‖₂² of one contact, reaction and velocity given in the same unit. Real is double or long double.
template <class Real>
Real naturalMapSquared(std::size_t dimension, double mu, const Real* r, const Real* u);

/// What rounding may change in ‖ r − P_K(r − û) ‖₂ computed in double precision, where `bounds` bounds what it has
/// changed in each component of u. The map moves by no more than û does.
double roundingOfNaturalMap(std::size_t dimension, double mu, const double* r, const double* u, const double* bounds);

}  // namespace delassus::numerics
