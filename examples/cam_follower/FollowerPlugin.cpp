// SPDX-License-Identifier: Apache-2.0
//
// The cam's motion and the force on the follower as a plugin: libFollower.so, for cam_follower --plugin Follower. It
// gives the built-in cam; write another one to run the follower on it.

#include <delassus/kernel/io/Plugin.hpp>
#include <delassus/numerics/algebra/Vector.hpp>
#include <vector>

#include "Cam.hpp"

using delassus::Vector;

namespace {

Cam camOf(const Vector& parameters) {
  return Cam(parameters(0), parameters(1));
}

void cam(double t, const Vector& parameters, Vector& motion) {
  const CamMotion c = camOf(parameters).at(t);
  motion(0) = c.position;
  motion(1) = c.velocity;
  motion(2) = c.acceleration;
}

void junctions(double t0, double t1, const Vector& parameters, std::vector<double>& instants) {
  instants = camOf(parameters).junctions(t0, t1);
}

void externalForces(double, const Vector& parameters, Vector& f) {
  f(0) = parameters(5);
}

}  // namespace

DELASSUS_PLUGIN_FUNCTION(cam)
DELASSUS_PLUGIN_FUNCTION(junctions)
DELASSUS_PLUGIN_FUNCTION(externalForces)
