// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <delassus/numerics/DerivedStamp.hpp>
#include <delassus/numerics/OptionFields.hpp>
#include <delassus/numerics/lcp/BoxView.hpp>
#include <delassus/numerics/lcp/LcpSolver.hpp>
#include <delassus/numerics/mlcp/MlcpReductionSolver.hpp>
#include <delassus/numerics/relay/RelaySolver.hpp>
#include <memory>
#include <vector>

namespace delassus::numerics {

/// Options of RelayLemkeSolver.
struct RelayLemkeOptions {
  double tolerance = 1e-8;  ///< for the certificate

  /// Names, ranges and meanings of all members.
  OptionFields fields() { return {{"tolerance", &tolerance, range::positive, "for the certificate"}}; }
};

/// Solves the box problem through its LCP. With z = l + x (z = u − x where only u is finite) and D = diag(M),
///
///     a = M x + D b + (q + M l),   s = D (u − l) − D x,   0 ≤ a ⟂ x ≥ 0,   0 ≤ s ⟂ b ≥ 0,
///
/// so that w = a − D b; a component with one infinite bound has no b, one with both infinite is an equality w = 0 and
/// is eliminated (MlcpReductionSolver), one with l = u is a constant. The matrix is monotone where M is, and Lemke's
/// method then finds a solution or shows that there is none. With finite bounds there always is one. Bounds of 10¹⁵⁰
/// and more count as infinite. Up to 2n unknowns, dense. (Cottle, Pang, Stone, 1992, section 1.5; [Siconos 2017],
/// chapter 9.)
class RelayLemkeSolver final : public WithOptions<Solver<RelayProblem>, RelayLemkeOptions> {
 public:
  /// Throws Error on options out of range. `inner` solves the LCPs; by default LemkeSolver.
  explicit RelayLemkeSolver(RelayLemkeOptions options = {}, std::unique_ptr<LcpSolver> inner = nullptr);

  std::string_view name() const override { return "RelayLemkeSolver"; }
  void serializeState(StateArchive& archive) override;

 private:
  enum class Kind : char { fixed, free, below, above, box };  ///< which bounds are finite

  Outcome compute(const RelayProblem& problem, Vector& z) override;
  void classify(const RelayProblem& problem);
  void build(const RelayProblem& problem);
  void fillVector(const RelayProblem& problem);
  void expand(const RelayProblem& problem, Vector& z) const;
  double sign(std::size_t component) const { return kinds_[component] == Kind::above ? -1. : 1.; }

  MlcpReductionSolver reduction_;
  DerivedStamp mlcpFrom_;
  DenseBox box_;
  std::vector<Kind> kinds_, builtKinds_;
  Matrix dense_;
  Vector scale_, base_, shifted_;
  std::vector<std::size_t> moving_;  // components that are not fixed: free ones first
  std::vector<std::size_t> boxed_;   // those with two finite bounds
  MixedLinearComplementarityProblem mlcp_;
  Vector x_, w_;
};

}  // namespace delassus::numerics
