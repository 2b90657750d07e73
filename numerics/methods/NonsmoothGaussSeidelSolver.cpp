// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/methods/NonsmoothGaussSeidelSolver.hpp>

#include <cmath>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/methods/ContactSweep.hpp>
#include <numeric>
#include <utility>

namespace delassus::numerics {
namespace {

// Part of the change that the certificate waits for which all groups at rest may make together.
constexpr double restShare = 0.5;
// The sweep before which factors are packed: a solve that comes to it takes long enough.
constexpr std::size_t packedSweep = 4;
// Instead of a number of sweeps: packing did not pay, and is not tried again.
constexpr std::size_t never = static_cast<std::size_t>(-1);

}  // namespace

NonsmoothGaussSeidelSolver::NonsmoothGaussSeidelSolver(NonsmoothGaussSeidelOptions options,
                                                       std::shared_ptr<const OneContactSolver> local)
    : NonsmoothGaussSeidelSolver(std::make_shared<ContactSweep>(std::move(local)), options) {
}

NonsmoothGaussSeidelSolver::NonsmoothGaussSeidelSolver(std::shared_ptr<ContactSweep> contacts,
                                                       NonsmoothGaussSeidelOptions options)
    : GaussSeidelSolver("NonsmoothGaussSeidelSolver", options), contacts_(std::move(contacts)) {
}

NonsmoothGaussSeidelSolver::Start NonsmoothGaussSeidelSolver::begin(const FrictionContactProblem& problem, Vector& r) {
  groupsFrom_.renew(problem.W().stamp(), [&] { groups_.assign(problem.W().independentGroups(groupOf_), {}); });
  if (!contacts_->has(problem)) contacts_->prepare(problem);
  if (sweeps_ != never) sweeps_ = 0;
  start(problem, r);
  const double squares = dot(problem.q(), problem.q());
  squaresOfData_ = squares > 0. ? squares : 1.;
  return {problem.contacts(), squares};
}

void NonsmoothGaussSeidelSolver::read(Vector& r) const {
  contacts_->read(r);
}

std::size_t NonsmoothGaussSeidelSolver::groupAt(std::uint32_t place) const {
  return groupOf_[contacts_->order()[place]];
}

void NonsmoothGaussSeidelSolver::start(const FrictionContactProblem& problem, const Vector& r) {
  begun_ = &problem;
  contacts_->begin(problem, r);
  for (Group& group : groups_) group.momentum.restart();
  moveAll();
}

void NonsmoothGaussSeidelSolver::moveAll() {
  squaresAtRest_ = 0.;
  for (Group& group : groups_) {
    if (!group.isMoving) group.momentum.restart();
    group.isMoving = true;
  }
  movingGroups_.resize(groups_.size());
  std::iota(movingGroups_.begin(), movingGroups_.end(), std::size_t{0});
  moving_.resize(groupOf_.size());
  std::iota(moving_.begin(), moving_.end(), std::uint32_t{0});
  chooseMoving();
}

void NonsmoothGaussSeidelSolver::chooseMoving() {
  contacts_->choose(moving_);
  runs_.clear();
  for (const std::uint32_t place : moving_) {
    const std::size_t group = groupAt(place);
    if (runs_.empty() || runs_.back().group != group || runs_.back().end != place) {
      runs_.push_back({group, place, place});
    }
    runs_.back().end = place + 1;
  }
}

NonsmoothGaussSeidelSolver::Sweep NonsmoothGaussSeidelSolver::sweep(const FrictionContactProblem& problem, Vector& r) {
  if (sweeps_ < packedSweep && ++sweeps_ == packedSweep && !problem.W().isMatrixProduct() && !contacts_->isPacked()) {
    contacts_->read(r);
    if (contacts_->pack(problem)) {
      start(problem, r);
    } else {
      sweeps_ = never;
    }
  }
  if (promisingChange() < restChange_) moveAll();
  for (const std::size_t group : movingGroups_) groups_[group].squares = 0.;
  squares_.resize(groupOf_.size());
  contacts_->sweep(problem, moving_, options_.relaxation, squares_.data());
  for (const Run& run : runs_) {
    double squares = groups_[run.group].squares;
    for (std::size_t k = run.begin; k < run.end; ++k) squares += squares_[k];
    groups_[run.group].squares = squares;
  }
  return endSweep();
}

void NonsmoothGaussSeidelSolver::extrapolate(double, Vector&) {
  for (const std::size_t number : movingGroups_) {
    Group& group = groups_[number];
    group.factor = group.momentum.next(std::sqrt(group.squares));
  }
  for (const Run& run : runs_) contacts_->extrapolate(*begun_, run.begin, run.end, groups_[run.group].factor);
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
    std::erase_if(moving_, [this](std::uint32_t place) { return !groups_[groupAt(place)].isMoving; });
    chooseMoving();
  }
  return {.squares = squares, .work = work};
}

}  // namespace delassus::numerics
