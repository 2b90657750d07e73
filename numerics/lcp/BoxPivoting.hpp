// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <delassus/numerics/Solver.hpp>
#include <delassus/numerics/algebra/MadeFrom.hpp>
#include <delassus/numerics/algebra/PrincipalCholesky.hpp>
#include <delassus/numerics/algebra/PrincipalLU.hpp>
#include <delassus/numerics/lcp/BoxBasis.hpp>
#include <limits>
#include <vector>

namespace delassus::numerics {

/// Block principal pivoting on LCPs and relay problems of size n, dense or sparse, with warm start.
///
/// Each component is at its lower bound, at its upper one, or free with w_i = 0, at first where the natural map of the
/// start puts it (ties count as free: contacts that barely touch usually take part in an impact). M_FF z_F = −q_F −
/// M_FB z_B is solved; then all components that leave the box go to their bounds and all whose w has the wrong sign
/// become free, at once, until there are none. If the number of such components does not fall for `patience`
/// iterations, only the last one changes (Murty's rule), which makes the method finite for every P-matrix, including
/// positive definite ones. With a good start one solve suffices.
///
/// Symmetric M is factored by Cholesky, other M by LU, dense where M is at least a quarter full or F small, sparse
/// otherwise: a column of N beads and a ladder circuit of N stages cost O(N). The factor is kept while neither M (by
/// its stamp) nor F changes. An answer that misses the tolerance by rounding is refined once. A singular M_FF
/// (redundant constraints) ends in `numericalFailure`: give such problems to Lemke's method. A new sparsity pattern
/// allocates, and so does each new sparse LU factor; otherwise nothing does. (Júdice and Pires, Computers & Operations
/// Research 21, 1994; Kostreva, 1978; Murty, 1974.)
template <class Problem>
class BoxPivoting : public Solver<Problem> {
 protected:
  /// That of Solver.
  using Outcome = typename Solver<Problem>::Outcome;

  /// When to stop, and what is factored.
  struct Rules {
    std::size_t maxIterations;   ///< factorisations
    std::size_t patience;        ///< block exchanges without progress before single ones
    bool symmetricOnly = false;  ///< M that is not symmetric is `unsupported`
    bool definiteOnly = false;   ///< symmetric M without a Cholesky factor is not factored by LU
    std::size_t denseSize = std::numeric_limits<std::size_t>::max();  ///< up to which LU takes M that is not sparse
  };

  /// Takes the rules as they are.
  explicit BoxPivoting(const Rules& rules) : rules_(rules) {}

 private:
  using Side = BoxBasis::Side;

  Outcome compute(const Problem& problem, Vector& z) override;
  void guess(const Problem& problem, Vector& z);
  bool factorFree(const Problem& problem);
  void computeStep(const Problem& problem, const Vector& z, bool isZero);
  bool solveFree(const Problem& problem, Vector& z);
  void findViolated(const Problem& problem, const Vector& z);
  void exchange(const Problem& problem, const Vector& z);
  void certify(const Problem& problem, Vector& z);
  Outcome withoutFactor(const Problem& problem, std::size_t iteration) const;

  Rules rules_;
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
