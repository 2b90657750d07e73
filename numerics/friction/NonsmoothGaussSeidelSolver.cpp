// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/friction/NonsmoothGaussSeidelSolver.hpp>

#include <array>
#include <cmath>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/friction/ContactScales.hpp>
#include <delassus/numerics/friction/ContactUpdate.hpp>
#include <delassus/numerics/friction/HybridOneContactSolver.hpp>
#include <utility>

namespace delassus::numerics {
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
}

NonsmoothGaussSeidelSolver::Start NonsmoothGaussSeidelSolver::begin(const FrictionContactProblem& problem, Vector& r) {
  prepare(problem);
  sweep_->begin(data(r));
  const double norm = norm2(problem.q());
  normOfData_ = norm > 0. ? norm : 1.;
  return {problem.contacts()};
}

NonsmoothGaussSeidelSolver::Sweep NonsmoothGaussSeidelSolver::sweep(const FrictionContactProblem& problem, Vector& r) {
  const std::size_t d = problem.dimension();
  double squares = 0.;
  std::array<double, 3> u{}, change{};
  for (std::size_t contact = 0; contact < problem.contacts(); ++contact) {
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
    squares += scales_[contact] * scales_[contact] * moved;
  }
  return {std::sqrt(squares) / normOfData_};
}

}  // namespace delassus::numerics
