// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/SolveReport.hpp>
#include <delassus/numerics/algebra/Vector.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace delassus::tools {

/// The result of one problem, one solver and one tolerance.
struct Run {
  std::string file;
  std::string problemClass = "unknown";  ///< classNameOf()
  std::size_t size = 0;
  std::size_t contacts = 0;
  std::string solver;
  double tolerance = 0.;
  std::string_view status = "failed";  ///< converged, iteration_limit, time_limit, infeasible or failed
  std::size_t iterations = 0;
  double residual = 0.;  ///< infinite where there is none
  double seconds = 0.;   ///< median over the repeats; a solver object that is new for each, without making it
  std::string error;     ///< why it failed; else empty
  /// The unknowns by name; empty unless they are wanted.
  std::vector<std::pair<std::string, Vector>> unknowns;

  bool converged() const { return status == "converged"; }
};

/// Run::status of a report.
std::string_view statusName(numerics::SolveStatus status);

/// Of the seconds of the repeats.
double medianOf(std::vector<double> values);

}  // namespace delassus::tools
