// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/Settings.hpp>
#include <memory>
#include <string_view>

namespace delassus {

namespace numerics {
class ConvexSet;
}

/// The set that a law confines its multiplier to. One-step problems say which they take.
enum class MultiplierSet {
  nonNegative,  ///< 0 ≤ w ⟂ λ ≥ 0, component by component
  free,         ///< w = 0, λ any: an equality
  mixed,        ///< some components free, the others not negative
  box,          ///< λ in [l, u], −w in its normal cone
  polyhedron,   ///< λ in { H λ ≤ k }, −w in its normal cone
  coulombCone,  ///< Coulomb's friction cone, normal component first
  rollingCone   ///< Coulomb's cone with rolling resistance: normal, two tangential, two rolling components
};

/// In words, for messages.
std::string_view toString(MultiplierSet set);

/// True for the cones of friction.
inline bool isCone(MultiplierSet set) {
  return set == MultiplierSet::coulombCone || set == MultiplierSet::rollingCone;
}

/// Coefficients of the cones.
struct ConeCoefficients {
  double friction = 0.;  ///< μ
  double rolling = 0.;   ///< μ_R, m
};

/// A nonsmooth law between the outputs and the multipliers of an interaction. It contributes a block to the one-step
/// problem: its unknowns (its multipliers and, if it needs them, auxiliary ones after those) with their bounds, what it
/// adds to the matrix, and what it adds to the free output. A law must not change once it is in an interaction: its
/// bounds and block are read when the set of active laws changes, not in every step.
class NonSmoothLaw {
 public:
  virtual ~NonSmoothLaw() = default;

  /// Name of the class; for messages, recordings and checkpoints.
  virtual std::string_view className() const = 0;

  /// Rows that belong together. An interaction with k times as many outputs applies the law k times.
  virtual std::size_t size() const = 0;

  /// Parameters that do not change.
  virtual Settings settings() const { return {}; }

  /// The kind of set that contains λ, by which schemes and one-step problems know what its rows are.
  virtual MultiplierSet multiplierSet() const = 0;

  /// The set as methods of the numerics library take it. By default FreeSpace for `free`, the cone of cone() for cones,
  /// and Box for all others, which differ only in their bounds. A law with a set of its own returns it, the same object
  /// each time.
  virtual std::shared_ptr<const numerics::ConvexSet> set() const;

  /// True if set() is none of those: GenericMechanical alone takes such a law.
  bool hasOwnSet() const;

  /// Rows of one application in the problem: size() multipliers and the auxiliary unknowns.
  virtual std::size_t unknowns() const { return size(); }

  /// Bounds of the unknowns() of one application: 0 and ∞ by default.
  virtual void bounds(double* lower, double* upper) const;

  /// Coefficients of a law whose set is a cone of the library, those of set().
  virtual ConeCoefficients cone() const { return {}; }

  /// Adds the law's own part of the problem's matrix to its diagonal block, unknowns() x unknowns(), column-major.
  virtual void addBlock(double* block) const;

  /// Adds the law's constant terms to the unknowns() free outputs of one application.
  virtual void addConstant(double* freeOutput) const;

  /// True for a law of contact: it relates velocities, which may jump, to impulses (it has an impact rule), and acts
  /// only while the gap, the first of its outputs, is closed. False for a law that relates an output to its multiplier
  /// at the same instant and always acts. Between mechanical systems that output is a rate, ẏ.
  virtual bool actsOnVelocities() const { return false; }

  /// True if the law needs velocities that may jump (it has an impact rule), which a compliant relation does not have.
  virtual bool hasRestitution() const { return false; }

  /// Adds the law's term of the velocities before the step (e ẏ⁻ for Newton's impact law) to the size() free
  /// outputs of one application of the law.
  virtual void addImpactTerm(const double* velocityBefore, double* freeOutput) const;

  /// The coefficient e of the first output, as used by addImpactTerm.
  double restitution() const;

 protected:
  NonSmoothLaw() = default;
  NonSmoothLaw(const NonSmoothLaw&) = default;
  NonSmoothLaw(NonSmoothLaw&&) = default;
  NonSmoothLaw& operator=(const NonSmoothLaw&) = default;
  NonSmoothLaw& operator=(NonSmoothLaw&&) = default;
};

}  // namespace delassus
