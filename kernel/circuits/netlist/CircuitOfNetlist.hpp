// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/circuits/Circuit.hpp>
#include <delassus/kernel/circuits/CircuitInstance.hpp>
#include <delassus/kernel/circuits/netlist/Netlist.hpp>
#include <delassus/kernel/model/NonSmoothDynamicalSystem.hpp>
#include <string>

namespace delassus {

/// The circuit of a netlist, element by element under the same names. Throws NetlistError, with the line, for an
/// element that Circuit refuses.
Circuit circuitOf(const Netlist& netlist);

/// Circuit::insertInto of that circuit. Throws NetlistError for a circuit without a solution, at the line of the first
/// of its elements that the reason names.
CircuitInstance insertNetlist(const Netlist& netlist, NonSmoothDynamicalSystem& model, const std::string& name);

}  // namespace delassus
