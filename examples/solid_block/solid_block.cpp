// SPDX-License-Identifier: Apache-2.0
//
// A soft block that a spring drags askew over a rough floor, with the finite elements of deal.II. See README.md for the
// equations.
//
//     solid_block
//     solid_block --columns 24 --across 16 --layers 8 --output results/fine
//     solid_block --angle 0 --vtk results/scene

#include "../support/ExampleRun.hpp"
#include "../support/SceneOptions.hpp"
#include "SolidMesh.hpp"

#include <algorithm>
#include <cmath>
#include <delassus/delassus.hpp>
#include <numbers>
#include <string>
#include <vector>

using namespace delassus;

namespace {

struct Options {
  std::size_t columns = 16, across = 10, layers = 6;
  double length = 0.1, width = 0.06, height = 0.04;
  SolidMaterial rubber{.young = 5e6, .poisson = 0.4, .density = 1100.};
  double pressure = 5e4;
  double friction = 0.5;
  double speed = 0.02;
  double spring = 4e4;
  double angle = 30.;
  double mapInterval = 0.05;
  RunOptions run{.step = 1e-3, .end = 0.5, .theta = 0.5, .output = "solid_block"};
  SceneOptions scene{.interval = 5e-3};
};

class Block {
 public:
  explicit Block(const Options& o)
      : o_(o),
        mesh_({o.columns, o.across, o.layers}, {o.length, o.width, o.height}),
        feet_(mesh_.nodesOn(SolidMesh::bottom)) {
    // 1. The block, from what deal.II has assembled: sparse M and K, with damping of two frequencies.
    const SparseMatrix M = mesh_.mass(o.rubber), K = mesh_.stiffness(o.rubber);
    const auto damping = RayleighCoefficients::of(1e3, 0.05, 2e4, 0.05);
    const auto body = std::make_shared<LagrangianLinearTIDS>(
        Vector(mesh_.unknowns()), Vector(mesh_.unknowns()),
        LagrangianLinearTIDS::Matrices{.M = M, .C = rayleigh(M, K, damping.alpha, damping.beta), .K = K});
    block_ = model_.insert("block", body);

    // 2. Friction at each node of the lower face, which sees its own three coordinates alone.
    for (std::size_t i = 0; i < feet_.size(); ++i) {
      contacts_.push_back(model_.link("foot " + std::to_string(i), NewtonImpactFrictionNSL(0., 0., o.friction, 3),
                                      nodeToPlane(placeOf(feet_[i]), makeVector({0., 0., 1.}), Vector(3)),
                                      SystemPart(block_, feet_[i].first, 3)));
    }

    // 3. A spring along d from the mean place of the front face to a point that moves with constant speed V.
    const double angle = o.angle * std::numbers::pi / 180.;
    mean_ = mesh_.traction(SolidMesh::front, {std::cos(angle), std::sin(angle), 0.}) / (o.width * o.height);
    std::vector<SystemPart> face;
    const auto front = mesh_.nodesOn(SolidMesh::front);
    Matrix row(1, 3 * front.size());
    for (std::size_t i = 0; i < front.size(); ++i) {
      face.emplace_back(block_, front[i].first, 3);
      for (std::size_t k = 0; k < 3; ++k) row(0, 3 * i + k) = mean_(front[i].first + k);
    }
    spring_ = model_.link("spring", SpringDamperLaw(o.spring), LagrangianLinearTIR(row), face);
    push_ = mesh_.traction(SolidMesh::top, {0., 0., -o.pressure});
    block_->setExternalForces([this](double t, Vector& load) {
      // The pressure grows within a twentieth of a second, so that the block comes to rest before it is dragged much.
      for (std::size_t i = 0; i < load.size(); ++i) load(i) = std::min(t / 0.05, 1.) * push_(i) + driven(t) * mean_(i);
    });
  }

  NonSmoothDynamicalSystem& model() { return model_; }
  // The force of the spring, N.
  double pull(double t) const { return driven(t) + spring_->force(t)(0); }

  // Over the feet.
  struct Floor {
    Vector3 force{};  // N
    std::size_t sticking = 0, sliding = 0;
  };
  Floor floor() const {
    Floor sum;
    for (std::size_t i = 0; i < feet_.size(); ++i) {
      const Vector& lambda = contacts_[i]->lambda(0);
      for (std::size_t k = 0; k < 3; ++k) {
        for (std::size_t j = 0; j < 3; ++j) sum.force[k] += frame_[k + 3 * j] * lambda(j);
      }
      if (lambda(0) > 0.) ++(used(i) < 1. - 1e-6 ? sum.sticking : sum.sliding);
    }
    return sum;
  }
  // The rows of a map of the feet at an instant.
  template <class Write>
  void map(double t, const Write& write) const {
    for (std::size_t i = 0; i < feet_.size(); ++i) {
      write({t, feet_[i].place[0], feet_[i].place[1], contacts_[i]->lambda(0)(0), used(i)});
    }
  }

