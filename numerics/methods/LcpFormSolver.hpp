// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/DerivedStamp.hpp>
#include <delassus/numerics/OptionFields.hpp>
#include <delassus/numerics/methods/BoxBasis.hpp>
#include <delassus/numerics/methods/EqualityReduction.hpp>
#include <delassus/numerics/methods/SolverOverSets.hpp>
#include <memory>

namespace delassus::numerics {

/// Options of LcpFormSolver.
struct LcpFormOptions {
  DELASSUS_OPTIONS((double, tolerance, 1e-8, range::positive, "for the certificate"),
                   (std::size_t, maxIterations, 0, range::notNegative,
                    "of each method of the automatic choice for the LCP; 0: its own default"))
};

/// Solves a problem over intervals through an LCP: intervals become half-lines (HalfLineForm), free unknowns are
/// eliminated by the equality rows (EqualityReduction), and another solver takes what is left. Both are kept while M
/// and the kinds of the intervals stay. Monotone problems have monotone LCPs, of which Lemke's method finds a solution
/// or shows that there is none; with finite bounds there always is one.
///
/// If the answer misses the tolerance by rounding, the basis that it shows is solved once more from the data. Equality
/// rows that contradict each other are reported as `infeasible`, and so is an LCP without a solution, if that is proved
/// on the data of the problem (provesUnsolvable). Dense.
class LcpFormSolver final : public WithOptions<Solver<ProblemOverSets>, LcpFormOptions> {
 public:
  /// Throws Error on options out of range. `inner` solves the LCPs; by default AutomaticBoxSolver.
  explicit LcpFormSolver(LcpFormOptions options = {}, std::unique_ptr<SolverOverSets> inner = nullptr);

  std::string_view name() const override { return "LcpFormSolver"; }
  void serializeState(StateArchive& archive) override;

 private:
  Outcome compute(const ProblemOverSets& problem, Vector& z) override;
  bool prepare(const ProblemOverSets& problem, const BoxView& view);
  double polish(const ProblemOverSets& problem, const BoxView& view, Vector& z);
  bool equalitiesContradict(const BoxView& view) const;
  Outcome unsolved(const BoxView& view, const SolveReport& report) const;

  std::unique_ptr<SolverOverSets> inner_;
  DenseBox box_;
  HalfLineForm form_;
  EqualityReduction reduction_;
  DerivedStamp lcpFrom_;
  bool isPossible_ = false;
  Vector x_, v_, lcpW_, polished_;
  BoxBasis basis_;
};

}  // namespace delassus::numerics
