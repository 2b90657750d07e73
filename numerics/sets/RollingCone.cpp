// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/sets/RollingCone.hpp>
#include <delassus/numerics/sets/RollingContactSolver.hpp>

namespace delassus::numerics {

void RollingCone::solveLocal(const Rows& rows, const double* block, const RankRevealingLU&, double* w,
                             double* lambda) const {
  constexpr std::array<double, 25> zeros{};
  subtractOwn(rows.count, block, lambda, w);
  RollingContactSolver().solve(shape(rows.count), block != nullptr ? block : zeros.data(), w, lambda);
}

}  // namespace delassus::numerics
