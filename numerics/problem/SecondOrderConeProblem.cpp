// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/problem/SecondOrderConeProblem.hpp>
#include <utility>

namespace delassus::numerics {
namespace {

std::vector<Part> cones(const std::vector<std::size_t>& rows, const Vector& apertures) {
  if (apertures.size() > 0) requireSize(apertures, rows.size(), "SecondOrderConeProblem: the apertures");
  std::vector<Part> parts;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    parts.push_back(Part::secondOrderCone(rows[i], apertures.size() > 0 ? apertures(i) : 1.));
  }
  return parts;
}

}  // namespace

SecondOrderConeProblem::SecondOrderConeProblem(const Matrix& M, Vector q, const std::vector<std::size_t>& rows,
                                               const Vector& apertures)
    : GenericMechanicalProblem(M, std::move(q), cones(rows, apertures)) {
}

}  // namespace delassus::numerics
