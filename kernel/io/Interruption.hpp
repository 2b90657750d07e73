// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace delassus {

/// While one of these lives, Ctrl-C (SIGINT) and SIGTERM do not end the process at once but are noted; a second one
/// does. The handlers that were there before are back when the last one is destroyed.
class Interruption {
 public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  /// True if a signal came in the life of any of these.
  static bool wasRequested();
};

}  // namespace delassus
