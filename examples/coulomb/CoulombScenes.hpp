// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <delassus/delassus.hpp>
#include <delassus/kernel/collision/CollisionManager.hpp>
#include <functional>
#include <map>
#include <memory>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

/// Nine experiments with Coulomb friction and impacts side by side in one yard, each in a lane and with a law of its
/// own, whose outcome a closed form tells.
class CoulombScenes {
 public:
  /// What a closed form says of a scene, and what the run has.
  struct Evidence {
    std::string scene;              ///< which
    std::string quantity;           ///< what is compared, with its unit
    double expected;                ///< by the closed form
    double tolerance;               ///< how far a run with steps of h may be off: of order h, or the solver's
    std::function<double()> found;  ///< after the run
  };

  static constexpr double gravity = 9.81;  ///< m/s²
  static constexpr double end = 1.6;       ///< s

  explicit CoulombScenes(double h)
      : model(0., end),
        contacts(std::make_shared<delassus::CollisionManager>(1e-3, delassus::NewtonImpactFrictionNSL(0., 0., 0.5))),
        h_(h) {
    model.setGravity({0., 0., -gravity});
    slideToRest();
    slideOrStick();
    tipOrStand();
    rollDown();
    slideIntoRolling();
    bounce();
    rideABelt();
    stayPinched();
    slideAndSpin();
  }
  CoulombScenes(const CoulombScenes&) = delete;
  CoulombScenes& operator=(const CoulombScenes&) = delete;

  /// To be called after each step.
  void observe(double t) {
    for (const auto& observer : observers_) observer(t);
  }
  const std::vector<Evidence>& evidence() const { return evidence_; }
  /// Of this name.
  const delassus::NewtonEulerDS& body(const std::string& name) const { return *bodies_.at(name); }
  /// What it has observed, for checkpoints.
  std::vector<double*> observed() { return {&lift_, &top_, &slidesUntil_, &turnsUntil_}; }

  delassus::NonSmoothDynamicalSystem model;
  std::shared_ptr<delassus::CollisionManager> contacts;

 private:
  using Body = std::shared_ptr<delassus::NewtonEulerDS>;
  using Vector3 = delassus::Vector3;
  using Quaternion = delassus::Quaternion;

  static constexpr double edge = 0.1;       // of the cubes, m
  static constexpr double solver = 1e-6;    // what the solver's tolerance of 1e-8 may leave over some thousand steps
  static constexpr double density = 1000.;  // kg/m³

  /// A new lane, whose contacts have this law.
  void beginLane(double mu, double restitution = 0.) {
    ++lane_;
    contacts->setLaw(lane_, lane_, delassus::NewtonImpactFrictionNSL(restitution, 0., mu));
    for (std::size_t other = 1; other < lane_; ++other) contacts->exclude(other, lane_);
  }
  double across() const { return 0.6 * static_cast<double>(lane_); }
  template <class S>
  Body add(const std::string& name, const S& shape, Vector3 x, const Quaternion& p = {1., 0., 0., 0.}) {
    x[1] += across();
    Body body = delassus::NewtonEulerDS::ofShape(shape, density, x, p);
    model.insert(name, body);
    contacts->insert(body, shape, lane_);
    bodies_[name] = body;
    return body;
  }
  Body addCube(const std::string& name, const Vector3& x) { return add(name, delassus::BoxShape(edge, edge, edge), x); }
  void launch(const Body& body, const Vector3& v, const Vector3& omega = {}) {
    body->setState(body->q(), delassus::makeVector({v[0], v[1], v[2], omega[0], omega[1], omega[2]}));
  }
  /// Its top is through the origin of the lane, falls by `angle` towards x, and is this long.
  void addFloor(double length, double angle = 0.) {
    const Vector3 down{std::cos(angle), 0., -std::sin(angle)}, up{std::sin(angle), 0., std::cos(angle)};
    Vector3 x = (0.5 * length - 0.5) * down - 0.05 * up;
    x[1] = across();
    contacts->insertObstacle(delassus::BoxShape(length, 0.5, 0.1), x, delassus::rotations::exponential({0., angle, 0.}),
                             lane_);
  }
  void state(std::string scene, std::string quantity, double expected, double tolerance,
             std::function<double()> found) {
    evidence_.push_back({std::move(scene), std::move(quantity), expected, tolerance, std::move(found)});
  }