  void addScene(VtkWriter& vtk) const {
    const auto surface = mesh_.surface();
    std::vector<VtkShape::Polygon> faces;
    for (const auto& face : surface.faces) faces.emplace_back(face.begin(), face.end());
    vtk.addMesh(
        "block", block_,
        [nodes = surface.nodes](double, const Vector& u, std::vector<Vector3>& points) {
          for (const auto& [place, k] : nodes) {
            points.push_back({place[0] + u(k), place[1] + u(k + 1), place[2] + u(k + 2)});
          }
        },
        faces);
    vtk.addObstacle("floor", VtkShape::rectangle(4. * o_.length, 4. * o_.width));
    for (std::size_t i = 0; i < feet_.size(); ++i) {
      vtk.addContact(contacts_[i],
                     [place = feet_[i].place](double, const Vector& u, std::vector<ContactPoint>& places) {
                       places.push_back({.point = {place[0] + u(0), place[1] + u(1), u(2)}, .normal = {0., 0., 1.}});
                     });
    }
  }

 private:
  static Vector placeOf(const SolidMesh::Node& node) {
    return makeVector({node.place[0], node.place[1], node.place[2]});
  }
  double driven(double t) const { return o_.spring * o_.speed * t; }
  // The part of the friction that a foot could have.
  double used(std::size_t i) const {
    const Vector& lambda = contacts_[i]->lambda(0);
    return lambda(0) > 0. ? std::hypot(lambda(1), lambda(2)) / (o_.friction * lambda(0)) : 0.;
  }

  Options o_;
  SolidMesh mesh_;
  std::vector<SolidMesh::Node> feet_;
  NonSmoothDynamicalSystem model_{0., o_.run.end};
  std::shared_ptr<LagrangianLinearTIDS> block_;
  std::vector<std::shared_ptr<Interaction>> contacts_;
  std::shared_ptr<ForceElement> spring_;
  Vector mean_, push_;
  Matrix3 frame_ = contactFrame({0., 0., 1.});  // of the feet: normal and tangents
};

void simulate(const Options& o) {
  Block block(o);
  TimeStepping simulation(block.model(), o.run.step, MoreauJeanOSI(o.run.theta));
  o.scene.watch(simulation, [&](VtkWriter& vtk) { block.addScene(vtk); });

  TableWriter table(o.run.file("trajectory.csv"), {"t [s]", "pull [N]", "normal [N]", "friction x [N]",
                                                   "friction y [N]", "sticking nodes [-]", "sliding nodes [-]"});
  TableWriter map(o.run.file("map.csv"), {"t [s]", "x [m]", "y [m]", "normal force [N]", "friction used [-]"});
  const auto every = std::max<std::size_t>(1, static_cast<std::size_t>(std::lround(o.mapInterval / o.run.step)));
  const auto record = [&] {
    const double t = simulation.time();
    const Block::Floor floor = block.floor();
    table.writeRow({t, block.pull(t), floor.force[2], floor.force[0], floor.force[1],
                    static_cast<double>(floor.sticking), static_cast<double>(floor.sliding)});
    if (simulation.stepIndex() % every != 0) return;
    block.map(t, [&](const std::vector<double>& row) { map.writeRow(row); });
  };
  ExampleRun(o.run, simulation).keep(table).keep(map).toTheEnd(record);
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  const auto options = [&](CommandLine& line) {
    line.add("--columns", o.columns, "Elements along the block").positive();
    line.add("--across", o.across, "Elements across it").positive();
    line.add("--layers", o.layers, "Elements over its height").positive();
    line.add("--length", o.length, "Its length, m").positive();
    line.add("--width", o.width, "Its width, m").positive();
    line.add("--height", o.height, "Its height, m").positive();
    line.add("--young", o.rubber.young, "Young's modulus, Pa").positive();
    line.add("--poisson", o.rubber.poisson, "Poisson's ratio, below 1/2");
    line.add("--density", o.rubber.density, "Density, kg/m^3").positive();
    line.add("--pressure", o.pressure, "Pressure on its top, Pa");
    line.add("--friction", o.friction, "Coefficient of friction of the floor");
    line.add("--speed", o.speed, "Speed of the end of the spring, m/s");
    line.add("--spring", o.spring, "Stiffness of the spring, N/m");
    line.add("--angle", o.angle, "Its direction, degrees from the length of the block");
    line.add("--map-interval", o.mapInterval, "Time between maps of the feet, s").positive();
    o.scene.addTo(line);
  };
  return runExample(argc, argv, "A soft block that a spring drags askew over a rough floor (Moreau-Jean time stepping)",
                    o.run, options, [&] { simulate(o); });
}
