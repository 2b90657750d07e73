// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/friction/HybridOneContactSolver.hpp>
#include <delassus/numerics/sets/CoulombCone.hpp>

namespace delassus::numerics {

void CoulombCone::solveLocal(const Rows& rows, const double* block, const RankRevealingLU&, double* w,
                             double* lambda) const {
  static const HybridOneContactSolver contact;
  constexpr std::array<double, 9> zeros{};
  subtractOwn(rows.count, block, lambda, w);
  contact.solve(rows.count, block != nullptr ? block : zeros.data(), w, coefficients()[0], lambda);
}

}  // namespace delassus::numerics
