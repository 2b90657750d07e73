// SPDX-License-Identifier: Apache-2.0
//
// A linear complementarity problem, by the solvers of an installed Delassus; fails if the answer is another.
#include <cmath>
#include <delassus/Config.hpp>
#include <delassus/numerics/methods/LemkeSolver.hpp>
#include <delassus/numerics/problem/LinearComplementarityProblem.hpp>
#include <iostream>

using namespace delassus;

int main() {
  const numerics::LinearComplementarityProblem problem(makeMatrix({{2., 1.}, {1., 2.}}), makeVector({-5., -6.}));
  Vector z(2), w(2);
  const numerics::SolveReport report = numerics::LemkeSolver{}.solve(problem, z, w);
  std::cout << "Delassus " << libraryVersion << ": z = " << z(0) << ", " << z(1) << "; 4/3, 7/3 in theory.\n";
  return report.converged() && std::abs(z(0) - 4. / 3.) + std::abs(z(1) - 7. / 3.) < 1e-12 ? 0 : 1;
}
