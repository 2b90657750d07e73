// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <delassus/kernel/collision/CollisionManager.hpp>
#include <delassus/kernel/contacts/CylinderPlane.hpp>
#include <delassus/kernel/contacts/MovingPlane.hpp>
#include <delassus/kernel/laws/EqualityConditionNSL.hpp>
#include <delassus/kernel/laws/NewtonImpactFrictionNSL.hpp>
#include <delassus/kernel/model/NonSmoothDynamicalSystem.hpp>
#include <delassus/kernel/relations/NewtonEulerContactR.hpp>
#include <delassus/kernel/relations/joints/SphericalJointR.hpp>
#include <delassus/kernel/systems/NewtonEulerDS.hpp>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace delassus::test {

/// A small scene of bodies with friction, of a kind and with masses, loads, restitution and a step drawn by a seed:
/// what people try first. Lengths are 0.05 to 0.5 m, masses 1 to 10⁴ kg, loads up to 10³ weights, h from 1/60 to 1e-4
/// s.
class RandomScene {
 public:
  static constexpr std::array<const char*, 8> kinds{"stack",    "press", "rolling ball", "sliding box",
                                                    "cylinder", "ramp",  "chain",        "falling boxes"};

  explicit RandomScene(unsigned seed) : random_(seed), kind_(seed % kinds.size()) {
    constexpr std::array<double, 6> steps{1. / 60., 1e-2, 5e-3, 2e-3, 1e-3, 1e-4};
    h = steps[random_() % steps.size()];
    mass_ = std::pow(10., uniform(0., 4.));
    length_ = uniform(0.05, 0.5);
    const double e = random_() % 2 == 0 ? 0. : uniform(0., 1.);
    const double mu = uniform(0.1, 0.9);
    manager = std::make_shared<CollisionManager>(0.02 * length_, NewtonImpactFrictionNSL(e, 0., mu));
    model = std::make_unique<NonSmoothDynamicalSystem>(0., std::min(1., 400. * h));
    model->setGravity({0., 0., -9.81});
    name = std::string(kinds[kind_]) + ", m = " + std::to_string(mass_) + ", l = " + std::to_string(length_) +
           ", e = " + std::to_string(e) + ", mu = " + std::to_string(mu) + ", h = " + std::to_string(h);
    fill(e, mu);
  }

  const char* kind() const { return kinds[kind_]; }

  std::string name;
  double h = 0.;
  std::unique_ptr<NonSmoothDynamicalSystem> model;
  std::shared_ptr<CollisionManager> manager;

 private:
  using Body = std::shared_ptr<NewtonEulerDS>;

  double uniform(double from, double to) { return std::uniform_real_distribution<double>(from, to)(random_); }

  Body box(const Vector3& x, const Vector& v, double edge, double mass) {
    const Body body = model->insert("box " + std::to_string(model->topology().systems().size()),
                                    std::make_shared<NewtonEulerDS>(NewtonEulerDS::at(x), v, mass,
                                                                    NewtonEulerDS::boxInertia(mass, edge, edge, edge)));
    manager->insert(body, BoxShape(edge, edge, edge));
    return body;
  }
  Body ball(const Vector3& x, const Vector& v, double radius, double mass) {
    const Body body = model->insert(
        "ball " + std::to_string(model->topology().systems().size()),
        std::make_shared<NewtonEulerDS>(NewtonEulerDS::at(x), v, mass, NewtonEulerDS::ballInertia(mass, radius)));
    manager->insert(body, SphereShape(radius));
    return body;
  }

  void fill(double e, double mu) {
    const double l = length_;
    if (kind_ != 4 && kind_ != 5) addFloor();
    switch (kind_) {
      case 0:
      case 1:
        stack(kind_ == 1);
        break;
      case 2:
        ball({0., 0., l}, makeVector({uniform(0., 5.), 0., 0., 0., uniform(-20., 20.), 0.}), l, mass_);
        break;
      case 3:
        box({0., 0., 0.5 * l}, makeVector({uniform(0., 6.), 0., 0., 0., 0., uniform(0., 10.)}), l, mass_);
        break;
      case 4:
        cylinder(e, mu);
        break;
      case 5:
        ramp();
        break;
      case 6:
        chain();
        break;
      default:
        fallingBoxes();
        break;
    }
  }
  void addFloor() {
    if (random_() % 2 == 0) {
      manager->insertObstacle(Plane{});
    } else {
      manager->insertObstacle(BoxShape(100., 100., 1.), Vector3{0., 0., -0.5});
    }
  }
  void stack(bool isPressed) {
    const std::size_t n = 2 + random_() % 6;
    Body body;
    double weight = 0.;
    for (std::size_t i = 0; i < n; ++i) {
      const double mass = mass_ * std::pow(10., uniform(-1., 0.));
      body = box({0., 0., length_ * (0.5 + static_cast<double>(i))}, Vector(6), length_, mass);
      weight += 9.81 * mass;
    }
    if (!isPressed) return;
    const double load = weight * std::pow(10., uniform(0., 3.)), along = 0.02 * load;
    body->setExternalForces([load, along](double t, Vector& f) {
      f(0) = along * std::sin(37. * t);
      f(1) = along * std::cos(23. * t);
      f(2) = -load;
    });
  }
  void cylinder(double e, double mu) {
    const double r = 0.5 * length_, height = uniform(0.5, 2.) * length_;
    const Body body = model->insert(
        "cylinder", std::make_shared<NewtonEulerDS>(NewtonEulerDS::at({0., 0., 0.5 * height}),
                                                    makeVector({uniform(0., 1.), 0., 0., 0., 0., 0.}), mass_,
                                                    NewtonEulerDS::cylinderInertia(mass_, r, height)));
    model->link("floor", NewtonImpactFrictionNSL(e, 0., mu), NewtonEuler3DR(CylinderPlane(r, height, Plane{}, 4)),
                body);
  }
  void ramp() {
    const double angle = uniform(0., 0.7);
    manager->insertObstacle(Plane::through({0., 0., 0.}, {-std::sin(angle), 0., std::cos(angle)}));
    const Vector3 n{-std::sin(angle), 0., std::cos(angle)};
    const double radius = 0.5 * length_;
    ball({radius * n[0], 0., radius * n[2]}, Vector(6), radius, mass_);
  }
  void chain() {
    const double r = 0.2 * length_;
    Body before;
    for (int i = 0; i < 5; ++i) {
      const Vector3 x{2.5 * r * i, 0., r + 0.3 + 0.05 * i};
      const Body link = ball(x, Vector(6), r, mass_ * std::pow(10., uniform(-1., 0.)));
      if (before) {
        const Vector3 middle{x[0] - 1.25 * r, 0., x[2] - 0.025};
        model->link("joint " + std::to_string(i), EqualityConditionNSL(3),
                    SphericalJointR::at(middle, before->q(), link->q()), before, link);
      }
      before = link;
    }
  }
  void fallingBoxes() {
    for (int i = 0; i < 6; ++i) {
      box({uniform(-1., 1.) * length_, uniform(-1., 1.) * length_, (1. + 1.8 * i) * length_},
          makeVector({0., 0., 0., uniform(-2., 2.), uniform(-2., 2.), uniform(-2., 2.)}), length_,
          mass_ * std::pow(10., uniform(-1., 0.)));
    }
  }

  std::mt19937 random_;
  std::size_t kind_;
  double mass_ = 1., length_ = 0.1;
};

}  // namespace delassus::test
