// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace delassus {

/// What to do with a step whose problem was not solved to tolerance or whose Newton loop did not converge; and with a
/// run whose motion passes a limit of its audit.
enum class FailureAction {
  raise,  ///< throw an Error that names time, step, solver, residual and interactions (the default of failures beyond
          ///< TimeSteppingOptions::relaxation)
  relax,  ///< go on with the answer, accepted at a relaxed tolerance; the statistics count it as relaxed. Of an audit:
          ///< warn once, in the log (the default)
  accept  ///< go on with the best answer so far; the statistics count it. Of an audit: say nothing
};

}  // namespace delassus
