// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/distributed/Ranks.hpp>

namespace delassus::distributed {

/// What this rank has sent since MPI began, as PETSc counts it, and the functions of this library with it.
struct Traffic {
  double messages = 0.;     ///< from one rank to another
  double bytes = 0.;        ///< in them
  double collectives = 0.;  ///< reductions, broadcasts and gatherings over several ranks

  /// What was sent between two counts.
  Traffic operator-(const Traffic& before) const {
    return {messages - before.messages, bytes - before.bytes, collectives - before.collectives};
  }
};

/// Until now, of this rank.
Traffic traffic();
/// Collective. The mean over all ranks, and the largest of any.
///@{
Traffic mean(const Ranks& ranks, const Traffic& own);
Traffic largest(const Ranks& ranks, const Traffic& own);
///@}

}  // namespace delassus::distributed
