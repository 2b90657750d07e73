// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace delassus {

/// While one of these lives, Ctrl-C (SIGINT) and SIGTERM do not end the process at once but make a StopRequest; a
/// second one does. The previous handlers are restored when the last object is destroyed, and the request is withdrawn.
class Interruption {
 public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  /// True if a signal arrived while any of these, and one of them still lives.
  static bool wasRequested();
};

}  // namespace delassus
