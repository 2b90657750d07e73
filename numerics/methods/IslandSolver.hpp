// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/OptionFields.hpp>
#include <delassus/numerics/methods/SolverOverSets.hpp>
#include <delassus/numerics/problem/IndependentGroups.hpp>
#include <functional>
#include <memory>
#include <vector>

namespace delassus::numerics {

/// Options of IslandSolver.
struct IslandOptions {
  DELASSUS_OPTIONS((double, tolerance, 1e-8, range::positive, "for the certificate of all parts together"),
                   (double, largestIsland, 1., range::positive,
                    "share of all parts that one island may have; with more the problem is refused"))
};

/// Solves islands, groups of parts that W does not couple, one by one: each is a problem of its own, with a solver of
/// its own or one that it shares with others, so that factorisations have the size of an island, and one that is hard
/// costs what it has. Islands are shared among threads in parts that do not depend on their number, and so are the
/// answers. Where they are few each keeps its solver, with what that remembers, from solve to solve.
///
/// Islands stay as they are whose natural map is a small part of what is allowed to their parts. Others are solved to
/// nearly the tolerance, relative to their own q, so that all together meet it: the squares of the natural map and of
/// q add up. If an island is proved to have no solution, there is none. `unsupported` where W cannot be made a matrix,
/// or one island has most parts (`largestIsland`), by which nothing is won. Warm starts from λ. The observer is called
/// at the beginning and at the end.
class IslandSolver final : public WithOptions<Solver<ProblemOverSets>, IslandOptions> {
 public:
  /// Makes the solver of an island, for this tolerance. A solve throws Error where it gives none.
  using MakeSolver = std::function<std::unique_ptr<SolverOverSets>(double tolerance)>;

  /// Throws Error on options out of range, or without `make`.
  explicit IslandSolver(MakeSolver make, IslandOptions options = {});
  /// A copy would need one of each solver.
  ///@{
  IslandSolver(IslandSolver&&) noexcept;
  IslandSolver& operator=(IslandSolver&&) noexcept;
  ///@}
  ~IslandSolver() override;

  std::string_view name() const override { return "IslandSolver"; }
  void serializeState(StateArchive& archive) override;

 private:
  struct Share;

  Outcome compute(const ProblemOverSets& problem, Vector& lambda) override;
  std::size_t makeShares();
  void addShares(std::size_t count);
  void solveShare(const ProblemOverSets& problem, std::size_t firstIsland, std::size_t end, double leftOfPart,
                  Share& share, Vector& lambda);
  Outcome join(const ProblemOverSets& problem, std::size_t shares) const;

  MakeSolver make_;
  IndependentGroups islands_;
  std::vector<std::size_t> cuts_;  // first islands of shares, and the end
  std::vector<std::unique_ptr<Share>> shares_;
};

}  // namespace delassus::numerics
