// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "../support/NumberChecks.hpp"
#include "CamRun.hpp"

/// The common command-line options of the programs of the cam follower.
class CamOptions {
 public:
  CamFollowerParameters parameters;

  void addMethod(CLI::App& app) {
    app.add_option("--method", method_, "How to simulate")->check(CLI::IsMember({"time-stepping", "event-driven"}));
    app.add_option("--formulation", formulation_, "Coordinate: u - c (translated) or u (rheonomous)")
        ->check(CLI::IsMember({"translated", "rheonomous"}));
    app.add_option("--step", run_.step, "Step h, s")->check(positiveNumber());
    app.add_option("--theta", run_.theta, "Theta of the Moreau-Jean scheme (time stepping)");
    app.add_option("--tolerance", run_.tolerance, "Relative and absolute tolerance (event-driven)");
  }

  void addFollower(CLI::App& app) {
    app.add_option("--angle", parameters.initialAngle, "Initial angle of the cam, rad");
    app.add_option("--position", parameters.position, "Initial position above the cam, u - c, m");
    app.add_option("--velocity", parameters.velocity, "Initial velocity relative to the cam, v - dc/dt, m/s");
    app.add_option("--restitution", parameters.restitution, "Coefficient of restitution");
    app.add_option("--mass", parameters.mass, "Mass of the follower, kg");
    app.add_option("--stiffness", parameters.stiffness, "Stiffness of the spring, N/m");
    app.add_option("--damping", parameters.damping, "Viscous damping, N s/m");
    app.add_option("--force", parameters.force, "Constant force on the follower, N");
    app.add_option("--plugin", parameters.plugin, "Shared object with the cam's motion and the force (Follower)");
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
