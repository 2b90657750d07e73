// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/methods/IslandSolver.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/Threads.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/problem/GenericMechanicalProblem.hpp>
#include <delassus/numerics/problem/NaturalMapError.hpp>
#include <limits>
#include <utility>

namespace delassus::numerics {
namespace {

// Shares of the work: more than there are threads, so that these end at about the same time.
constexpr std::size_t mostShares = 32;
// An island that is not solved may have this share of the error that its parts are allowed …
constexpr double leftShare = 0.25;
// … and one that is solved has this share of the tolerance, so that the squares of both add up to one at most.
constexpr double solvedShare = 0.96;

// Some parts of another problem, with its norm.
class IslandProblem : public GenericMechanicalProblem {
 public:
  // `local` numbers the parts of the whole in the island.
  void take(const ProblemOverSets& whole, std::span<const std::size_t> parts, const std::vector<std::size_t>& local);

 private:
  void takeMatrix(const BlockSparseMatrix& all, std::span<const std::size_t> parts,
                  const std::vector<std::size_t>& local);
};

void IslandProblem::take(const ProblemOverSets& whole, std::span<const std::size_t> parts,
                         const std::vector<std::size_t>& local) {
  norm_ = whole.norm();
  takeMatrix(whole.matrix(), parts, local);
  const std::size_t rows = matrix().size();
  const bool hasBounds = whole.lower().size() > 0;
  q_.resize(rows, false);
  lower_.resize(rows, false);
  upper_.resize(rows, false);
  parts_.resize(parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::size_t part = parts[i], from = whole.offset(part), to = offset(i), count = whole.rows(part);
    parts_[i] = {whole.sharedSet(part), count};
    std::copy_n(data(whole.q()) + from, count, data(q_) + to);
    if (!hasBounds) continue;
    std::copy_n(data(whole.lower()) + from, count, data(lower_) + to);
    std::copy_n(data(whole.upper()) + from, count, data(upper_) + to);
  }
  if (hasBounds) return;
  std::fill(lower_.begin(), lower_.end(), -std::numeric_limits<double>::infinity());
  std::fill(upper_.begin(), upper_.end(), std::numeric_limits<double>::infinity());
}

void IslandProblem::takeMatrix(const BlockSparseMatrix& all, std::span<const std::size_t> parts,
                               const std::vector<std::size_t>& local) {
  BlockSparseMatrix& W = own();
  W.clear();
  for (const std::size_t part : parts) {
    W.beginRow(all.blockSize(part));
    for (std::size_t k = all.rowBegin(part); k < all.rowEnd(part); ++k) W.addBlock(local[all.column(k)]);
  }
  W.finish();
  std::size_t block = 0;
  for (const std::size_t part : parts) {
    for (std::size_t k = all.rowBegin(part); k < all.rowEnd(part); ++k) {
      std::copy_n(all.block(k), all.blockSize(part) * all.blockSize(all.column(k)), W.block(block++));
    }
  }
  W.touch();
}

}  // namespace

// Islands that one thread solves after each other, with its workspace.
struct IslandSolver::Share {
  explicit Share(std::unique_ptr<SolverOverSets> with) : solver(std::move(with)) {}

  std::unique_ptr<SolverOverSets> solver;
  IslandProblem problem;
  Vector lambda, w;
  SolveReport failed;  // of an island that was not solved, of those one that is proved to have no solution
  std::size_t iterations = 0;

  void take(const ProblemOverSets& whole, std::span<const std::size_t> parts, const std::vector<std::size_t>& local,
            const Vector& start) {
    problem.take(whole, parts, local);
    lambda.resize(problem.size(), false);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      std::copy_n(data(start) + whole.offset(parts[i]), problem.rows(i), data(lambda) + problem.offset(i));
    }
  }
  void give(const ProblemOverSets& whole, std::span<const std::size_t> parts, Vector& answer) const {
    for (std::size_t i = 0; i < parts.size(); ++i) {
      std::copy_n(data(lambda) + problem.offset(i), problem.rows(i), data(answer) + whole.offset(parts[i]));
    }
  }
};

IslandSolver::IslandSolver(MakeSolver make, IslandOptions options)
    : WithOptions("IslandSolver", options), make_(std::move(make)) {
  if (!make_) throw Error("IslandSolver", "the function that makes the solver of an island is empty.");
}

IslandSolver::IslandSolver(IslandSolver&&) noexcept = default;
IslandSolver& IslandSolver::operator=(IslandSolver&&) noexcept = default;
IslandSolver::~IslandSolver() = default;

