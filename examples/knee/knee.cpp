// SPDX-License-Identifier: Apache-2.0
//
// A chain of rigid links with knees that bend only so far, dropped from the horizontal: pivots, joint limits with
// impacts and dry friction in the axes, in one problem. See README.md for the equations.
//
//     knee
//     knee --links 12 --limit 0.3 --friction 0.05 --output results/stiff

#include <cmath>
#include <delassus/delassus.hpp>
#include <string>
#include <vector>

#include "../support/ExampleRun.hpp"
#include "../support/SceneOptions.hpp"

using namespace delassus;

namespace {

struct Options {
  std::size_t links = 6;
  double length = 0.2;
  double mass = 0.3;
  double limit = 0.6;
  double restitution = 0.3;
  double friction = 0.02;
  RunOptions run{.step = 1e-3, .end = 4., .theta = 0.5, .output = "knee"};
  SceneOptions scene{.interval = 0.02};
};

const Vector3 axis{0., 1., 0.};

// 1. A link along x, hinged at both ends.
std::shared_ptr<NewtonEulerDS> makeLink(const Options& o, std::size_t k) {
  const double thickness = 0.1 * o.length;
  const auto link =
      std::make_shared<NewtonEulerDS>(NewtonEulerDS::at({(static_cast<double>(k) + 0.5) * o.length, 0., 0.}), Vector(6),
                                      o.mass, NewtonEulerDS::boxInertia(o.mass, o.length, thickness, thickness));
  link->setName("link " + std::to_string(k + 1));
  return link;
}

// What to draw: the links with a bolt at their upper ends, and the bearing of the first.
void addScene(VtkWriter& vtk, const Options& o, const std::vector<std::shared_ptr<NewtonEulerDS>>& links) {
  const double thickness = 0.1 * o.length;
  const VtkShape bolt = VtkShape::rod({0., -thickness, 0.}, {0., thickness, 0.}, 0.6 * thickness, 40);
  const VtkShape link =
      VtkShape::box(o.length - 0.4 * thickness, thickness, thickness).with(bolt, {{-0.5 * o.length, 0., 0.}});
  for (const auto& body : links) vtk.add(body, link);
  vtk.addObstacle("bearing", VtkShape::box(2. * thickness, 4. * thickness, 0.5 * thickness),
                  {{0., 0., 1.2 * thickness}});
}

void simulate(const Options& o) {
  NonSmoothDynamicalSystem model(0., o.run.end);
  model.setGravity({0., 0., -9.81});
  std::vector<std::shared_ptr<NewtonEulerDS>> links;
  std::vector<std::shared_ptr<Interaction>> knees, stops, frictions;
  for (std::size_t k = 0; k < o.links; ++k) {
    links.push_back(makeLink(o, k));
    model.insert(links.back());
  }

  // 2. A pivot with friction before each link; the knees between links have limits.
  const auto connect = [&](const std::shared_ptr<Interaction>& interaction, std::size_t k) {
    if (k == 0) return model.link(interaction, links[0]);
    return model.link(interaction, links[k], links[k - 1]);
  };
  for (std::size_t k = 0; k < o.links; ++k) {
    const Vector3 anchor{static_cast<double>(k) * o.length, 0., 0.};
    const PivotJointR pivot = k == 0 ? PivotJointR::at(anchor, axis, links[0]->q())
                                     : PivotJointR::at(anchor, axis, links[k]->q(), links[k - 1]->q());
    knees.push_back(std::make_shared<Interaction>(EqualityConditionNSL(5), pivot));
    connect(knees.back(), k);
    frictions.push_back(std::make_shared<Interaction>(RelayNSL(1, -o.friction, o.friction), pivot.angle()));
    connect(frictions.back(), k);
    if (k == 0) continue;
    for (const JointAngleR& room : {pivot.angle().above(-o.limit), pivot.angle().below(o.limit)}) {
      stops.push_back(std::make_shared<Interaction>(NewtonImpactNSL(o.restitution), room));
      connect(stops.back(), k);
    }
  }

  // 3. The run.
  TimeStepping simulation(model, o.run.step, MoreauJeanOSI(o.run.theta), Relay());
  o.scene.watch(simulation, [&](VtkWriter& vtk) { addScene(vtk, o, links); });
  std::vector<std::string> names{"t [s]", "energy [J]", "gap of the pivots [m]", "knees at a stop"};
  for (std::size_t k = 0; k <= o.links; ++k) {
    names.push_back("x" + std::to_string(k) + " [m]");
    names.push_back("z" + std::to_string(k) + " [m]");
  }
  TableWriter table(o.run.file("trajectory.csv"), names);
  const auto record = [&] {
    double energy = 0.;
    double gap = 0.;
    double closed = 0.;
    for (const auto& link : links) energy += link->kineticEnergy() + 9.81 * o.mass * link->position()[2];
    for (const auto& knee : knees) gap = std::max(gap, std::hypot(knee->y(0)(0), knee->y(0)(1), knee->y(0)(2)));
    for (const auto& stop : stops) closed += stop->lambda(1)(0) > 0. ? 1. : 0.;
    std::vector<double> row{simulation.time(), energy, gap, closed, 0., 0.};
    for (const auto& link : links) {
      const Vector3 end = link->position() + 0.5 * o.length * column(link->rotation(), 0);
      row.push_back(end[0]);
      row.push_back(end[2]);
    }
    table.writeRow(row);
  };
  ExampleRun(o.run, simulation).keep(table).toTheEnd(record);
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  const auto options = [&](CommandLine& line) {
    o.scene.addTo(line);
    line.add("--links", o.links, "Number of links").between(1, 200);
    line.add("--length", o.length, "Length of a link, m");
    line.add("--mass", o.mass, "Mass of a link, kg");
    line.add("--limit", o.limit, "Largest angle of a knee, rad");
    line.add("--restitution", o.restitution, "Coefficient of restitution of the stops");
    line.add("--friction", o.friction, "Largest moment of friction in a pivot, N m");
  };
  return runExample(argc, argv, "A chain of links with knees that have limits and friction (Moreau-Jean time stepping)",
                    o.run, options, [&] { simulate(o); });
}
