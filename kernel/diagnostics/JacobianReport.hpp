// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/kernel/model/NonSmoothDynamicalSystem.hpp>
#include <delassus/numerics/functions/Differentiation.hpp>
#include <string>
#include <vector>

namespace delassus {

/// All Jacobians of a model beside central differences of their functions.
struct JacobianReport {
  /// One entry of a Jacobian.
  struct Entry {
    std::size_t row = 0;      ///< from 0
    std::size_t column = 0;   ///< from 0
    double given = 0.;        ///< by the model
    double differenced = 0.;  ///< by central differences
    /// |given − differenced|; NaN where one of them is.
    double error() const;
  };
  /// One Jacobian.
  struct Check {
    std::string what;          ///< "Interaction 'floor': Jacobian of h with respect to q"
    std::size_t rows = 0;      ///< of the Jacobian; 0 if a function threw
    std::size_t columns = 0;   ///< of the Jacobian; 0 if a function threw
    double margin = 0.;        ///< the difference that is accepted
    Entry worst;               ///< that with the largest error
    std::vector<Entry> wrong;  ///< all above the margin
    std::string failure;       ///< the message of an exception from a function
    /// True if no entry is wrong and nothing was thrown.
    bool passes() const { return wrong.empty() && failure.empty(); }
  };

  std::vector<Check> checks;  ///< systems first, then relations

  /// True if all checks pass.
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
