// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/algebra/MadeFrom.hpp>
#include <delassus/numerics/distributed/DistributedDelassus.hpp>
#include <delassus/numerics/methods/ContactSweep.hpp>
#include <delassus/numerics/methods/NonsmoothGaussSeidelSolver.hpp>
#include <memory>
#include <vector>

namespace delassus::distributed {

/// Options of DistributedGaussSeidelSolver.
struct DistributedGaussSeidelOptions : numerics::NonsmoothGaussSeidelOptions {
  /// With momentum, and a check every 60 sweeps: sums over all ranks take time.
  DistributedGaussSeidelOptions() {
    momentum = true;
    maxIterations = 50000;
    errorInterval = 60;
  }
};

/// Nonsmooth Gauss–Seidel over ranks, in an order that is one of Gauss–Seidel as a whole: ranks are coloured so that
/// those which share a border have different colours. In a sweep the ranks of one colour after another solve their
/// contacts at borders, with the reactions that the others have just sent; then all solve their inner contacts at the
/// same time. So the number of sweeps hardly depends on that of the ranks, and no contact moves while one that W
/// couples with it does. A sweep takes as many exchanges with neighbours as there are colours, and one sum over all
/// ranks.
///
/// Takes problems with a DistributedDelassus. Starts from r, this rank's part. On one rank the answers are those of
/// NonsmoothGaussSeidelSolver, but for groups at rest, which it does not leave out.
class DistributedGaussSeidelSolver final : public numerics::GaussSeidelSolver<numerics::FrictionContactProblem> {
 public:
  /// `W`: the operator of the problems that it will be given. Throws Error on options out of range.
  explicit DistributedGaussSeidelSolver(std::shared_ptr<const DistributedDelassus> W,
                                        DistributedGaussSeidelOptions options = {});

  std::string_view name() const override { return "DistributedGaussSeidelSolver"; }

  std::size_t colours() const { return colours_; }  ///< of ranks; known after a solve

 private:
  Start begin(const numerics::FrictionContactProblem& problem, Vector& r) override;
  Sweep sweep(const numerics::FrictionContactProblem& problem, Vector& r) override;

  void takeMatrix(const numerics::FrictionContactProblem& problem);
  void colourRanks();
  void takeGhosts(const numerics::FrictionContactProblem& problem, const Vector& r);
  void visit(const std::vector<std::uint32_t>& places, Vector& r);

  std::shared_ptr<const DistributedDelassus> W_;
  numerics::FrictionContactProblem own_;  // of this rank's contacts alone; the others are in its q
  numerics::ContactSweep contacts_;
  MadeFrom<std::uint64_t> takenFrom_;
  std::size_t colour_ = 0, colours_ = 0;
  std::vector<std::uint32_t> atBorder_, inside_;  // places of contacts in sweeps
  std::vector<double> ghosts_, squares_;
};

}  // namespace delassus::distributed
