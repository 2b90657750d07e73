// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <delassus/kernel/contacts/PointsPlane.hpp>
#include <delassus/kernel/contacts/Sphere.hpp>
#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/io/VtkWriter.hpp>
#include <delassus/kernel/laws/NewtonImpactFrictionNSL.hpp>
#include <delassus/kernel/model/NonSmoothDynamicalSystem.hpp>
#include <delassus/kernel/problems/FrictionContact.hpp>
#include <delassus/kernel/relations/LagrangianContactR.hpp>
#include <delassus/kernel/relations/NewtonEulerContactR.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <delassus/kernel/systems/LagrangianLinearTIDS.hpp>
#include <delassus/numerics/functions/Automatic.hpp>
#include <filesystem>
#include <memory>

namespace delassus::test {

/// A box that rests on the floor, a ball that falls beside it, spins and slides, and a puck in Lagrangian coordinates
/// (x, y, z) that slides to rest.
struct VtkTestScene {
  static constexpr double mass = 2., gravity = 9.81, radius = 0.1, friction = 0.3;

  NonSmoothDynamicalSystem model{0., 0.5};
  std::shared_ptr<NewtonEulerDS> box, ball;
  std::shared_ptr<LagrangianLinearTIDS> puck;
  std::shared_ptr<Interaction> underBox, underBall, underPuck;
  TimeStepping simulation;
  std::shared_ptr<VtkWriter> vtk;

  explicit VtkTestScene(const std::filesystem::path& folder, VtkOptions options = {.every = 10})
      : box(std::make_shared<NewtonEulerDS>(NewtonEulerDS::at({-0.5, 0., 0.1}), Vector(6), mass,
                                            NewtonEulerDS::boxInertia(mass, 0.4, 0.3, 0.2))),
        ball(std::make_shared<NewtonEulerDS>(NewtonEulerDS::at({0.5, 0., 0.2}), makeVector({0., 0., 0., 0., 20., 3.}),
                                             mass, NewtonEulerDS::ballInertia(mass, radius))),
        puck(std::make_shared<LagrangianLinearTIDS>(makeVector({0., 1., 0.}), makeVector({0.5, 0., 0.}),
                                                    diagonalMatrix({mass, mass, mass}))),
        simulation(makeModel(), TimeDiscretisation(0., 1e-3), MoreauJeanOSI(0.5), FrictionContact(3)),
        vtk(std::make_shared<VtkWriter>(folder, options)) {
    vtk->add(box, VtkShape::box(0.4, 0.3, 0.2));
    vtk->add(ball, VtkShape::sphere(radius));
    vtk->add("puck", puck, VtkShape::cylinder(0.05, 0.02), [](double, const Vector& q) {
      return VtkPlacement{{q(0), q(1), q(2) + 0.01}};
    });
    vtk->addLine("string", puck, [](double, const Vector& q, std::vector<Vector3>& points) {
      points.push_back({0., 1., 1.});
      points.push_back({q(0), q(1), q(2)});
    });
    vtk->addObstacle("floor", VtkShape::rectangle(3., 3.));
    vtk->addContacts();
    vtk->addContact(underPuck, [](double, const Vector& q, std::vector<ContactPoint>& contacts) {
      contacts.push_back({.point = {q(0), q(1), 0.}, .normal = {0., 0., 1.}, .tangent = {1., 0., 0.}});
    });
    simulation.addObserver(vtk);
  }

 private:
  NonSmoothDynamicalSystem& makeModel() {
    box->setName("box");
    ball->setName("ball");
    const Vector weight = makeVector({0., 0., -mass * gravity});
    for (const auto& body : {box, ball}) {
      body->setExternalForces(weight);
      model.insert(body);
    }
    puck->setExternalForces(weight);
    model.insert(puck);
    const NewtonImpactFrictionNSL law(0., 0., friction);
    underBox = std::make_shared<Interaction>(law, NewtonEuler3DR(BoxPlane(0.4, 0.3, 0.2, Plane{})));
    underBall = std::make_shared<Interaction>(law, NewtonEuler3DR(SpherePlane(radius, Plane{})));
    underPuck = std::make_shared<Interaction>(
        law, LagrangianContactR(3, automatic([](const auto& q, auto& h) { h(0) = q(2); }),
                                [](double, const Vector&, Matrix& T) { T(0, 0) = T(1, 1) = 1.; }));
    underBox->setName("under the box");
    model.link(underBox, box);
    model.link(underBall, ball);
    model.link(underPuck, puck);
    return model;
  }
};

}  // namespace delassus::test
