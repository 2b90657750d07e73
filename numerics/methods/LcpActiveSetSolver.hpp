// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <delassus/numerics/OptionFields.hpp>
#include <delassus/numerics/Solver.hpp>
#include <delassus/numerics/algebra/CholeskyFactorization.hpp>
#include <delassus/numerics/algebra/MadeFrom.hpp>
#include <delassus/numerics/problem/Intervals.hpp>
#include <vector>

namespace delassus::numerics {

/// Options of LcpActiveSetSolver.
struct LcpActiveSetOptions {
  DELASSUS_OPTIONS((double, tolerance, 1e-8, range::positive,
                    "for the certificate; the answer itself is exact to rounding"),
                   (std::size_t, maxIterations, 0, range::notNegative, "unknowns freed; 0: 100 + 20 n"))
};

/// The exact method for symmetric positive semidefinite M, of any rank: redundant constraints (a table on four legs,
/// duplicate contacts) and problems without solution included.
///
/// The LCP is the optimality condition of min ½ zᵀMz + qᵀz over z ≥ 0. The free set F keeps M_FF definite and z its
/// minimiser. The index with the most negative w_i/√M_ii is raised, z_F following, until w_i = 0 (it joins F) or a z_j
/// of F is 0 (j leaves, and i goes on). The objective falls with every index that joins, so that no F returns and the
/// method is finite without any assumption on degeneracy. If nothing stops the raise, the direction is one of M y = 0,
/// y ≥ 0, qᵀy < 0: a proof that there is no solution, reported as `infeasible` after it is checked on the data.
///
/// Cost O(|F|²) plus a product with M per change of F, on a dense copy; the factor is updated, not remade. Warm starts
/// from z. An M that is not symmetric or has negative curvature is `unsupported`. (van de Panne and Whinston,
/// Econometrica 37, 1969; Cottle, Pang, Stone, 1992, section 4.2; Lawson and Hanson, Solving Least Squares Problems,
/// 1974, chapter 23.)
class LcpActiveSetSolver final : public WithOptions<Solver<ProblemOverSets>, LcpActiveSetOptions> {
 public:
  /// Throws Error on options out of range.
  explicit LcpActiveSetSolver(LcpActiveSetOptions options = {});

  std::string_view name() const override { return "LcpActiveSetSolver"; }
  /// After `infeasible`: the proof y of sets/Infeasibility.hpp.
  const Vector& ray() const { return ray_; }

 private:
  enum class Raise { joined, ray, indefinite };

  Outcome compute(const ProblemOverSets& problem, Vector& z) override;
  void warmStart(const BoxView& view, Vector& z);
  void moveToMinimiser(const BoxView& view, Vector& z);
  void refine(const BoxView& view, Vector& z);
  Raise raise(const BoxView& view, std::size_t index, Vector& z);
  void leave(std::size_t position, Vector& z);
  void computeW(const BoxView& view, const Vector& z);
  std::size_t mostNegative(const BoxView& view, const Vector& z) const;
  void gather(const BoxView& view, std::size_t index);

  DenseBox dense_;
  MadeFrom<std::uint64_t> symmetric_;  // the matrix of that stamp
  UpdatableCholesky factor_;
  std::vector<std::size_t> free_;  // F, in the order of the factor
  std::vector<char> isFree_;
  std::vector<char> passed_;  // not to be raised: a direction that rounding made
  std::vector<double> column_, direction_;
  Vector w_, ray_;
};

}  // namespace delassus::numerics
