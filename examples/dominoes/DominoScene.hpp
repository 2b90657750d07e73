// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <delassus/delassus.hpp>
#include <delassus/kernel/collision/CollisionManager.hpp>
#include <memory>
#include <string>
#include <vector>

#include "DominoTrain.hpp"

/// A row of dominoes on a floor on which they do not slip, along x, of which the first one turns about its lower front
/// edge at the beginning.
class DominoScene {
 public:
  static constexpr double width = 0.024;       ///< m
  static constexpr double density = 1500.;     ///< kg/m³
  static constexpr double floorFriction = 1.;  ///< coefficient

  DominoScene(const DominoTrain& train, std::size_t count, double end)
      : model(0., end),
        contacts(std::make_shared<delassus::CollisionManager>(
            5e-3 * train.height, delassus::NewtonImpactFrictionNSL(0., 0., train.friction))),
        train_(train),
        fallenAt_(count, -1.),
        last_(count, 0.) {
    model.setGravity({0., 0., -train.gravity});
    contacts->setLaw(pieces, ground, delassus::NewtonImpactFrictionNSL(0., 0., floorFriction));
    contacts->insertObstacle(delassus::Plane{}, delassus::Vector3{}, {1., 0., 0., 0.}, ground);
    const delassus::BoxShape piece(train.thickness, width, train.height);
    for (std::size_t k = 0; k < count; ++k) {
      const delassus::Vector3 place{edgeOf(k) - 0.5 * train.thickness, 0., 0.5 * train.height};
      dominoes.push_back(delassus::NewtonEulerDS::ofShape(piece, density, place));
      model.insert("domino " + std::to_string(k), dominoes.back());
      contacts->insert(dominoes.back(), piece, pieces);
    }
    const delassus::Vector3 v = delassus::cross({0., train.push, 0.}, dominoes[0]->position());
    dominoes[0]->setState(dominoes[0]->q(), delassus::makeVector({v[0], v[1], v[2], 0., train.push, 0.}));
  }
  DominoScene(const DominoScene&) = delete;
  DominoScene& operator=(const DominoScene&) = delete;

  /// From the vertical, towards x, rad.
  double tilt(std::size_t k) const {
    const delassus::Vector3 up = delassus::column(dominoes[k]->rotation(), 2);
    return std::atan2(up[0], up[2]);
  }
  /// Kinetic and potential, J.
  double energy() const {
    double sum = 0.;
    for (const auto& domino : dominoes) {
      sum += domino->kineticEnergy() + domino->scalarMass() * train_.gravity * domino->q()(2);
    }
    return sum;
  }
  /// How far the edge of one about which it turns has come from its place along x, m.
  double slipOf(std::size_t k) const {
    const delassus::Vector3 edge{0.5 * train_.thickness, 0., -0.5 * train_.height};
    return dominoes[k]->position()[0] + delassus::multiply(dominoes[k]->rotation(), edge)[0] - edgeOf(k);
  }

  /// To be called after each step of h.
  void observe(double t, double h) {
    for (std::size_t k = 0; k < dominoes.size(); ++k) {
      const double now = tilt(k), beyond = now - train_.angleAtHit();
      if (beyond >= 0. && fallenAt_[k] < 0.) fallenAt_[k] = t - h * beyond / (now - last_[k]);
      last_[k] = now;
    }
  }
  /// When each tilted as far as the next one, s, linear within a step; negative for those that have not.
  const std::vector<double>& fallenAt() const { return fallenAt_; }
  /// What it has observed, for checkpoints.
  std::vector<double*> observed() {
    std::vector<double*> all;
    for (std::vector<double>* const numbers : {&fallenAt_, &last_}) {
      for (double& number : *numbers) all.push_back(&number);
    }
    return all;
  }

  delassus::NonSmoothDynamicalSystem model;
  std::shared_ptr<delassus::CollisionManager> contacts;
  std::vector<std::shared_ptr<delassus::NewtonEulerDS>> dominoes;

 private:
  static constexpr delassus::CollisionManager::Group pieces = 0, ground = 1;

  double edgeOf(std::size_t k) const { return train_.pitch * static_cast<double>(k); }

  DominoTrain train_;
  std::vector<double> fallenAt_, last_;
};
