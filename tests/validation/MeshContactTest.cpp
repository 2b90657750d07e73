// SPDX-License-Identifier: Apache-2.0
//
// Contacts of meshes against what theory of elasticity says: Hertz's cylinder, and the part of a dragged block that
// slides, against finer meshes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <delassus/kernel/contacts/MeshContacts.hpp>
#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/laws/NewtonImpactFrictionNSL.hpp>
#include <delassus/kernel/laws/NewtonImpactNSL.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <delassus/kernel/systems/RayleighDamping.hpp>
#include <elastic_block/PlaneMesh.hpp>
#include <numbers>
#include <utility>
#include <vector>

namespace {

using namespace delassus;

std::shared_ptr<LagrangianLinearTIDS> bodyOf(const PlaneMesh& mesh, const PlaneMaterial& material,
                                             const RayleighCoefficients& damping) {
  const SparseMatrix M = mesh.mass(material), K = mesh.stiffness(material);
  return std::make_shared<LagrangianLinearTIDS>(
      Vector(mesh.unknowns()), Vector(mesh.unknowns()),
      LagrangianLinearTIDS::Matrices{.M = M, .C = rayleigh(M, K, damping.alpha, damping.beta), .K = K});
}

Vector placeOf(const PlaneMesh& mesh, std::size_t node) {
  return makeVector({mesh.nodes()[node][0], mesh.nodes()[node][1]});
}

constexpr double contactWidth = 0.05, pi = std::numbers::pi;  // a, half of the width

// The lower half of a thick ring of radius 1 m, pressed on the floor with what makes a contact of half width a, and
// then pushed along it with a force Q, that acts as if at the floor.
struct PressedRing {
  PlaneMaterial material{.young = 1., .poisson = 0.3, .density = 1., .thickness = 1.};
  PlaneMesh mesh;
  NonSmoothDynamicalSystem model;
  std::shared_ptr<LagrangianLinearTIDS> ring;
  std::vector<std::shared_ptr<Interaction>> feet;

  // p₀ = 2P/(πa), a² = 4PR/(πE*), E* = E/(1 − ν²), E = 1 Pa. (Johnson, Contact Mechanics, 1985, 4.2.)
  static double load(double poisson) { return 0.25 * pi * contactWidth * contactWidth / (1. - poisson * poisson); }
  double load() const { return load(material.poisson); }
  double largestPressure() const { return 2. * load() / (pi * contactWidth); }

  // Elements are smallest at the lowest point.
  PressedRing(std::size_t columns, double poisson, double push, double end)
      : mesh(columns, columns / 4,
             [](double x, double y) {
               const double s = 2. * x - 1., angle = -0.5 * pi + 0.5 * pi * (0.1 * s + 0.9 * s * s * s);
               const double radius = 1. - 0.6 * (0.1 * y + 0.9 * y * y * y);
               return PlaneMesh::Point{radius * std::cos(angle), 1. + radius * std::sin(angle)};
             }),
        model(0., end) {
    material.poisson = poisson;
    ring = model.insert("ring", bodyOf(mesh, material, {1., 0.05}));
    // Vertical forces that grow with x balance the moment of the push.
    double heights = 0., squares = 0.;
    for (std::size_t i = 0; i <= columns; ++i) {
      heights += innerNode(i)[1];
      squares += innerNode(i)[0] * innerNode(i)[0];
    }
    const double share = 1. / static_cast<double>(columns + 1), couple = share * heights / squares;
    ring->setExternalForces([=, this](double t, Vector& forces) {
      const double pressed = std::min(t / 6., 1.) * load(), pushed = push * std::clamp((t - 30.) / 10., 0., 1.);
      for (std::size_t i = 0; i <= columns; ++i) {
        forces(2 * mesh.node(i, mesh.rows())) = share * pushed;
        forces(2 * mesh.node(i, mesh.rows()) + 1) = -share * pressed + couple * innerNode(i)[0] * pushed;
      }
    });
  }

