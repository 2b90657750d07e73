// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "../support/CommandLine.hpp"
#include "CamRun.hpp"

/// The common command-line options of the programs of the cam follower.
class CamOptions {
 public:
  CamFollowerParameters parameters;

  void addMethod(CommandLine& line) {
    line.add("--method", method_, "How to simulate").oneOf({"time-stepping", "event-driven"});
    line.add("--formulation", formulation_, "Coordinate: u - c (translated) or u (rheonomous)")
        .oneOf({"translated", "rheonomous"});
    line.add("--step", run_.step, "Step h, s").positive();
    line.add("--theta", run_.theta, "Theta of the Moreau-Jean scheme (time stepping)");
    line.add("--tolerance", run_.tolerance, "Relative and absolute tolerance (event-driven)");
  }

  void addFollower(CommandLine& line) {
    line.add("--angle", parameters.initialAngle, "Initial angle of the cam, rad");
    line.add("--position", parameters.position, "Initial position above the cam, u - c, m");
    line.add("--velocity", parameters.velocity, "Initial velocity relative to the cam, v - dc/dt, m/s");
    line.add("--restitution", parameters.restitution, "Coefficient of restitution");
    line.add("--mass", parameters.mass, "Mass of the follower, kg");
    line.add("--stiffness", parameters.stiffness, "Stiffness of the spring, N/m");
    line.add("--damping", parameters.damping, "Viscous damping, N s/m");
    line.add("--force", parameters.force, "Constant force on the follower, N");
    line.add("--plugin", parameters.plugin, "Shared object with the cam's motion and the force (Follower)");
  }

  CamRunOptions run() const {
    CamRunOptions options = run_;
    options.method = method_ == "event-driven" ? CamMethod::eventDriven : CamMethod::timeStepping;
    options.formulation = formulation_ == "rheonomous" ? CamFormulation::rheonomous : CamFormulation::translated;
    return options;
  }

 private:
  std::string method_ = "time-stepping";
  std::string formulation_ = "translated";
  CamRunOptions run_;
};
