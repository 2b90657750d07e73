// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "Run.hpp"

namespace delassus::tools {

using numerics::SolveStatus;

std::string_view statusName(SolveStatus status) {
  switch (status) {
    case SolveStatus::converged:
      return "converged";
    case SolveStatus::iterationLimit:
      return "iteration_limit";
    case SolveStatus::timeLimit:
      return "time_limit";
    case SolveStatus::infeasible:
      return "infeasible";
    case SolveStatus::inaccurate:
    case SolveStatus::numericalFailure:
    case SolveStatus::unsupported:
      break;
  }
  return "failed";
}

double medianOf(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : 0.5 * (values[middle - 1] + values[middle]);
}

}  // namespace delassus::tools
