// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/friction/ColouredGaussSeidelSolver.hpp>

#include <algorithm>
#include <array>
#include <barrier>
#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/friction/ContactScales.hpp>
#include <delassus/numerics/friction/ContactUpdate.hpp>
#include <delassus/numerics/friction/HybridOneContactSolver.hpp>
#include <exception>
#include <latch>
#include <limits>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

namespace delassus::numerics {

ColouredGaussSeidelSolver::ColouredGaussSeidelSolver(ColouredGaussSeidelOptions options,
                                                     std::shared_ptr<const OneContactSolver> local)
    : WithOptions("ColouredGaussSeidelSolver", options), local_(std::move(local)) {
  if (!local_) local_ = std::make_shared<HybridOneContactSolver>();
}

void ColouredGaussSeidelSolver::colour(const FrictionContactProblem& problem, const BlockSparseMatrix& W) {
  // The sweep refers to the operator itself; a copy has the same stamp.
  if (problem.stamp() == colouredStamp_ && sweepOf_ == &problem.W()) return;
  sweepOf_ = &problem.W();
  const std::size_t n = problem.contacts();
  std::vector<std::size_t> colours(n, std::numeric_limits<std::size_t>::max());
  std::vector<std::size_t> takenBy;  // the last contact that found this colour among its neighbours
  for (std::size_t contact = 0; contact < n; ++contact) {
    for (std::size_t k = W.rowBegin(contact); k < W.rowEnd(contact); ++k) {
      const std::size_t neighbour = colours[W.column(k)];
      if (neighbour < takenBy.size()) takenBy[neighbour] = contact + 1;
    }
    const auto unused = std::find_if(takenBy.begin(), takenBy.end(), [&](std::size_t by) { return by != contact + 1; });
    colours[contact] = static_cast<std::size_t>(unused - takenBy.begin());
    if (unused == takenBy.end()) takenBy.push_back(0);
  }
  order_.resize(n);
  for (std::size_t contact = 0; contact < n; ++contact) order_[contact] = contact;
  std::stable_sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) { return colours[a] < colours[b]; });
  colourStarts_.assign(takenBy.size() + 1, 0);
  for (const std::size_t colour : colours) ++colourStarts_[colour + 1];
  for (std::size_t c = 0; c < takenBy.size(); ++c) colourStarts_[c + 1] += colourStarts_[c];

  sweep_ = problem.W().sweep();
  const std::size_t entries = problem.dimension() * problem.dimension();
  blocks_.resize(entries * n);
  for (std::size_t contact = 0; contact < n; ++contact) {
    problem.W().diagonalBlock(contact, blocks_.data() + entries * contact);
  }
  contactScales(problem, scales_);
  moved_.assign(n, 0.);
  colouredStamp_ = problem.stamp();
}

void ColouredGaussSeidelSolver::sweepShare(const FrictionContactProblem& problem, std::size_t colour,
                                           std::size_t share) {
  const std::size_t d = problem.dimension();
  const std::size_t first = colourStarts_[colour];
  const std::size_t count = colourStarts_[colour + 1] - first;
  const std::size_t begin = first + count * share / options_.threads;
  const std::size_t end = first + count * (share + 1) / options_.threads;
  std::array<double, 3> u{}, change{};
  for (std::size_t place = begin; place < end; ++place) {
    const std::size_t contact = order_[place];
    double* const r = data(*r_) + d * contact;
    sweep_->velocity(contact, u.data());
    for (std::size_t i = 0; i < d; ++i) u[i] += problem.q()(d * contact + i);
    updateContact(*local_, d, blocks_.data() + d * d * contact, problem.mu()(contact), 1., u.data(), r, change.data());
    double squares = 0.;
    for (std::size_t i = 0; i < d; ++i) {
      r[i] += change[i];
      squares += change[i] * change[i];
    }
    sweep_->add(contact, change.data());
    moved_[contact] = scales_[contact] * scales_[contact] * squares;
  }
}

// In the order of the contacts, so that it does not depend on the threads.
double ColouredGaussSeidelSolver::change() const {
  double squares = 0.;
  for (const double moved : moved_) squares += moved;
  return std::sqrt(squares);
}

// True when the sweeps must end; `outcome` then says why.
bool ColouredGaussSeidelSolver::afterSweep(const FrictionContactProblem& problem, std::size_t iteration,
                                           Outcome& outcome) {
  const double norm = norm2(problem.q());
  const double moved = change() / (norm > 0. ? norm : 1.);
  observe(iteration, moved);
  const bool last = iteration == options_.maxIterations;
  const bool look = moved <= options_.tolerance || iteration % options_.errorInterval == 0 || last;
  if (look && certifiedError(problem, *r_) <= options_.tolerance) {
    outcome = {SolveStatus::converged, iteration, {}};
    return true;
  }
  if (timeIsUp()) {
    outcome = {SolveStatus::timeLimit, iteration, {}};
    return true;
  }
  return last;
}

ColouredGaussSeidelSolver::Outcome ColouredGaussSeidelSolver::compute(const FrictionContactProblem& problem,
                                                                      Vector& r) {
  const BlockSparseMatrix* const W = problem.W().matrix();
  if (W == nullptr) return {SolveStatus::unsupported, 0, "it needs W as a matrix"};
  if (problem.contacts() == 0) return {SolveStatus::converged, 0, {}};
  colour(problem, *W);
  sweep_->begin(data(r));
  r_ = &r;
  Outcome outcome{SolveStatus::iterationLimit, options_.maxIterations, {}};
  bool ended = false;  // written by the first thread, between two gates that keep the others from reading it
  std::vector<std::exception_ptr> thrown(options_.threads);
  std::latch start(1);
  std::barrier gate(static_cast<std::ptrdiff_t>(options_.threads));
  // Exceptions are held until all threads have ended.
  const auto guarded = [&](std::size_t share, const auto& work) {
    try {
      if (!thrown[share]) work();
    } catch (...) {
      thrown[share] = std::current_exception();
    }
  };
  const auto sweeps = [&](std::size_t share) {
    for (std::size_t iteration = 1; !ended; ++iteration) {
      for (std::size_t c = 0; c + 1 < colourStarts_.size(); ++c) {
        guarded(share, [&] { sweepShare(problem, c, share); });
        gate.arrive_and_wait();
      }
      if (share == 0) {
        guarded(0, [&] { ended = afterSweep(problem, iteration, outcome); });
        for (const std::exception_ptr& error : thrown) ended = ended || error;
      }
      gate.arrive_and_wait();
    }
  };
  std::vector<std::thread> helpers;
  bool allStarted = true;
  try {
    for (std::size_t share = 1; share < options_.threads; ++share) {
      helpers.emplace_back([&, share] {
        start.wait();
        if (allStarted) sweeps(share);
      });
    }
  } catch (const std::system_error&) {
    allStarted = false;
  }
  start.count_down();
  if (allStarted) sweeps(0);
  for (std::thread& helper : helpers) helper.join();
  if (!allStarted) {
    throw Error("ColouredGaussSeidelSolver",
                "the system does not start " + std::to_string(options_.threads) + " threads; ask for fewer.");
  }
  for (const std::exception_ptr& error : thrown) {
    if (error) std::rethrow_exception(error);
  }
  return outcome;
}

}  // namespace delassus::numerics
