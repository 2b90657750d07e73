// SPDX-License-Identifier: Apache-2.0
//
// A soft block that a spring drags over a rough floor: parts of its face stick while others slide. See README.md for
// the equations.
//
//     elastic_block
//     elastic_block --columns 120 --rows 60 --output results/fine
//     elastic_block --friction 0.3 --vtk results/scene

#include <algorithm>
#include <cmath>
#include <delassus/delassus.hpp>
#include <string>
#include <vector>

#include "../support/ExampleRun.hpp"
#include "../support/SceneOptions.hpp"
#include "PlaneMesh.hpp"

using namespace delassus;

namespace {

struct Options {
  std::size_t columns = 40;
  std::size_t rows = 20;
  double width = 0.1;
  double height = 0.05;
  PlaneMaterial rubber{.young = 5e6, .poisson = 0.4, .density = 1100., .thickness = 0.1};
  double pressure = 5e4;
  double friction = 0.5;
  double speed = 0.02;
  double spring = 4e4;
  RunOptions run{.step = 5e-4, .end = 0.7, .theta = 0.5, .output = "elastic_block"};
  SceneOptions scene{.interval = 5e-3};
};

class Block {
 public:
  explicit Block(const Options& o) : o_(o), mesh_(PlaneMesh::rectangle(o.columns, o.rows, o.width, o.height)) {
    // 1. The block, from what a program of finite elements gives: sparse M and K, with damping of two frequencies.
    const SparseMatrix M = mesh_.mass(o.rubber), K = mesh_.stiffness(o.rubber);
    const auto damping = RayleighCoefficients::of(1e3, 0.05, 2e4, 0.05);
    const auto body = std::make_shared<LagrangianLinearTIDS>(
        Vector(mesh_.unknowns()), Vector(mesh_.unknowns()),
        LagrangianLinearTIDS::Matrices{.M = M, .C = rayleigh(M, K, damping.alpha, damping.beta), .K = K});
    block_ = model_.insert("block", body);

    // 2. A foot at each node of the lower face; it sees its own two coordinates alone.
    for (std::size_t i = 0; i <= o.columns; ++i) {
      feet_.push_back(model_.link("foot " + std::to_string(i), NewtonImpactFrictionNSL(0., 0., o.friction, 2),
                                  nodeToPlane(placeOf(i), makeVector({0., 1.}), makeVector({0., 0.})),
                                  SystemPart(block_, 2 * i, 2)));
    }

    // 3. A spring from the mean place of the right face to a point that moves with constant speed V. It is linear, with
    //    its force k V t on the face as an external one: all matrices stay what they are.
    std::vector<SystemPart> face;
    for (std::size_t j = 0; j <= o.rows; ++j) face.emplace_back(block_, 2 * mesh_.node(o.columns, j), 1);
    const double share = 1. / static_cast<double>(face.size());
    spring_ =
        model_.link("spring", SpringDamperLaw(o.spring), LagrangianLinearTIR(Matrix(1, face.size(), share)), face);
    block_->setExternalForces([this, share](double t, Vector& load) {
      addPressureOnTop(t, load);
      for (std::size_t j = 0; j <= o_.rows; ++j) load(2 * mesh_.node(o_.columns, j)) = share * driven(t);
    });
  }

  NonSmoothDynamicalSystem& model() { return model_; }
  // The force of the spring, N.
  double pull(double t) const { return driven(t) + spring_->force(t)(0); }

  // Over the feet.
  struct Floor {
    double normal = 0., tangential = 0.;  // N
    std::size_t sticking = 0, sliding = 0;
  };
  Floor floor() const {
    Floor sum;
    for (const auto& foot : feet_) {
      sum.normal += foot->lambda(0)(0);
      sum.tangential += foot->lambda(0)(1);
      if (foot->lambda(0)(0) <= 0.) continue;
      // Strictly inside the cone; solutions are accurate to some 1e-8.
      const bool sticks = std::abs(foot->lambda(0)(1)) < (1. - 1e-6) * o_.friction * foot->lambda(0)(0);
      ++(sticks ? sum.sticking : sum.sliding);
    }
    return sum;
  }
  // A row of the map: by node, the part of the friction that it could have.
  std::vector<double> used(double t) const {
    std::vector<double> row{t};
    for (const auto& foot : feet_) {
      const double normal = foot->lambda(0)(0);
      row.push_back(normal > 0. ? foot->lambda(0)(1) / (o_.friction * normal) : 0.);
    }
    return row;
  }

