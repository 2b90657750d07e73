// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/problems/ProblemByLaws.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <delassus/kernel/problems/FrictionContact.hpp>
#include <delassus/kernel/problems/GenericMechanical.hpp>
#include <delassus/kernel/problems/LCP.hpp>
#include <delassus/kernel/problems/Relay.hpp>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/sets/ConvexSet.hpp>

namespace delassus {

// The problem that is made where `fits` holds for all interactions of a model.
struct ProblemByLaws::Rule {
  bool (*fits)(Interaction&);
  std::unique_ptr<OneStepNSProblem> (*make)();
};

namespace {

using Made = std::unique_ptr<OneStepNSProblem>;

bool isComplementarity(Interaction& interaction) {
  return interaction.law().isComplementarity();
}

template <std::size_t dimension>
bool isFriction(Interaction& interaction) {
  const NonSmoothLaw& law = interaction.law();
  return law.size() == dimension && law.set()->coulombFriction().has_value();
}

template <std::size_t dimension>
Made makeFriction() {
  return std::make_unique<FrictionContact>(dimension);
}

bool isBoxOrFree(Interaction& interaction) {
  return interaction.law().set()->isBox() || interaction.law().set()->isFree();
}

bool isBoxWithoutJoint(Interaction& interaction) {
  const bool isJoint = interaction.law().set()->isFree() && interaction.relation().secondOrder() != nullptr;
  return isBoxOrFree(interaction) && !isJoint;
}

bool isMechanical(Interaction& interaction) {
  return interaction.law().unknowns() == interaction.law().size();
}

template <class Problem>
Made make() {
  return std::make_unique<Problem>();
}

}  // namespace

void ProblemByLaws::bind(const NonSmoothDynamicalSystem& model, const StepEquations& equations) {
  static constexpr std::array<Rule, 6> rules{{{isComplementarity, make<LCP>},
                                              {isFriction<2>, makeFriction<2>},
                                              {isFriction<3>, makeFriction<3>},
                                              {isBoxWithoutJoint, make<Relay>},
                                              {isMechanical, make<GenericMechanical>},
                                              {isBoxOrFree, make<Relay>}}};
  // Where no rule fits, the general problem says which law it does not take.
  static constexpr Rule general{isMechanical, make<GenericMechanical>};
  const auto& interactions = model.topology().interactions();
  const Rule* const found = std::find_if(rules.begin(), rules.end(), [&](const Rule& rule) {
    return std::all_of(interactions.begin(), interactions.end(), [&](const auto& each) { return rule.fits(*each); });
  });
  const Rule* const rule = found == rules.end() ? &general : found;
  if (rule != rule_) {
    Made next = rule->make();
    next->setTolerance(tolerance_);
    for (const std::string& solver : addedSolvers_) next->addSolver(solver);
    chosen_ = std::move(next);
    rule_ = rule;
  }
  chosen_->setClock(clock());
  chosen_->bind(model, equations);
}

void ProblemByLaws::serializeState(StateArchive& archive) {
  if (chosen_) chosen_->serializeState(archive);
}

void ProblemByLaws::addSolver(std::string_view solverName) {
  if (chosen_) chosen_->addSolver(solverName);
  addedSolvers_.emplace_back(solverName);
}

void ProblemByLaws::setTolerance(double tolerance) {
  if (!(tolerance > 0. && std::isfinite(tolerance))) {
    throw Error("ProblemByLaws", "the tolerance must be positive and finite, got " + toText(tolerance) + '.');
  }
  if (chosen_) chosen_->setTolerance(tolerance);
  tolerance_ = tolerance;
}

void ProblemByLaws::saveProblem(const std::filesystem::path& path) const {
  if (!chosen_) throw Error("ProblemByLaws", "there is no problem to be saved as " + path.string() + " before a step.");
  chosen_->saveProblem(path);
}

}  // namespace delassus
