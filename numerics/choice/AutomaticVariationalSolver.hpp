// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/OptionFields.hpp>
#include <delassus/numerics/choice/TableSolver.hpp>
#include <delassus/numerics/nonlinear/VariationalInequalitySolver.hpp>

namespace delassus::numerics {

/// Options of AutomaticVariationalSolver.
struct AutomaticVariationalOptions {
  DELASSUS_OPTIONS((double, tolerance, 1e-8, range::positive, "for the certificate"),
                   (std::size_t, starts, 100, range::notNegative, "random starts in the end; 0: none"))
};

/// The default for variational inequalities, nonlinear and mixed complementarity problems: solvers in turn, each from
/// the start of the solve, until one is certified.
///
///  1. VariationalNewtonSolver;
///  2. JosephyNewtonSolver, whose points stay in C;
///  3. ExtragradientSolver, for monotone F with singular Jacobians;
///  4. VariationalNewtonSolver from random starts, of the size that F suggests near the projection of 0 on C, or, where
///     it is not finite there, at points of C of all sizes from 1e-3 to 1e3.
///
/// That there is no solution is not proved; to find none takes seconds from about 20 unknowns on.
class AutomaticVariationalSolver final
    : public WithOptions<TableSolver<VariationalInequality, AutomaticVariationalSolver>, AutomaticVariationalOptions> {
 public:
  /// Throws Error on options out of range.
  explicit AutomaticVariationalSolver(AutomaticVariationalOptions options = {});

  /// See TableSolver.
  static Tables tables();
};

}  // namespace delassus::numerics
