// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "CamFollower.hpp"

// Functions of the shared object CamFollowerParameters::plugin, for the parameters that they are made with. It exports
//
//     void cam(double t, const Vector& parameters, Vector& motion)                     c, ċ, c̈ in m, m/s, m/s²
//     void junctions(double t0, double t1, const Vector& parameters, std::vector<double>& instants)   where c̈ jumps, s
//     void externalForces(double t, const Vector& parameters, Vector& f)               f_v in N
//
// with the parameters (rpm, initial angle, mass, stiffness, damping, force): FollowerPlugin.cpp. Both throw
// delassus::Error that says what is wrong with it.
CamFunctions loadCam(const CamFollowerParameters& parameters);
std::function<double(double t)> loadForce(const CamFollowerParameters& parameters);
