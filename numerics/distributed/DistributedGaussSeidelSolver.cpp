// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/distributed/DistributedGaussSeidelSolver.hpp>

#include <algorithm>
#include <delassus/numerics/algebra/Products.hpp>
#include <utility>

namespace delassus::distributed {

using numerics::FrictionContactProblem;

DistributedGaussSeidelSolver::DistributedGaussSeidelSolver(std::shared_ptr<const DistributedDelassus> W,
                                                           DistributedGaussSeidelOptions options)
    : GaussSeidelSolver("DistributedGaussSeidelSolver", options), W_(std::move(W)), contacts_(nullptr) {
  if (!W_) throw Error("DistributedGaussSeidelSolver", "the operator is null.");
}

void DistributedGaussSeidelSolver::takeMatrix(const FrictionContactProblem& problem) {
  const BlockSparseMatrix& local = W_->local();
  const std::size_t n = W_->contacts(), d = W_->dimension();
  BlockSparseMatrix own;
  own.clear();
  for (std::size_t row = 0; row < n; ++row) {
    own.beginRow(d);
    for (std::size_t k = local.rowBegin(row); k < local.rowEnd(row) && local.column(k) < n; ++k) {
      own.addBlock(local.column(k));
    }
  }
  own.finish();
  for (std::size_t row = 0; row < n; ++row) {
    const std::size_t blocks = own.rowEnd(row) - own.rowBegin(row);
    if (blocks > 0) std::copy_n(local.block(local.rowBegin(row)), blocks * d * d, own.block(own.rowBegin(row)));
  }
  own.touch();
  own_ = FrictionContactProblem(d, std::move(own), problem.q(), problem.mu());
  contacts_.prepare(own_);
  atBorder_.clear();
  inside_.clear();
  for (std::uint32_t place = 0; place < n; ++place) {
    const std::size_t contact = contacts_.order()[place], end = local.rowEnd(contact);
    const bool isAtBorder = end > local.rowBegin(contact) && local.column(end - 1) >= n;
    (isAtBorder ? atBorder_ : inside_).push_back(place);
  }
  squares_.resize(n);
  ghosts_.resize(d * W_->ghosts().ghosts().size());
  colourRanks();
}

// In the order of the ranks, each takes the first colour that no neighbour has: all find the same.
void DistributedGaussSeidelSolver::colourRanks() {
  const Ranks& ranks = W_->ranks();
  const std::size_t count = ranks.size();
  std::vector<double> mine(count, 0.);
  for (const GhostExchange::Ghost& ghost : W_->ghosts().ghosts()) mine[ghost.rank] = 1.;
  const std::span<const double> all = ranks.gather(mine);
  const auto touch = [&](std::size_t a, std::size_t b) { return all[a * count + b] + all[b * count + a] > 0.; };
  std::vector<std::size_t> colours(count, 0);
  colours_ = 0;
  for (std::size_t rank = 1; rank < count; ++rank) {
    const auto isTaken = [&](std::size_t colour) {
      for (std::size_t other = 0; other < rank; ++other) {
        if (touch(rank, other) && colours[other] == colour) return true;
      }
      return false;
    };
    while (isTaken(colours[rank])) ++colours[rank];
    colours_ = std::max(colours_, colours[rank] > 0 ? colours[rank] + 1 : 0);
  }
  colour_ = colours[ranks.rank()];
}

DistributedGaussSeidelSolver::Start DistributedGaussSeidelSolver::begin(const FrictionContactProblem& problem,
                                                                        Vector&) {
  if (&problem.W() != W_.get()) return {0, 0., "it takes problems of the operator that it was made for"};
  takenFrom_.renew(W_->stamp(), [&] { takeMatrix(problem); });
  assign(problem.q(), own_.q());
  own_.setFriction(problem.mu());
  double squares = dot(problem.q(), problem.q());
  problem.sum({&squares, 1});
  return {W_->contactsOfAll(), squares};
}

// q of contacts at borders, with what the reactions of other ranks do there.
void DistributedGaussSeidelSolver::takeGhosts(const FrictionContactProblem& problem, const Vector& r) {
  const BlockSparseMatrix& local = W_->local();
  const std::size_t n = W_->contacts(), d = W_->dimension();
  W_->ghosts().bring(data(r), ghosts_.data());
  for (const std::uint32_t place : atBorder_) {
    const std::size_t contact = contacts_.order()[place];
    double* const q = data(own_.q()) + d * contact;
    std::copy_n(data(problem.q()) + d * contact, d, q);
    for (std::size_t k = local.rowEnd(contact); k-- > local.rowBegin(contact) && local.column(k) >= n;) {
      const double* block = local.block(k);
      const double* const reaction = ghosts_.data() + d * (local.column(k) - n);
      for (std::size_t j = 0; j < d; ++j) {
        for (std::size_t i = 0; i < d; ++i) q[i] += *block++ * reaction[j];
      }
    }
  }
}

void DistributedGaussSeidelSolver::visit(const std::vector<std::uint32_t>& places, Vector& r) {
  contacts_.choose(places);
  contacts_.sweep(own_, places, options_.relaxation, squares_.data());
  contacts_.read(r);
}

DistributedGaussSeidelSolver::Sweep DistributedGaussSeidelSolver::sweep(const FrictionContactProblem& problem,
                                                                        Vector& r) {
  if (colours_ == 0) contacts_.begin(own_, r);
  for (std::size_t colour = 0; colour < colours_; ++colour) {
    takeGhosts(problem, r);
    if (colour != colour_) continue;
    contacts_.begin(own_, r);
    visit(atBorder_, r);
  }
  visit(inside_, r);
  double squares = 0.;
  for (const double each : squares_) squares += each;
  problem.sum({&squares, 1});
  return {.squares = squares};
}

}  // namespace delassus::distributed
