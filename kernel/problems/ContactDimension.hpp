// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/kernel/laws/NonSmoothLaw.hpp>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/Settings.hpp>
#include <delassus/numerics/sets/ConvexSet.hpp>
#include <string>
#include <string_view>

namespace delassus {

/// The dimension of a one-step problem of contacts with Coulomb friction, 2 or 3: which laws it takes.
class ContactDimension {
 public:
  /// Throws Error, naming `owner`, unless the dimension is 2 or 3.
  ContactDimension(const char* owner, std::size_t dimension) : value_(dimension) {
    if (dimension == 2 || dimension == 3) return;
    throw Error(owner, "the dimension must be 2 or 3, got " + std::to_string(dimension) + ".");
  }

  std::size_t value() const { return value_; }  ///< 2 or 3
  /// Whether a law is Coulomb friction of this dimension.
  bool takes(const NonSmoothLaw& law) const { return law.set()->coulombFriction() && law.size() == value_; }
  /// The laws that it takes.
  std::string_view inWords() const { return value_ == 2 ? "Coulomb friction of size 2" : "Coulomb friction of size 3"; }
  /// The settings of a problem, with the dimension before those of its solvers.
  Settings with(const Settings& solvers) const {
    Settings settings;
    settings.add("dimension", value_);
    for (const Setting& setting : solvers.list()) settings.add(setting.name, setting.value);
    return settings;
  }

 private:
  std::size_t value_;
};

}  // namespace delassus
