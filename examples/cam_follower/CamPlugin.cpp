// SPDX-License-Identifier: Apache-2.0
#include "CamPlugin.hpp"

#include <delassus/kernel/io/Plugin.hpp>

namespace plugin = delassus::plugin;
using delassus::Vector;

namespace {

Vector toVector(const CamFollowerParameters& p) {
  return delassus::makeVector({p.rpm, p.initialAngle, p.mass, p.stiffness, p.damping, p.force});
}

}  // namespace

CamFunctions loadCam(const CamFollowerParameters& parameters) {
  const auto cam = plugin::load<void(double, const Vector&, Vector&)>(parameters.plugin, "cam");
  const auto junctions =
      plugin::load<void(double, double, const Vector&, std::vector<double>&)>(parameters.plugin, "junctions");
  const Vector z = toVector(parameters);
  return {[=](double t) {
            Vector motion(3);
            cam(t, z, motion);
            return CamMotion{motion(0), motion(1), motion(2)};
          },
          [=](double t0, double t1) {
            std::vector<double> instants;
            junctions(t0, t1, z, instants);
            return instants;
          }};
}

std::function<double(double t)> loadForce(const CamFollowerParameters& parameters) {
  const auto forces = plugin::load<void(double, const Vector&, Vector&)>(parameters.plugin, "externalForces");
  const Vector z = toVector(parameters);
  return [=](double t) {
    Vector f(1);
    forces(t, z, f);
    return f(0);
  };
}
