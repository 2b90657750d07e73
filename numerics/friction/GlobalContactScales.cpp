// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/friction/GlobalContactScales.hpp>

namespace delassus::numerics {
namespace {

double positiveOrOne(double scale) {
  return scale > 0. ? scale : 1.;
}

}  // namespace

void contactScales(const GlobalFrictionContactProblem& problem, std::vector<GlobalContactScale>& scales) {
  const SparseMatrix& M = problem.M();
  const SparseMatrix& H = problem.H();
  std::vector<double> inverseMass(M.size1(), 0.);
  for (std::size_t j = 0; j < M.size2(); ++j) {
    for (std::size_t k = columnStart(M, j); k < columnStart(M, j + 1); ++k) {
      if (rowOf(M, k) == j && valueOf(M, k) > 0.) inverseMass[j] = 1. / valueOf(M, k);
    }
  }
  const std::size_t d = problem.dimension();
  scales.resize(problem.contacts());
  for (std::size_t contact = 0; contact < problem.contacts(); ++contact) {
    double normal = 0.;
    double tangent = 0.;
    for (std::size_t i = 0; i < d; ++i) {
      const std::size_t column = d * contact + i;
      for (std::size_t k = columnStart(H, column); k < columnStart(H, column + 1); ++k)
        (i == 0 ? normal : tangent) += valueOf(H, k) * valueOf(H, k) * inverseMass[rowOf(H, k)];
    }
    scales[contact] = {positiveOrOne(normal), positiveOrOne(tangent / static_cast<double>(d - 1)),
                       positiveOrOne((normal + tangent) / static_cast<double>(d))};
  }
}

}  // namespace delassus::numerics
