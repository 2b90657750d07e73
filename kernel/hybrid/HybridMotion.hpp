// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <delassus/kernel/hybrid/ContactModeProblem.hpp>
#include <delassus/kernel/hybrid/HeldConstraints.hpp>
#include <delassus/kernel/hybrid/HybridOptions.hpp>
#include <delassus/kernel/hybrid/HybridSystem.hpp>
#include <delassus/kernel/hybrid/MotionBlocks.hpp>
#include <delassus/kernel/hybrid/MotionElement.hpp>
#include <delassus/kernel/problems/OneStepNSProblem.hpp>
#include <limits>
#include <memory>
#include <vector>

namespace delassus {

/// The mechanical systems of a model as a hybrid system. A mode says of each contact whether it is open or closed, and,
/// for a closed one with friction, whether it sticks or slips and in which direction; the same for dry friction
/// in an axis (RelayNSL). Joints (EqualityConditionNSL) are held in every mode. In a mode
///
///     M v̇ = F(t, q, v) + Ĝᵀ λ,     ÿ = G v̇ + bias = 0 of what is held,
///
/// evaluated at the state projected on y = 0 and ẏ = 0 of the held rows: the motion is the same, and errors of the
/// integration do not add up to a drift. Guards are gaps of open contacts, normal forces of closed ones, the slip, and
/// the distance to the friction cone. ([Siconos 2017], chapters 1.1 and 8: index sets I₁, of the contacts that touch,
/// and I₂, of those that stay; Pfeiffer and Glocker, Multibody Dynamics with Unilateral Contacts, 1996.)
///
/// At an instant: first impacts, until no contact that touches is approached (all contacts that touch and the joints in
/// one problem; a plastic impact ends a series that would not end within the instant); then the mode, by
/// ContactModeProblem; then contacts that would fly for less than the minimal flight are closed too.
class HybridMotion final : public HybridSystem {
 public:
  /// Throws Error if the problem is null or an option is out of range.
  HybridMotion(std::unique_ptr<OneStepNSProblem> impactProblem, const HybridMotionOptions& options);

  void bind(const NonSmoothDynamicalSystem& model, double t) override;
  std::size_t size() const override { return blocks_.size() + forceRows_.size() + gaps_.size(); }
  std::string owner(std::size_t i) const override;
  std::size_t guards() const override { return guardOwners_.size(); }
  std::string guardName(std::size_t guard) const override;
  std::optional<StatePlace> placeOf(const DynamicalSystem& system) const override;
  void start(double t, bool initial, double* z) override;
  void enter(double t, double* z, std::vector<Event>& events) override;
  void setPiece(const TimePiece& piece) override;
  void rates(double t, const double* z, double* zDot) override;
  void computeGuards(double t, const double* z, double* g, double* gDot) override;
  void cross(double t, double* z, const std::vector<std::size_t>& fallen, std::vector<Event>& events) override;
  void show(double t, const double* z, MotionAudit& audit) override;
  void accept(double t, const double* z) override;
  bool refine() override;
  bool hasChanged() const override { return blocks_.hasChanged() || boundsHaveChanged(); }
  void serializeState(StateArchive& archive) override;
  void serializeMemory(StateArchive& archive) override;
  void repeat(bool again) override;

  /// The problem between velocities and impulses that was given.
  ///@{
  OneStepNSProblem& impactProblem() { return *impactProblem_; }
  const OneStepNSProblem& impactProblem() const { return *impactProblem_; }
  ///@}

 private:
  /// One application of a law.
  struct Contact : PlacedElement {
    std::size_t block = 0;
    double restitution = 0.;
    std::size_t firstGuard = 0;
    double lastHit = -std::numeric_limits<double>::infinity();
    double hitBefore = lastHit;
    std::size_t quickHits = 0;  // in a row, each within the minimal flight after the one before
    // What holds for the instant that is being resolved:
    ContactMode before = ContactMode::open;
    bool wasHit = false;
    bool isShort = false;  // it would fly for less than the minimal flight
    double flight = 0.;

    // Part of impacts at this instant.
    bool bears() const { return element->isRigid() && (touches || !element->hasGap()); }
  };