  // A cube at 6 m/s: stops after v²/(2 μ g), within a step's way, and does not lift.
  void slideToRest() {
    const double v = 6., mu = 0.5;
    beginLane(mu);
    addFloor(5.);
    const Body cube = addCube("slider", {0., 0., 0.5 * edge});
    launch(cube, {v, 0., 0.});
    observers_.push_back([=, this](double) { lift_ = std::max(lift_, std::abs(cube->q()(2) - 0.5 * edge)); });
    state("a cube slides at 6 m/s", "way to rest, m", 0.5 * v * v / (mu * gravity), v * h_,
          [=] { return cube->q()(0); });
    state("a cube slides at 6 m/s", "lift, m", 0., solver, [this] { return lift_; });
  }

  // On a slope of 20°, with a coefficient of friction 2 % above and below its tangent.
  void slideOrStick() {
    const double angle = 20. * std::numbers::pi / 180.;
    for (const double part : {1.02, 0.98}) {
      beginLane(part * std::tan(angle));
      addFloor(1.5, angle);
      const Vector3 up{std::sin(angle), 0., std::cos(angle)};
      const Body cube = add(part > 1. ? "sticks" : "slips", delassus::BoxShape(edge, edge, 0.5 * edge),
                            0.25 * edge * up, delassus::rotations::exponential({0., angle, 0.}));
      const double acceleration = std::max(0., gravity * std::sin(angle) * (1. - part));
      state(part > 1. ? "a box on a slope, mu 2 % above its tangent" : "a box on a slope, mu 2 % below its tangent",
            "way, m", 0.5 * acceleration * end * end, solver,
            [=] { return (cube->q()(0) - 0.25 * edge * up[0]) / std::cos(angle); });
    }
  }

  // A tall box on a slope whose tangent is 2 % below and above that of its diagonal.
  void tipOrStand() {
    const double width = 0.1, height = 0.3;
    for (const double part : {0.98, 1.02}) {
      const double angle = std::atan(part * width / height);
      beginLane(2.);
      addFloor(1.5, angle);
      const Body box = add(part < 1. ? "stands" : "tips", delassus::BoxShape(width, 0.2, height),
                           0.5 * height * Vector3{std::sin(angle), 0., std::cos(angle)},
                           delassus::rotations::exponential({0., angle, 0.}));
      const auto tipped = [=] { return delassus::column(box->rotation(), 2)[2] < 0.9 * std::cos(angle) ? 1. : 0.; };
      state(part < 1. ? "a tall box on a slope 2 % too flat" : "a tall box on a slope 2 % steeper", "tips",
            part < 1. ? 0. : 1., 0., tipped);
    }
  }

  // v = 2/3 g sin α t, which the scheme has exactly.
  void rollDown() {
    const double angle = 0.2, radius = 0.06;
    beginLane(0.5);
    addFloor(4., angle);
    const Body roller =
        add("roller", delassus::CylinderShape(radius, 0.2), radius * Vector3{std::sin(angle), 0., std::cos(angle)},
            delassus::rotations::exponential({0.5 * std::numbers::pi, 0., 0.}));
    state("a cylinder rolls down a slope", "speed, m/s", 2. / 3. * gravity * std::sin(angle) * end, solver,
          [=] { return roller->velocity()(0) / std::cos(angle); });
  }

  // A ball that is thrown without spin slides until it rolls, with 5/7 of its speed.
  void slideIntoRolling() {
    const double v = 2., radius = 0.06, mu = 0.2;
    beginLane(mu);
    addFloor(4.);
    const Body ball = add("ball", delassus::SphereShape(radius), {0., 0., radius});
    launch(ball, {v, 0., 0.});
    state("a ball slides until it rolls", "speed, m/s", 5. / 7. * v, solver, [=] { return ball->velocity()(0); });
    const double sliding = 2. / 7. * v / (mu * gravity);
    state("a ball slides until it rolls", "way, m",
          v * sliding - 0.5 * mu * gravity * sliding * sliding + 5. / 7. * v * (end - sliding), v * h_,
          [=] { return ball->q()(0); });
  }

