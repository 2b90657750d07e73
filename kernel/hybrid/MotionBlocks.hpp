// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/kernel/integrators/MotionAudit.hpp>
#include <delassus/kernel/integrators/SecondOrderWorkspace.hpp>
#include <delassus/numerics/algebra/MadeFrom.hpp>
#include <delassus/numerics/functions/TimeDifferences.hpp>
#include <limits>
#include <string>
#include <vector>

namespace delassus {

/// The mechanical systems of a model at one instant and state, for HybridMotion: configurations, velocities, free
/// accelerations M⁻¹F, and for each interaction y, ẏ = G v + ∂h/∂t, the blocks G and M⁻¹Gᵀ, and the bias of ÿ = G v̇ +
/// bias. Its equations are those of an impact: the law relates ẏ⁻, ẏ⁺ = ẏ⁻ + G M⁻¹Gᵀ p and p.
class MotionBlocks {
 public:
  /// Working copies: q and v of a system, and acceleration; y and ẏ of an interaction.
  ///@{
  using SystemWork = SecondOrderWorkspace::SystemWork;
  using InteractionWork = SecondOrderWorkspace::InteractionWork;
  ///@}

  /// Longest increment of the differences that approximate a bias, s; it is shortened where it is too long.
  void setDifferenceTime(double time) { differenceTime_ = time; }
  /// Sets the piece between two time events; relations that depend on time are not evaluated beyond it for differences.
  void setPiece(double begin, double end) {
    pieceBegin_ = begin;
    pieceEnd_ = end;
  }

  /// Reads the present model, with masses, outputs and blocks at t; nothing is active. Throws Error naming a system or
  /// relation that it does not accept, a mass that is not symmetric positive definite, or a configuration that a
  /// relation does not fit.
  void bind(const NonSmoothDynamicalSystem& model, double t);

  /// True if systems or relations have got other parameters since the last bind or refresh.
  bool hasChanged() const { return !parametersFrom_.isCurrent(changes()); }
  /// Takes them in at t, if there are any; throws Error as bind does. Outputs are to be computed anew.
  void refresh(double t);

  /// In the order of the nodes of the model, and of the topology.
  ///@{
  const WorkList<SystemWork>& systems() const { return work_.systems; }
  const WorkList<InteractionWork>& interactions() const { return work_.interactions; }
  ///@}
  /// Number of the system of a coupling.
  std::size_t systemOf(std::size_t coupling) const { return work_.equations.couplings()[coupling].node; }
  /// Of q of that system, what the interaction sees.
  std::span<const double> configurationOf(std::size_t coupling) const {
    return work_.configurationOf(coupling, &SystemWork::q);
  }
  /// Systems that force elements tie together are one here.
  const SystemNodes& nodes() const { return work_.nodes; }
  /// Blocks and multipliers, and what an impact adds.
  ///@{
  StepEquations& equations() { return work_.equations; }
  const StepEquations& equations() const { return work_.equations; }
  ///@}

  /// Number of variables: q and v, system after system.
  std::size_t size() const { return size_; }
  /// True if masses are constant, and G of interaction k too.
  bool isFixed(std::size_t interaction) const {
    return constantMasses_ && work_.interactions[interaction].relation->isLinear();
  }

  // Transfer of states between the systems or z and the working copies q and v, which all functions below use.

  /// Copies the states of the systems into the working copies.
  void loadSystems();
  /// Copies z into the working copies, and back; size() numbers.
  ///@{
  void load(const double* z);
  void store(double* z) const;
  ///@}
  /// ż = (T(q) v, acceleration) of the working copies.
  void storeRates(double* zDot) const;
  /// q := q ⊕ Σ M⁻¹Gᵀ `multipliers` over all rows of all interactions, or v := v + …, a := a + ….
  ///@{
  void addDisplacement();
  void addVelocity();
  void addAcceleration();
  ///@}

  // What depends on t and the working copies.

