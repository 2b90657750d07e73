// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/model/NonSmoothDynamicalSystem.hpp>
#include <delassus/numerics/functions/Differentiation.hpp>

namespace delassus {

/// Compares every Jacobian of the model's systems and relations with central differences of its function, at the
/// present state and time t. Throws Error naming system or interaction, function and entry of the first that differs by
/// more than `check` allows.
void checkJacobians(const NonSmoothDynamicalSystem& model, double t, const JacobianCheck& check = {});

/// Those of one system.
void checkJacobians(DynamicalSystem& system, double t, const JacobianCheck& check);
/// Those of the relation of one interaction of the topology.
void checkJacobians(const Topology& topology, Interaction& interaction, double t, const JacobianCheck& check);

}  // namespace delassus
