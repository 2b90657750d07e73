// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <delassus/kernel/hybrid/HybridSystem.hpp>
#include <delassus/kernel/integrators/FirstOrderWorkspace.hpp>
#include <delassus/kernel/model/NonSmoothDynamicalSystem.hpp>
#include <delassus/numerics/algebra/LUFactorization.hpp>
#include <delassus/numerics/algebra/MadeFrom.hpp>
#include <delassus/numerics/functions/TimeDifferences.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace delassus {

/// The first-order part of a model, over all of its systems (n states) and interactions (m rows):
///
///     ẋ = φ(t, x, λ) = M⁻¹ (F + Σ g),   y = h(t, x, λ),   l ≤ λ ≤ u with −y in the normal cone of [l, u],
///
/// with the Jacobians C = ∂h/∂x, D = ∂h/∂λ, B = ∂φ/∂λ and A = ∂φ/∂x, and ∂h/∂t, by differences where a relation does
/// not know it. Where F
/// depends on ẋ, φ is found by Newton's method and M stands for M − ∂F/∂ẋ. Dense: for models of up to a few hundred
/// rows. For HybridFlow.
class FlowModel {
 public:
  /// Throws Error naming an interaction with a law that has no bounds on single multipliers, or a system whose M is
  /// singular at t.
  void bind(const NonSmoothDynamicalSystem& model, double t);

  /// n, over all systems.
  std::size_t states() const { return states_; }
  /// m, over all interactions.
  std::size_t rows() const { return rows_.size(); }
  /// Bounds l and u of the multipliers, row by row; may be infinite.
  ///@{
  const Vector& lower() const { return lower_; }
  const Vector& upper() const { return upper_; }
  ///@}
  /// True if C, D and B are constant: factors of a mode then hold until refresh() reports a change.
  bool isTimeInvariant() const { return timeInvariant_; }
  /// True if an output depends on t.
  bool hasMovingOutputs() const { return movingOutputs_; }

  /// "Interaction 'bridge', row 2".
  std::string rowName(std::size_t row) const;
  /// Name of the system that a state belongs to.
  std::string systemName(std::size_t state) const;
  /// Number of interactions.
  std::size_t interactions() const { return interactions_.size(); }
  /// The interaction of a row, counted over the interactions of this part of the model.
  std::size_t interactionOf(std::size_t row) const { return rows_[row].interaction; }
  /// True if the relation of the row is linear in x and λ.
  bool isLinear(std::size_t row) const { return interactions_[rows_[row].interaction].linear; }
  /// The first row of an interaction.
  std::size_t rowsBegin(std::size_t interaction) const { return firstRows_[interaction]; }
  /// The row after the last one of an interaction.
  std::size_t rowsEnd(std::size_t interaction) const {
    return interaction + 1 < firstRows_.size() ? firstRows_[interaction + 1] : rows_.size();
  }
  /// Name of an interaction: source of an event.
  const std::string& interactionName(std::size_t interaction) const {
    return interactions_[interaction].interaction->name();
  }
  /// "bridge, row 2", the row left out where there is only one: source of an event.
  std::string sourceName(std::size_t row) const;
  /// States of the systems of the interaction that a row belongs to, one after the other.
  Vector statesOf(std::size_t row, const double* x) const;

  /// Updates the coefficients; true if those of systems or relations, or bounds of laws, have changed since the last
  /// call.
  bool refresh(double t);
  /// True if the next refresh would return true.
  bool hasChanged() const { return !parametersFrom_.isCurrent(changes()) || boundsHaveChanged(); }
  /// Saves or restores the increments of ∂h/∂t, sizes(), and whether coefficients have changed.
  void serializeState(StateArchive& archive);

  /// Functions of time are evaluated only within (begin, end) and before the end of the model.
  void setPiece(double begin, double end);
  /// t, or the nearest time of the piece.
  double clamped(double t) const;
  /// The last time at which functions are evaluated.
  double pieceEnd() const { return end_; }

  /// Where the states of a system begin in x; none if it is not a system of this part.
  std::optional<HybridSystem::StatePlace> placeOf(const DynamicalSystem& system) const;

