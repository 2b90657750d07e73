// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/nonlinear/ProjectedStep.hpp>

namespace delassus::numerics {

void ProjectedStep::apply(const ProblemOverSets& sets, const MechanicalScales& scales, const Vector& x, const Vector& F,
                          double tau, Vector& y) {
  if (y.size() != x.size()) y.resize(x.size(), false);
  for (std::size_t part = 0; part < sets.partCount(); ++part) {
    const std::size_t first = sets.offset(part), rows = sets.rows(part);
    w_.resize(rows);
    value_.resize(rows);
    byW_.resize(rows * rows);
    byX_.resize(rows * rows);
    for (std::size_t i = 0; i < rows; ++i) w_[i] = tau * F(first + i);
    sets.set(part).naturalMap(scales.rows(sets, part), w_.data(), data(x) + first, value_.data(), byW_.data(),
                              byX_.data());
    for (std::size_t i = 0; i < rows; ++i) {
      y(first + i) = x(first + i) - value_[i] * scales.c[first + i] / scales.d[first + i];
    }
  }
}

void ProjectedStep::project(const ProblemOverSets& sets, Vector& x) {
  ones_.d.assign(x.size(), 1.);
  ones_.c.assign(x.size(), 1.);
  assignZero(zeros_, x.size());
  apply(sets, ones_, x, zeros_, 1., x);
}

}  // namespace delassus::numerics
