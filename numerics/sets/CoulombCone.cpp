// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/friction/FrictionCone.hpp>
#include <delassus/numerics/friction/HybridOneContactSolver.hpp>
#include <delassus/numerics/sets/CoulombCone.hpp>

namespace delassus::numerics {

// The same as for other contacts, in closed form.
void CoulombCone::project(const Rows& rows, double* x) const {
  const double unit = rows.c[0] / rows.c[1];
  x[0] /= unit;
  projectOnCone(rows.count, coefficients()[0] * unit, x);
  x[0] *= unit;
}

void CoulombCone::solveLocal(const Rows& rows, const double* block, const RankRevealingLU&, double* w,
                             double* lambda) const {
  static const HybridOneContactSolver contact;
  constexpr std::array<double, 9> zeros{};
  subtractOwn(rows.count, block, lambda, w);
  contact.solve(rows.count, block != nullptr ? block : zeros.data(), w, coefficients()[0], lambda);
}

}  // namespace delassus::numerics
