// SPDX-License-Identifier: Apache-2.0
#include "CamFollower.hpp"

#include <delassus/kernel/laws/NewtonImpactNSL.hpp>
#include <delassus/kernel/relations/LagrangianLinearTIR.hpp>
#include <delassus/kernel/relations/LagrangianRheonomousR.hpp>

#include "CamPlugin.hpp"

using delassus::Interaction;
using delassus::LagrangianLinearTIDS;
using delassus::LagrangianLinearTIR;
using delassus::LagrangianRheonomousR;
using delassus::makeMatrix;
using delassus::makeVector;
using delassus::Matrix;
using delassus::NewtonImpactNSL;
using delassus::Vector;

CamFollower::CamFollower(const CamFollowerParameters& parameters)
    : cam_(parameters.rpm, parameters.initialAngle), model_(0., parameters.end) {
  if (parameters.plugin.empty()) return;
  cam_ = Cam(parameters.rpm, parameters.initialAngle, loadCam(parameters));
  force_ = loadForce(parameters);
}

TranslatedCamFollower::TranslatedCamFollower(const CamFollowerParameters& p) : CamFollower(p) {
  follower_ =
      std::make_shared<LagrangianLinearTIDS>(makeVector({p.position}), makeVector({p.velocity}), makeMatrix({{p.mass}}),
                                             makeMatrix({{p.stiffness}}), makeMatrix({{p.damping}}));
  follower_->setExternalForces([p, cam = cam_, force = force_](double t, Vector& f) {
    const CamMotion c = cam.at(t);
    f(0) = (force ? force(t) : p.force) - (p.mass * c.acceleration + p.damping * c.velocity + p.stiffness * c.position);
  });
  contact_ = std::make_shared<Interaction>(NewtonImpactNSL(p.restitution), LagrangianLinearTIR(makeMatrix({{1.}})));
  model_.insert(follower_);
  model_.link(contact_, follower_);
}

double TranslatedCamFollower::absolutePosition(double t, double coordinate) const {
  return coordinate + cam_.at(t).position;
}

double TranslatedCamFollower::absoluteVelocity(double t, double rate) const {
  return rate + cam_.at(t).velocity;
}

RheonomousCamFollower::RheonomousCamFollower(const CamFollowerParameters& p) : CamFollower(p) {
  const CamMotion start = cam_.at(0.);
  follower_ = std::make_shared<LagrangianLinearTIDS>(makeVector({p.position + start.position}),
                                                     makeVector({p.velocity + start.velocity}), makeMatrix({{p.mass}}),
                                                     makeMatrix({{p.stiffness}}), makeMatrix({{p.damping}}));
  if (force_) {
    follower_->setExternalForces([force = force_](double t, Vector& f) { f(0) = force(t); });
  } else {
    follower_->setExternalForces(makeVector({p.force}));
  }
  const Cam cam = cam_;
  LagrangianRheonomousR relation(
      1, delassus::withJacobians([cam](double t, const Vector& q, Vector& y) { y(0) = q(0) - cam.at(t).position; },
                                 [](double, const Vector&, Matrix& G) { G(0, 0) = 1.; },
                                 [cam](double t, const Vector&, Vector& drift) { drift(0) = -cam.at(t).velocity; }));
  // Event-driven simulations want ÿ = ü − c̈ too.
  relation.setBias([cam](double t, const Vector&, const Vector&, Vector& bias) { bias(0) = -cam.at(t).acceleration; });
  contact_ = std::make_shared<Interaction>(NewtonImpactNSL(p.restitution), std::move(relation));
  model_.insert(follower_);
  model_.link(contact_, follower_);
}

double RheonomousCamFollower::absolutePosition(double, double coordinate) const {
  return coordinate;
}

double RheonomousCamFollower::absoluteVelocity(double, double rate) const {
  return rate;
}

std::unique_ptr<CamFollower> makeCamFollower(CamFormulation formulation, const CamFollowerParameters& parameters) {
  if (formulation == CamFormulation::rheonomous) return std::make_unique<RheonomousCamFollower>(parameters);
  return std::make_unique<TranslatedCamFollower>(parameters);
}
