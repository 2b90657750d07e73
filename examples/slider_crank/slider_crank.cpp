// SPDX-License-Identifier: Apache-2.0
//
// A slider-crank whose slider has a clearance in its guide: impacts and dry friction at its four corners. See README.md
// for the equations.
//
//     slider_crank
//     slider_crank --clearance 2e-3 --restitution 0.8 --output results/loose

#include <array>
#include <cmath>
#include <delassus/delassus.hpp>

#include "../support/ExampleRun.hpp"
#include "../support/SceneOptions.hpp"

using namespace delassus;

namespace {

struct Options {
  double clearance = 1e-3;
  double restitution = 0.4;
  double friction = 0.01;
  double rate = 150.;
  double tilt = 5e-3;
  RunOptions run{.step = 1e-5, .end = 0.1, .theta = 0.5, .output = "slider_crank"};
  SceneOptions scene{.interval = 0.0005};
};

struct Geometry {
  double l1 = 0.153, l2 = 0.306, a = 0.05, b = 0.025;            // m
  double m1 = 0.038, m2 = 0.038, m3 = 0.076;                     // kg
  double J1 = 7.4e-5, J2 = 5.9e-4, J3 = 2.7e-6, gravity = 9.81;  // kg m²
};

// 1. The system in the angles of crank, rod and slider.
std::shared_ptr<LagrangianDS> makeMechanism(const Geometry& g, double rate, double tilt) {
  const auto mechanism =
      std::make_shared<LagrangianDS>(makeVector({0., 0., tilt}), makeVector({rate, -rate * g.l1 / g.l2, 0.}));
  mechanism->setName("slider-crank");
  const double coupling = (0.5 * g.m2 + g.m3) * g.l1 * g.l2;
  mechanism->setMass([=](const Vector& q, Matrix& M) {
    M(0, 0) = g.J1 + (0.25 * g.m1 + g.m2 + g.m3) * g.l1 * g.l1;
    M(1, 1) = g.J2 + (0.25 * g.m2 + g.m3) * g.l2 * g.l2;
    M(0, 1) = M(1, 0) = coupling * std::cos(q(0) - q(1));
    M(2, 2) = g.J3;
  });
  mechanism->setNNL(automatic([=](const auto& q, const auto& v, auto& N) {
    using std::sin;
    N(0) = coupling * sin(q(0) - q(1)) * v(1) * v(1);
    N(1) = -coupling * sin(q(0) - q(1)) * v(0) * v(0);
  }));
  mechanism->setInternalForces(automatic([=](double, const auto& q, const auto&, auto& F) {
    using std::cos;
    F(0) = g.gravity * g.l1 * (0.5 * g.m1 + g.m2 + g.m3) * cos(q(0));
    F(1) = g.gravity * g.l2 * (0.5 * g.m2 + g.m3) * cos(q(1));
  }));
  return mechanism;
}

// 2. A corner (s a, n b) of the slider against the wall on its side: the gap, and the way along the wall.
std::shared_ptr<Interaction> makeCorner(const Geometry& g, const Options& o, double along, double side) {
  const double wall = g.b + o.clearance;
  return std::make_shared<Interaction>(
      NewtonImpactFrictionNSL(o.restitution, 0., o.friction, 2),
      LagrangianScleronomousR(
          2, automatic([=](const auto& q, auto& y) {
            using std::cos;
            using std::sin;
            y(0) = wall - side * (g.l1 * sin(q(0)) + g.l2 * sin(q(1)) + along * g.a * sin(q(2))) - g.b * cos(q(2));
            y(1) = g.l1 * cos(q(0)) + g.l2 * cos(q(1)) + along * g.a * cos(q(2)) - side * g.b * sin(q(2));
          })));
}

// What there is to see: crank, rod and slider, drawn in the plane of x and z, and the walls.
void addScene(VtkWriter& vtk, const Geometry& g, const Options& o, const std::shared_ptr<LagrangianDS>& mechanism,
              const std::array<std::shared_ptr<Interaction>, 4>& corners) {
  const auto turned = [](double angle) { return rotations::exponential({0., -angle, 0.}); };
  const auto along = [](double length, double angle) {
    return Vector3{length * std::cos(angle), 0., length * std::sin(angle)};
  };
  const auto knee = [=](const Vector& q) { return along(g.l1, q(0)); };
  const auto slider = [=](const Vector& q) { return knee(q) + along(g.l2, q(1)); };
  const auto link = [](double length, double radius, double thickness) {
    const VtkShape eye = VtkShape::rod({0., -0.6 * thickness, 0.}, {0., 0.6 * thickness, 0.}, radius, 40);
    return VtkShape::box(length, 0.8 * thickness, radius)
        .with(eye, {{-0.5 * length, 0., 0.}})
        .with(eye, {{0.5 * length, 0., 0.}});
  };
  vtk.add("crank", mechanism, link(g.l1, 0.014, 0.014), [=](double, const Vector& q) {
    return VtkPlacement{0.5 * knee(q) + Vector3{0., -0.05, 0.}, turned(q(0))};
  });
  // The rod runs in front of the guide, with a pin in the slider.
  const VtkShape pin = VtkShape::rod({0.5 * g.l2, -0.01, 0.}, {0.5 * g.l2, 0.03, 0.}, 0.007, 40);
  vtk.add("rod", mechanism, link(g.l2, 0.012, 0.012).with(pin), [=](double, const Vector& q) {
    return VtkPlacement{0.5 * (knee(q) + slider(q)) + Vector3{0., -0.035, 0.}, turned(q(1))};
  });
  vtk.add("slider", mechanism, VtkShape::box(2. * g.a, 0.03, 2. * g.b), [=](double, const Vector& q) {
    return VtkPlacement{slider(q), turned(q(2))};
  });
  const double wall = g.b + o.clearance, thickness = 0.008;
  for (const double side : {-1., 1.}) {
    vtk.addObstacle("guide", VtkShape::box(0.45, 0.05, thickness), {{0.33, 0., side * (wall + 0.5 * thickness)}});
  }
  for (std::size_t k = 0; k < 4; ++k) {
    const double end = k % 2 == 0 ? -1. : 1., side = k < 2 ? -1. : 1.;
    vtk.addContact(corners[k], [=](double, const Vector& q, std::vector<ContactPoint>& contacts) {
      const Vector3 corner = rotations::rotate(turned(q(2)), {end * g.a, 0., side * g.b});
      contacts.push_back({.point = slider(q) + corner, .normal = {0., 0., -side}, .tangent = {1., 0., 0.}});
    });
  }
}

void simulate(const Options& o) {
  const Geometry g;
  const auto mechanism = makeMechanism(g, o.rate, o.tilt);

  // 3. The model.
  NonSmoothDynamicalSystem model(0., o.run.end);
  model.insert(mechanism);
  std::array<std::shared_ptr<Interaction>, 4> corners;
  for (std::size_t k = 0; k < 4; ++k) {
    corners[k] = makeCorner(g, o, k % 2 == 0 ? -1. : 1., k < 2 ? -1. : 1.);
    corners[k]->setName("corner " + std::to_string(k + 1));
    model.link(corners[k], mechanism);
  }
  TimeSteppingOptions checking;
  checking.checkJacobians = true;
  TimeStepping simulation(model, o.run.step, MoreauJeanOSI(o.run.theta), checking);
  o.scene.watch(simulation, [&](VtkWriter& vtk) { addScene(vtk, g, o, mechanism, corners); });

  // 4. The run; a row at the start and one after each step.
  TableWriter table(
      o.run.file("trajectory.csv"),
      {"t [s]", "theta1 [rad]", "theta2 [rad]", "theta3 [rad]", "omega1 [rad/s]", "slider x [m]", "slider y [m]",
       "slider speed [m/s]", "lambda1 [N s]", "lambda2 [N s]", "lambda3 [N s]", "lambda4 [N s]"});
  const auto record = [&] {
    const Vector& q = mechanism->q();
    const Vector& v = mechanism->velocity();
    table.writeRow({simulation.time(), q(0), q(1), q(2), v(0), g.l1 * std::cos(q(0)) + g.l2 * std::cos(q(1)),
                    g.l1 * std::sin(q(0)) + g.l2 * std::sin(q(1)),
                    -g.l1 * std::sin(q(0)) * v(0) - g.l2 * std::sin(q(1)) * v(1), corners[0]->lambda(1)(0),
                    corners[1]->lambda(1)(0), corners[2]->lambda(1)(0), corners[3]->lambda(1)(0)});
  };
  ExampleRun(o.run, simulation).keep(table).toTheEnd(record);
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  const auto options = [&](CommandLine& line) {
    o.scene.addTo(line);
    line.add("--clearance", o.clearance, "Clearance of the slider to each wall, m");
    line.add("--restitution", o.restitution, "Coefficient of restitution");
    line.add("--friction", o.friction, "Coefficient of friction");
    line.add("--rate", o.rate, "Initial angular velocity of the crank, rad/s");
    line.add("--tilt", o.tilt, "Initial angle of the slider, rad");
  };
  return runExample(argc, argv,
                    "A slider-crank with clearance, impacts and friction in the guide (Moreau-Jean time stepping)",
                    o.run, options, [&] { simulate(o); });
}