  // With e = 1/2 a ball comes back to a quarter of its height.
  void bounce() {
    const double radius = 0.06, height = 0.8;
    beginLane(0.5, 0.5);
    addFloor(1.);
    const Body ball = add("dropped", delassus::SphereShape(radius), {0., 0., radius + height});
    const double impact = std::sqrt(2. * height / gravity);
    observers_.push_back([=, this](double t) {
      if (t > impact + 0.05 && t < impact + 0.5) top_ = std::max(top_, ball->q()(2) - radius);
    });
    state("a ball bounces with e = 1/2", "height, m", 0.25 * height, std::sqrt(2. * gravity * height) * h_,
          [this] { return top_; });
  }

  // A block on a belt is behind it by v²/(2 μ g).
  void rideABelt() {
    const double v = 0.8, mu = 0.4;
    beginLane(mu);
    const auto place = [y = across()](const auto&, auto& q) {
      q(0) = 0.5;
      q(1) = y;
      q(2) = -0.05;
    };
    contacts->insertObstacle(delassus::BoxShape(2., 0.5, 0.1),
                             delassus::ObstacleMotion(delassus::automatic(place)).withSurface({v, 0., 0.}), lane_);
    const Body block = addCube("parcel", {0., 0., 0.5 * edge});
    state("a block on a belt", "way, m", v * end - 0.5 * v * v / (mu * gravity), v * h_, [=] { return block->q()(0); });
    state("a block on a belt", "speed, m/s", v, solver, [=] { return block->velocity()(0); });
  }

  // Two plates press a capsule with twenty times the force that it needs. Guides hold the plates.
  void stayPinched() {
    const double mu = 0.5, radius = 0.04, height = 0.5;
    beginLane(mu);
    const Body capsule = add("capsule", delassus::CapsuleShape(radius, 0.15), {0., 0., height},
                             delassus::rotations::exponential({0.5 * std::numbers::pi, 0., 0.}));
    const double force = 20. * capsule->scalarMass() * gravity / (2. * mu);
    for (const double side : {-1., 1.}) {
      const Body plate = add(side < 0. ? "left plate" : "right plate", delassus::BoxShape(0.05, 0.4, 0.3),
                             {side * (radius + 0.025), 0., height});
      plate->setExternalForces(delassus::makeVector({-side * force, 0., 0.}));
      model.link(std::make_shared<delassus::Interaction>(
                     delassus::EqualityConditionNSL(5),
                     delassus::PrismaticJointR::at({0., across(), height}, {1., 0., 0.}, plate->q())),
                 plate);
    }
    state("a capsule pinched with 20 times the force", "slip, m", 0., solver, [=] { return height - capsule->q()(2); });
  }

  // What slides and spins stops both at once. (Farkas, Bartels, Unger, Wolf, Phys. Rev. Lett. 90, 2003, for disks.)
  // Three feet have forces that are unique, and a low body on them bends its way by some hundredths only, as its feet
  // point.
  void slideAndSpin() {
    const double reach = 0.13, radius = 0.02, v = 1.5, mu = 0.3;
    beginLane(mu);
    addFloor(2.);
    delassus::CompoundShape tripod;
    for (int k = 0; k < 3; ++k) {
      const double angle = 2. * std::numbers::pi / 3. * k;
      const Vector3 foot{reach * std::cos(angle), reach * std::sin(angle), 0.};
      tripod = tripod.with(delassus::SphereShape(radius), delassus::Placement::at(foot));
    }
    const Body body = add("tripod", tripod, {0., 0., radius});
    launch(body, {v, 0., 0.}, {0., 0., 12.});
    const double rest = 1e-3 * v;
    observers_.push_back([=, this](double t) {
      const delassus::Vector& twist = body->velocity();
      if (std::hypot(twist(0), twist(1)) > rest) slidesUntil_ = t;
      if (std::abs(twist(5)) * reach > rest) turnsUntil_ = t;
    });
    const double y = across();
    state("a tripod slides and spins", "way to the side, m", 0., 0.03 * v * v / (2. * mu * gravity),
          [=] { return body->q()(1) - y; });
    state("a tripod slides and spins", "between the ends of both, s", 0., 2. * h_,
          [this] { return slidesUntil_ - turnsUntil_; });
  }

  double h_;
  std::size_t lane_ = 0;
  std::map<std::string, Body> bodies_;
  std::vector<Evidence> evidence_;
  std::vector<std::function<void(double)>> observers_;
  double lift_ = 0., top_ = 0.;                // m, of the slider and of the ball that bounces
  double slidesUntil_ = 0., turnsUntil_ = 0.;  // s, of the tripod
};
