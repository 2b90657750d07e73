// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <delassus/kernel/model/NonSmoothDynamicalSystem.hpp>
#include <delassus/numerics/algebra/Matrix.hpp>
#include <delassus/numerics/algebra/Vector.hpp>
#include <string_view>

namespace delassus {

struct SecondOrderWorkspace;

/// What an integrator gives for one coupling of an interaction α (m outputs) and a node i, the n unknowns that one
/// iteration matrix W belongs to: those of a system, or of several that a relation ties together. The block (α, β) of
/// the one-step problem is Σ_i left(α, i) · right(β, i).
struct CouplingBlocks {
  std::size_t interaction = 0;
  std::size_t node = 0;
  Matrix left;   ///< m x n: how the output follows the state, G or C
  Matrix right;  ///< n x m: how the state follows the multiplier, W⁻¹ Gᵀ or h W⁻¹ B
};

/// A step [begin, end] of time. `size` is h: the same number in every step of a uniform discretisation, which
/// end − begin is not to the last bit.
struct TimeStep {
  double begin = 0.;
  double end = 0.;
  double size = 0.;
};

/// A one-step scheme: from the state at t to a trial state at t + h, in the stages of a ring that
/// TimeStepping::step goes round,
///
///     beginStep                        forces at t, forecast of the gaps, index set
///     computeFreeState                 W, free state, blocks, free outputs
///     (one-step problem: multipliers)
///     updateState                      trial state from the multipliers
///     residual                         Newton's test; again from computeFreeState, or
///     accept                           the trial state becomes the state of the systems
///
/// Everything before accept works on copies: an exception in mid-step leaves model and state as they were.
class OneStepIntegrator {
 public:
  virtual ~OneStepIntegrator() = default;

  virtual std::string_view name() const = 0;

  /// Builds the workspaces for the model as it is now, and computes the outputs at time t. Throws Error naming a
  /// system, relation or law that this scheme does not take.
  virtual void bind(const NonSmoothDynamicalSystem& model, double t) = 0;

  /// The largest relative degree between multipliers and outputs for which the scheme has consistent multipliers:
  /// the number of derivatives of the output that it imposes laws on, or inverts.
  virtual std::size_t maxRelativeDegree() const = 0;

  /// True if the scheme starts from multipliers that fit the initial state; TimeStepping then goes once round the ring
  /// with a step of size zero.
  virtual bool needsInitialMultipliers() const { return false; }

  virtual void beginStep(const TimeStep& timeStep) = 0;
  virtual void computeFreeState() = 0;
  virtual void updateState() = 0;
  /// True if one pass is exact: linear systems, and no active relation that is not linear.
  virtual bool isLinear() const = 0;
  /// What is left of the discrete equations at the trial state, and the last change of it; relative.
  virtual double residual() = 0;
  virtual void accept() = 0;

  /// The trial configurations of a scheme for motion whose steps may be projected on constraints between updateState
  /// and accept: what is moved there is accepted, with the outputs of the moved configurations. Null for other schemes.
  virtual SecondOrderWorkspace* trialConfigurations() { return nullptr; }

  // What a one-step problem reads; interactions by their numbers in the topology.

  /// All couplings, interaction after interaction; as many as there are until the next bind.
  const std::vector<CouplingBlocks>& couplings() const { return blocks_; }
  virtual const Vector& freeOutput(std::size_t interaction) const = 0;
  /// Block that the relation itself adds to the problem's diagonal, ∂y/∂λ (compliance, or D), or null.
  virtual const Matrix* feedthroughBlock(std::size_t interaction) const = 0;
  virtual bool isActive(std::size_t interaction, std::size_t block) const = 0;
  /// What the multiplier of the problem is to the multiplier of a law with bounds: h where the scheme has impulses and
  /// the law forces.
  virtual double multiplierScale() const { return 1.; }
  /// Outputs at the level of the law, at the beginning of the step.
  virtual const Vector& outputBefore(std::size_t interaction) const = 0;
  /// For problems in global form: the iteration matrix W of a node and its state x_free without multipliers, so that
  /// W (x − x_free) = Σ leftᵀ λ. Null where a scheme has other blocks than right = W⁻¹ leftᵀ.
  virtual const Matrix* iterationMatrix(std::size_t) const { return nullptr; }
  virtual const Vector* freeState(std::size_t) const { return nullptr; }
  virtual std::size_t nodes() const { return 0; }
  /// Where the problem reads its start and writes its answer.
  virtual Vector& multiplier(std::size_t interaction) = 0;

  /// Changes when a block changes.
  std::uint64_t blocksVersion() const { return blocksVersion_; }
  /// Changes when a contact becomes active or inactive, or the model changes.
  std::uint64_t indexSetVersion() const { return indexSetVersion_; }

 protected:
  OneStepIntegrator() = default;
  OneStepIntegrator(const OneStepIntegrator&) = default;
  OneStepIntegrator(OneStepIntegrator&&) = default;
  OneStepIntegrator& operator=(const OneStepIntegrator&) = default;
  OneStepIntegrator& operator=(OneStepIntegrator&&) = default;

  std::vector<CouplingBlocks> blocks_;
  std::uint64_t blocksVersion_ = 0;
  std::uint64_t indexSetVersion_ = 0;
};

}  // namespace delassus
