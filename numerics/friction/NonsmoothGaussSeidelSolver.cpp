// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/friction/NonsmoothGaussSeidelSolver.hpp>

#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/friction/MatrixPays.hpp>
#include <numeric>
#include <utility>

namespace delassus::numerics {
namespace {

// Part of the change that the certificate waits for which all groups at rest may make together.
constexpr double restShare = 0.5;
// Sweeps over factors after which the matrix has paid off.
constexpr std::size_t factorSweeps = 30;
// Instead of a number of sweeps: the matrix did not pay, and is not asked for again.
constexpr std::size_t never = static_cast<std::size_t>(-1);

}  // namespace

NonsmoothGaussSeidelSolver::NonsmoothGaussSeidelSolver(NonsmoothGaussSeidelOptions options,
                                                       std::shared_ptr<const OneContactSolver> local)
    : GaussSeidelSolver("NonsmoothGaussSeidelSolver", options), contacts_(std::move(local)) {
}

NonsmoothGaussSeidelSolver::Start NonsmoothGaussSeidelSolver::begin(const FrictionContactProblem& problem, Vector& r) {
  if (!contacts_.has(problem)) {
    groups_.assign(problem.W().independentGroups(groupOf_), {});
    contacts_.prepare(problem);
  }
  begun_ = &problem;
  if (sweeps_ != never) sweeps_ = 0;
  restart(r);
  const double squares = dot(problem.q(), problem.q());
  squaresOfData_ = squares > 0. ? squares : 1.;
  return {problem.contacts(), squares};
}

void NonsmoothGaussSeidelSolver::restart(const Vector& r) {
  contacts_.begin(*begun_, r);
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
  if (sweeps_ < factorSweeps && ++sweeps_ == factorSweeps && problem.W().matrix() == nullptr) {
    if (problem.requireMatrix() && matrixPays(problem.matrix())) {
      contacts_.prepare(problem);
      contacts_.begin(problem, r);
    } else {
      sweeps_ = never;
    }
  }
  if (promisingChange() < restChange_) moveAll();
  for (const std::size_t group : movingGroups_) groups_[group].squares = 0.;
  squares_.resize(groupOf_.size());
  contacts_.sweep(problem, moving_, relaxation(), r, squares_.data());
  for (const std::size_t contact : moving_) groups_[groupOf_[contact]].squares += squares_[contact];
  return endSweep();
}

// Lets groups rest whose changes make a small part of the change that the certificate waits for.
NonsmoothGaussSeidelSolver::Sweep NonsmoothGaussSeidelSolver::endSweep() {
  restChange_ = promisingChange();
  const double limit = restShare * restChange_;
  const double limitOfGroup = limit * limit * squaresOfData_ / static_cast<double>(groups_.size());
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
  return {.squares = squares, .work = work};
}

}  // namespace delassus::numerics
