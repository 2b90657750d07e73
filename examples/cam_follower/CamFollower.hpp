// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/model/Interaction.hpp>
#include <delassus/kernel/model/NonSmoothDynamicalSystem.hpp>
#include <delassus/kernel/systems/LagrangianLinearTIDS.hpp>
#include <functional>
#include <memory>
#include <string>

#include "Cam.hpp"

/// Parameters of the cam follower; the defaults are those of [Siconos 2017], chapter 14.
struct CamFollowerParameters {
  double rpm = 358.;          ///< speed of the cam, turns a minute
  double initialAngle = 0.;   ///< of the cam, rad
  double mass = 1.221;        ///< μ, kg
  double stiffness = 1430.8;  ///< κ, N/m
  double damping = 0.;        ///< ζ, N s/m
  double restitution = 0.8;   ///< r
  double force = 0.;          ///< f_v, constant, N
  double position = 0.4;      ///< û(0) = u(0) − c(0), m
  double velocity = 0.4;      ///< v̂(0) = v(0) − ċ(0), m/s
  double end = 1.;            ///< T, s
  std::string plugin;         ///< shared object with the cam's motion and the force; empty: those here
};

/// The coordinate: û = u − c, or u.
enum class CamFormulation { translated, rheonomous };

/// The model: follower and contact, with the follower's absolute position u and velocity v.
class CamFollower {
 public:
  virtual ~CamFollower() = default;

  delassus::NonSmoothDynamicalSystem& model() { return model_; }
  const Cam& cam() const { return cam_; }
  double lambda() const { return contact_->lambda(1)(0); }        ///< impulse of the last step, N s
  double contactForce() const { return contact_->lambda(0)(0); }  ///< event-driven: now, N
  double gapRate() const { return contact_->y(1)(0); }            ///< ẏ = v − ċ at the present state, m/s

  double coordinate() const { return follower_->q()(0); }
  double rate() const { return follower_->velocity()(0); }
  double u(double t) const { return absolutePosition(t, coordinate()); }
  double v(double t) const { return absoluteVelocity(t, rate()); }

  /// u of a coordinate, and v of its rate.
  virtual double absolutePosition(double t, double coordinate) const = 0;
  virtual double absoluteVelocity(double t, double rate) const = 0;

 protected:
  explicit CamFollower(const CamFollowerParameters& parameters);

  Cam cam_;
  std::function<double(double t)> force_;  // of the plugin; empty without one
  delassus::NonSmoothDynamicalSystem model_;
  std::shared_ptr<delassus::LagrangianLinearTIDS> follower_;
  std::shared_ptr<delassus::Interaction> contact_;
};

/// In the coordinate û = u − c: the cam's motion is a force, f̂ = f_v − (μ c̈ + ζ ċ + κ c), the relation y = û.
class TranslatedCamFollower final : public CamFollower {
 public:
  explicit TranslatedCamFollower(const CamFollowerParameters& parameters);
  double absolutePosition(double t, double coordinate) const override;
  double absoluteVelocity(double t, double rate) const override;
};

/// In the coordinate u: the relation y = u − c(t) depends on time.
class RheonomousCamFollower final : public CamFollower {
 public:
  explicit RheonomousCamFollower(const CamFollowerParameters& parameters);
  double absolutePosition(double t, double coordinate) const override;
  double absoluteVelocity(double t, double rate) const override;
};

std::unique_ptr<CamFollower> makeCamFollower(CamFormulation formulation, const CamFollowerParameters& parameters);