  /// Factors masses that are not constant. Throws Error naming a system whose mass is not definite.
  void computeMasses(double t);
  /// a := M⁻¹ F.
  void computeFreeAccelerations(double t);
  /// y alone.
  void computeOutput(std::size_t interaction, double t);
  /// y, ẏ, and the blocks where they are not constant.
  void computeOutputs(std::size_t interaction, double t);
  /// The bias: the derivative of ẏ in time along the velocities at constant v. Throws Error naming an interaction whose
  /// bias differences do not find.
  void computeBias(std::size_t interaction, double t);
  /// A mode begins: increments of functions of time are searched anew where a bias is first asked for.
  void renewIncrements();
  /// Makes the increments of differences that were short enough so far the initial ones. True if some have changed.
  bool adoptIncrements();
  /// That of the last computeBias.
  const Vector& bias(std::size_t interaction) const { return biases_[interaction]; }
  /// ÿ of row i: G a + bias.
  double acceleration(std::size_t interaction, std::size_t row) const;
  /// Entry of G M⁻¹ Gᵀ.
  double delassus(std::size_t interaction, std::size_t row, std::size_t otherInteraction, std::size_t otherRow) const;
  /// The magnitude against which a row of ẏ is measured: Σ |G_j v_j| + |∂h/∂t|.
  double speedScale(std::size_t interaction, std::size_t row) const;

  /// The magnitude of the terms of a row of ÿ: Σ |G_j a_j| + |bias|.
  double accelerationScale(std::size_t interaction, std::size_t row) const;
  /// That of its parts by the multipliers and without them, which may cancel: Σ |K_ij λ_j| + |b_i|.
  double loadScale(std::size_t interaction, std::size_t row) const;

  /// λ of an interaction.
  ///@{
  double* multiplier(std::size_t interaction) { return work_.equations.multiplier(interaction); }
  const double* multiplier(std::size_t interaction) const { return work_.equations.multiplier(interaction); }
  ///@}
  /// The largest magnitude of all λ.
  double largestMultiplier() const;
  /// Sets λ of all interactions to zero.
  void clearMultipliers();

  /// Saves or restores the initial increments of the bias, the blocks and their versions, and whether parameters have
  /// changed.
  void serializeState(StateArchive& archive);

  // What an audit is shown.

  /// The outputs.
  void show(const double* z, MotionAudit& audit);
  /// y of a row of an interaction, before a projection took it out.
  void showViolation(std::size_t interaction, double y, MotionAudit& audit) const {
    audit.observeViolation(work_, work_.interactions[interaction], y);
  }
  /// The impulses p of the systems, whose velocities were `before` them.
  void showImpacts(const std::vector<Vector>& before, MotionAudit& audit);

  // An impact.

  /// Uses ẏ as the free outputs; a plastic impact has no restitution, whatever the laws say.
  void beginImpact(bool plastic);

 private:
  void refuseCompliant(const InteractionWork& work) const;
  std::size_t changes() const;
  void takeParameters(double t);
  void differenceBias(std::size_t interaction, double t, Vector& bias);
  double speedAtRest(std::size_t interaction) const;
  void computeRate(InteractionWork& work, double t, double shift, Vector& rate);
  void spread(Vector SystemWork::*target);

  SecondOrderWorkspace work_;
  std::vector<Vector> biases_;
  std::vector<double> increments_;  // initial increments of their differences, s
  std::vector<double> needed_;      // the shortest that was needed since increments_ were set
  std::vector<char> renewed_;       // increments that belong to a mode before
  TimeDifferences differences_;
  Vector terms_;
  Vector configuration_;
  std::size_t size_ = 0;
  bool constantMasses_ = true;
  MadeFrom<std::size_t> parametersFrom_;  // changes()
  double differenceTime_ = 2e-4;
  double pieceBegin_ = -std::numeric_limits<double>::max() / 4.;
  double pieceEnd_ = std::numeric_limits<double>::max() / 4.;
};

}  // namespace delassus
