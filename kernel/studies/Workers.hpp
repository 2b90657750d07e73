// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace delassus {

/// Those who do the tasks of a Study: threads of this process (ThreadWorkers), or the ranks of a program under MPI
/// (distributed::MpiWorkers), each of which calls the functions below in the same order.
class Workers {
 public:
  virtual ~Workers() = default;

  /// Calls task(k) once for each k < count: in any order, several at a time, in whatever process is free. After each,
  /// afterTask(done) with the number that are done, one call at a time, in the first process. A task that throws does
  /// not affect the others; in the end throws Error with what the lowest of them said.
  virtual void run(std::size_t count, const std::function<void(std::size_t)>& task,
                   const std::function<void(std::size_t)>& afterTask) = 0;
  /// Calls `work` in the first process alone; all go on when it is done. Throws Error in all where it throws.
  virtual void onFirst(const std::function<void()>& work) = 0;
  /// Gives all processes the numbers of the first.
  virtual void share(std::vector<std::size_t>& numbers) = 0;
};

/// Threads of this process.
class ThreadWorkers final : public Workers {
 public:
  /// 0: as many as there are cores. Tasks should have BLAS on one thread (OPENBLAS_NUM_THREADS=1).
  explicit ThreadWorkers(std::size_t threads = 0);

  void run(std::size_t count, const std::function<void(std::size_t)>& task,
           const std::function<void(std::size_t)>& afterTask) override;
  void onFirst(const std::function<void()>& work) override { work(); }
  void share(std::vector<std::size_t>&) override {}

 private:
  std::size_t threads_;
};

}  // namespace delassus
