// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/distributed/Traffic.hpp>

#include <petscsys.h>

#include <algorithm>

namespace delassus::distributed {

Traffic traffic() {
  return {petsc_isend_ct + petsc_send_ct, petsc_isend_len + petsc_send_len, petsc_allreduce_ct + petsc_gather_ct};
}

Traffic mean(const Ranks& ranks, const Traffic& own) {
  double sums[] = {own.messages, own.bytes, own.collectives};
  ranks.sum(sums);
  const auto count = static_cast<double>(ranks.size());
  return {sums[0] / count, sums[1] / count, sums[2] / count};
}

Traffic largest(const Ranks& ranks, const Traffic& own) {
  const double numbers[] = {own.messages, own.bytes, own.collectives};
  const std::span<const double> all = ranks.gather(numbers);
  Traffic most;
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    most.messages = std::max(most.messages, all[3 * rank]);
    most.bytes = std::max(most.bytes, all[3 * rank + 1]);
    most.collectives = std::max(most.collectives, all[3 * rank + 2]);
  }
  return most;
}

}  // namespace delassus::distributed
