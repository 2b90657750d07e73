// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/Error.hpp>
#include <limits>

namespace delassus {

/// Takes of a step of Newton's method as much as the norm of its residual falls by: residualAt(part) moves to that part
/// of the step and gives the norm there, which is `before` at 0. Half of it, and again, while the norm does not fall:
/// steps of a force that is nearly a step itself lead from one side of it to the other for ever. Twice of it, and
/// again, while the norm falls where it had hardly done so: along an exponential each step goes one unit of its
/// argument down, however far the solution is. Ends at the part that was chosen; at 1 where no part makes the norm
/// fall, or where it is not finite before. Where residualAt throws Error, for functions that are not finite there, the
/// norm counts as infinite, but for the last call.
template <class ResidualAt>
void searchLine(double before, const ResidualAt& residualAt) {
  constexpr int halvings = 50, doublings = 20;
  constexpr double progress = 1e-4;  // of what the step promises
  constexpr double slow = 0.1;       // a step whose norm falls to less is no slow one
  const auto normAt = [&](double part) {
    try {
      return static_cast<double>(residualAt(part));
    } catch (const Error&) {
      return std::numeric_limits<double>::infinity();
    }
  };
  const auto falls = [&](double norm, double part) { return norm <= (1. - progress * part) * before; };
  double part = 1.;
  double norm = normAt(part);
  if (!(before < std::numeric_limits<double>::infinity())) return;
  for (int k = 0; k < halvings && !falls(norm, part); ++k) norm = normAt(part *= 0.5);
  if (!falls(norm, part)) {
    residualAt(1.);
    return;
  }
  if (part < 1. || norm < slow * before) return;
  for (int k = 0; k < doublings; ++k) {
    const double further = normAt(2. * part);
    if (!(further < norm)) {
      residualAt(part);
      return;
    }
    norm = further;
    part *= 2.;
  }
}

}  // namespace delassus
