// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

namespace delassus {

/// Whether an object (a system, an interaction, a relation) is part of a model. A model that is destroyed leaves its
/// members free; a copy of a member is part of none.
class Membership {
 public:
  /// Free, whatever the other one is.
  ///@{
  Membership() = default;
  Membership(const Membership&) noexcept {}
  // NOLINTNEXTLINE(bugprone-unhandled-self-assignment): it takes nothing of the other one.
  Membership& operator=(const Membership&) noexcept { return *this; }
  ///@}

  /// True while it is part of a model that exists.
  bool isTaken() const { return !model_.expired(); }
  /// Makes it part of a model, which lives as long as `life` does.
  void begin(const std::shared_ptr<const void>& life) { model_ = life; }
  /// Frees it.
  void end() { model_.reset(); }

 private:
  std::weak_ptr<const void> model_;
};

}  // namespace delassus
