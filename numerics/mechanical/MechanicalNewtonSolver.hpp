// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/SemismoothNewtonSolver.hpp>
#include <delassus/numerics/mechanical/MechanicalNewtonSystem.hpp>
#include <delassus/numerics/mechanical/MechanicalSolver.hpp>

namespace delassus::numerics {

/// Options of MechanicalNewtonSolver.
struct MechanicalNewtonOptions {
  double tolerance = 1e-8;          ///< for the certificate
  std::size_t maxIterations = 100;  ///< Newton steps, including failed ones
  std::size_t denseSize = 200;      ///< rows up to which the systems are dense
  bool remember = true;             ///< whether a start of zeros is replaced by the last answer

  /// Names, ranges and meanings of all members.
  OptionFields fields() {
    return {{"tolerance", &tolerance, range::positive, "for the certificate"},
            {"maxIterations", &maxIterations, range::positive, "Newton steps, failed ones among them"},
            {"denseSize", &denseSize, range::notNegative, "rows up to which the systems are dense"},
            {"remember", &remember, {}, "replace a start of zeros by the last answer"}};
  }
};

/// Semismooth Newton method on the natural map of all parts at once, F(λ) = 0 with ∂F = A W + B
/// (MechanicalNaturalMap.hpp), see SemismoothNewtonSolver. For equalities and boxes each step solves the linear
/// equations of one guess of which rows are at a bound; from a start with the right guess one step is exact, and near a
/// regular solution with contacts the convergence is quadratic. So a mechanism in smooth motion takes one or two steps
/// from the last λ, which is remembered: it replaces a start of zeros if its error is smaller.
///
/// Where ∂F is singular (redundant rows, hyperstatic contacts) or no step reduces the residual, W is shifted by ε D
/// with ε growing and shrinking by powers of ten, and the steps become those of a proximal point method. It fails, as
/// `numericalFailure`, in minima of ‖F‖ that are no solutions. Dense systems do not allocate in repeated solves; sparse
/// ones do (UMFPACK). (Qi and Sun, Math. Program. 58, 1993; Alart and Curnier, 1991; Grippo, Lampariello and Lucidi,
/// 1986.)
class MechanicalNewtonSolver final : public SemismoothNewtonSolver<ProblemOverSets, MechanicalNewtonOptions> {
 public:
  /// Throws Error on options out of range.
  explicit MechanicalNewtonSolver(MechanicalNewtonOptions options = {});

  std::string_view name() const override { return "MechanicalNewtonSolver"; }
  void serializeState(StateArchive& archive) override;

 private:
  Outcome compute(const ProblemOverSets& problem, Vector& lambda) override;
  double start(Vector& lambda);
  double evaluate(const ProblemOverSets& problem, const Vector& lambda) override;
  bool direction(const ProblemOverSets& problem, double shift, Vector& step) override;

  MechanicalNaturalMap map_;
  MechanicalNewtonSystem system_;
  Vector last_;
};

}  // namespace delassus::numerics
