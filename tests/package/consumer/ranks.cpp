// SPDX-License-Identifier: Apache-2.0
//
// Two contacts over the ranks of an installed Delassus; fails if the answer is another.
#include <cmath>
#include <delassus/numerics/distributed/DistributedGaussSeidelSolver.hpp>
#include <delassus/numerics/distributed/Distribution.hpp>
#include <iostream>

using namespace delassus;

int main() {
  return distributed::runOnRanks("ranks", [](const distributed::Ranks& ranks) {
    const numerics::FrictionContactProblem problem(3, diagonalMatrix({2., 2., 2., 2., 2., 2.}),
                                                   makeVector({-2., 0., 0., -4., 0., 0.}), makeVector({0.5, 0.5}));
    const distributed::Distribution distribution(ranks, &problem);
    Vector r, u;
    const numerics::SolveReport report =
        distributed::DistributedGaussSeidelSolver(distribution.W()).solve(distribution.problem(), r, u);
    const Vector all = distribution.gather(r);
    if (!ranks.isFirst()) return 0;
    std::cout << ranks.size() << " rank(s): normal reactions " << all(0) << ", " << all(3) << "; 1, 2 in theory.\n";
    return report.converged() && std::abs(all(0) - 1.) + std::abs(all(3) - 2.) < 1e-6 ? 0 : 1;
  });
}
