// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/hybrid/ContactElement.hpp>
#include <delassus/numerics/choice/AutomaticBoxSolver.hpp>
#include <delassus/numerics/problem/MixedLinearComplementarityProblem.hpp>
#include <string_view>
#include <vector>

namespace delassus {

/// A mixed linear complementarity problem in z that elements put together: λ = L z + λ₀ and, one an unknown,
/// w = R a + C z + c with a = K λ + b.
struct ContactLcpRows {
  /// Of an equation.
  using Kind = numerics::MixedLinearComplementarityProblem::Row;
  /// A coefficient.
  struct Entry {
    std::size_t row;     ///< of λ (shares), or the equation
    std::size_t column;  ///< the unknown, or the row of a (rates)
    double coefficient;  ///< the entry
  };

  std::vector<Kind> kinds;        ///< one an unknown
  std::vector<double> constants;  ///< c
  std::vector<Entry> shares;      ///< L
  std::vector<Entry> rates;       ///< R
  std::vector<Entry> links;       ///< C

  /// Adds an unknown and its equation; returns their number.
  std::size_t add(Kind kind) {
    kinds.push_back(kind);
    constants.push_back(0.);
    return kinds.size() - 1;
  }
  /// Forgets everything.
  void clear();
};

/// The laws of contacts at acceleration level as one mixed linear complementarity problem in z,
///
///     λ = L z + λ₀,   a = K λ + b,
///
/// with these rows and unknowns:
///
/// - equality, and box without bounds: a = 0, λ free;
/// - unilateral: 0 ≤ a ⟂ λ ≥ 0;
/// - contact that slips, λ_T = −s μ λ_N: 0 ≤ a_N ⟂ λ_N ≥ 0;
/// - contact that may stick, in λ_N, the part λ_R = λ_T + μ λ_N the distance to one edge of the cone, and the negative
///   part a⁻ of a_T:
///
///       0 ≤ a_N ⟂ λ_N ≥ 0,   0 ≤ a_T + a⁻ ⟂ λ_R ≥ 0,   0 ≤ 2 μ λ_N − λ_R ⟂ a⁻ ≥ 0;
///
/// - box at rest, λ = l + ζ: 0 ≤ a + a⁻ ⟂ ζ ≥ 0, 0 ≤ u − l − ζ ⟂ a⁻ ≥ 0 (the second for a finite u; from u down where
///   l = −∞); box that slips: a constant.
///
/// Scale the data first, so that K_ii and b are about 1. (Pfeiffer and Glocker, Multibody Dynamics with Unilateral
/// Contacts, 1996; Cottle, Pang, Stone, The Linear Complementarity Problem, 1992.)
class ContactModeLcp {
 public:
  /// How a solve ended.
  struct Outcome {
    bool solved = false;           ///< to the tolerance, certified
    bool impossible = false;       ///< proven that there is no solution
    std::string_view reason = {};  ///< of the solver
  };

  /// `tolerance` of the certificate; up to `enumeratePairs` pairs all bases are tried as a last resort.
  ContactModeLcp(double tolerance, std::size_t enumeratePairs);

  /// λ gets the solver's last iterate in any case.
  Outcome solve(const Matrix& K, const Vector& b, const std::vector<ContactElement>& elements, Vector& lambda);

  /// Saves or restores what the solver remembers.
  void serializeState(StateArchive& archive) { solver_.serializeState(archive); }

 private:
  numerics::MixedLinearComplementarityProblem formulate(const Matrix& K, const Vector& b, const Vector& lambda) const;

  numerics::AutomaticBoxSolver solver_;
  ContactLcpRows rows_;
};

}  // namespace delassus
