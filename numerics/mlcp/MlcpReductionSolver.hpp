// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <delassus/numerics/DerivedStamp.hpp>
#include <delassus/numerics/OptionFields.hpp>
#include <delassus/numerics/algebra/ClearedProduct.hpp>
#include <delassus/numerics/algebra/LUFactorization.hpp>
#include <delassus/numerics/lcp/BoxBasis.hpp>
#include <delassus/numerics/lcp/BoxView.hpp>
#include <delassus/numerics/lcp/LcpSolver.hpp>
#include <delassus/numerics/mlcp/MlcpElimination.hpp>
#include <delassus/numerics/mlcp/MlcpSolver.hpp>
#include <memory>

namespace delassus::numerics {

/// Options of MlcpReductionSolver.
struct MlcpReductionOptions {
  double tolerance = 1e-8;  ///< for the certificate

  /// Names, ranges and meanings of all members.
  OptionFields fields() { return {{"tolerance", &tolerance, range::positive, "for the certificate"}}; }
};

/// Eliminates the free unknowns by the equality rows and solves the LCP that is left,
///
///     u = −A⁻¹ (C v + a),   0 ≤ (B − D A⁻¹ C) v + b − D A⁻¹ a ⟂ v ≥ 0.
///
/// Where A is singular some pairs are eliminated with it and change roles (a principal pivot, after which the problem
/// is still an LCP, and still monotone if it was); redundant equality rows are left out, and surplus free unknowns set:
/// see MlcpElimination. Equality rows that contradict each other are reported as `infeasible`, and so is an LCP without
/// a solution, if that is proved on the data of the problem (provesUnsolvable). The elimination is kept while M stays.
/// If the answer misses the tolerance by rounding, the complementary basis it shows is solved once more from the data.
/// (Cottle, Pang, Stone, 1992, sections 1.5 and 2.3.)
class MlcpReductionSolver final : public WithOptions<Solver<MixedLinearComplementarityProblem>, MlcpReductionOptions> {
 public:
  /// Throws Error on options out of range. `inner` solves the LCPs; by default AutomaticLcpSolver.
  explicit MlcpReductionSolver(MlcpReductionOptions options = {}, std::unique_ptr<LcpSolver> inner = nullptr);

  std::string_view name() const override { return "MlcpReductionSolver"; }
  void serializeState(StateArchive& archive) override;

 private:
  Outcome compute(const MixedLinearComplementarityProblem& problem, Vector& z) override;
  bool prepare(const MixedLinearComplementarityProblem& problem);
  bool factor(const MixedLinearComplementarityProblem& problem);
  void fillLcpMatrix(const BoxView& view);
  void fillSums(const BoxView& view);
  void fillLcpVector(const BoxView& view);
  void start(const BoxView& view, const Vector& z);
  void expand(const BoxView& view, Vector& z);
  double polish(const MixedLinearComplementarityProblem& problem, const BoxView& view, Vector& z);
  bool equalitiesContradict(const BoxView& view) const;
  Outcome unsolved(const MixedLinearComplementarityProblem& problem, const SolveReport& report);

  std::unique_ptr<LcpSolver> inner_;
  DerivedStamp lcpFrom_;
  bool possible_ = false;
  MlcpElimination elimination_;
  std::vector<std::size_t> swappedPosition_;  // of each swapped pair's z in the eliminated columns
  Matrix block_;                              // M_RX, the eliminated rows and columns
  LUFactorization factor_;
  Matrix response_;  // G: x = G ẑ + g, x the eliminated unknowns, ẑ those of the LCP
  Vector constant_;  // g
  Matrix sums_, rowBlock_;
  ClearedProduct<Matrix> product_;
  LinearComplementarityProblem lcp_;
  Vector lcpZ_, lcpW_, polished_;
  BoxBasis basis_;
  DenseBox box_;
};

}  // namespace delassus::numerics
