// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/friction/ColouredGaussSeidelSolver.hpp>

#include <algorithm>
#include <barrier>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <exception>
#include <functional>
#include <limits>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

namespace delassus::numerics {

// Threads that make the passes of a sweep together, each on its share, and wait for each other after every pass.
class ColouredGaussSeidelSolver::Team {
 public:
  // pass(share, number of the pass)
  using Pass = std::function<void(std::size_t, std::size_t)>;

  Team(std::size_t threads, std::size_t passes, Pass pass)
      : pass_(std::move(pass)), passes_(passes), gate_(static_cast<std::ptrdiff_t>(threads)), thrown_(threads) {
    helpers_.reserve(threads - 1);
    try {
      for (std::size_t share = 1; share < threads; ++share) helpers_.emplace_back([this, share] { help(share); });
    } catch (const std::system_error&) {
      for (std::size_t missing = helpers_.size() + 1; missing < threads; ++missing) gate_.arrive_and_drop();
      end();
      throw Error("ColouredGaussSeidelSolver",
                  "the system does not start " + std::to_string(threads) + " threads; ask for fewer.");
    }
  }
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;
  ~Team() {
    if (!isOver_) end();
  }

  // All passes. Throws what a pass has thrown.
  void run() {
    gate_.arrive_and_wait();
    makePasses(0);
    for (const std::exception_ptr& error : thrown_) {
      if (error) std::rethrow_exception(error);
    }
  }

 private:
  void help(std::size_t share) {
    for (;;) {
      gate_.arrive_and_wait();
      if (isOver_) return;
      makePasses(share);
    }
  }

  // An exception is held until the others have ended, too.
  void makePasses(std::size_t share) {
    for (std::size_t k = 0; k < passes_; ++k) {
      try {
        if (!thrown_[share]) pass_(share, k);
      } catch (...) {
        thrown_[share] = std::current_exception();
      }
      gate_.arrive_and_wait();
    }
  }

  void end() {
    isOver_ = true;
    gate_.arrive_and_wait();
    for (std::thread& helper : helpers_) helper.join();
  }

  Pass pass_;
  std::size_t passes_;
  std::barrier<> gate_;
  std::vector<std::exception_ptr> thrown_;
  bool isOver_ = false;  // written while the helpers wait at the gate
  std::vector<std::thread> helpers_;
};

OptionFields ColouredGaussSeidelOptions::fields() {
  OptionFields all = NonsmoothGaussSeidelOptions::fields();
  all.push_back({"threads", &threads, range::positive, "the caller's among them"});
  return all;
}

ColouredGaussSeidelSolver::ColouredGaussSeidelSolver(ColouredGaussSeidelOptions options,
                                                     std::shared_ptr<const OneContactSolver> local)
    : GaussSeidelSolver("ColouredGaussSeidelSolver", options), contacts_(std::move(local)) {
}

void ColouredGaussSeidelSolver::colour(const FrictionContactProblem& problem, const BlockSparseMatrix& W) {
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
  moved_.assign(n, 0.);
}

void ColouredGaussSeidelSolver::sweepShare(const FrictionContactProblem& problem, std::size_t colour, std::size_t share,
                                           Vector& unknown) {
  const std::size_t first = colourStarts_[colour];
  const std::size_t count = colourStarts_[colour + 1] - first;
  const std::size_t end = first + count * (share + 1) / options_.threads;
  const std::size_t begin = first + count * share / options_.threads;
  contacts_.sweep(problem, std::span(order_).subspan(begin, end - begin), relaxation(), unknown, moved_.data());
}

ColouredGaussSeidelSolver::Start ColouredGaussSeidelSolver::begin(const FrictionContactProblem& problem, Vector& r) {
  begun_ = &problem;
  contacts_.begin(problem, r);
  return {problem.contacts(), dot(problem.q(), problem.q())};
}

ColouredGaussSeidelSolver::Sweep ColouredGaussSeidelSolver::sweep(const FrictionContactProblem&, Vector&) {
  team_->run();
  // In the order of the contacts, so that it does not depend on the threads.
  double squares = 0.;
  for (const double moved : moved_) squares += moved;
  return {squares};
}

ColouredGaussSeidelSolver::Outcome ColouredGaussSeidelSolver::compute(const FrictionContactProblem& problem,
                                                                      Vector& r) {
  if (!problem.requireMatrix()) return {SolveStatus::unsupported, 0, problem.whyNoMatrix};
  if (!contacts_.has(problem)) {
    colour(problem, problem.matrix());
    contacts_.prepare(problem);
  }
  Team team(options_.threads, colourStarts_.size() - 1,
            [&](std::size_t share, std::size_t colour) { sweepShare(problem, colour, share, r); });
  team_ = &team;
  return GaussSeidelSolver::compute(problem, r);
}

}  // namespace delassus::numerics
