// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/OptionFields.hpp>
#include <delassus/numerics/methods/FischerBurmeisterSolver.hpp>
#include <delassus/numerics/methods/LcpFormSolver.hpp>
#include <vector>

namespace delassus::numerics {

/// Options of LeastNormSolver.
struct LeastNormOptions {
  DELASSUS_OPTIONS((double, tolerance, 1e-8, range::positive, "for the certificate"))
};

/// For mixed problems whose equality rows are redundant, or fewer than the free unknowns: a door that hangs on three
/// hinges. A solution is found by LcpFormSolver (or FischerBurmeisterSolver where that cannot), then replaced by the
/// one of least Euclidean norm that has the same active rows,
///
///     min ‖z‖₂   such that   w_i = 0 on the equality rows and the active ones,   z = 0 on the others,
///
/// by a complete orthogonal factorisation. If that would make a z or w negative, the z with bounds are held and only
/// the free unknowns get least norm. Where solutions with other active sets exist, one of them may have a smaller norm.
/// Problems with other intervals have the z that are at their bounds held there. Allocates.
class LeastNormSolver final : public WithOptions<Solver<ProblemOverSets>, LeastNormOptions> {
 public:
  /// Throws Error on options out of range.
  explicit LeastNormSolver(LeastNormOptions options = {});

  std::string_view name() const override { return "LeastNormSolver"; }
  void serializeState(StateArchive& archive) override { form_.serializeState(archive); }

 private:
  Outcome compute(const ProblemOverSets& problem, Vector& z) override;
  bool shorten(const ProblemOverSets& problem, const BoxView& view, Vector& z);

  LcpFormSolver form_;
  FischerBurmeisterSolver newton_;
  BoxBasis basis_;
  DenseBox box_;
  Vector trial_, w_;
};

}  // namespace delassus::numerics
