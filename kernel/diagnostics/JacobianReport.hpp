// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/kernel/functions/Differentiation.hpp>
#include <delassus/kernel/model/NonSmoothDynamicalSystem.hpp>
#include <string>
#include <vector>

namespace delassus {

/// All Jacobians of a model beside central differences of their functions.
struct JacobianReport {
  struct Entry {
    std::size_t row = 0;
    std::size_t column = 0;
    double given = 0.;
    double differenced = 0.;
    /// |given − differenced|; NaN where one of them is.
    double error() const;
  };
  /// One Jacobian.
  struct Check {
    std::string what;  ///< "Interaction 'floor': Jacobian of h with respect to q"
    std::size_t rows = 0;
    std::size_t columns = 0;
    double margin = 0.;        ///< the difference that is let pass
    Entry worst;               ///< that with the largest error
    std::vector<Entry> wrong;  ///< all above the margin
    std::string failure;       ///< what a function threw in place of numbers
    bool passes() const { return wrong.empty() && failure.empty(); }
  };

  std::vector<Check> checks;  ///< systems first, then relations

  bool passes() const;
  /// A line for each Jacobian, and one for each wrong entry (the first 20 of a Jacobian).
  std::string text() const;
};

/// The report at time t and the present state, of everything that checkJacobians() compares; nothing is thrown.
///
///     const JacobianReport report = jacobianReport(model, 0.);
///     if (!report.passes()) std::cerr << report.text();
JacobianReport jacobianReport(const NonSmoothDynamicalSystem& model, double t, const JacobianCheck& check = {});

}  // namespace delassus
