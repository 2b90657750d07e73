// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/systems/RayleighDamping.hpp>

#include <cmath>
#include <delassus/numerics/Error.hpp>

namespace delassus {

SquareMatrix rayleigh(const SquareMatrix& M, const SquareMatrix& K, double alpha, double beta) {
  requireSize(K, M.size1(), M.size2(), "rayleigh: stiffness K");
  for (const double coefficient : {alpha, beta}) {
    if (coefficient >= 0. && std::isfinite(coefficient)) continue;
    throw Error("rayleigh",
                "alpha and beta must not be negative, and finite, got " + toText(alpha) + " and " + toText(beta) + '.');
  }
  SquareMatrix C;
  C.setDifference(SquareMatrix::zeros(M), -alpha, M, -beta, K);
  return C;
}

RayleighCoefficients RayleighCoefficients::of(double omega1, double zeta1, double omega2, double zeta2) {
  if (!(omega1 > 0. && omega1 < omega2 && std::isfinite(omega2) && zeta1 > 0. && zeta2 > 0. && std::isfinite(zeta1) &&
        std::isfinite(zeta2))) {
    throw Error("RayleighCoefficients",
                "expected 0 < omega1 < omega2 and damping ratios that are positive, got omega1 = " + toText(omega1) +
                    ", omega2 = " + toText(omega2) + ", zeta1 = " + toText(zeta1) + ", zeta2 = " + toText(zeta2) + '.');
  }
  const double beta = 2. * (zeta2 * omega2 - zeta1 * omega1) / (omega2 * omega2 - omega1 * omega1);
  const double alpha = 2. * zeta1 * omega1 - beta * omega1 * omega1;
  if (alpha < 0. || beta < 0.) {
    throw Error("RayleighCoefficients", "the damping ratios give alpha = " + toText(alpha) + " and beta = " +
                                            toText(beta) + ", of which none may be negative: they are too different.");
  }
  return {alpha, beta};
}

}  // namespace delassus
