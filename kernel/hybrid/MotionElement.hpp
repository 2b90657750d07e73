// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <delassus/kernel/hybrid/ContactElement.hpp>
#include <delassus/kernel/hybrid/ElementState.hpp>
#include <delassus/kernel/hybrid/Event.hpp>
#include <delassus/kernel/hybrid/ModeRows.hpp>
#include <delassus/numerics/algebra/Vector.hpp>
#include <limits>
#include <string>
#include <vector>

namespace delassus {

struct ContactLcpRows;

/// The largest violation of laws, relative to the noise of the rows.
struct Violations {
  const Vector& noise;  ///< one a row
  double largest = 0.;  ///< so far

  /// Counts a violation in a row, the noise of which is at least `floor`.
  void count(std::size_t row, double violation, double floor = 0.) {
    if (violation == 0.) return;
    const double size = std::max(noise(row), floor);
    largest = std::max(largest, size > 0. ? std::abs(violation) / size : std::numeric_limits<double>::infinity());
  }
};

/// What counts as zero in rows.
struct RowTolerance {
  const Vector& noise;    ///< one a row
  double tolerance = 0.;  ///< relative to it

  /// True if a value is zero.
  bool isZero(std::size_t row, double value) const { return std::abs(value) <= tolerance * noise(row); }
  /// True if a value is zero or more.
  bool isPositive(std::size_t row, double value) const { return value >= -tolerance * noise(row); }
};

/// What has happened to an element at an instant.
struct ElementChange {
  ContactMode before = ContactMode::open;  ///< mode
  ContactMode after = ContactMode::open;   ///< mode
  bool wasHit = false;                     ///< it took an impulse
  bool isShort = false;                    ///< it would have flown for less than the minimal flight
  bool starts = false;                     ///< the state is given: there is nothing before
};

/// A law of event-driven motion: its modes and the rows that they hold, the guards at which they end, what follows, and
/// what is logged. One object a class of laws; the numbers of one application are in an ElementLaw. The base class is
/// the one of laws that cannot open.
///
/// λ and a in ContactModeProblem are those of all rows, and `element.row` is the first of the element.
class MotionElement {
 public:
  virtual ~MotionElement() = default;

  /// Rows of one application.
  virtual std::size_t rows() const { return 1; }
  /// True if it may open: its first row is a gap, and it can be hit.
  virtual bool hasGap() const { return false; }
  /// True if it takes impulses.
  virtual bool isRigid() const { return true; }
  /// True of equalities: they always act, in impacts too.
  bool isEquality() const { return isRigid() && !hasGap(); }

  // The law between accelerations and multipliers.

  /// The admissible mode nearest to `mode`.
  virtual ContactMode admissible(const ContactElement& element, ContactMode mode) const = 0;
  /// Throws Error if numbers of the law are impossible.
  virtual void require(const ContactElement&, const std::string& /*where*/) const {}
  /// Changes the factors of its rows, λ = size · scale · λ̂, to such under which the law keeps its form.
  virtual void alignScales(double* /*scales*/) const {}
  /// The size of known forces in scaled rows; for laws that act without accelerations.
  virtual double size(const ContactElement&, const double* /*scales*/) const { return 0.; }
  /// The law of the scaled rows.
  virtual void scale(ContactElement&, const double* /*scales*/, double /*size*/) const {}
  /// The natural map of the law, row by row.
  virtual void countViolations(const ContactElement& element, const Vector& lambda, const Vector& a,
                               Violations& violations) const = 0;
  /// True if λ and a are those of an admissible mode, inequalities of which have been tested.
  virtual bool fits(const ContactElement& element, ContactMode mode, const Vector& lambda, const Vector& a,
                    const RowTolerance& tolerance) const = 0;
  /// Adds the law to a complementarity problem; constants go to λ.
  virtual void formulate(const ContactElement& element, ContactLcpRows& problem, Vector& lambda) const = 0;
  /// The direction of a slip for the solution λ of that problem.
  virtual SlipDirection heading(const ContactElement& element, const Vector& /*lambda*/) const {
    return element.direction;
  }
  /// Changes a mode that λ and a of the present modes contradict, where the complementarity problem is not exact; true
  /// if it did.
  virtual bool revise(const ContactElement&, const Vector& /*lambda*/, const Vector& /*a*/, ContactMode&,
                      SlipDirection& /*heading*/) const {
    return false;
  }
  /// Adds the rows that `mode` holds, where the first of the element is `row`. `heading` is the direction of a slip, or
  /// a first guess where it turns with the force.
  virtual void hold(const ElementLaw& law, ContactMode mode, const SlipDirection& heading, std::size_t row,
                    ModeRows& rows) const = 0;

  // Its motion.

  /// Number of guards, in all modes.
  virtual std::size_t guards() const { return 0; }
  /// "gap", "normal force", "friction": for messages.
  virtual const char* guardName(ContactMode, std::size_t /*slot*/) const { return "friction"; }
  /// Guards of the present mode and their rates; those that it does not use are left as they are.
  virtual void computeGuards(const ElementState&, double* /*g*/, double* /*gDot*/) const {}
  /// True if a guard depends on forces, whose rates are not known.
  virtual bool isForceGuard(ContactMode, std::size_t /*slot*/) const { return false; }
  /// Bound of the rounding of a guard.
  virtual double guardRounding(const ElementState&, std::size_t /*slot*/) const { return 0.; }
  /// The velocity that friction acts against.
  virtual SlipDirection slip(const ElementState&) const { return {0., 0.}; }
  /// True if its slip has come to rest, up to rounding, and has not been about to begin. One that `isTied` to a contact
  /// that has an event, by a body that they share, may rest with it.
  virtual bool comesToRest(const ElementState&, bool /*isTied*/) const { return false; }
  /// The mode that follows where a guard has fallen, for `placed`.
  virtual void propose(const ElementState&, std::size_t /*slot*/, PlacedElement&) const {}
  /// The mode that an impulse indicates: `border` is the distance from the limit of friction, relative, within which
  /// it counts as on it.
  virtual ContactMode impactMode(const ElementState&, double /*border*/, SlipDirection& /*heading*/) const {
    return ContactMode::held;
  }
  /// Throws Error with this label if a state at the instant t does not fit; `initial` where rates must fit too.
  virtual void requireConsistent(const ElementState&, const std::string& /*label*/, double /*t*/,
                                 bool /*initial*/) const {}
  /// Appends what is logged of a change.
  virtual void log(const ElementChange& change, std::vector<EventKind>& kinds) const;

 protected:
  MotionElement() = default;
  MotionElement(const MotionElement&) = default;
  MotionElement& operator=(const MotionElement&) = default;
};

}  // namespace delassus
