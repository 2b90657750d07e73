// SPDX-License-Identifier: Apache-2.0
//
// A top whose rounded tip stands on a rough floor: it precesses, its tip slides, and friction raises it until it
// sleeps. See README.md for the equations.
//
//     spinning_top
//     spinning_top --mu 0
//     spinning_top --spin 60 --end 1.5 --output results/slow

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <delassus/delassus.hpp>
#include <string>

#include "../support/ExampleRun.hpp"
#include "../support/SceneOptions.hpp"

using namespace delassus;

namespace {

struct Options {
  double mass = 0.1;
  double height = 0.03;
  double tip = 6e-3;
  double axial = 4e-5;
  double across = 5e-5;
  double spin = 200.;
  double tilt = 0.4;
  double mu = 0.03;
  double gravity = 9.81;
  std::size_t every = 20;
  RunOptions run{.step = 1e-4, .end = 4., .theta = 0.5, .output = "spinning_top"};
  SceneOptions scene{.interval = 0.002};
};

// A ball fixed in a body off its centre of mass, and the floor z = 0: how a user adds a shape.
class TipOnFloor final : public ContactGeometry {
 public:
  TipOnFloor(const Vector3& centre, double radius) : centre_(centre), radius_(radius) {}
  std::string_view className() const override { return "TipOnFloor"; }
  std::size_t bodies() const override { return 1; }
  void findContacts(double, const Vector& q, ContactPoint* contact) override {
    const Vector3 centre = vector3(data(q)) + rotations::rotate({q(3), q(4), q(5), q(6)}, centre_);
    contact->gap = centre[2] - radius_;
    contact->normal = {0., 0., 1.};
    contact->point = {centre[0], centre[1], 0.5 * contact->gap};
  }

 private:
  Vector3 centre_;
  double radius_;
};

// What there is to see: the top turned on a lathe, and the floor.
void addScene(VtkWriter& vtk, const Options& o, const std::shared_ptr<NewtonEulerDS>& top) {
  const double foot = -o.height - o.tip;
  vtk.add(top, VtkShape::revolution({{0., foot},
                                     {0.7 * o.tip, foot + 0.3 * o.tip},
                                     {o.tip, foot + o.tip},
                                     {0.8 * o.tip, foot + 2. * o.tip},
                                     {2. * o.tip, -0.3 * o.height},
                                     {5. * o.tip, -0.1 * o.height},
                                     {5.4 * o.tip, 0.05 * o.height},
                                     {5. * o.tip, 0.2 * o.height},
                                     {0.8 * o.tip, 0.35 * o.height},
                                     {0.6 * o.tip, 1.3 * o.height},
                                     {0., 1.4 * o.height}},
                                    64));
  vtk.addObstacle("floor", VtkShape::rectangle(0.4, 0.4));
  vtk.addContacts();
}

void simulate(const Options& o) {
  NonSmoothDynamicalSystem model(0., o.run.end);
  model.setGravity({0., 0., -o.gravity});

  // 1. The top: it stands with its tip on the floor at the origin, tilted about x, and spins about its axis.
  const Quaternion tilted = rotations::exponential({o.tilt, 0., 0.});
  const Vector3 arm = rotations::rotate(tilted, {0., 0., o.height});  // from the centre of the tip
  const auto top =
      model.insert("top", std::make_shared<NewtonEulerDS>(NewtonEulerDS::at({arm[0], arm[1], arm[2] + o.tip}, tilted),
                                                          makeVector({0., 0., 0., 0., 0., o.spin}), o.mass,
                                                          diagonalMatrix({o.across, o.across, o.axial})));

  // 2. The floor, rough.
  const auto floor = model.link("tip", NewtonImpactFrictionNSL(0., 0., o.mu),
                                NewtonEuler3DR(TipOnFloor({0., 0., -o.height}, o.tip)), top);

  // 3. The simulation, with pictures if they are asked for.
  TimeStepping simulation(model, o.run.step, MoreauJeanOSI(o.run.theta));
  o.scene.watch(simulation, [&](VtkWriter& vtk) { addScene(vtk, o, top); });

  // 4. The run; a row at the start and one after every so many steps.
  TableWriter table(o.run.file("trajectory.csv"), {"t [s]", "tip x [m]", "tip y [m]", "tilt [rad]", "spin [rad/s]",
                                                   "slip [m/s]", "energy [J]", "vertical momentum [N m s]"});
  const auto tilt = [&] { return std::acos(std::min(1., column(top->rotation(), 2)[2])); };
  const auto energy = [&] { return top->kineticEnergy() + o.mass * o.gravity * top->position()[2]; };
  const auto record = [&] {
    const Vector3 foot = top->position() - rotations::rotate(top->orientation(), {0., 0., o.height});
    const Vector& u = floor->y(1);
    table.writeRow({simulation.time(), foot[0], foot[1], tilt(), top->angularVelocity()[2], std::hypot(u(1), u(2)),
                    energy(), top->angularMomentum()[2]});
  };
  const double before = energy(), vertical = top->angularMomentum()[2];
  ExampleRun(o.run, simulation).keep(table).toTheEnd(record, [&] {
    if (simulation.stepIndex() % o.every == 0) record();
  });
  std::printf(
      "Tilt: %.4f rad at first, %.4f at last; energy lost: %.2f %%; vertical angular momentum changed by %.2e.\n",
      o.tilt, tilt(), 100. * (1. - energy() / before), top->angularMomentum()[2] / vertical - 1.);
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  const auto options = [&](CommandLine& line) {
    o.scene.addTo(line);
    line.add("--mass", o.mass, "Mass, kg");
    line.add("--height", o.height, "Distance of the centre of mass from the centre of the tip, m");
    line.add("--tip", o.tip, "Radius of the tip, m");
    line.add("--axial", o.axial, "Moment of inertia about the axis, kg m^2");
    line.add("--across", o.across, "Moment of inertia across, about the centre of mass, kg m^2");
    line.add("--spin", o.spin, "Initial spin about the axis, rad/s");
    line.add("--tilt", o.tilt, "Initial angle of the axis from the vertical, rad");
    line.add("--mu", o.mu, "Coefficient of friction");
    line.add("--gravity", o.gravity, "Acceleration of gravity, m/s^2");
    line.add("--every", o.every, "Steps from row to row of the table").positive();
  };
  return runExample(argc, argv, "A spinning top with a rounded tip on a rough floor", o.run, options,
                    [&] { simulate(o); });
}
