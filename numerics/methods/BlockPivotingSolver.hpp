// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <delassus/numerics/OptionFields.hpp>
#include <delassus/numerics/Solver.hpp>
#include <delassus/numerics/algebra/MadeFrom.hpp>
#include <delassus/numerics/algebra/PrincipalFactor.hpp>
#include <delassus/numerics/methods/BoxBasis.hpp>
#include <delassus/numerics/problem/Intervals.hpp>
#include <vector>

namespace delassus::numerics {

/// Options of BlockPivotingSolver.
struct BlockPivotingOptions {
  DELASSUS_OPTIONS((double, tolerance, 1e-8, range::positive,
                    "for the certificate; the answer itself is exact to rounding"),
                   (std::size_t, maxIterations, 1000, range::positive, "factorisations; 2 to 10 are usual"),
                   (std::size_t, patience, 10, range::notNegative,
                    "block exchanges without progress before single ones"),
                   (bool, symmetricOnly, false, range::any, "refuse an M that is not symmetric"),
                   (bool, definiteOnly, false, range::any, "do not factor a symmetric M that is not definite by LU"),
                   (std::size_t, denseSize, 4000, range::notNegative,
                    "up to this size an M that is not sparse is copied if it has no Cholesky factor"))

  /// For symmetric positive definite M alone: what another method is to solve ends soon.
  static constexpr BlockPivotingOptions ofDefinite(double tolerance = 1e-8) {
    return {.tolerance = tolerance, .symmetricOnly = true, .definiteOnly = true};
  }
};

/// Block principal pivoting on problems over intervals, of size n, dense or sparse, with warm start.
///
/// Each component is at its lower bound, at its upper one, or free with w_i = 0, at first where the natural map of the
/// start puts it (ties count as free: contacts that barely touch usually take part in an impact). M_FF z_F = −q_F −
/// M_FB z_B is solved; then all components that leave the box go to their bounds and all whose w has the wrong sign
/// become free, at once, until there are none. If the number of such components does not fall for `patience`
/// iterations, only the last one changes (Murty's rule), which makes the method finite for every P-matrix, including
/// positive definite ones. With a good start one solve suffices.
///
/// Symmetric M is factored by Cholesky, or by LU where it is not definite; other M by LU, dense where M is at least a
/// quarter full or F small, sparse otherwise: a column of N beads and a ladder circuit of N stages cost O(N). The
/// factor is kept while neither M (by its stamp) nor F changes. An answer that misses the tolerance by rounding is
/// refined once. A singular M_FF (redundant constraints) ends in `numericalFailure`: give such problems to Lemke's
/// method. A new sparsity pattern allocates, and so does each new sparse LU factor; otherwise nothing does. (Júdice and
/// Pires, Computers & Operations Research 21, 1994; Kostreva, 1978; Murty, 1974.)
class BlockPivotingSolver final : public WithOptions<Solver<ProblemOverSets>, BlockPivotingOptions> {
 public:
  /// Throws Error on options out of range.
  explicit BlockPivotingSolver(BlockPivotingOptions options = {}) : WithOptions("BlockPivotingSolver", options) {}

  std::string_view name() const override { return "BlockPivotingSolver"; }

 private:
  using Side = BoxBasis::Side;

  Outcome compute(const ProblemOverSets& problem, Vector& z) override;
  // Bounds are those of an LCP, or any.
  template <class Bounds>
  Outcome search(const ProblemOverSets& problem, const Bounds& bounds, Vector& z);
  template <class Bounds>
  void guess(const ProblemOverSets& problem, const Bounds& bounds, Vector& z);
  bool factorFree(const ProblemOverSets& problem);
  void computeStep(const ProblemOverSets& problem, const Vector& z, bool isZero);
  template <class Bounds>
  bool solveFree(const ProblemOverSets& problem, const Bounds& bounds, Vector& z);
  template <class Bounds>
  void findViolated(const ProblemOverSets& problem, const Bounds& bounds, const Vector& z);
  template <class Bounds>
  void exchange(const Bounds& bounds, const Vector& z);
  template <class Bounds>
  void certify(const ProblemOverSets& problem, const Bounds& bounds, Vector& z);
  Outcome withoutFactor(const ProblemOverSets& problem, std::size_t iteration) const;

  Intervals intervals_;
  MadeFrom<std::uint64_t> symmetricFrom_;
  bool symmetric_ = false;
  bool usesCholesky_ = false;
  PrincipalCholesky cholesky_;
  PrincipalLU lu_;
  std::vector<Side> sides_;
  std::vector<char> isFree_;
  bool hasFree_ = false;
  std::vector<std::size_t> violated_;
  std::size_t fewest_ = 0;    // components that were violated at once, so far
  std::size_t patience_ = 0;  // that is left
  Vector w_, step_, diagonal_, refined_;
};

}  // namespace delassus::numerics
