// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/StopRequest.hpp>

namespace delassus {
namespace {

std::int64_t now() noexcept {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

constexpr double nanoseconds = 1e9;      // of a second
constexpr double longestPatience = 1e8;  // s; more would overflow

}  // namespace

// A signal handler may touch atomics that need no lock.
static_assert(std::atomic<std::int64_t>::is_always_lock_free);

std::atomic<std::int64_t> StopRequest::deadline_{none};
std::atomic<std::int64_t> StopRequest::patience_{5'000'000'000};

Interrupted::Interrupted() : std::runtime_error("Interrupted: a stop was requested, and the step took too long.") {
}

bool StopRequest::make() noexcept {
  std::int64_t expected = none;
  return deadline_.compare_exchange_strong(expected, now() + patience_.load());
}

bool StopRequest::isPast() noexcept {
  const std::int64_t deadline = deadline_.load(std::memory_order_relaxed);
  return deadline != none && now() >= deadline;
}

void StopRequest::setPatience(double seconds) {
  if (!(seconds >= 0.) || !std::isfinite(seconds)) {
    throw Error("StopRequest", "the patience must be finite and not negative, got " + toText(seconds) + " s.");
  }
  patience_ = static_cast<std::int64_t>(nanoseconds * std::fmin(seconds, longestPatience));
}

}  // namespace delassus
