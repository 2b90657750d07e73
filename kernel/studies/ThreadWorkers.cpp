// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <atomic>
#include <delassus/kernel/studies/Workers.hpp>
#include <delassus/numerics/Error.hpp>
#include <exception>
#include <mutex>
#include <string>
#include <thread>

namespace delassus {

ThreadWorkers::ThreadWorkers(std::size_t threads)
    : threads_(std::max(1U, static_cast<unsigned>(threads > 0 ? threads : std::thread::hardware_concurrency()))) {
}

void ThreadWorkers::run(std::size_t count, const std::function<void(std::size_t)>& task,
                        const std::function<void(std::size_t)>& afterTask) {
  std::atomic<std::size_t> next{0};
  std::size_t done = 0, firstFailed = count;
  std::string failure;
  std::mutex mutex;
  const auto work = [&] {
    for (std::size_t k = next++; k < count; k = next++) {
      std::string said;
      bool failed = false;
      try {
        task(k);
      } catch (const std::exception& error) {
        failed = true;
        said = error.what();
      }
      const std::lock_guard<std::mutex> lock(mutex);
      if (failed && k < firstFailed) {
        firstFailed = k;
        failure = said;
      }
      ++done;
      if (afterTask) afterTask(done);
    }
  };
  {
    std::vector<std::jthread> pool;
    for (std::size_t k = 1; k < std::min(threads_, count); ++k) pool.emplace_back(work);
    work();
  }
  if (firstFailed < count) throw Error(failure);
}

}  // namespace delassus
