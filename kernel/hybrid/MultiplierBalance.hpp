// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <delassus/kernel/hybrid/MarginProgram.hpp>
#include <delassus/numerics/algebra/Matrix.hpp>
#include <delassus/numerics/algebra/Vector.hpp>
#include <vector>

namespace delassus {

/// Chooses among the solutions ξ of A ξ = c, A square and singular, the one whose smallest margin is largest,
///
///     max t   such that   mᵢᵀ ξ + dᵢ ≥ t,   κ_j ξ_j − |(ξ_{j+1}, ξ_{j+2})| ≥ t,   A ξ = c,
///
/// one such problem for each set of unknowns that the null space of A ties together, with t bounded by the size of ξ
/// (unknowns that brace each other would be unbounded). Contact forces of a table on four legs are such unknowns: a leg
/// may carry no force in one solution although all legs do in others. With this choice the margins reach zero exactly
/// when no solution with admissible contact forces is left.
///
/// Several ξ may have that margin. A small square of the length is subtracted, so that there is one answer, which is a
/// continuous function of the data and does not depend on the order of the unknowns: 1e-6 of it, or 1e-3 for the
/// shortest, which does not change where the optimum is a corner (Mangasarian and Meyer, SIAM J. Control Optim. 17,
/// 1979). MarginProgram solves it. Allocates.
class MultiplierBalance {
 public:
  /// Σ coefficients[k] ξ(unknowns[k]) + constant ≥ 0.
  struct Margin {
    std::array<std::size_t, 2> unknowns = {0, 0};   ///< of ξ
    std::array<double, 2> coefficients = {1., 0.};  ///< 0: the unknown does not count
    double constant = 0.;                           ///< d
  };
  /// coefficients[0] ξ(first) − |(coefficients[1] ξ(first + 1), coefficients[2] ξ(first + 2))| ≥ 0.
  struct Cone {
    std::size_t first = 0;                              ///< unknown of ξ
    std::array<double, 3> coefficients = {1., 1., 1.};  ///< positive
  };

  /// ξ is a solution, and is replaced: by the `shortest`, or by any with that margin. `nullSpace` is an orthonormal
  /// basis of the null space of A.
  void apply(const std::vector<Vector>& nullSpace, const std::vector<Margin>& margins, const std::vector<Cone>& cones,
             bool shortest, Vector& xi);

 private:
  void findTied(std::size_t first);
  bool isOwn(std::size_t unknown) const;
  void addTerm(double coefficient, std::size_t unknown, const Vector& xi, double* row) const;
  void balance(const std::vector<Margin>& margins, const std::vector<Cone>& cones, bool shortest, Vector& xi);

  Matrix projector_;  // on the null space
  std::vector<char> seen_;
  std::vector<std::size_t> unknowns_;  // tied together
  std::vector<Vector> basis_;          // of their part of the null space
  MarginProgram program_;
};

}  // namespace delassus
