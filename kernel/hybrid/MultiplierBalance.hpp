// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <delassus/numerics/algebra/Matrix.hpp>
#include <delassus/numerics/algebra/Vector.hpp>
#include <delassus/numerics/mlcp/AutomaticMlcpSolver.hpp>
#include <vector>

namespace delassus {

/// Chooses among the solutions ξ of A ξ = c, A square and singular, the one whose smallest margin is largest,
///
///     max t   such that   mᵢᵀ ξ + dᵢ ≥ t,   A ξ = c,
///
/// one such problem for each set of unknowns that the null space of A ties together, with t bounded by the size of ξ
/// (unknowns that brace each other would be unbounded). Contact forces of a table on four legs are such unknowns: a leg
/// may carry no force in one solution although all legs do in others. With this choice the margins reach zero exactly
/// when no solution with admissible contact forces is left.
///
/// A linear program, solved as the complementarity problem of its optimality conditions. Allocates.
class MultiplierBalance {
 public:
  /// Σ coefficients[k] ξ(unknowns[k]) + constant ≥ 0.
  struct Margin {
    std::array<std::size_t, 3> unknowns = {0, 0, 0};    ///< of ξ
    std::array<double, 3> coefficients = {1., 0., 0.};  ///< 0: the unknown does not count
    double constant = 0.;                               ///< d
  };

  /// ξ is a solution, and is replaced. `rankTolerance` is relative to the first pivot.
  void apply(const Matrix& A, double rankTolerance, const std::vector<Margin>& margins, Vector& xi);

  /// Saves or restores what the solver remembers.
  void serializeState(StateArchive& archive) { solver_.serializeState(archive); }

 private:
  void findNullSpace(const Matrix& A, double rankTolerance);
  std::vector<std::size_t> tiedTo(std::size_t first, std::vector<char>& seen) const;
  void balance(const std::vector<std::size_t>& unknowns, const std::vector<Margin>& margins, Vector& xi);

  Matrix projector_;  // on the null space
  numerics::AutomaticMlcpSolver solver_;
};

}  // namespace delassus
