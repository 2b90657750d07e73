// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/kernel/hybrid/ContactElement.hpp>
#include <delassus/kernel/hybrid/ContactModeLcp.hpp>
#include <delassus/kernel/hybrid/ContactModeSystem.hpp>
#include <limits>
#include <string>
#include <vector>

namespace delassus {

/// Options of ContactModeProblem.
struct ContactModeOptions {
  /// What counts as zero, relative to Σ |K_ij λ_j| + |b_i| of the row and of the rows that are coupled to it.
  double tolerance = 1e-9;
  std::size_t enumeratePairs = 16;  ///< complementarity pairs up to which all modes are tried as a last resort
};

/// Answer of ContactModeProblem.
struct ContactDecision {
  /// How the modes were found.
  enum class Status {
    kept,        ///< the proposed modes meet all laws
    changed,     ///< other modes meet all laws
    impossible,  ///< there is no solution: `reason`
    notFound     ///< none was found, without a proof that none exists
  };
  /// No element.
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

  Status status = Status::notFound;     ///< how the modes were found
  std::vector<ContactMode> modes;       ///< one an element
  std::vector<SlipDirection> headings;  ///< of slips, one an element
  Vector lambda;                        ///< λ, one a row
  Vector a;                             ///< K λ + b, one a row
  /// The largest residual of a row in the natural map of the laws, computed from K, b and λ alone; it is relative in
  /// the same way as `tolerance`.
  double residual = 0.;
  std::string reason;  ///< one clause, where there is no solution
  /// A slipping contact with K_NN − s μ K_NT ≤ 0, equalities eliminated (Painlevé): there may be no solution, or more
  /// than one, of which the proposed one is taken if it is a solution. `none` if there is none.
  std::size_t paradox = none;

  /// True if modes, λ and a meet all laws to the tolerance.
  bool found() const { return status == Status::kept || status == Status::changed; }
};

/// Decides, at an instant at which contacts touch with zero normal velocity, which stay closed, which of those with
/// friction stick or slip and which way, from the laws at acceleration level,
///
///     a = K λ + b,   K = G M⁻¹ Gᵀ symmetric positive semidefinite, of any rank:
///
/// - equality: a = 0;
/// - unilateral: 0 ≤ a ⟂ λ ≥ 0;
/// - contact that slips with sign s: 0 ≤ a_N ⟂ λ_N ≥ 0, λ_T = −s μ λ_N;
/// - contact with u_T = 0: 0 ≤ a_N ⟂ λ_N ≥ 0, |λ_T| ≤ μ λ_N, and λ_T = −μ λ_N if a_T > 0, μ λ_N if a_T < 0;
/// - the same in 3D, with λ_T = −μ λ_N u_T/|u_T| where it slips and |λ_T| ≤ μ λ_N, λ_T = −μ λ_N a_T/|a_T| for a_T ≠ 0
///   where u_T = 0;
/// - box that slips: λ = l for u > 0, λ = u for u < 0; at rest: −a ∈ N_[l,u](λ).
///
/// The modes that the elements propose are tried first. If they meet the laws to the tolerance they are the answer, and
/// no complementarity problem is solved. An event thus determines what ends at it: at a root of λ_N both λ_N and a_N
/// are zero, and the laws alone would leave it to rounding whether the contact opens. Otherwise ContactModeLcp is
/// solved, its answer read as modes (in a tie as proposed, otherwise held rather than slipping rather than open), and
/// these solved once more. Without friction a is unique, and so is λ where K is regular; with friction and large μ
/// there may be no solution or several. Where rows depend on each other λ is balanced (ContactModeSystem::balance).
///
/// Rows are equilibrated by K_ii, so that units of the rows change nothing. (Pfeiffer and Glocker, Multibody Dynamics
/// with Unilateral Contacts, 1996, chapter 5; Génot and Brogliato, Eur. J. Mech. A/Solids 18, 1999, on Painlevé.)
class ContactModeProblem {
 public:
  /// Throws Error unless the tolerance is in (0, 1e-3].
  explicit ContactModeProblem(ContactModeOptions options = {});

  /// `magnitudes`, if not empty, are those of the terms of b, which may cancel: values that are small against them
  /// count as zero. The decision holds until the next call. Throws Error if sizes do not fit, a number is not finite, μ
  /// < 0, l > u, rows of two elements overlap, or a box slips towards an infinite bound.
  const ContactDecision& solve(const Matrix& K, const Vector& b, const std::vector<ContactElement>& elements,
                               const Vector& magnitudes = Vector());

  /// Saves or restores what the solvers remember.
  void serializeState(StateArchive& archive);

 private:
  void scale(const Matrix& K, const Vector& b, const std::vector<ContactElement>& elements, const Vector& magnitudes);
  void computeNoise(const Vector& lambda);
  double naturalResidual(const Vector& lambda, const Vector& a);
  ContactMode readMode(const ContactElement& element) const;
  void solveModes(std::vector<ContactMode> modes, std::vector<SlipDirection> headings);
  void decide();
  void explain(const ContactModeLcp::Outcome& outcome);
  std::size_t findParadox() const;

  ContactModeOptions options_;
  ContactModeSystem system_;
  ContactModeLcp lcp_;
  ContactDecision decision_;

  // The scaled problem.
  Matrix K_;
  Vector b_, magnitudes_;
  std::vector<ContactElement> elements_;
  Vector scales_;  // K_ii^−½
  double size_ = 1.;
  double knownSize_ = 0.;  // of bounds, scaled
  Vector lambda_, a_;
  Vector rowNoise_, noise_;
  std::vector<ContactMode> proposed_;
};

}  // namespace delassus
