// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <string>
#include <vector>

namespace delassus {

/// How well conditioned the matrices of a time-stepping simulation are, at its last step.
struct ConditionReport {
  /// An iteration matrix W of the scheme, or a mass matrix.
  struct MatrixCondition {
    std::string name;       ///< of the system, or of all systems of a group: "ball, bar"
    std::size_t size = 0;   ///< of its rows
    double condition = 0.;  ///< estimate of ‖A‖₁‖A⁻¹‖₁ (LAPACK's dgecon); infinity if it is singular
  };
  /// A row of the Delassus matrix.
  struct Row {
    std::string interaction;  ///< its name
    std::size_t row = 0;  ///< in the interaction; of the first row beyond its outputs on, auxiliary unknowns of the law
    /// The same row of an interaction of the same name.
    bool operator==(const Row&) const = default;
  };
  /// Rows of which `count` follow from the others: redundant joints, a table on four legs.
  struct Dependence {
    std::size_t count = 0;  ///< how many of the rows could be left out
    std::vector<Row> rows;  ///< all that depend on each other, in the order of the matrix
  };

  std::vector<MatrixCondition> masses;      ///< M of each mechanical system
  std::vector<MatrixCondition> iterations;  ///< W of each system (of each group that relations tie together), if the
                                            ///< scheme gives them

  // Of the Delassus matrix over the active rows, scaled to a diagonal of ones, so that units do not count.
  std::size_t rows = 0;                 ///< n, of all active interactions
  std::size_t rank = 0;                 ///< number of σ above 1e-10 σ₁
  double condition = 1.;                ///< σ₁/σ_n; infinity only where σ_n is exactly 0
  double conditionOnRange = 1.;         ///< σ₁/σ_rank
  std::vector<Dependence> dependences;  ///< one for each group of rows; none at full rank

  /// Several lines.
  std::string text() const;
};

/// The report of the last step. Singular values below 1e-10 of the largest count as zero; dependent rows are grouped by
/// the projector on the null space, which does not depend on its basis, so that two independent redundancies are two
/// entries. Dense, O(n³): for diagnosis, up to some thousand rows. Throws Error before the first step.
///
///     simulation.step();
///     std::cout << conditionReport(simulation).text();
ConditionReport conditionReport(const TimeStepping& simulation);

}  // namespace delassus
