// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/methods/IslandSolver.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/Threads.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/choice/AutomaticFrictionSolver.hpp>
#include <delassus/numerics/problem/NaturalMapError.hpp>
#include <numeric>

namespace delassus::numerics {
namespace {

// Parts of the work, more than threads, so that they end at about the same time.
constexpr std::size_t mostShares = 32;
// An island that is not solved may have this share of the error that its contacts are allowed …
constexpr double leftShare = 0.25;
// … and one that is solved has this share of the tolerance, so that the squares of both add up to one at most.
constexpr double solvedShare = 0.96;
// A q as small as this is none, as error measures have it: r = 0 solves it.
constexpr double leastSize = 1e-150;

}  // namespace

// Islands that one thread solves after each other, with its workspace.
struct IslandSolver::Share {
  explicit Share(double tolerance) : solver(tolerance) {}

  AutomaticFrictionSolver solver;
  std::shared_ptr<AssembledDelassus> W;
  FrictionContactProblem problem;
  Vector mu, reaction, velocity;
  SolveReport failed;  // of an island that was not solved, of those one that is proved to have no solution
  std::size_t iterations = 0;

  void take(const FrictionContactProblem& whole, std::span<const std::size_t> contacts,
            const std::vector<std::size_t>& local, const Vector& r);
  void give(std::span<const std::size_t> contacts, Vector& r) const;
};

void IslandSolver::Share::take(const FrictionContactProblem& whole, std::span<const std::size_t> contacts,
                               const std::vector<std::size_t>& local, const Vector& r) {
  const std::size_t d = whole.dimension(), n = contacts.size();
  const BlockSparseMatrix& all = whole.matrix();
  if (!W || W->dimension() != d) {
    W = std::make_shared<AssembledDelassus>(d, BlockSparseMatrix());
    problem = FrictionContactProblem(d, W, Vector(), Vector());
  }
  BlockSparseMatrix& own = W->blocks();
  own.clear();
  for (const std::size_t contact : contacts) {
    own.beginRow(d);
    for (std::size_t k = all.rowBegin(contact); k < all.rowEnd(contact); ++k) own.addBlock(local[all.column(k)]);
  }
  own.finish();
  std::size_t block = 0;
  problem.q().resize(d * n, false);
  mu.resize(n, false);
  reaction.resize(d * n, false);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t contact = contacts[i];
    for (std::size_t k = all.rowBegin(contact); k < all.rowEnd(contact); ++k) {
      std::copy_n(all.block(k), d * d, own.block(block++));
    }
    std::copy_n(data(whole.q()) + d * contact, d, data(problem.q()) + d * i);
    std::copy_n(data(r) + d * contact, d, data(reaction) + d * i);
    mu(i) = whole.mu()(contact);
  }
  own.touch();
  problem.setFriction(mu);
  problem.setOperator(W);
}

void IslandSolver::Share::give(std::span<const std::size_t> contacts, Vector& r) const {
  const std::size_t d = problem.dimension();
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    std::copy_n(data(reaction) + d * i, d, data(r) + d * contacts[i]);
  }
}

IslandSolver::IslandSolver(IslandOptions options) : WithOptions("IslandSolver", options) {
}

IslandSolver::IslandSolver(IslandSolver&&) noexcept = default;
IslandSolver& IslandSolver::operator=(IslandSolver&&) noexcept = default;
IslandSolver::~IslandSolver() = default;

void IslandSolver::findIslands(const FrictionContactProblem& problem) {
  const std::size_t islands = problem.W().independentGroups(islandOf_), n = islandOf_.size();
  begins_.assign(islands + 1, 0);
  for (const std::size_t island : islandOf_) ++begins_[island + 1];
  std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
  contacts_.resize(n);
  local_.resize(n);
  cuts_.assign(begins_.begin(), begins_.end() - 1);  // ends of what is filled
  for (std::size_t contact = 0; contact < n; ++contact) {
    const std::size_t island = islandOf_[contact];
    local_[contact] = cuts_[island] - begins_[island];
    contacts_[cuts_[island]++] = contact;
  }
}

std::span<const std::size_t> IslandSolver::contactsOf(std::size_t island) const {
  return std::span(contacts_).subspan(begins_[island], begins_[island + 1] - begins_[island]);
}

std::size_t IslandSolver::largestIsland() const {
  std::size_t largest = 0;
  for (std::size_t k = 0; k + 1 < begins_.size(); ++k) largest = std::max(largest, begins_[k + 1] - begins_[k]);
  return largest;
}

