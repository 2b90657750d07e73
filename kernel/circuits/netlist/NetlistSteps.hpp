// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/circuits/netlist/NetlistBlock.hpp>
#include <delassus/kernel/circuits/netlist/NetlistDocument.hpp>
#include <delassus/kernel/circuits/netlist/NetlistLimits.hpp>
#include <vector>

namespace delassus {

/// The values of all `.step` of a netlist, with its parameters as `.param` has them:
///
///     .step param R 10 100 10          from 10 to 100 in steps of 10
///     .step dec param C 1n 1u 3        three a decade; oct: an octave
///     .step param L list 1m 2m 5m
///
/// Throws NetlistError, also where they are more runs than limits.runs.
std::vector<NetlistStep> readNetlistSteps(const NetlistBlock& block, const NetlistLimits& limits);

}  // namespace delassus