// One for each island, or cuts them into shares of about as many parts; gives how many there are.
std::size_t IslandSolver::makeShares() {
  const std::size_t n = islands_.partCount();
  cuts_.assign(1, 0);
  for (std::size_t island = 1; island < islands_.count(); ++island) {
    const bool isFull = islands_.partsBefore(island) * mostShares >= cuts_.size() * n;
    if (islands_.count() <= mostShares || isFull) cuts_.push_back(island);
  }
  cuts_.push_back(islands_.count());
  addShares(cuts_.size() - 1);
  return cuts_.size() - 1;
}

void IslandSolver::addShares(std::size_t count) {
  while (shares_.size() < count) {
    std::unique_ptr<SolverOverSets> solver = make_(solvedShare * options_.tolerance);
    if (!solver) throw Error("IslandSolver", "the function that makes the solver of an island gave none.");
    shares_.push_back(std::make_unique<Share>(std::move(solver)));
  }
}

void IslandSolver::solveShare(const ProblemOverSets& problem, std::size_t firstIsland, std::size_t end,
                              double leftOfPart, Share& share, Vector& lambda) {
  share.failed = {};
  share.failed.status = SolveStatus::converged;
  share.iterations = 0;
  share.solver->setMeasure(measure());
  share.solver->setLeniency(leniency());
  for (std::size_t island = firstIsland; island < end; ++island) {
    const std::span<const std::size_t> parts = islands_.parts(island);
    share.take(problem, parts, islands_.local(), lambda);
    const double tolerance = share.solver->tolerance();
    const double size = sizeOfData(share.problem, measure());
    const bool hasData = size >= leastData;  // else the error is absolute
    const double left = leftOfPart * std::sqrt(static_cast<double>(parts.size()));
    double before = errorOf(share.problem, measure(), share.lambda, share.w, tolerance);
    const auto isSolved = [&] { return (hasData && before <= tolerance) || before * (hasData ? size : 1.) <= left; };
    if (isSolved()) continue;
    if (!hasData) {
      setZero(share.lambda);
      before = errorOf(share.problem, measure(), share.lambda, share.w, tolerance);
      share.give(problem, parts, lambda);
      if (isSolved()) continue;
    }
    if (timeIsUp()) {
      if (share.failed.status != SolveStatus::infeasible) share.failed.status = SolveStatus::timeLimit;
      break;
    }
    share.solver->setTimeLimit(remainingTime());
    const SolveReport report = share.solver->solve(share.problem, share.lambda, share.w);
    share.iterations += report.iterations;
    if (report.error < before) share.give(problem, parts, lambda);
    if (!report.converged() && share.failed.status != SolveStatus::infeasible) share.failed = report;
  }
}

// The verdict by those of the shares.
IslandSolver::Outcome IslandSolver::join(const ProblemOverSets& problem, std::size_t shares) const {
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
  return outcome;
}

IslandSolver::Outcome IslandSolver::compute(const ProblemOverSets& problem, Vector& lambda) {
  if (&problem.origin() != &problem && measure() == ErrorMeasure::published) {
    return {SolveStatus::unsupported, 0, "the published measure of the global form does not add up over islands"};
  }
  if (problem.partCount() == 0) return {SolveStatus::unsupported, 0, "the problem has no parts"};
  islands_.find(problem);
  if (islands_.largestShare() > options_.largestIsland) {
    return {SolveStatus::unsupported, 0, "one island has most parts"};
  }
  if (!problem.requireMatrix()) return {SolveStatus::unsupported, 0, ProblemOverSets::whyNoMatrix};
  const double size = sizeOfData(problem, measure());
  if (!std::isfinite(size)) return {SolveStatus::unsupported, 0, "the squares of q add up to more than a number holds"};
  if (observer()) observe(0, certifiedError(problem, lambda));
  const std::size_t shares = makeShares();
  const double leftOfPart =
      leftShare * options_.tolerance * size / std::sqrt(static_cast<double>(islands_.partCount()));
  forEachPart(shares,
              [&](std::size_t k) { solveShare(problem, cuts_[k], cuts_[k + 1], leftOfPart, *shares_[k], lambda); });
  Outcome outcome = join(problem, shares);
  const double error = certifiedError(problem, lambda);
  observe(outcome.iterations, error);
  if (error <= options_.tolerance) {
    outcome = {SolveStatus::converged, outcome.iterations, {}};
    adoptCertificate();
  }
  return outcome;
}

void IslandSolver::serializeState(StateArchive& archive) {
  const std::size_t count = archive.count("shares", shares_.size());
  if (count > mostShares) archive.refuse("IslandSolver has " + std::to_string(mostShares) + " shares at most.");
  if (archive.restores()) shares_.clear();
  addShares(count);
  for (const std::unique_ptr<Share>& share : shares_) share->solver->serializeState(archive);
}

}  // namespace delassus::numerics
