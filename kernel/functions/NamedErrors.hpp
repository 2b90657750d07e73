// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/Error.hpp>
#include <string>
#include <string_view>

namespace delassus {

/// Calls `evaluate`, where a function of the user runs. An Error that it throws (of an index out of range, say) does
/// not know whose function it is: it gets the name that `owner()` composes, unless it begins with it.
template <class Owner, class F>
void evaluateNamed(const Owner& owner, F&& evaluate) {
  try {
    evaluate();
  } catch (const Error& error) {
    const std::string name = owner();
    if (std::string_view(error.what()).starts_with(name)) throw;
    throw Error(name, error.what());
  }
}

}  // namespace delassus
