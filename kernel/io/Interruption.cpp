// SPDX-License-Identifier: Apache-2.0
#include <signal.h>

#include <delassus/kernel/io/Interruption.hpp>
#include <delassus/numerics/StopRequest.hpp>
#include <mutex>

namespace delassus {
namespace {

std::mutex guard;
int users = 0;
struct sigaction previousInterrupt, previousTerminate;

extern "C" void noteSignal(int signal) {
  if (StopRequest::make()) return;
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

// Ignored signals (as in the background of a shell) stay ignored.
void listen(int signal, const struct sigaction& action, struct sigaction& previous) {
  ::sigaction(signal, &action, &previous);
  if (previous.sa_handler == SIG_IGN) ::sigaction(signal, &previous, nullptr);
}

}  // namespace

Interruption::Interruption() {
  const std::lock_guard lock(guard);
  if (users++ > 0) return;
  StopRequest::withdraw();
  struct sigaction action {};
  action.sa_handler = noteSignal;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  listen(SIGINT, action, previousInterrupt);
  listen(SIGTERM, action, previousTerminate);
}

Interruption::~Interruption() {
  const std::lock_guard lock(guard);
  if (--users > 0) return;
  ::sigaction(SIGINT, &previousInterrupt, nullptr);
  ::sigaction(SIGTERM, &previousTerminate, nullptr);
  StopRequest::withdraw();
}

bool Interruption::wasRequested() {
  return StopRequest::isMade();
}

}  // namespace delassus
