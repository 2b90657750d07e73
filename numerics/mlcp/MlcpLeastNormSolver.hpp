// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/OptionFields.hpp>
#include <delassus/numerics/lcp/BoxBasis.hpp>
#include <delassus/numerics/mlcp/MlcpFischerBurmeisterSolver.hpp>
#include <delassus/numerics/mlcp/MlcpReductionSolver.hpp>
#include <delassus/numerics/mlcp/MlcpSolver.hpp>

namespace delassus::numerics {

/// Options of MlcpLeastNormSolver.
struct MlcpLeastNormOptions {
  double tolerance = 1e-8;  ///< for the certificate

  /// Names, ranges and meanings of all members.
  OptionFields fields() { return {{"tolerance", &tolerance, range::positive, "for the certificate"}}; }
};

/// For problems whose equality rows are redundant, or fewer than the free unknowns: a door that hangs on three hinges.
/// A solution is found by MlcpReductionSolver (or MlcpFischerBurmeisterSolver where that cannot), then replaced by the
/// one of least Euclidean norm that has the same active pairs,
///
///     min ‖z‖₂   such that   w_i = 0 on the equality rows and the active pairs,   z = 0 on the other pairs,
///
/// by a complete orthogonal factorisation. If that would make a z or w of a pair negative, the z of the pairs are held
/// and only the free unknowns get least norm. Where solutions with other active sets exist, one of them may have a
/// smaller norm. Allocates.
class MlcpLeastNormSolver final : public WithOptions<Solver<MixedLinearComplementarityProblem>, MlcpLeastNormOptions> {
 public:
  /// Throws Error on options out of range.
  explicit MlcpLeastNormSolver(MlcpLeastNormOptions options = {});

  std::string_view name() const override { return "MlcpLeastNormSolver"; }
  void serializeState(StateArchive& archive) override;

 private:
  Outcome compute(const MixedLinearComplementarityProblem& problem, Vector& z) override;
  bool shorten(const MixedLinearComplementarityProblem& problem, Vector& z);

  MlcpReductionSolver reduction_;
  MlcpFischerBurmeisterSolver newton_;
  BoxBasis basis_;
  DenseBox box_;
  Vector trial_, w_;
};

}  // namespace delassus::numerics
