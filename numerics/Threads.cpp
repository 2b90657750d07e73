// SPDX-License-Identifier: Apache-2.0
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>
#include <oneapi/tbb/task_arena.h>

#include <atomic>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/Threads.hpp>
#include <memory>

namespace delassus {
namespace {

std::atomic<std::size_t> count{1};

// Those of oneTBB, the caller among them.
std::unique_ptr<oneapi::tbb::task_arena>& arena() {
  static std::unique_ptr<oneapi::tbb::task_arena> all;
  return all;
}

}  // namespace

std::size_t threads() {
  return count.load(std::memory_order_relaxed);
}

void setThreads(std::size_t wanted) {
  constexpr std::size_t most = 4096;
  if (wanted == 0 || wanted > most) {
    throw Error("setThreads", "the number of threads must be between 1 and " + std::to_string(most) + ", got " +
                                  std::to_string(wanted) + ".");
  }
  arena() = wanted > 1 ? std::make_unique<oneapi::tbb::task_arena>(static_cast<int>(wanted)) : nullptr;
  count = wanted;
}

void detail::shareParts(std::size_t parts, const std::function<void(std::size_t)>& part) {
  // A part that shares its own work out does not begin another one while it waits, whose data of the thread would mix
  // with its own.
  const auto share = [&] { oneapi::tbb::parallel_for(std::size_t{0}, parts, part, oneapi::tbb::simple_partitioner()); };
  arena()->execute([&] { oneapi::tbb::this_task_arena::isolate(share); });
}

}  // namespace delassus
