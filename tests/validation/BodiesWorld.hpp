// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <delassus/delassus.hpp>
#include <delassus/kernel/collision/CollisionManager.hpp>
#include <kernel/collision/CollisionModels.hpp>
#include <memory>
#include <vector>

namespace delassus::testing {

/// Bodies that meet through a manager, made of their shapes.
struct World {
  NonSmoothDynamicalSystem model;
  std::shared_ptr<CollisionManager> manager;
  std::vector<std::shared_ptr<NewtonEulerDS>> bodies;

  World(double seconds, const NewtonImpactFrictionNSL& law, double margin = 1e-3)
      : model(0., seconds), manager(std::make_shared<CollisionManager>(margin, law)) {}
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  /// Gravity downwards, on a floor at z = 0.
  void standOnFloor() {
    model.setGravity({0., 0., -gravity});
    manager->insertObstacle(Plane{});
  }
  NewtonEulerDS& add(const std::shared_ptr<const Shape>& shape, const Vector3& x,
                     const Quaternion& p = {1., 0., 0., 0.}, double density = 1000.) {
    bodies.push_back(NewtonEulerDS::ofShape(*shape, density, x, p));
    model.insert(bodies.back());
    manager->insert(bodies.back(), shape, placementInBody(*shape));
    return *bodies.back();
  }
  double energy() const {
    double sum = 0.;
    for (const auto& body : bodies) sum += body->kineticEnergy() + body->scalarMass() * gravity * body->q()(2);
    return sum;
  }
};

/// Where bodies were when it was made, and how far the farthest of them has come since.
class Places {
 public:
  explicit Places(const std::vector<std::shared_ptr<NewtonEulerDS>>& bodies) : bodies_(bodies) {
    for (const auto& body : bodies_) begin_.push_back(body->q());
  }
  /// m.
  double shift() const {
    double most = 0.;
    for (std::size_t k = 0; k < bodies_.size(); ++k) {
      most = std::max(most, norm(bodies_[k]->position() - vector3(data(begin_[k]))));
    }
    return most;
  }
  /// rad.
  double turn() const {
    double most = 0.;
    for (std::size_t k = 0; k < bodies_.size(); ++k) {
      const Quaternion p{begin_[k](3), begin_[k](4), begin_[k](5), begin_[k](6)};
      const Quaternion since = rotations::product(rotations::conjugate(p), bodies_[k]->orientation());
      most = std::max(most, norm(rotations::logarithm(since)));
    }
    return most;
  }

 private:
  std::vector<std::shared_ptr<NewtonEulerDS>> bodies_;
  std::vector<Vector> begin_;
};

/// The largest rise of an energy from one look to the next.
class RiseOfEnergy {
 public:
  explicit RiseOfEnergy(double begin) : last_(begin) {}
  void look(double energy) {
    largest_ = std::max(largest_, energy - last_);
    last_ = energy;
  }
  double largest() const { return largest_; }

 private:
  double last_, largest_ = 0.;
};

/// The creep that a solver leaves in so many steps of h if the errors of all add up: each is relative to the norm of
/// the free velocities, g h at each of the points.
inline double creepAllowed(std::size_t steps, double h, std::size_t points) {
  constexpr double tolerance = 1e-8;
  return static_cast<double>(steps) * h * tolerance * gravity * h * std::sqrt(static_cast<double>(points));
}

}  // namespace delassus::testing
