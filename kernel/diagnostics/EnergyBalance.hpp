// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <delassus/kernel/diagnostics/ElementWorks.hpp>
#include <delassus/kernel/simulation/SimulationObserver.hpp>
#include <delassus/numerics/algebra/MadeFrom.hpp>
#include <delassus/numerics/algebra/SquareMatrix.hpp>
#include <delassus/numerics/algebra/Vector.hpp>
#include <string>
#include <unordered_map>
#include <vector>

namespace delassus {

class Interaction;
class SecondOrderDS;

/// Energy and momentum of the mechanical systems of a run, and where their changes come from. Over a step, with bars
/// for means of its two ends, exactly
///
///     ΔT = v̄·M̄ Δv + ¼ (v⁺·ΔM v⁺ + v·ΔM v)
///
/// of the kinetic energy T = ½ v·M(q) v. Beside it stand
///
///     work of forces        h F̄·v̄        (F without the inertial part −NNL, −Ω × IΩ, which with ΔM does none)
///     work of interactions  p·v̄          p = Σ Gᵀλ, the impulses; negative where contacts dissipate:
///                                         ½ (v⁺ + v)·p is −(1 − e²)/2 m v² of an impact
///     residual              ΔT − both:    the error of the scheme (and of the trapezoidal rule, of second order)
///
/// The residual vanishes to rounding for Moreau–Jean with θ = ½, constant mass and forces linear in t, q and v.
/// Work of forces includes that of weights, and of springs and dampers: byElement() has the part of each force element,
/// and what it stores. Interactions include what a moving obstacle or a motor puts in.
///
/// The balance of momentum, for each system in its own velocity coordinates, is M⁺v⁺ − M v − h F̄ − ΔM v̄ − p.
///
/// In event-driven simulations each impact is taken exactly by its impulse, and once, even at an output or if several
/// events share an instant; the smooth motion in between by the trapezoidal rule from output or event to the next,
/// forces λ(0) of interactions included, so that outputs must be close where forces vary.
///
/// Costs an evaluation of forces and masses a step, and nothing is allocated after the first steps. Steps in which
/// systems are inserted or removed, or their states are reset, are left out.
///
/// A checkpoint contains all sums: a restored run reports the same, to the bit, as an uninterrupted one. If they are
/// missing, the balance begins with the restored state.
class EnergyBalance final : public SimulationObserver {
 public:
  /// The work of an interaction, by its own outputs: λ·(ẏ⁺ + ẏ)/2 summed over steps. These add up to the work of
  /// interactions, to rounding where G is constant, else to the order of the step (one that is linked in the step of an
  /// impact has its rate after it for both). Where an obstacle or a motor moves, ẏ is relative to that: what it puts in
  /// is in the work of interactions alone, not in these. Removed interactions are summed under the name "removed".
  struct InteractionWork {
    std::string name;  ///< of the interaction
    double work = 0.;  ///< since the beginning, J
  };
  /// The balance of momentum of one system since the beginning, in its own velocity coordinates.
  struct Momentum {
    std::string system;   ///< its name
    Vector change;        ///< of M v since the beginning, without inertial forces and ΔM v̄
    Vector forces;        ///< Σ h F̄
    Vector interactions;  ///< Σ p
    Vector residual;      ///< change − both
  };

  std::string_view name() const override { return "energy balance"; }
  bool isOptional() const override { return true; }
  /// Forgets what it has seen before.
  void wasAdded(Simulation& simulation) override;
  void begin(Simulation& simulation) override;
  void afterStep(Simulation& simulation) override;
  void beforeActions(Simulation& simulation) override { account(simulation, false); }
  void onEvent(Simulation& simulation, const Event& event) override;
  /// Throws Error if the restored data belong to another model.
  void serializeState(StateArchive& archive) override;

  double kinetic() const { return kinetic_; }              ///< T now
  double initialKinetic() const { return initial_; }       ///< at the beginning, adjusted for the steps left out
  double forceWork() const { return forceWork_; }          ///< since the beginning
  double interactionWork() const { return contactWork_; }  ///< since the beginning, including removed ones
  /// T − T₀ − both works.
  double residual() const { return kinetic_ - initial_ - forceWork_ - contactWork_; }
  /// Largest |residual()| so far, and its time.
  ///@{
  double largestResidual() const { return largestResidual_; }
  double largestResidualAt() const { return largestResidualAt_; }
  ///@}
  /// Σ |work| over steps, with which to compare the residual.
  double turnover() const { return turnover_; }

  /// In the order of the model, followed, if it is not zero, by the sum over all removed ones.
  std::vector<InteractionWork> byInteraction() const;
  /// Force elements in the model, in its order: their work, which is part of forceWork(), and what they store.
  std::vector<ElementWorks::Work> byElement() const { return elements_.all(); }
  /// The balances of the mechanical systems in the model, in its order.
  std::vector<Momentum> momentum() const;

  /// Several lines.
  std::string text() const;

 private:
  struct Instant {
    Vector v, force, inertial;
    SquareMatrix mass;
  };
  struct Body {
    std::uint64_t serial = 0;
    std::string name;
    SecondOrderDS* system = nullptr;
    Instant last;
    Vector change, forces, interactions;  // sums
    // Workspaces: the state before an impact, its jump, the factors of the mass.
    Instant end;
    Vector jump;
    SquareFactorization factor;
  };
  struct Contact {
    std::uint64_t serial = 0;
    std::string name;
    const Interaction* interaction = nullptr;
    Vector yDot, lambda, impulse;  // of the last instant
    double work = 0.;
  };

  void bind(const Simulation& simulation);
  void takeSnapshot(double t, bool accounted, bool jumped);
  void evaluate(Body& body, double t, Instant& instant) const;
  void addElementForces(double t, Instant Body::*instant);
  bool isContinuous(const Simulation& simulation) const;
  bool hasNewImpulse() const;
  std::size_t resets() const;
  void account(const Simulation& simulation, bool smoothContacts);
  void findStateBeforeImpact(Body& body, double t, double h) const;
  void evaluateEnd(double t, double h, bool smooth);
  double accountBody(Body& body, double h, bool smooth);
  void accountContacts(double h, bool smooth);
  void serializeBodies(StateArchive& archive);
  void serializeContacts(StateArchive& archive);

  const Simulation* simulation_ = nullptr;
  bool begun_ = false;
  MadeFrom<std::uint64_t> boundTo_;  // Topology::version
  std::vector<std::uint64_t> boundSystems_;
  std::vector<Body> bodies_;
  std::unordered_map<const DynamicalSystem*, std::size_t> numbers_;  // of bodies
  std::vector<Contact> contacts_;
  ElementWorks elements_;
  std::size_t lastStep_ = 0;  // of which it was notified
  std::size_t resets_ = 0;
  double time_ = 0.;
  double kinetic_ = 0., initial_ = 0., forceWork_ = 0., contactWork_ = 0.;
  double smoothWork_ = 0.;  // of λ(0), in the present segment
  double removedWork_ = 0.;
  double largestResidual_ = 0., largestResidualAt_ = 0., turnover_ = 0.;
};

}  // namespace delassus
