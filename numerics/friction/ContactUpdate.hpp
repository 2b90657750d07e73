// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/friction/OneContactSolver.hpp>

namespace delassus::numerics {

/// One step of Gauss–Seidel at one contact: given its relative velocity u = (W r)_c + q_c at the present reactions and
/// its block of W, solves the contact with the others held. `change` := ω (new r_c − r_c).
inline void updateContact(const OneContactSolver& local, std::size_t dimension, const double* block, double mu,
                          double relaxation, const double* u, const double* r, double* change) {
  double free[3] = {};
  double solved[3] = {};
  for (std::size_t i = 0; i < dimension; ++i) {
    free[i] = u[i];
    for (std::size_t j = 0; j < dimension; ++j) free[i] -= block[i + dimension * j] * r[j];
    solved[i] = r[i];
  }
  local.solve(dimension, block, free, mu, solved);
  for (std::size_t i = 0; i < dimension; ++i) change[i] = relaxation * (solved[i] - r[i]);
}

}  // namespace delassus::numerics
