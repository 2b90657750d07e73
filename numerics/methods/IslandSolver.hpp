// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/OptionFields.hpp>
#include <delassus/numerics/methods/SolverOverSets.hpp>
#include <delassus/numerics/problem/FrictionContactProblem.hpp>
#include <memory>
#include <vector>

namespace delassus::numerics {

/// Options of IslandSolver.
struct IslandOptions {
  double tolerance = 1e-8;    ///< for the certificate of all contacts together
  double largestIsland = 1.;  ///< part of all contacts that one island may have; with more it is `unsupported`

  /// Names, ranges and meanings of all members.
  OptionFields fields() {
    return {{"tolerance", &tolerance, range::positive, "for the certificate"},
            {"largestIsland", &largestIsland, range::positive, "part of all contacts that one island may have"}};
  }
};

/// Solves islands, groups of contacts that W does not couple, one by one: each with its own problem and
/// AutomaticFrictionSolver, so that factorisations have the size of an island, and one that is hard costs what it has.
/// Islands are shared among threads in parts that do not depend on their number, and so are the answers.
///
/// Islands stay as they are whose natural map is a small part of what is allowed to their contacts. Others are solved
/// to nearly the tolerance, relative to their own q, so that all together meet it: the squares of the natural map and
/// of q add up. If an island is proved to have no solution, there is none. `unsupported` where W cannot be made a
/// matrix, one island has most contacts (`largestIsland`), by which nothing is won, or the error measure counts
/// energies (ResidualNorm). Warm starts from r. The observer is called at the beginning and at the end.
class IslandSolver final : public WithOptions<Solver<FrictionContactProblem>, IslandOptions> {
 public:
  /// Throws Error on options out of range.
  explicit IslandSolver(IslandOptions options = {});
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

  Outcome compute(const FrictionContactProblem& problem, Vector& r) override;
  void findIslands(const FrictionContactProblem& problem);
  std::size_t largestIsland() const;
  std::size_t makeShares();
  void solveShare(const FrictionContactProblem& problem, std::size_t firstIsland, std::size_t end, Share& share,
                  Vector& r);
  std::span<const std::size_t> contactsOf(std::size_t island) const;

  std::vector<std::size_t> islandOf_;  // contact
  std::vector<std::size_t> begins_;    // of islands in contacts_, and the end
  std::vector<std::size_t> contacts_;  // by islands
  std::vector<std::size_t> local_;     // number of each contact in its island
  std::vector<std::size_t> cuts_;      // first islands of shares, and the end
  std::vector<std::unique_ptr<Share>> shares_;
};

}  // namespace delassus::numerics
