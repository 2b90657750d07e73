// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/OptionFields.hpp>
#include <delassus/numerics/StateArchive.hpp>
#include <delassus/numerics/algebra/MadeFrom.hpp>
#include <delassus/numerics/methods/BoxBasis.hpp>
#include <delassus/numerics/methods/EqualityReduction.hpp>
#include <delassus/numerics/methods/SolverOverSets.hpp>
#include <delassus/numerics/problem/Intervals.hpp>
#include <memory>
#include <vector>

namespace delassus::numerics {

/// A problem over intervals as a mixed complementarity problem. With z = l + x (z = u − x where only u is finite) and
/// D = diag(M),
///
///     a = M x + D b + (q + M l),   s = D (u − l) − D x,   0 ≤ a ⟂ x ≥ 0,   0 ≤ s ⟂ b ≥ 0,
///
/// so that w = a − D b; a component with one infinite bound has no b, one with both infinite is an equality, and one
/// with l = u is a constant. It is monotone where M is. Bounds of 10¹⁵⁰ and more count as infinite. Up to 2n unknowns,
/// dense. A problem that is of this form already stays as it is. (Cottle, Pang, Stone, 1992, section 1.5; [Siconos
/// 2017], chapter 9.)
class HalfLineForm {
 public:
  /// Sorts the rows by their bounds; false if each is what it was at the last time, and takeMatrix() need not be called
  /// for the same M.
  bool sort(const BoxView& view);
  /// Takes M, after sort().
  void takeMatrix(const BoxView& view);
  /// Takes q and the bounds, after these.
  void takeVectors(const BoxView& view);

  /// The problem in x, b. The view refers to this object and to what it was made from.
  MixedView mixed(const BoxView& view) const {
    return isPlain_ ? MixedView{view.M, view.q, free_, bounded_} : MixedView{M_, q_, free_, bounded_};
  }
  /// x of the z that is given, b = 0.
  void start(const BoxView& view, const Vector& z, Vector& x) const;
  /// z of an answer, within the bounds.
  void expand(const BoxView& view, const Vector& x, Vector& z) const;

  /// Saves or restores how the rows were sorted.
  void serializeState(StateArchive& archive) {
    archive.value("kinds", kinds_);
    archive.value("isPlain", isPlain_);
  }

 private:
  enum Kind : char { fixed, equality, fromLower, fromUpper, box };

  bool goesDown(std::size_t i) const { return kinds_[i] == fromUpper; }

  std::vector<char> kinds_;                  // of the rows of the problem
  bool isPlain_ = false;                     // it is of the form already
  std::vector<std::size_t> moving_;          // rows that are not constant: equalities first
  std::vector<std::size_t> boxed_;           // places in moving_ of those with two finite bounds
  std::vector<std::size_t> free_, bounded_;  // rows of the mixed problem
  Matrix M_;
  Vector q_, scale_, base_, shifted_;
};

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
