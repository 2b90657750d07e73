// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/studies/Workers.hpp>
#include <delassus/numerics/distributed/Ranks.hpp>

namespace delassus::distributed {

/// The ranks of a program under MPI, for a Study: each asks the first for another task when it has done one, so that
/// long ones do not keep the others waiting; the first does tasks too, in a thread of its own, while it answers. All
/// ranks make the same study and call its functions in the same order. Throws AgreedError where a Worker throws Error.
///
/// Where a rank is killed, MPI ends the others; begun again, on any number of ranks, a Study goes on where it was.
class MpiWorkers final : public Workers {
 public:
  /// All ranks are workers.
  explicit MpiWorkers(const Ranks& ranks) : ranks_(ranks) {}

  void run(std::size_t count, const std::function<void(std::size_t)>& task,
           const std::function<void(std::size_t)>& afterTask) override;
  void onFirst(const std::function<void()>& work) override { ranks_.onFirst(work); }
  void share(std::vector<std::size_t>& numbers) override { ranks_.share(numbers); }

 private:
  Ranks ranks_;
};

}  // namespace delassus::distributed
