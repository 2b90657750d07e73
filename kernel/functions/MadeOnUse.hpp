// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

namespace delassus {

/// Work space that most objects of a class never use: it is made when it is first asked for, so that thousands of
/// contacts do not each keep what only a user's function needs.
template <class T>
class MadeOnUse {
 public:
  MadeOnUse() = default;
  /// A copy has none, and one that is assigned to keeps its own.
  ///@{
  MadeOnUse(const MadeOnUse&) {}
  // NOLINTNEXTLINE(bugprone-unhandled-self-assignment): it takes nothing of the other one.
  MadeOnUse& operator=(const MadeOnUse&) { return *this; }
  ///@}
  /// Takes over that of the other one.
  ///@{
  MadeOnUse(MadeOnUse&&) noexcept = default;
  MadeOnUse& operator=(MadeOnUse&&) noexcept = default;
  ///@}
  ~MadeOnUse() = default;

  /// The object.
  T& get() {
    if (!made_) made_ = std::make_unique<T>();
    return *made_;
  }

 private:
  std::unique_ptr<T> made_;
};

}  // namespace delassus
