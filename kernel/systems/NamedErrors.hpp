// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/systems/DynamicalSystem.hpp>
#include <delassus/numerics/Error.hpp>
#include <string>
#include <string_view>

namespace delassus {

/// Calls `evaluate`, where functions of the user run. What they throw as an Error (an index out of range, say) does not
/// know of which system they are: it gets the name of `system`.
template <class F>
void evaluateNamed(const DynamicalSystem& system, F&& evaluate) {
  try {
    evaluate();
  } catch (const Error& error) {
    const std::string name = system.label();
    if (std::string_view(error.what()).starts_with(name)) throw;
    throw Error(name, error.what());
  }
}

}  // namespace delassus
