// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace delassus::benchmarks {

/// What a run of spheres has cost, and how well its steps obey the laws of contact.
struct SphereRun {
  double contacts = 0.;  ///< mean number
  double seconds = 0.;   ///< of processor time, for one whole step
  double residual = 0.;  ///< mean over the steps of the root mean square of contactResidual, relative to g h
};

/// Square of the residual of Coulomb's law with plastic impacts at one contact: ‖x − P_K(x − û)‖² with x = r/m, û =
/// (u_N
/// + μ‖u_T‖, u_T), the velocity u after the step, the impulse r, both normal first, and a mass m of the contact.
inline double contactResidual(const double* u, const double* r, double mass, double mu) {
  const double x[3] = {r[0] / mass, r[1] / mass, r[2] / mass};
  const double slip = std::hypot(u[1], u[2]);
  double y[3] = {x[0] - u[0] - mu * slip, x[1] - u[1], x[2] - u[2]};
  const double push = std::hypot(y[1], y[2]);
  if (push > mu * y[0]) {
    // Outside of the cone: at its apex below the polar cone, on its boundary otherwise.
    const double height = std::max(0., (y[0] + mu * push) / (1. + mu * mu));
    const double share = push > 0. ? mu * height / push : 0.;
    y[0] = height;
    y[1] *= share;
    y[2] *= share;
  }
  double squares = 0.;
  for (int i = 0; i < 3; ++i) squares += (x[i] - y[i]) * (x[i] - y[i]);
  return squares;
}

/// The spheres of FallingSpheres in a world of Bullet, stepped by its own sequential impulses with `iterations` in each
/// step of size h, without correction of penetrations, as time stepping on velocities has none.
SphereRun runBulletSpheres(std::size_t spheres, std::size_t steps, int iterations, double h, double mu);

}  // namespace delassus::benchmarks
