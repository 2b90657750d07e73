// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/integrators/FlowRelation.hpp>
#include <delassus/numerics/Error.hpp>
#include <string>

namespace delassus {

FlowRelation::FlowRelation(FirstOrderR& relation, std::size_t states, const std::string& label)
    : relation_(relation), noState_(states, 0.), noMultiplier_(relation.size(), 0.) {
  if (relation.isLinear()) return;
  throw Error(label,
              "its systems are integrated with mechanical ones that force elements tie circuits to, where relations "
              "between systems of first order are linear in x and lambda (FirstOrderLinearR); " +
                  std::string(relation.className()) + " is not.");
}

void FlowRelation::computeJacobian(double t, const Vector&, const Vector&, Matrix& G) {
  relation_.computeC(t, noState_, noMultiplier_, G);
}

void FlowRelation::computeDrift(double t, const Vector&, Vector& drift) {
  relation_.computeOutput(t, noState_, noMultiplier_, drift);
}

const Matrix& FlowRelation::input(double t) {
  assignZero(B_, noState_.size(), size());
  relation_.computeB(t, noState_, noMultiplier_, B_);
  requireSize(B_, noState_.size(), size(), relation_.className());
  assignZero(input_, size(), noState_.size());
  for (std::size_t i = 0; i < input_.size1(); ++i) {
    for (std::size_t j = 0; j < input_.size2(); ++j) input_(i, j) = B_(j, i);
  }
  return input_;
}

const Matrix& FlowRelation::feedthrough(double t) {
  assignZero(D_, size(), size());
  if (!relation_.hasFeedthrough()) return D_;
  relation_.computeD(t, noState_, noMultiplier_, D_);
  requireSize(D_, size(), size(), relation_.className());
  return D_;
}

}  // namespace delassus