  /// Reads the present states of the systems and the multipliers of the interactions.
  void load(double* x, Vector& lambda) const;
  /// Takes these states, or what has flowed through them, into sizes().
  void measure(const double* x);
  /// The largest magnitude that each state has had in the run, or what has flowed through it has. What a sum of states
  /// deviates by less than the rounding of these is zero: a state that is held at zero is itself nothing but rounding,
  /// and has no size at the moment.
  const Vector& sizes() const { return sizes_; }
  /// Writes them back, with the resulting inputs; `before` is the time of the present states.
  void accept(double before, double t, const Vector& x, const Vector& lambda, const Vector& y);

  /// y = h(t, x, λ) and ẋ = φ(t, x, λ). The functions from here on throw Error naming system or interaction, function
  /// and t, where a result is not finite or has another size, ẋ is not found, or M is singular.
  ///@{
  void outputs(double t, const Vector& x, const Vector& lambda, Vector& y);
  void rates(double t, const Vector& x, const Vector& lambda, Vector& xDot);
  ///@}
  /// C, D and B; after rates() at the same place.
  void linearise(double t, const Vector& x, const Vector& lambda);
  /// Results of the last linearise(): m x n, m x m, n x m.
  ///@{
  const Matrix& C() const { return C_; }
  const Matrix& D() const { return D_; }
  const Matrix& B() const { return B_; }
  ///@}
  /// A; after rates() at the same place.
  void stateJacobian(double t, const Vector& x, const Vector& lambda, Matrix& A);

  /// Chooses the increments of ∂h/∂t for a mode that begins at (t, x), interaction by interaction; computes C, D and B.
  void chooseIncrements(double t, const Vector& x, const Vector& lambda);
  /// ∂h/∂t, after linearise(); zero for interactions that are not `wanted` and those whose outputs do not depend on t.
  /// Throws Error naming an interaction whose ∂h/∂t differences do not find.
  void outputRates(double t, const Vector& x, const Vector& lambda, const std::vector<char>& wanted, Vector& yDot);

 private:
  using InteractionWork = FirstOrderWorkspace::InteractionWork;

  struct System {
    std::shared_ptr<DynamicalSystem> owner;
    FirstOrderDS* system = nullptr;
    std::size_t offset = 0;
    bool identityMass = false, constantMass = false, byRate = false;
    Vector x, xDot, r, f;
    Matrix mass, byX, byXDot;
    LUFactorization factor;  // of M − ∂F/∂ẋ
  };
  struct Row {
    std::size_t interaction, row;
  };

  void bindSystems(const Topology& topology, double t);
  void bindInteraction(const Topology& topology, std::size_t k, const std::vector<std::size_t>& numbers);
  std::size_t changes() const;
  void readBounds(Vector& lower, Vector& upper) const;
  bool boundsHaveChanged() const;
  void classify();
  void factorMasses(double t);
  void factorMass(System& system, double t);
  void solveRate(System& system, double t);
  const Vector& stacked(InteractionWork& step, const Vector& x) const;
  void takeMultipliers(std::size_t k, const Vector& lambda);
  void findTerms(std::size_t k, const Vector& x, const Vector& lambda);
  TimeDifferences::Place placeOf(double t) const;
  void differentiate(std::size_t k, double t, const Vector& x, const Vector& lambda);

  std::vector<System> systems_;
  std::vector<InteractionWork> interactions_;
  std::vector<std::size_t> firstRows_;
  std::vector<Row> rows_;
  std::vector<double> increments_;
  std::size_t states_ = 0;
  MadeFrom<std::size_t> parametersFrom_;  // changes()
  std::uint64_t boundChanges_ = 0;        // of any laws, when bounds were read
  bool timeInvariant_ = false, movingOutputs_ = false;
  double begin_ = 0., end_ = 0., modelEnd_ = 0.;
  Vector lower_, upper_, part_, column_, terms_, sizes_;
  TimeDifferences differences_;
  Matrix C_, D_, B_;
};

}  // namespace delassus
