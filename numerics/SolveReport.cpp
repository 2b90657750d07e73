// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/SolveReport.hpp>

#include <sstream>

namespace delassus::numerics {

std::string_view toString(SolveStatus status) {
  switch (status) {
    case SolveStatus::converged:
      return "converged";
    case SolveStatus::inaccurate:
      return "finished with an answer that misses the tolerance";
    case SolveStatus::iterationLimit:
      return "reached its iteration limit";
    case SolveStatus::timeLimit:
      return "reached its time limit";
    case SolveStatus::infeasible:
      return "found no solution";
    case SolveStatus::numericalFailure:
      return "broke down numerically";
    case SolveStatus::unsupported:
      return "does not take this problem";
  }
  return "stopped";
}

std::string SolveReport::summary() const {
  std::ostringstream text;
  text << solver << ' ' << toString(status) << " after " << iterations << " iterations with error " << error
       << " (tolerance " << tolerance << ')';
  if (!reason.empty()) text << ": " << reason;
  text << '.';
  return text.str();
}

}  // namespace delassus::numerics
