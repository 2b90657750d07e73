// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/distributed/MpiWorkers.hpp>

#include <atomic>
#include <chrono>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace delassus::distributed {
namespace {

constexpr int asks = 1;     // a worker for a task, with the one that it has done
constexpr int answers = 2;  // the first rank with a number, or `none`
constexpr long none = -1;

// The task that failed with the lowest number, and what it said.
struct Failure {
  std::size_t task;
  std::string said;

  void include(std::size_t other, const std::string& message) {
    if (other >= task) return;
    task = other;
    said = message;
  }
};

void attempt(const std::function<void(std::size_t)>& task, std::size_t number, Failure& failure) {
  try {
    task(number);
  } catch (const std::exception& error) {
    failure.include(number, error.what());
  }
}

// Hands out the tasks, and does some in a thread beside. MPI is called by this thread alone.
class First {
 public:
  First(const Ranks& ranks, std::size_t count, const std::function<void(std::size_t)>& task,
        const std::function<void(std::size_t)>& afterTask)
      : ranks_(ranks), count_(count), task_(task), afterTask_(afterTask) {}

  void work(Failure& failure) {
    std::jthread beside([&] {
      for (std::size_t k = next_++; k < count_; k = next_++) {
        attempt(task_, k, failure);
        finish();
      }
      isIdle_ = true;
    });
    std::size_t ended = 0;
    while (ended + 1 < ranks_.size() || !isIdle_) {
      int hasCome = 0;
      MPI_Status status{};
      MPI_Iprobe(MPI_ANY_SOURCE, asks, ranks_.communicator(), &hasCome, &status);
      if (hasCome == 0) {
        std::this_thread::sleep_for(std::chrono::microseconds(200));
        continue;
      }
      if (!answer(status.MPI_SOURCE)) ++ended;
    }
  }

 private:
  // False where there was no task left for that rank.
  bool answer(int rank) {
    long done = none;
    MPI_Recv(&done, 1, MPI_LONG, rank, asks, ranks_.communicator(), MPI_STATUS_IGNORE);
    const std::size_t next = next_++;
    const long number = next < count_ ? static_cast<long>(next) : none;
    MPI_Send(&number, 1, MPI_LONG, rank, answers, ranks_.communicator());
    if (done != none) finish();
    return number != none;
  }

  void finish() {
    const std::lock_guard<std::mutex> lock(mutex_);
    ++done_;
    if (afterTask_) afterTask_(done_);
  }

  const Ranks& ranks_;
  std::size_t count_;
  const std::function<void(std::size_t)>& task_;
  const std::function<void(std::size_t)>& afterTask_;
  std::atomic<std::size_t> next_{0};
  std::atomic<bool> isIdle_{false};
  std::mutex mutex_;
  std::size_t done_ = 0;
};

void workForFirst(const Ranks& ranks, const std::function<void(std::size_t)>& task, Failure& failure) {
  for (long done = none;;) {
    long number = none;
    MPI_Sendrecv(&done, 1, MPI_LONG, 0, asks, &number, 1, MPI_LONG, 0, answers, ranks.communicator(),
                 MPI_STATUS_IGNORE);
    if (number == none) return;
    attempt(task, static_cast<std::size_t>(number), failure);
    done = number;
  }
}

}  // namespace

void MpiWorkers::run(std::size_t count, const std::function<void(std::size_t)>& task,
                     const std::function<void(std::size_t)>& afterTask) {
  Failure failure{count, {}};
  if (ranks_.isFirst()) {
    First(ranks_, count, task, afterTask).work(failure);
  } else {
    workForFirst(ranks_, task, failure);
  }
  // The lowest of all ranks.
  std::vector<double> lowest(ranks_.size(), 0.);
  lowest[ranks_.rank()] = static_cast<double>(failure.task);
  ranks_.sum(lowest);
  bool isMine = failure.task < count;
  for (const double other : lowest) isMine = isMine && static_cast<double>(failure.task) <= other;
  ranks_.agree([&] {
    if (isMine) throw Error(failure.said);
  });
}

}  // namespace delassus::distributed
