// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/model/Interaction.hpp>
#include <delassus/kernel/model/NonSmoothDynamicalSystem.hpp>
#include <delassus/kernel/systems/LagrangianLinearTIDS.hpp>
#include <memory>

#include "Cam.hpp"

/// Parameters of the cam follower; the defaults are those of the notes' chapter 14.
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
};

/// The model: follower and contact, with the follower's absolute position u and velocity v.
class CamFollower {
 public:
  virtual ~CamFollower() = default;

  delassus::NonSmoothDynamicalSystem& model() { return model_; }
  const Cam& cam() const { return cam_; }
  double lambda() const { return contact_->lambda(1)(0); }  ///< impulse of the last step, N s

  virtual double u(double t) const = 0;
  virtual double v(double t) const = 0;

 protected:
  explicit CamFollower(const CamFollowerParameters& parameters);

  Cam cam_;
  delassus::NonSmoothDynamicalSystem model_;
  std::shared_ptr<delassus::LagrangianLinearTIDS> follower_;
  std::shared_ptr<delassus::Interaction> contact_;
};

/// In the coordinate û = u − c: the cam's motion is a force, f̂ = f_v − (μ c̈ + ζ ċ + κ c), the relation y = û.
class TranslatedCamFollower final : public CamFollower {
 public:
  explicit TranslatedCamFollower(const CamFollowerParameters& parameters);
  double u(double t) const override;
  double v(double t) const override;
};

/// In the coordinate u: the relation y = u − c(t) depends on time.
class RheonomousCamFollower final : public CamFollower {
 public:
  explicit RheonomousCamFollower(const CamFollowerParameters& parameters);
  double u(double t) const override;
  double v(double t) const override;
};