  template <class Law>
  void linkFloor(const Law& law, ContactOutputs outputs) {
    for (std::size_t i = 0; i <= mesh.columns(); ++i) {
      feet.push_back(model.link("foot " + std::to_string(i), law,
                                nodeToPlane(placeOf(mesh, i), makeVector({0., 1.}), makeVector({0., 0.}), outputs),
                                SystemPart(ring, 2 * i, 2)));
    }
  }
  const PlaneMesh::Point& innerNode(std::size_t i) const { return mesh.nodes()[mesh.node(i, mesh.rows())]; }
  double width(std::size_t i) const { return 0.5 * (mesh.nodes()[i + 1][0] - mesh.nodes()[i - 1][0]); }
  double force(std::size_t row) const {
    double sum = 0.;
    for (const auto& foot : feet) sum += foot->lambda(0)(row);
    return sum;
  }
};

// The distance of nodes at the edge of the contact, about.
double spacing(std::size_t columns) {
  return 0.9 / static_cast<double>(columns);
}

// p = p₀ (1 − x²/a²)^½, and zero outside.
double arch(double x, double halfWidth) {
  return std::sqrt(std::max(0., 1. - x * x / (halfWidth * halfWidth)));
}

TEST(MeshContact, HasHertzsPressure) {
  // Half widths are known to an element; errors of pressures fall with its size, until those of a/R are seen.
  const std::vector<std::pair<std::size_t, double>> errors{{40, 0.04}, {80, 0.01}, {160, 0.005}};
  for (const auto& [columns, most] : errors) {
    PressedRing ring(columns, 0.3, 0., 30.);
    ring.linkFloor(NewtonImpactNSL(0.), ContactOutputs::gap);
    TimeStepping simulation(ring.model, TimeDiscretisation(0., 0.05), MoreauJeanOSI(1.));
    simulation.run();
    double error = 0., touched = 0.;
    for (std::size_t i = 1; i < columns; ++i) {
      const double force = ring.feet[i]->lambda(0)(0), x = ring.mesh.nodes()[i][0];
      if (force > 0.) touched = std::max(touched, std::abs(x));
      if (std::abs(x) > 0.8 * contactWidth) continue;
      error = std::max(error, std::abs(force / ring.width(i) / ring.largestPressure() - arch(x, contactWidth)));
    }
    EXPECT_NEAR(ring.force(0), ring.load(), 1e-3 * ring.load());  // it has come to rest but for that
    EXPECT_LT(error, most) << columns;
    EXPECT_NEAR(touched, contactWidth, spacing(columns)) << columns;
  }
}

// Cattaneo and Mindlin: pushed by Q < μP it sticks within c = a (1 − Q/(μP))^½ and slides outside,
//     q = μ p₀ ((1 − x²/a²)^½ − c/a (1 − x²/c²)^½),
// for bodies whose normal and tangential displacements are not coupled: ν = ½ against a rigid floor. (Johnson, 7.2.)
TEST(MeshContact, SticksInTheMiddleAsMindlinsDoes) {
  constexpr double mu = 0.3;
  const std::vector<std::pair<std::size_t, double>> errors{{60, 0.03}, {120, 0.015}};
  for (const auto& [columns, most] : errors) {
    const double push = 0.5 * mu * PressedRing::load(0.45);
    PressedRing ring(columns, 0.45, push, 60.);
    ring.linkFloor(NewtonImpactNSL(0.), ContactOutputs::gap);
    TimeStepping simulation(ring.model, TimeDiscretisation(0., 0.05), MoreauJeanOSI(1.));
    // Pressed without friction, and so without tangential forces; then the floor is made rough.
    while (simulation.time() < 29.) simulation.step();
    for (const auto& foot : ring.feet) ring.model.remove(foot);
    ring.feet.clear();
    ring.linkFloor(NewtonImpactFrictionNSL(0., 0., mu, 2), ContactOutputs::gapAndTangents);
    const Vector before = ring.ring->q();
    simulation.run();
    const auto slip = [&](std::size_t i) { return std::abs(ring.ring->q()(2 * i) - before(2 * i)); };
    const double stuck = contactWidth * std::sqrt(0.5);
    double error = 0., left = 0., right = 0.;
    for (std::size_t i = 1; i < columns; ++i) {
      const Vector& force = ring.feet[i]->lambda(0);
      const double x = ring.mesh.nodes()[i][0];
      const double traction = -force(1) / ring.width(i) / (mu * ring.largestPressure());
      const double exact = arch(x, contactWidth) - stuck / contactWidth * arch(x, stuck);
      if (std::abs(x) < 0.6 * contactWidth) error = std::max(error, std::abs(traction - exact));
      // What slides does so by 5e-6 m or more; what sticks creeps by the accuracy of the steps, some 1e-9 m.
      if (force(0) <= 0. || slip(i) > 1e-7) continue;
      left = std::min(left, x);
      right = std::max(right, x);
    }
    EXPECT_NEAR(-ring.force(1), push, 1e-2 * push);
    // Tractions within what sticks, away from the kink at its edge; the edge itself to an element.
    EXPECT_LT(error, most) << columns;
    EXPECT_NEAR(0.5 * (right - left), stuck, spacing(columns)) << columns;
  }
}

}  // namespace
