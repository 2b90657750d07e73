// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/lcp/LcpError.hpp>

#include <algorithm>
#include <delassus/numerics/lcp/RowwiseError.hpp>

namespace delassus::numerics {

double errorOf(const LinearComplementarityProblem& problem, ErrorMeasure measure, const Vector& z, Vector& w,
               double tolerance) {
  requireSize(z, problem.size(), "lcpError: z");
  return rowwiseError(problem, measure, z, w, tolerance,
                      [](std::size_t, auto d, auto unknown, auto dual) { return std::min(d * unknown, dual); });
}

double lcpError(const LinearComplementarityProblem& problem, const Vector& z) {
  Vector w;
  return errorOf(problem, ErrorMeasure::scaled, z, w);
}

double lcpError(const LinearComplementarityProblem& problem, const Vector& z, Vector& w) {
  return errorOf(problem, ErrorMeasure::scaled, z, w);
}

double publishedLcpError(const LinearComplementarityProblem& problem, const Vector& z) {
  Vector w;
  return errorOf(problem, ErrorMeasure::published, z, w);
}

}  // namespace delassus::numerics
