// SPDX-License-Identifier: Apache-2.0
//
// The part of EulerMoreauOSI that evaluates relations: their linearisation, blocks, free outputs and residuals.
#include <algorithm>
#include <cmath>
#include <delassus/kernel/integrators/EulerMoreauOSI.hpp>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/Products.hpp>

namespace delassus {

// Where a relation sees the state x of the end of the step.
void EulerMoreauOSI::place(const SystemWork& work, const Vector& x, Vector& placed) const {
  if (place_ == 1.) return;
  const Vector& before = work.system->x();
  for (std::size_t i = 0; i < x.size(); ++i) placed(i) = (1. - place_) * before(i) + place_ * x(i);
}

// Coefficients may have been given after the link.
void EulerMoreauOSI::requireFit(const InteractionWork& work) {
  try {
    work.relation->checkDimensions(work.states);
  } catch (const Error& error) {
    throw Error("Interaction '" + work.interaction->name() + "'", error.what());
  }
}

// C, D, B and K at the trial state, and its input g.
void EulerMoreauOSI::linearise(InteractionWork& work) {
  const bool known = work.blocksFrom.isMade();
  if (known && work.linear && work.relation->isTimeInvariant()) return;
  const Vector& x = work_.stacked(work, placed());
  FirstOrderWorkspace::computeJacobians(work, relationTime_, x, work.multiplier);
  work.blocksFrom.forget();
  if (!work.linear && !evaluated_) FirstOrderWorkspace::computeInput(work, relationTime_, x, work.multiplier);
}

// γC and hγW⁻¹B of the scheme in use, unless they are still valid.
void EulerMoreauOSI::computeBlocks(InteractionWork& work) {
  std::uint64_t factors = 0;
  for (const auto& link : work.links) factors += work_.nodes[work_.systems[link.system].node].factorVersion;
  work.blocksFrom.renew(factors, [&] { work_.makeBlocks(work, place_); });
}

// Linear relations are taken at the free state itself, others are linearised about the trial state.
void EulerMoreauOSI::computeFreeOutput(InteractionWork& work) {
  if (work.linear) {
    const auto free = place_ < 1. ? &SystemWork::xFreePlace : &SystemWork::xFree;
    FirstOrderWorkspace::computeOutput(work, relationTime_, work_.stacked(work, free), work.noMultiplier,
                                       work.freeOutput);
  } else {
    if (!evaluated_) {
      const Vector& x = work_.stacked(work, placed());
      FirstOrderWorkspace::computeOutput(work, relationTime_, x, work.multiplier, work.y);
    }
    assign(work.y, work.freeOutput);
    if (work.relation->hasFeedthrough()) multiply(-1., work.D, work.multiplier, 1., work.freeOutput);
    work_.addOutputChange(work, place_, &SystemWork::x, &SystemWork::xFree, work.freeOutput);
  }
  if (h_ == 0.) dropRounding(work);
}

// In the step of size zero that finds the initial multipliers, an output that is zero up to the accuracy of the data
// counts as zero: on a switching surface its sign would decide.
void EulerMoreauOSI::dropRounding(InteractionWork& work) const {
  constexpr double accuracy = 1e-8;
  const Vector& x = work_.stacked(work, placed());
  for (std::size_t i = 0; i < work.freeOutput.size(); ++i) {
    double terms = 0.;
    double rest = work.freeOutput(i);
    for (std::size_t j = 0; j < x.size(); ++j) {
      terms += std::abs(work.C(i, j) * x(j));
      rest -= work.C(i, j) * x(j);
    }
    if (std::abs(work.freeOutput(i)) <= accuracy * (terms + std::abs(rest))) work.freeOutput(i) = 0.;
  }
}

void EulerMoreauOSI::writeEquations() {
  StepEquations& equations = work_.equations;
  for (std::size_t k = 0; k < work_.interactions.size(); ++k) {
    const InteractionWork& work = work_.interactions[k];
    assign(work.freeOutput, equations.freeOutput(k));
    assign(work.interaction->output(0), equations.outputBefore(k));
  }
}

// The distance of the linearised outputs from the outputs themselves, row by row as well.
double EulerMoreauOSI::residualOf(InteractionWork& work) {
  const Vector& x = work_.stacked(work, placed());
  FirstOrderWorkspace::computeOutput(work, relationTime_, x, work.multiplier, work.y);
  double worst = 0.;
  for (std::size_t i = 0; i < work.y.size(); ++i) {
    double terms = std::abs(work.y(i));
    for (std::size_t j = 0; j < x.size(); ++j) terms += std::abs(work.C(i, j) * x(j));
    for (std::size_t j = 0; j < work.multiplier.size(); ++j) terms += std::abs(work.D(i, j) * work.multiplier(j));
    const double left = std::abs(work.y(i) - work.yLinear(i)) - residualRounding * terms;
    worst = std::max(worst, relativeTo(terms, left));
  }
  return worst;
}

}  // namespace delassus
