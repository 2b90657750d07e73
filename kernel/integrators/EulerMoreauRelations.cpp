// SPDX-License-Identifier: Apache-2.0
//
// The part of EulerMoreauOSI that evaluates relations: their linearisation, blocks, free outputs and residuals.
#include <algorithm>
#include <cmath>
#include <delassus/kernel/integrators/EulerMoreauOSI.hpp>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/Products.hpp>

namespace delassus {

// Coefficients may have been given after the link.
void EulerMoreauOSI::requireFit(const InteractionStep& step) {
  try {
    step.relation->checkDimensions(step.states);
  } catch (const Error& error) {
    throw Error("Interaction '" + step.interaction->name() + "'", error.what());
  }
}

// C, D, B and K at the trial state, and its input g.
void EulerMoreauOSI::linearise(InteractionStep& step) {
  const bool known = step.blocksFactors != FirstOrderWorkspace::never;
  if (known && step.linear && step.relation->isTimeInvariant()) return;
  const Vector& x = work_.stacked(step, placed());
  FirstOrderWorkspace::computeJacobians(step, relationTime_, x, step.multiplier);
  step.blocksFactors = FirstOrderWorkspace::never;
  if (!step.linear && !evaluated_) FirstOrderWorkspace::computeInput(step, relationTime_, x, step.multiplier);
}

// γC and hγW⁻¹B of the scheme in use, unless they are still valid.
void EulerMoreauOSI::computeBlocks(InteractionStep& step) {
  std::uint64_t factors = 0;
  for (const auto& link : step.links) factors += work_.nodes[work_.systems[link.system].node].factorVersion;
  if (factors == step.blocksFactors) return;
  const std::size_t m = step.multiplier.size();
  for (std::size_t c = step.couplingBegin; c < step.couplingEnd; ++c) setZero(work_.blocks[c].right);
  for (const auto& link : step.links) {
    FirstOrderWorkspace::Blocks& blocks = work_.blocks[link.coupling];
    const SystemStep& system = work_.systems[link.system];
    for (std::size_t j = 0; j < system.x.size(); ++j) {
      for (std::size_t i = 0; i < m; ++i) {
        blocks.left(i, system.offset + j) = place_ * step.C(i, link.column + j);
        blocks.right(system.offset + j, i) = step_ * stepWeight_ * step.B(link.column + j, i);
      }
    }
  }
  for (std::size_t c = step.couplingBegin; c < step.couplingEnd; ++c) {
    work_.nodes[work_.equations.couplings()[c].node].factor.solve(work_.blocks[c].right);
  }
  step.blocksFactors = factors;
  work_.equations.touchBlocks();
}

// Linear relations are taken at the free state itself, others are linearised about the trial state.
void EulerMoreauOSI::computeFreeOutput(InteractionStep& step) {
  if (step.linear) {
    const auto free = place_ < 1. ? &SystemStep::xFreePlace : &SystemStep::xFree;
    FirstOrderWorkspace::computeOutput(step, relationTime_, work_.stacked(step, free), step.noMultiplier,
                                       step.freeOutput);
  } else {
    if (!evaluated_) {
      const Vector& x = work_.stacked(step, placed());
      FirstOrderWorkspace::computeOutput(step, relationTime_, x, step.multiplier, step.y);
    }
    assign(step.y, step.freeOutput);
    if (step.relation->hasFeedthrough()) multiply(-1., step.D, step.multiplier, 1., step.freeOutput);
    work_.addOutputChange(step, place_, &SystemStep::x, &SystemStep::xFree, step.freeOutput);
  }
  if (step_ == 0.) dropRounding(step);
}

// In the step of size zero that finds the initial multipliers, an output that is zero up to the accuracy of the data
// counts as zero: on a switching surface its sign would decide.
void EulerMoreauOSI::dropRounding(InteractionStep& step) const {
  constexpr double accuracy = 1e-8;
  const Vector& x = work_.stacked(step, placed());
  for (std::size_t i = 0; i < step.freeOutput.size(); ++i) {
    double terms = 0.;
    double rest = step.freeOutput(i);
    for (std::size_t j = 0; j < x.size(); ++j) {
      terms += std::abs(step.C(i, j) * x(j));
      rest -= step.C(i, j) * x(j);
    }
    if (std::abs(step.freeOutput(i)) <= accuracy * (terms + std::abs(rest))) step.freeOutput(i) = 0.;
  }
}

void EulerMoreauOSI::writeEquations() {
  StepEquations& equations = work_.equations;
  for (std::size_t k = 0; k < work_.interactions.size(); ++k) {
    const InteractionStep& step = work_.interactions[k];
    assign(step.freeOutput, equations.freeOutput(k));
    assign(step.interaction->output(0), equations.outputBefore(k));
  }
}

// The distance of the linearised outputs from the outputs themselves, row by row as well.
double EulerMoreauOSI::residualOf(InteractionStep& step) {
  const Vector& x = work_.stacked(step, placed());
  FirstOrderWorkspace::computeOutput(step, relationTime_, x, step.multiplier, step.y);
  double worst = 0.;
  for (std::size_t i = 0; i < step.y.size(); ++i) {
    double terms = std::abs(step.y(i));
    for (std::size_t j = 0; j < x.size(); ++j) terms += std::abs(step.C(i, j) * x(j));
    for (std::size_t j = 0; j < step.multiplier.size(); ++j) terms += std::abs(step.D(i, j) * step.multiplier(j));
    const double left = std::abs(step.y(i) - step.yLinear(i)) - residualRounding * terms;
    if (left > 0.) worst = std::max(worst, left / terms);
  }
  return worst;
}

}  // namespace delassus
