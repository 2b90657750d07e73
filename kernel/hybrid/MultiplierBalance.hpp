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
/// Several ξ may have that margin. The shortest of them is a continuous function of the data and does not depend on the
/// order of the unknowns.
///
/// A linear program, with a small square of the length added for the shortest, which does not change where the optimum
/// is a corner (Mangasarian and Meyer, SIAM J. Control Optim. 17, 1979), solved as the complementarity problem of its
/// optimality conditions. Allocates.
class MultiplierBalance {
 public:
  /// Σ coefficients[k] ξ(unknowns[k]) + constant ≥ 0.
  struct Margin {
    std::array<std::size_t, 3> unknowns = {0, 0, 0};    ///< of ξ
    std::array<double, 3> coefficients = {1., 0., 0.};  ///< 0: the unknown does not count
    double constant = 0.;                               ///< d
  };

  MultiplierBalance();

  /// ξ is a solution, and is replaced: by the `shortest`, or by any with that margin. `nullSpace` is an orthonormal
  /// basis of the null space of A.
  void apply(const std::vector<Vector>& nullSpace, const std::vector<Margin>& margins, bool shortest, Vector& xi);

  /// The smallest margin of the unknowns to which this one was tied in the last `apply`; −∞ if nothing ties it.
  double level(std::size_t unknown) const { return levels_[unknown]; }

  /// Saves or restores what the solver remembers.
  void serializeState(StateArchive& archive) { solver_.serializeState(archive); }

 private:
  std::vector<std::size_t> tiedTo(std::size_t first, std::vector<char>& seen) const;
  void balance(const std::vector<std::size_t>& unknowns, const std::vector<Margin>& margins, bool shortest, Vector& xi);

  Matrix projector_;  // on the null space
  std::vector<double> levels_;
  numerics::AutomaticMlcpSolver solver_;
};

}  // namespace delassus