// Cuts the islands into shares of about as many contacts; gives how many there are.
std::size_t IslandSolver::makeShares() {
  const std::size_t islands = begins_.size() - 1, n = contacts_.size();
  const std::size_t count = std::min(islands, mostShares);
  cuts_.assign(1, 0);
  for (std::size_t island = 1; island < islands; ++island) {
    if (begins_[island] * count >= cuts_.size() * n) cuts_.push_back(island);
  }
  cuts_.push_back(islands);
  while (shares_.size() + 1 < cuts_.size())
    shares_.push_back(std::make_unique<Share>(solvedShare * options_.tolerance));
  return cuts_.size() - 1;
}

void IslandSolver::solveShare(const FrictionContactProblem& problem, std::size_t firstIsland, std::size_t end,
                              Share& share, Vector& r) {
  share.failed = {};
  share.failed.status = SolveStatus::converged;
  share.iterations = 0;
  share.solver.setMeasure(measure());
  const double leftOfContact =
      leftShare * options_.tolerance * norm2(problem.q()) / std::sqrt(static_cast<double>(contacts_.size()));
  for (std::size_t island = firstIsland; island < end; ++island) {
    const std::span<const std::size_t> contacts = contactsOf(island);
    share.take(problem, contacts, local_, r);
    const double size = norm2(share.problem.q());
    if (size < leastSize) {
      setZero(share.reaction);
      share.give(contacts, r);
      continue;
    }
    const double tolerance = share.solver.tolerance();
    const double before = errorOf(share.problem, measure(), share.reaction, share.velocity, tolerance);
    const double left = leftOfContact * std::sqrt(static_cast<double>(contacts.size()));
    if (before <= tolerance || before * size <= left) continue;
    if (timeIsUp()) {
      if (share.failed.status != SolveStatus::infeasible) share.failed.status = SolveStatus::timeLimit;
      break;
    }
    share.solver.setTimeLimit(remainingTime());
    const SolveReport report = share.solver.solve(share.problem, share.reaction, share.velocity);
    share.iterations += report.iterations;
    if (report.error < before) share.give(contacts, r);
    if (!report.converged() && share.failed.status != SolveStatus::infeasible) share.failed = report;
  }
}

IslandSolver::Outcome IslandSolver::compute(const FrictionContactProblem& problem, Vector& r) {
  if (problem.norm() != ResidualNorm::velocity) {
    return {SolveStatus::unsupported, 0, "the error measure of the problem counts energies"};
  }
  if (&problem.origin() != &problem && measure() == ErrorMeasure::published) {
    return {SolveStatus::unsupported, 0, "the published measure of the global form does not add up over islands"};
  }
  findIslands(problem);
  const double most = options_.largestIsland * static_cast<double>(problem.contacts());
  if (static_cast<double>(largestIsland()) > most) {
    return {SolveStatus::unsupported, 0, "one island has most contacts"};
  }
  if (!problem.requireMatrix()) return {SolveStatus::unsupported, 0, problem.whyNoMatrix};
  if (observer()) observe(0, certifiedError(problem, r));
  const std::size_t shares = makeShares();
  forEachPart(shares, [&](std::size_t k) { solveShare(problem, cuts_[k], cuts_[k + 1], *shares_[k], r); });
  Outcome outcome{SolveStatus::converged, 0, {}};
  std::size_t iterations = 0;
  for (std::size_t k = 0; k < shares; ++k) {
    const SolveReport& failed = shares_[k]->failed;
    iterations += shares_[k]->iterations;
    if (failed.converged() || outcome.status == SolveStatus::infeasible) continue;
    outcome = {failed.status, 0, failed.reason};
  }
  outcome.iterations = iterations;
  // Islands are made of W, which is rounded where the problem was stated from another form.
  if (outcome.status == SolveStatus::infeasible && &problem.origin() != &problem) {
    outcome.status = SolveStatus::numericalFailure;
    outcome.reason = "an island has no solution as W was rounded";
  }
  const double error = certifiedError(problem, r);
  observe(iterations, error);
  if (error <= options_.tolerance) {
    outcome = {SolveStatus::converged, iterations, {}};
    adoptCertificate();
  }
  return outcome;
}

void IslandSolver::serializeState(StateArchive& archive) {
  const std::size_t count = archive.count("shares", shares_.size());
  if (count > mostShares) archive.refuse("IslandSolver has " + std::to_string(mostShares) + " shares at most.");
  if (archive.restores()) shares_.clear();
  while (shares_.size() < count) shares_.push_back(std::make_unique<Share>(solvedShare * options_.tolerance));
  for (const std::unique_ptr<Share>& share : shares_) share->solver.serializeState(archive);
}

}  // namespace delassus::numerics
