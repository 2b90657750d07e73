// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <delassus/numerics/Settings.hpp>
#include <delassus/numerics/sets/ConvexSet.hpp>
#include <memory>
#include <string>
#include <string_view>

namespace delassus {

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

  /// The set that one application confines its unknowns() to, by which schemes and one-step problems know what its rows
  /// are, as given to the constructor: an interval each (Box, see bounds()), any value (FreeSpace), a cone.
  const std::shared_ptr<const numerics::ConvexSet>& set() const { return set_; }

  /// True if each multiplier is free or in an interval of its own, without auxiliary unknowns.
  bool hasIntervals() const;
  /// True if each unknown is a multiplier of its own with the bounds 0 and ∞: 0 ≤ w ⟂ λ ≥ 0.
  bool isComplementarity() const;
  /// True if each unknown has these bounds or none.
  bool isMixedComplementarity() const;
  /// The same in words, for messages: "multipliers >= 0 (complementarity)".
  std::string multipliersInWords() const;

  /// Rows of one application in the problem: size() multipliers and the auxiliary unknowns.
  virtual std::size_t unknowns() const { return size(); }

  /// Bounds of the unknowns() of one application: 0 and ∞ by default, none where the set is free.
  virtual void bounds(double* lower, double* upper) const;
  /// How often bounds of any law have been set anew: problems read them again where this has changed.
  static std::uint64_t boundChanges();

  /// Adds the law's own part of the problem's matrix to its diagonal block, unknowns() x unknowns(), column-major.
  virtual void addBlock(double* block) const;

  /// Adds the law's constant terms to the unknowns() free outputs of one application.
  virtual void addConstant(double* freeOutput) const;

  /// True for a law of contact: it relates velocities, which may jump, to impulses (it has an impact rule), and acts
  /// only while the gap, the first of its outputs, is closed. False for a law that relates an output to its multiplier
  /// at the same instant and always acts. Between mechanical systems that output is a rate, ẏ.
  virtual bool actsOnVelocities() const { return false; }

  /// True if between mechanical systems the law may relate a rate ẏ to a force, as equalities and dry friction do; the
  /// outputs of other laws that do not act on velocities are positions there. Schemes take such a law if it
  /// hasIntervals(), whose bounds of forces they can make bounds of impulses.
  virtual bool relatesRates() const { return false; }

  /// True if the law needs velocities that may jump (it has an impact rule), which a compliant relation does not have.
  virtual bool hasRestitution() const { return false; }

  /// True for a law of contact that acts across a gap y_N, as convex friction does: schemes then add max(y_N, 0) / h to
  /// w_N, and include it in each step.
  virtual bool actsAcrossGaps() const { return false; }

  /// Adds the law's term of the velocities before the step (e ẏ⁻ for Newton's impact law) to the size() free
  /// outputs of one application of the law.
  virtual void addImpactTerm(const double* velocityBefore, double* freeOutput) const;

  /// The coefficient e of the first output, as used by addImpactTerm.
  double restitution() const;

 protected:
  /// Multipliers in an interval each.
  NonSmoothLaw();
  /// With another set, not null.
  explicit NonSmoothLaw(std::shared_ptr<const numerics::ConvexSet> set);
  /// For setters of bounds.
  static void boundsChanged();
  NonSmoothLaw(const NonSmoothLaw&) = default;
  NonSmoothLaw(NonSmoothLaw&&) = default;
  NonSmoothLaw& operator=(const NonSmoothLaw&) = default;
  NonSmoothLaw& operator=(NonSmoothLaw&&) = default;

 private:
  std::shared_ptr<const numerics::ConvexSet> set_;
};

}  // namespace delassus
