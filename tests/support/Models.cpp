// SPDX-License-Identifier: Apache-2.0
#include "Models.hpp"

#include <delassus/kernel/laws/NewtonImpactNSL.hpp>
#include <delassus/kernel/relations/LagrangianLinearTIR.hpp>

namespace delassus::test {

BouncingBall::BouncingBall(double height, double velocity, double restitution, double end, std::size_t dof)
    : model(0., end) {
  Vector q0(dof);
  Vector v0(dof);
  Matrix mass = identityMatrix(dof);
  if (dof == 3) mass(2, 2) = 0.004;
  Vector weight(dof);
  Matrix H(1, dof);
  q0(0) = height;
  v0(0) = velocity;
  weight(0) = -gravity;
  H(0, 0) = 1.;
  ball = std::make_shared<LagrangianLinearTIDS>(q0, v0, mass);
  ball->setExternalForces(weight);
  floor = std::make_shared<Interaction>(NewtonImpactNSL(restitution), LagrangianLinearTIR(H));
  model.insert(ball);
  model.link(floor, ball);
}

ColumnOfBeads::ColumnOfBeads(std::size_t count, double first, double distance, double restitution, double end)
    : model(0., end) {
  const Matrix mass = diagonalMatrix({1., 1., 0.006});
  for (std::size_t i = 0; i < count; ++i) {
    const double height = first + distance * static_cast<double>(i);
    beads.push_back(std::make_shared<LagrangianLinearTIDS>(makeVector({height, 0., 0.}), Vector(3), mass));
    beads.back()->setExternalForces(makeVector({-gravity, 0., 0.}));
    model.insert(beads.back());
  }
  const NewtonImpactNSL law(restitution);
  contacts.push_back(
      std::make_shared<Interaction>(law, LagrangianLinearTIR(makeMatrix({{1., 0., 0.}}), makeVector({-radius}))));
  model.link(contacts.back(), beads.front());
  for (std::size_t i = 1; i < count; ++i) {
    contacts.push_back(std::make_shared<Interaction>(
        law, LagrangianLinearTIR(makeMatrix({{-1., 0., 0., 1., 0., 0.}}), makeVector({-2. * radius}))));
    model.link(contacts.back(), beads[i - 1], beads[i]);
  }
}

}  // namespace delassus::test
