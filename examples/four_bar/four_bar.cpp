// SPDX-License-Identifier: Apache-2.0
//
// A driven four-bar linkage of rigid bodies with a clearance in one pivot: a pin that rattles in its bushing. See
// README.md for the equations.
//
//     four_bar
//     four_bar --clearance 2e-3 --rate 40 --restitution 0.6 --output results/loose

#include <cmath>
#include <delassus/delassus.hpp>
#include <numbers>
#include <utility>

#include "../support/SceneOptions.hpp"

#include "../support/ExampleRun.hpp"

using namespace delassus;

namespace {

struct Options {
  double clearance = 1e-3;
  double restitution = 0.4;
  double friction = 0.03;
  double rate = 25.;
  RunOptions run{.step = 1e-4, .end = 1., .theta = 1., .output = "four_bar"};  // see README.md
  SceneOptions scene{.interval = 0.005};
};

const Vector3 axis{0., 1., 0.};
constexpr double crankLength = 0.1, couplerLength = 0.3, rockerLength = 0.25, groundLength = 0.35;  // m
constexpr double massPerLength = 3.;                                                                // kg/m
constexpr double pinRadius = 0.01;                                                                  // m
constexpr double ramp = 0.2;  // time to the full rate, s

// 1. A rod between two points of the plane of x and z, its own z along it.
std::shared_ptr<NewtonEulerDS> makeRod(const Vector3& from, const Vector3& to) {
  const Vector3 way = to - from;
  const double length = norm(way);
  const double mass = massPerLength * length;
  const double half = 0.5 * std::atan2(way[0], way[2]);
  return std::make_shared<NewtonEulerDS>(NewtonEulerDS::at(0.5 * (from + to), {std::cos(half), 0., std::sin(half), 0.}),
                                         Vector(6), mass, NewtonEulerDS::boxInertia(mass, 0.02, 0.02, length));
}

// Where a rod from `from` and one from `to` meet, above the line between them.
Vector3 meetingPoint(const Vector3& from, double first, const Vector3& to, double second) {
  const Vector3 way = to - from;
  const double distance = norm(way);
  const double along = (first * first - second * second + distance * distance) / (2. * distance);
  const double across = std::sqrt(first * first - along * along);
  return from +
         Vector3{(along * way[0] - across * way[2]) / distance, 0., (along * way[2] + across * way[0]) / distance};
}

// What to draw: rods with eyes about their pins, the bushing as a ring, and the bearings. The rods lie side by side in
// the depth.
void addScene(VtkWriter& vtk, const Options& o, const std::shared_ptr<NewtonEulerDS>& crank,
              const std::shared_ptr<NewtonEulerDS>& coupler, const std::shared_ptr<NewtonEulerDS>& rocker) {
  constexpr double depth = 0.012;
  // A rod in a layer of the depth, with eyes at its ends.
  const auto rod = [&](double length, double layer, double firstEye, double secondEye) {
    const double middle = 0.5 * (firstEye - secondEye);
    VtkShape shape = VtkShape::mesh({}, {}).with(VtkShape::box(0.014, depth, length - firstEye - secondEye),
                                                 {{0., layer * depth, middle}});
    for (const auto& [end, radius] : {std::pair{-0.5 * length, firstEye}, std::pair{0.5 * length, secondEye}}) {
      const double y = layer * depth;
      shape = shape.with(VtkShape::rod({0., y - 0.5 * depth, end}, {0., y + 0.5 * depth, end}, radius, 48));
    }
    return shape;
  };
  const VtkPlacement acrossAxis{{}, rotations::exponential({0.5 * std::numbers::pi, 0., 0.})};
  const double inner = pinRadius + o.clearance, outer = 1.9 * pinRadius;
  const VtkShape bushing = VtkShape::revolution(
      {{inner, -0.5 * depth}, {outer, -0.5 * depth}, {outer, 0.5 * depth}, {inner, 0.5 * depth}, {inner, -0.5 * depth}},
      64);
  vtk.add(crank, rod(crankLength, -1., 0.014, 0.014));
  vtk.add(coupler, rod(couplerLength, 0., 0.012, 0.016)
                       .with(VtkShape::rod({0., -1.6 * depth, 0.5 * couplerLength},
                                           {0., 0.5 * depth, 0.5 * couplerLength}, pinRadius, 48)));
  vtk.add(rocker, VtkShape::mesh({}, {})
                      .with(VtkShape::box(0.014, depth, rockerLength - outer), {{0., -depth, -0.5 * outer}})
                      .with(bushing, {{0., -depth, 0.5 * rockerLength}, acrossAxis.rotation}));
  for (const double x : {0., groundLength}) {
    vtk.addObstacle("bearing", VtkShape::rod({0., -1.8 * depth, 0.}, {0., 2. * depth, 0.}, 0.008, 48), {{x, 0., 0.}});
    vtk.addObstacle("bearing",
                    VtkShape::box(0.05, 2. * depth, 0.01).with(VtkShape::box(0.016, depth, 0.04), {{0., 0., 0.02}}),
                    {{x, 1.5 * depth, -0.045}});
  }
  vtk.addContacts();
}

void simulate(const Options& o) {
  const Vector3 origin{0., 0., 0.};
  const Vector3 crankPin{crankLength, 0., 0.};
  const Vector3 ground{groundLength, 0., 0.};
  const Vector3 knee = meetingPoint(crankPin, couplerLength, ground, rockerLength);
  NonSmoothDynamicalSystem model(0., o.run.end);
  model.setGravity({0., 0., -9.81});
  const auto crank = model.insert("crank", makeRod(origin, crankPin));
  const auto coupler = model.insert("coupler", makeRod(crankPin, knee));
  const auto rocker = model.insert("rocker", makeRod(ground, knee));

  // 2. Three ideal pivots, and the drive of the crank: up to the rate in a time, and then with it.
  const PivotJointR bearing = PivotJointR::at(origin, axis, crank->q());
  const double rate = o.rate;
  const Motion motion([rate](double t) { return t < ramp ? 0.5 * rate * t * t / ramp : rate * (t - 0.5 * ramp); },
                      [rate](double t) { return t < ramp ? rate * t / ramp : rate; });
  const EqualityConditionNSL five(5);
  model.link("bearing of the crank", five, bearing, crank);
  const auto drive = model.link("drive", EqualityConditionNSL(1), bearing.angle().following(motion), crank);
  model.link("crank pin", five, PivotJointR::at(crankPin, axis, coupler->q(), crank->q()), coupler, crank);
  model.link("bearing of the rocker", five, PivotJointR::at(ground, axis, rocker->q()), rocker);

  // 3. The pivot with the clearance: a pin at the end of the coupler in a bushing at the end of the rocker.
  const Vector3 pinOnCoupler = JointFrame(knee).seenFrom(coupler->q()).anchor();
  const Vector3 bushingOnRocker = JointFrame(knee).seenFrom(rocker->q()).anchor();
  const auto pin =
      model.link("pin in the bushing", NewtonImpactFrictionNSL(o.restitution, 0., o.friction, 2),
                 NewtonEuler2DR(DiskInRing(pinRadius, pinRadius + o.clearance, axis, pinOnCoupler, bushingOnRocker)),
                 coupler, rocker);

  // 4. The run; a row at the start and one after each step.
  TimeStepping simulation(model, o.run.step, MoreauJeanOSI(o.run.theta));
  o.scene.watch(simulation, [&](VtkWriter& vtk) { addScene(vtk, o, crank, coupler, rocker); });
  TableWriter table(o.run.file("trajectory.csv"),
                    {"t [s]", "crank angle [rad]", "rocker angle [rad]", "pin x [m]", "pin z [m]", "gap [m]",
                     "lambda_N [N s]", "lambda_T [N s]", "driving moment [N m]"});
  const auto place = [](const NewtonEulerDS& body, const Vector3& point) {
    return body.position() + rotations::rotate(body.orientation(), point);
  };
  const auto record = [&] {
    const Vector3 offset = place(*coupler, pinOnCoupler) - place(*rocker, bushingOnRocker);
    const Vector3 along = column(rocker->rotation(), 2);
    const double t = simulation.time();
    table.writeRow({t, drive->y(0)(0) + motion.at(t), std::atan2(along[2], along[0]), offset[0], offset[2],
                    pin->y(0)(0), pin->lambda(1)(0), pin->lambda(1)(1), drive->lambda(0)(0)});
  };
  ExampleRun(o.run, simulation).keep(table).toTheEnd(record);
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  const auto options = [&](CommandLine& line) {
    o.scene.addTo(line);
    line.add("--clearance", o.clearance, "Difference of the radii of bushing and pin, m");
    line.add("--restitution", o.restitution, "Coefficient of restitution of pin and bushing");
    line.add("--friction", o.friction, "Coefficient of friction of pin and bushing");
    line.add("--rate", o.rate, "Rate of the crank, rad/s");
  };
  return runExample(argc, argv, "A driven four-bar linkage with a clearance in one pivot (Moreau-Jean time stepping)",
                    o.run, options, [&] { simulate(o); });
}