  Contact makeContact(std::size_t interaction, std::size_t row) const;
  ElementLaw lawOf(const Contact& contact) const;
  bool boundsHaveChanged() const;
  void takeLaws();
  ElementState stateOf(const Contact& contact, double t) { return {blocks_, contact, tolerances_, t}; }
  const Interaction& interactionOf(const Contact& contact) const {
    return *blocks_.interactions()[contact.interaction].interaction;
  }
  std::string nameOf(const Contact& contact) const;
  double gap(const Contact& c) const { return blocks_.interactions()[c.interaction].y(c.row); }
  double rate(const Contact& c) const { return blocks_.interactions()[c.interaction].yDot(c.row); }
  double force(const Contact& c, std::size_t i = 0) const { return blocks_.multiplier(c.interaction)[c.row + i]; }

  // Evaluation of a state: projected, and with accelerations and forces; each once for the same (t, z).
  void prepare(double t, const double* z);
  void solve(double t, const double* z);
  void complete(double t, const double* z);
  void showViolations(const std::vector<HeldConstraints::Violation>& violations, MotionAudit& audit) const;
  void forget() { preparedAt_ = solvedAt_ = completeAt_ = false; }
  void evaluateGuards(double t, const double* z, double* g, double* gDot);
  void differenceForceGuards(double t, const double* z, const double* g, double* gDot);

  double minimalFlight(double t) const;
  double shortTime(double t) const;

  // In HybridMotionModes.cpp: what happens at an instant.
  void takeState(double t, bool initial, double* z);
  std::vector<std::size_t> endsWith(const std::vector<std::size_t>& fallen, double t);
  bool isTied(const Contact& contact, const std::vector<std::size_t>& fallen) const;
  void resolve(double t, double* z, std::vector<Event>& events);
  void findTouching(double t);
  void refreshOutputs(double t);
  void resolveImpacts(double t);
  void solveImpact(double t, bool plastic);
  void polishImpact(double t);
  void decideModes(double t);
  void addElement(std::size_t contact, ContactMode proposed);
  void buildElements(double t);
  void assembleDelassus();
  ModeRows modeRows() const;
  [[noreturn]] void failDecision(double t, const ContactDecision& decision) const;
  void holdMode(double t);
  bool findShortFlights(double t);
  void endShortFlights(double t);
  void separateTouching(double t);
  void findOffsets(double t);
  void findForceSize(double t, const double* z);
  double sizeOfForces() const;
  void logChanges(double t, std::vector<Event>& events);
  void log(double t, EventKind kind, const Contact& contact, std::vector<Event>& events) const;

  std::unique_ptr<OneStepNSProblem> impactProblem_;
  HybridMotionOptions options_;
  ElementTolerances tolerances_;
  MotionBlocks blocks_;
  std::vector<Contact> contacts_;
  std::uint64_t boundChanges_ = 0;  // of any laws, when those of the contacts were read
  std::vector<std::size_t> guardOwners_;
  std::vector<double> guardOffsets_;  // that guards begin with, a little above zero
  HeldConstraints held_;
  StepEquations::Versions versionsAside_;  // while steps are done again

  // The rates of the variables after those of the systems are multiples of the forces of these rows, so that the error
  // control of the integration follows forces and guards even while nothing moves.
  struct ForceRow {
    std::size_t interaction;
    std::size_t row;
  };
  std::vector<ForceRow> forceRows_;
  double forceSize_ = 1.;  // of the forces in the present mode
  // Contacts whose gap is not linear in the state. Their gaps are integrated as separate variables: otherwise the steps
  // of a free flight could be so long that a plate shaking below it is missed.
  std::vector<std::size_t> gaps_;
  TimePiece piece_;
  std::vector<double> nearState_, nearGuards_, nearRates_;

  bool starting_ = false;  // gaps within the tolerance touch
  bool isGiven_ = false;   // the velocities may violate joints
  bool preparedAt_ = false;
  bool solvedAt_ = false;
  bool completeAt_ = false;
  double evaluatedTime_ = 0.;
  std::vector<double> evaluatedState_;

  std::vector<Vector> velocitiesBefore_;                // system by system, of the instant
  std::vector<Vector> impulses_;                        // interaction by interaction, of the instant
  std::vector<HeldConstraints::Violation> violations_;  // of the mode that ended, at the instant
  double impulsesAt_ = 0.;
  bool showsInstant_ = false;  // the audit has not seen these
  double acceptedAt_ = 0.;

  ContactModeProblem modeProblem_;
  std::vector<ContactElement> elements_;
  std::vector<std::size_t> elementContacts_;
  Matrix K_;
  Vector b_, magnitudes_;
};

}  // namespace delassus