  void addScene(VtkWriter& vtk) const {
    std::vector<VtkShape::Polygon> faces;
    for (const auto& element : mesh_.elements()) faces.emplace_back(element.begin(), element.end());
    vtk.addMesh(
        "block", block_,
        [mesh = mesh_](double, const Vector& u, std::vector<Vector3>& points) {
          for (std::size_t i = 0; i < mesh.nodes().size(); ++i) {
            points.push_back({mesh.nodes()[i][0] + u(2 * i), 0., mesh.nodes()[i][1] + u(2 * i + 1)});
          }
        },
        faces);
    vtk.addObstacle("floor", VtkShape::rectangle(4. * o_.width, o_.width));
    for (std::size_t i = 0; i < feet_.size(); ++i) {
      vtk.addContact(feet_[i], [x = mesh_.nodes()[i][0]](double, const Vector& u, std::vector<ContactPoint>& places) {
        places.push_back({.point = {x + u(0), 0., u(1)}, .normal = {0., 0., 1.}, .tangent = {1., 0., 0.}});
      });
    }
  }

 private:
  Vector placeOf(std::size_t node) const { return makeVector({mesh_.nodes()[node][0], mesh_.nodes()[node][1]}); }

  double driven(double t) const { return o_.spring * o_.speed * t; }

  // It grows within a twentieth of a second, so that the block comes to rest before it is dragged much.
  void addPressureOnTop(double t, Vector& load) const {
    const double force =
        std::min(t / 0.05, 1.) * o_.pressure * o_.width * o_.rubber.thickness / static_cast<double>(o_.columns);
    for (std::size_t i = 0; i <= o_.columns; ++i) {
      load(2 * mesh_.node(i, o_.rows) + 1) = -(i == 0 || i == o_.columns ? 0.5 : 1.) * force;
    }
  }

  Options o_;
  PlaneMesh mesh_;
  NonSmoothDynamicalSystem model_{0., o_.run.end};
  std::shared_ptr<LagrangianLinearTIDS> block_;
  std::vector<std::shared_ptr<Interaction>> feet_;
  std::shared_ptr<ForceElement> spring_;
};

void simulate(const Options& o) {
  Block block(o);
  TimeStepping simulation(block.model(), o.run.step, MoreauJeanOSI(o.run.theta));
  o.scene.watch(simulation, [&](VtkWriter& vtk) { block.addScene(vtk); });

  TableWriter table(o.run.file("trajectory.csv"),
                    {"t [s]", "pull [N]", "normal [N]", "friction [N]", "sticking nodes [-]", "sliding nodes [-]"});
  std::vector<std::string> names{"t [s]"};
  for (std::size_t i = 0; i <= o.columns; ++i) names.push_back("node " + std::to_string(i) + " [-]");
  TableWriter map(o.run.file("friction.csv"), names);
  const auto record = [&] {
    const double t = simulation.time();
    const Block::Floor floor = block.floor();
    table.writeRow({t, block.pull(t), floor.normal, floor.tangential, static_cast<double>(floor.sticking),
                    static_cast<double>(floor.sliding)});
    map.writeRow(block.used(t));
  };
  ExampleRun(o.run, simulation).keep(table).keep(map).toTheEnd(record);
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  const auto options = [&](CommandLine& line) {
    line.add("--columns", o.columns, "Elements along the block").positive();
    line.add("--rows", o.rows, "Elements across it").positive();
    line.add("--width", o.width, "Its length, m").positive();
    line.add("--height", o.height, "Its height, m").positive();
    line.add("--young", o.rubber.young, "Young's modulus, Pa").positive();
    line.add("--poisson", o.rubber.poisson, "Poisson's ratio, below 1/2");
    line.add("--density", o.rubber.density, "Density, kg/m^3").positive();
    line.add("--pressure", o.pressure, "Pressure on its top, Pa");
    line.add("--friction", o.friction, "Coefficient of friction of the floor");
    line.add("--speed", o.speed, "Speed of the end of the spring, m/s");
    line.add("--spring", o.spring, "Stiffness of the spring, N/m");
    o.scene.addTo(line);
  };
  return runExample(argc, argv, "A soft block that a spring drags over a rough floor (Moreau-Jean time stepping)",
                    o.run, options, [&] { simulate(o); });
}
