// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/algebra/ClearedProduct.hpp>
#include <delassus/numerics/algebra/LUFactorization.hpp>
#include <delassus/numerics/methods/MixedElimination.hpp>
#include <delassus/numerics/problem/LinearComplementarityProblem.hpp>
#include <vector>

namespace delassus::numerics {

/// Eliminates the free unknowns u of a mixed complementarity problem by its equality rows, so that an LCP is left,
///
///     u = −A⁻¹ (C v + a),   0 ≤ (B − D A⁻¹ C) v + b − D A⁻¹ a ⟂ v ≥ 0.
///
/// Where A is singular some rows of v are eliminated with it and change roles (a principal pivot, after which the
/// problem is still an LCP, and still monotone if it was); redundant equality rows are left out, and surplus free
/// unknowns set: see MixedElimination. The unknowns of the LCP are the x of the rows that are kept, then the w of those
/// that change roles. (Cottle, Pang, Stone, 1992, sections 1.5 and 2.3.)
class EqualityReduction {
 public:
  /// Takes M, into that of lcp(); false if the equality rows do not determine the free unknowns.
  bool factor(const MixedView& view);
  /// Takes q, into that of lcp().
  void takeVector(const MixedView& view);

  LinearComplementarityProblem& lcp() { return lcp_; }  ///< the LCP that is left
  /// A start of the LCP at x.
  void start(const Vector& x, Vector& v) const;
  /// x from an answer of the LCP to the q that was taken last; overwrites what that left.
  void expand(const Vector& v, Vector& x);

  /// Whether some equality rows have been left out.
  bool hasRedundant() const { return !elimination_.redundant().empty(); }

 private:
  void respond(const MixedView& view);
  void fillMatrix();
  void fillSums(const MixedView& view);

  MixedElimination elimination_;
  std::vector<std::size_t> swappedPosition_;  // of the x of each row that changes roles in the eliminated columns
  Matrix block_;                              // M_RX, the eliminated rows and columns
  LUFactorization factor_;
  Matrix response_;  // G: x_X = G v + g, X the eliminated columns, v the unknowns of the LCP
  Vector constant_;  // g
  Matrix sums_, rowBlock_;
  ClearedProduct<Matrix> product_;
  LinearComplementarityProblem lcp_;
};

}  // namespace delassus::numerics
