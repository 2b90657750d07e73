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
namespace {

constexpr std::size_t firstSweeps = 10;  // plain, before acceleration is tried
constexpr std::size_t trialSweeps = 20;
constexpr std::size_t usualSweeps = 80;

}  // namespace

NonsmoothGaussSeidelSolver::NonsmoothGaussSeidelSolver(NonsmoothGaussSeidelOptions options,
                                                       std::shared_ptr<const OneContactSolver> local)
    : WithOptions("NonsmoothGaussSeidelSolver", options),
      local_(std::move(local)),
      acceleration_(options.accelerationMemory) {
  if (!local_) local_ = std::make_shared<HybridOneContactSolver>();
}

void NonsmoothGaussSeidelSolver::prepare(const FrictionContactProblem& problem) {
  if (sweepOf_ == &problem.W() && sweepStamp_ == problem.stamp()) return;
  sweepOf_ = &problem.W();
  sweepStamp_ = problem.stamp();
  sweep_ = problem.W().sweep();
  const std::size_t entries = problem.dimension() * problem.dimension();
  blocks_.resize(entries * problem.contacts());
  for (std::size_t contact = 0; contact < problem.contacts(); ++contact) {
    problem.W().diagonalBlock(contact, blocks_.data() + entries * contact);
  }
  contactScales(problem, scales_);
}

// Returns the change of the reactions in velocity units.
double NonsmoothGaussSeidelSolver::sweepOnce(const FrictionContactProblem& problem, Vector& r) {
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
  return std::sqrt(squares);
}

// Acceleration gains much near a solution, and can lose as much before the contacts have found their status. So the
// variant in use is compared from time to time with the other one by the decrease of the changes, and the better one is
// used for a while.
bool NonsmoothGaussSeidelSolver::accelerationPays(std::size_t iteration, double change) {
  if (options_.accelerationMemory == 0) return false;
  if (iteration == 1) {
    way_ = {.accelerated = false, .sweeps = firstSweeps, .sweepsLeft = firstSweeps, .changeAtBegin = change};
    return false;
  }
  if (--way_.sweepsLeft > 0) return way_.accelerated;
  const double fall = std::log(way_.changeAtBegin / change);
  if (!way_.isTrial) {
    way_.fallOfOther = fall / static_cast<double>(way_.sweeps);
    way_.isTrial = true;
    way_.accelerated = !way_.accelerated;
    way_.sweeps = trialSweeps;
  } else {
    if (!(fall / static_cast<double>(way_.sweeps) > way_.fallOfOther)) way_.accelerated = !way_.accelerated;
    way_.isTrial = false;
    way_.sweeps = usualSweeps;
  }
  if (way_.accelerated) acceleration_.begin(before_.size());
  way_.sweepsLeft = way_.sweeps;
  way_.changeAtBegin = change;
  return way_.accelerated;
}

bool NonsmoothGaussSeidelSolver::isHopeless(std::size_t iteration, double change) {
  if (options_.outlook == 0 || iteration % options_.outlook != 0) return false;
  const double fall = std::log(changeAtOutlook_ / change) / static_cast<double>(options_.outlook);
  const double missing = std::log(change / options_.tolerance);
  changeAtOutlook_ = change;
  return missing > fall * static_cast<double>(options_.maxIterations - iteration);
}

NonsmoothGaussSeidelSolver::Outcome NonsmoothGaussSeidelSolver::compute(const FrictionContactProblem& problem,
                                                                        Vector& r) {
  prepare(problem);
  sweep_->begin(data(r));
  acceleration_.begin(r.size());
  const double norm = norm2(problem.q());
  const double scale = norm > 0. ? norm : 1.;
  for (std::size_t iteration = 1; iteration <= options_.maxIterations; ++iteration) {
    assign(r, before_);
    const double change = sweepOnce(problem, r) / scale;
    observe(iteration, change);
    const bool look =
        change <= options_.tolerance || iteration % options_.errorInterval == 0 || iteration == options_.maxIterations;
    if (look && certifiedError(problem, r) <= options_.tolerance) return {SolveStatus::converged, iteration, {}};
    if (iteration == 1) changeAtOutlook_ = change;
    if (isHopeless(iteration, change)) {
      return {SolveStatus::iterationLimit, iteration, "at this rate it will not converge within the sweep limit"};
    }
    if (timeIsUp()) return {SolveStatus::timeLimit, iteration, {}};
    if (change == 0.) return {SolveStatus::inaccurate, iteration, "no contact moves any more"};
    // At the limit the answer is the end of a sweep, inside the cones.
    if (iteration == options_.maxIterations) break;
    if (accelerationPays(iteration, change) && acceleration_.accelerate(before_, r)) sweep_->begin(data(r));
  }
  return {SolveStatus::iterationLimit, options_.maxIterations, {}};
}

}  // namespace delassus::numerics
