// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <delassus/numerics/friction/ContactScales.hpp>
#include <delassus/numerics/friction/ContactSweep.hpp>
#include <delassus/numerics/friction/HybridOneContactSolver.hpp>
#include <utility>

namespace delassus::numerics {

ContactSweep::ContactSweep(std::shared_ptr<const OneContactSolver> local) : local_(std::move(local)) {
  if (!local_) local_ = std::make_shared<HybridOneContactSolver>();
}

bool ContactSweep::has(const FrictionContactProblem& problem) const {
  return operator_ == &problem.W() && matrix_ == problem.W().matrix() && stamp_ == problem.stamp();
}

void ContactSweep::prepare(const FrictionContactProblem& problem) {
  const DelassusOperator& W = problem.W();
  operator_ = nullptr;
  W.renew(sweep_);
  const std::size_t entries = problem.dimension() * problem.dimension();
  blocks_.resize(entries * problem.contacts());
  for (std::size_t contact = 0; contact < problem.contacts(); ++contact) {
    W.diagonalBlock(contact, blocks_.data() + entries * contact);
  }
  contactScales(problem, scales_);
  operator_ = &W;
  matrix_ = W.matrix();
  stamp_ = problem.stamp();
}

double ContactSweep::update(const FrictionContactProblem& problem, std::size_t contact, double relaxation, Vector& r) {
  const std::size_t d = problem.dimension();
  const std::size_t first = d * contact;
  const double* const block = blocks_.data() + d * first;
  double* const own = data(r) + first;
  std::array<double, 3> free{}, solved{}, change{};
  sweep_->velocity(contact, free.data());
  for (std::size_t i = 0; i < d; ++i) {
    free[i] += problem.q()(first + i);
    for (std::size_t j = 0; j < d; ++j) free[i] -= block[i + d * j] * own[j];
    solved[i] = own[i];
  }
  local_->solve(d, block, free.data(), problem.mu()(contact), solved.data());
  double squares = 0.;
  for (std::size_t i = 0; i < d; ++i) {
    change[i] = relaxation * (solved[i] - own[i]);
    own[i] += change[i];
    squares += change[i] * change[i];
  }
  if (squares == 0.) return 0.;
  sweep_->add(contact, change.data());
  return scales_[contact] * scales_[contact] * squares;
}

}  // namespace delassus::numerics
