// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/friction/NonsmoothGaussSeidelSolver.hpp>

#include <array>
#include <cmath>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/friction/ContactScales.hpp>
#include <delassus/numerics/friction/ContactUpdate.hpp>
#include <delassus/numerics/friction/HybridOneContactSolver.hpp>
#include <numeric>
#include <utility>

namespace delassus::numerics {
namespace {

// Part of the change that the certificate waits for which all groups at rest may make together.
constexpr double restShare = 0.5;

}  // namespace

NonsmoothGaussSeidelSolver::NonsmoothGaussSeidelSolver(NonsmoothGaussSeidelOptions options,
                                                       std::shared_ptr<const OneContactSolver> local)
    : GaussSeidelSolver("NonsmoothGaussSeidelSolver", options), local_(std::move(local)) {
  if (!local_) local_ = std::make_shared<HybridOneContactSolver>();
}

void NonsmoothGaussSeidelSolver::prepare(const FrictionContactProblem& problem) {
  // The sweep refers to the operator and its matrix; copies of both have the same stamp elsewhere.
  const SweptOperator operatorOf{&problem.W(), problem.W().matrix()};
  if (sweepOf_ == operatorOf && sweepStamp_ == problem.stamp()) return;
  sweepOf_ = operatorOf;
  sweepStamp_ = problem.stamp();
  sweep_ = problem.W().sweep();
  const std::size_t entries = problem.dimension() * problem.dimension();
  blocks_.resize(entries * problem.contacts());
  for (std::size_t contact = 0; contact < problem.contacts(); ++contact) {
    problem.W().diagonalBlock(contact, blocks_.data() + entries * contact);
  }
  contactScales(problem, scales_);
  groupOf_.assign(problem.contacts(), 0);
  const std::size_t groups = operatorOf.matrix != nullptr ? operatorOf.matrix->independentGroups(groupOf_) : 1;
  groups_.assign(groups, {});
}

NonsmoothGaussSeidelSolver::Start NonsmoothGaussSeidelSolver::begin(const FrictionContactProblem& problem, Vector& r) {
  prepare(problem);
  restart(r);
  const double norm = norm2(problem.q());
  normOfData_ = norm > 0. ? norm : 1.;
  return {problem.contacts()};
}

void NonsmoothGaussSeidelSolver::restart(const Vector& r) {
  sweep_->begin(data(r));
  moveAll();
}

void NonsmoothGaussSeidelSolver::moveAll() {
  squaresAtRest_ = 0.;
  for (Group& group : groups_) group.isMoving = true;
  movingGroups_.resize(groups_.size());
  std::iota(movingGroups_.begin(), movingGroups_.end(), std::size_t{0});
  moving_.resize(groupOf_.size());
  std::iota(moving_.begin(), moving_.end(), std::size_t{0});
}

NonsmoothGaussSeidelSolver::Sweep NonsmoothGaussSeidelSolver::sweep(const FrictionContactProblem& problem, Vector& r) {
  const std::size_t d = problem.dimension();
  if (promisingChange() < restChange_) moveAll();
  for (const std::size_t group : movingGroups_) groups_[group].squares = 0.;
  std::array<double, 3> u{}, change{};
  for (const std::size_t contact : moving_) {
    const std::size_t first = d * contact;
    sweep_->velocity(contact, u.data());
    for (std::size_t i = 0; i < d; ++i) u[i] += problem.q()(first + i);
    updateContact(*local_, d, blocks_.data() + d * first, problem.mu()(contact), options_.relaxation, u.data(),
                  data(r) + first, change.data());
    double moved = 0.;
    for (std::size_t i = 0; i < d; ++i) {
      r(first + i) += change[i];
      moved += change[i] * change[i];
    }
    if (moved == 0.) continue;
    sweep_->add(contact, change.data());
    groups_[groupOf_[contact]].squares += scales_[contact] * scales_[contact] * moved;
  }
  return endSweep();
}

// Lets groups rest whose changes make a small part of the change that the certificate waits for.
NonsmoothGaussSeidelSolver::Sweep NonsmoothGaussSeidelSolver::endSweep() {
  restChange_ = promisingChange();
  const double limit = restShare * restChange_ * normOfData_;
  const double limitOfGroup = limit * limit / static_cast<double>(groups_.size());
  const double work = static_cast<double>(moving_.size()) / static_cast<double>(groupOf_.size());
  double squares = squaresAtRest_;
  const auto comesToRest = [&](std::size_t number) {
    Group& group = groups_[number];
    squares += group.squares;
    group.isMoving = !(group.squares <= limitOfGroup);
    if (!group.isMoving) squaresAtRest_ += group.squares;
    return !group.isMoving;
  };
  if (std::erase_if(movingGroups_, comesToRest) > 0) {
    std::erase_if(moving_, [this](std::size_t contact) { return !groups_[groupOf_[contact]].isMoving; });
  }
  return {.change = std::sqrt(squares) / normOfData_, .work = work};
}

}  // namespace delassus::numerics
