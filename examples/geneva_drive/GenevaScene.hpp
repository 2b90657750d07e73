// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/delassus.hpp>
#include <delassus/kernel/collision/CollisionManager.hpp>
#include <memory>
#include <vector>

#include "GenevaMotion.hpp"

namespace delassus {

/// The drive as two rigid bodies on hinges, whose contacts are found by their shapes: the crank a ball, the pin, and a
/// disk with a notch of three hulls; the wheel the walls of its slots and of the hollows between them, of boxes. An arm
/// above holds the pin, a plate below the walls. A motor turns the crank at a constant rate.
class GenevaScene {
 public:
  GenevaScene(const GenevaGeometry& geometry, double rate, double friction, double end)
      : model(0., end),
        contacts(std::make_shared<CollisionManager>(2e-4, NewtonImpactFrictionNSL(0., 0., friction))),
        crank(bodyOf(crankShape(geometry), {})),
        wheel(bodyOf(wheelShape(geometry), {geometry.distance, 0., 0.})),
        wheelHinge_(PivotJointR::at({geometry.distance, 0., 0.}, axis(), wheel->q())) {
    const PivotJointR crankHinge = PivotJointR::at({}, axis(), crank->q());
    model.insert("crank", crank);
    model.insert("wheel", wheel);
    const Vector3 v = cross(rate * axis(), crank->position());
    crank->setState(crank->q(), Vector{v[0], v[1], v[2], 0., 0., rate});
    model.link("crank hinge", EqualityConditionNSL(5), crankHinge, crank);
    model.link("wheel hinge", EqualityConditionNSL(5), wheelHinge_, wheel);
    motor = model.link("motor", EqualityConditionNSL(),
                       crankHinge.angle().following(automatic([rate](const auto& t) { return rate * t; })), crank);
    contacts->insert(crank, crankShape(geometry), placementInBody(crankShape(geometry)));
    contacts->insert(wheel, wheelShape(geometry), placementInBody(wheelShape(geometry)));
  }
  GenevaScene(const GenevaScene&) = delete;
  GenevaScene& operator=(const GenevaScene&) = delete;

  /// As GenevaMotion has it, rad.
  double wheelAngle() const { return wheelAngle_; }
  double wheelRate() const { return wheel->angularVelocity()[2]; }
  /// To be called after each step: a wheel turns by less than half a turn in one.
  void observe() {
    const Vector3 x = column(wheel->rotation(), 0);
    wheelAngle_ += std::remainder(std::atan2(x[1], x[0]) - wheelAngle_, 2. * std::numbers::pi);
  }
  /// What it has observed, for checkpoints.
  std::vector<double*> observed() { return {&wheelAngle_}; }

  NonSmoothDynamicalSystem model;
  std::shared_ptr<CollisionManager> contacts;
  std::shared_ptr<NewtonEulerDS> crank, wheel;
  std::shared_ptr<Interaction> motor;

 private:
  static constexpr double density = 7800.;  // kg/m³

  static Vector3 axis() { return {0., 0., 1.}; }
  static Vector3 along(double angle) { return {std::cos(angle), std::sin(angle), 0.}; }
  static Placement turned(const Vector3& x, double angle) {
    return Placement::at(x, rotations::exponential(angle * axis()));
  }
  static std::shared_ptr<NewtonEulerDS> bodyOf(const CompoundShape& shape, const Vector3& x) {
    return NewtonEulerDS::ofShape(shape, density, x);
  }

  // How far arm and plate are from the middle.
  static double beside(const GenevaGeometry& g) { return 0.5 * (g.height + g.plate) + 1e-3; }

  // The pin is at the angle π, away from the wheel, and so is the middle of the notch.
  static CompoundShape crankShape(const GenevaGeometry& g) {
    constexpr int sectors = 3, chords = 20;
    CompoundShape shape = CompoundShape()
                              .with(SphereShape(g.pinRadius), Placement::at({-g.crank(), 0., 0.}))
                              .with(BoxShape(g.crank() + 2. * g.pinRadius, 2. * g.pinRadius, g.plate),
                                    Placement::at({-0.5 * g.crank(), 0., beside(g)}));
    const double whole = 2. * (std::numbers::pi - g.entry()), part = whole / sectors;
    for (int sector = 0; sector < sectors; ++sector) {
      std::vector<Vector3> points;
      for (const double z : {-0.5 * g.height, 0.5 * g.height}) {
        points.push_back({0., 0., z});
        for (int k = 0; k <= chords; ++k) {
          const double angle = -0.5 * whole + part * (sector + static_cast<double>(k) / chords);
          points.push_back(g.disk() * along(angle) + z * axis());
        }
      }
      shape = shape.with(ConvexHull(points));
    }
    return shape;
  }

  // The slots are to both sides of the line to the crank, a hollow on it.
  static CompoundShape wheelShape(const GenevaGeometry& g) {
    CompoundShape shape = CompoundShape().with(CylinderShape(g.wheel(), g.plate), Placement::at({0., 0., -beside(g)}));
    for (std::size_t k = 0; k < g.slots; ++k) {
      const double slot = std::numbers::pi + g.share() * (2. * static_cast<double>(k) + 1.);
      addSlot(g, slot, shape);
      addHollow(g, slot + g.share(), shape);
    }
    return shape;
  }

  static void addSlot(const GenevaGeometry& g, double angle, CompoundShape& shape) {
    const double inner = g.distance - g.crank() - 1.5 * g.pinRadius;  // deeper than the pin comes
    const BoxShape wall(g.wheel() - inner, g.thickness, g.height);
    for (const double side : {-1., 1.}) {
      const double across = side * (g.pinRadius + g.play + 0.5 * g.thickness);
      const Vector3 middle = 0.5 * (g.wheel() + inner) * along(angle) + across * along(angle + 0.5 * std::numbers::pi);
      shape = shape.with(wall, turned(middle, angle));
    }
  }

  // Chords outside of the disk that lies there while the wheel is locked.
  static void addHollow(const GenevaGeometry& g, double angle, CompoundShape& shape) {
    constexpr int chords = 10;
    const double R = g.disk() + g.play, b = g.wheel(), c = g.distance;
    // Up to where the hollow comes to the rim of the wheel.
    const double half = std::acos((c * c + R * R - b * b) / (2. * c * R)), part = 2. * half / chords;
    const BoxShape wall(g.thickness, 2. * R * std::tan(0.5 * part), g.height);
    for (int k = 0; k < chords; ++k) {
      const double towards = angle + std::numbers::pi - half + part * (k + 0.5);
      shape = shape.with(wall, turned(c * along(angle) + (R + 0.5 * g.thickness) * along(towards), towards));
    }
  }

  PivotJointR wheelHinge_;
  double wheelAngle_ = 0.;
};

}  // namespace delassus
