// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/relay/RelayError.hpp>

#include <algorithm>
#include <delassus/numerics/lcp/RowwiseError.hpp>

namespace delassus::numerics {

// d z − P(d z − w) is the middle one of d (z − u), w and d (z − l), which needs no difference in which the digits of w
// would be lost where z is huge.
double errorOf(const RelayProblem& problem, ErrorMeasure measure, const Vector& z, Vector& w, double tolerance) {
  requireSize(z, problem.size(), "relay error: z");
  return rowwiseError(problem, measure, z, w, tolerance, [&](std::size_t i, auto d, auto unknown, auto dual) {
    return std::max(d * (unknown - problem.upper()(i)), std::min(dual, d * (unknown - problem.lower()(i))));
  });
}

}  // namespace delassus::numerics
