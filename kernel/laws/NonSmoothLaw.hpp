// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

namespace delassus {

/// The set that a law confines its multiplier to. One-step problems say which they take.
enum class MultiplierSet {
  nonNegative,  ///< 0 ≤ w ⟂ λ ≥ 0, component by component
  free,         ///< w = 0, λ any: an equality
  box,          ///< λ in [l, u], −w in its normal cone
  coulombCone   ///< Coulomb's friction cone, normal component first
};

std::string_view toString(MultiplierSet set);

/// A nonsmooth law between the outputs and the multipliers of an interaction. It brings its own block to the
/// one-step problem: its size, the set of its multiplier, and what it adds to the free output.
class NonSmoothLaw {
 public:
  virtual ~NonSmoothLaw() = default;

  virtual std::string_view className() const = 0;

  /// Rows that belong together. An interaction with k times as many outputs applies the law k times.
  virtual std::size_t size() const = 0;

  virtual MultiplierSet multiplierSet() const = 0;

  /// True if the law needs velocities that may jump (it has an impact rule), which a compliant relation has not.
  virtual bool hasRestitution() const { return false; }

  /// Adds the law's term of the velocities before the step (e ẏ⁻ for Newton's impact law) to the size() free
  /// outputs of one application of the law.
  virtual void addImpactTerm(const double* velocityBefore, double* freeOutput) const;

 protected:
  NonSmoothLaw() = default;
  NonSmoothLaw(const NonSmoothLaw&) = default;
  NonSmoothLaw(NonSmoothLaw&&) = default;
  NonSmoothLaw& operator=(const NonSmoothLaw&) = default;
  NonSmoothLaw& operator=(NonSmoothLaw&&) = default;
};

}  // namespace delassus
