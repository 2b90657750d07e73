// SPDX-License-Identifier: Apache-2.0
#pragma once

// Models for tests that write the equations of a mechanical scheme a second time.
#include <delassus/kernel/model/NonSmoothDynamicalSystem.hpp>
#include <delassus/kernel/systems/SecondOrderDS.hpp>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace delassus::test {

/// A system, with its M(q) and F(t, q, v).
struct Body {
  std::shared_ptr<SecondOrderDS> system;
  std::function<Matrix(const Vector& q)> mass;
  std::function<Vector(double t, const Vector& q, const Vector& v)> force;
  std::function<Vector(const Vector& v)> gyroscopic = {};  // of which `force` has a part, if there is any
};

/// An interaction, with its h, G and ∂h/∂t, of the stacked configurations of its bodies.
struct Link {
  std::shared_ptr<Interaction> interaction = {};
  std::vector<std::size_t> bodies = {};
  std::function<Vector(double t, const Vector& q)> output = {};
  std::function<Matrix(double t, const Vector& q)> jacobian = {};
  std::function<Vector(double t, const Vector& q)> drift = {};
  bool isContact = true;
  double e = 0., mu = 0.;
  bool isLinear = false;
};

struct EquationsModel {
  explicit EquationsModel(double end) : model(0., end) {}

  NonSmoothDynamicalSystem model;
  std::vector<Body> bodies;
  std::vector<Link> links;

  void add(Body body) {
    model.insert(body.system);
    bodies.push_back(std::move(body));
  }
  /// Links what the interaction of `link` is to be.
  template <class Law, class R>
  void add(Link link, Law law, R relation) {
    link.interaction = std::make_shared<Interaction>(std::move(law), std::move(relation));
    if (link.bodies.size() == 2) {
      model.link(link.interaction, bodies[link.bodies[0]].system, bodies[link.bodies[1]].system);
    } else {
      model.link(link.interaction, bodies[link.bodies[0]].system);
    }
    if (!link.drift) {
      const std::size_t rows = link.interaction->size();
      link.drift = [rows](double, const Vector&) { return Vector(rows); };
    }
    links.push_back(std::move(link));
  }
};

/// Two linear systems of two and three coordinates, driven; an equality, impacts with e = 0.7 and 0, friction with e =
/// 0.3: five rows for five coordinates, so that no rows depend on each other.
std::unique_ptr<EquationsModel> linearModel(unsigned seed);
/// An arm of three coordinates with a mass that depends on them, and a linear system of two; an impact, friction at a
/// contact that turns, a stop that moves and, where `isJoined`, an equality between both systems, whose rate is not
/// zero at the start.
std::unique_ptr<EquationsModel> turningModel(bool isJoined);
/// A heavy top on a ball joint, and a ball that hops and skids on a plane.
std::unique_ptr<EquationsModel> bodiesModel();

}  // namespace delassus::test
