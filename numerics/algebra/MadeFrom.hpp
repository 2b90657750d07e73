// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/StateArchive.hpp>
#include <string_view>
#include <tuple>

namespace delassus {

/// What a value that is kept was made from, by what tells the states of its sources apart: stamps, counters of changes,
/// addresses, the numbers themselves. Whoever keeps a value has one of these beside it, and asks before the value is
/// used:
///
///     if (factorFrom_.isCurrent(W.stamp(), penalties)) return true;
///     factorFrom_.forget();                         // what fails leaves nothing that counts
///     …
///     factorFrom_.take(W.stamp(), penalties);
///
/// It is copied with the value beside it. After a move, forget() it before the old object is used again.
template <class... Sources>
class MadeFrom {
 public:
  /// Whether the value was made, and from these.
  bool isCurrent(const Sources&... now) const { return isMade_ && sources_ == std::tie(now...); }
  /// Whether it was made at all.
  bool isMade() const { return isMade_; }
  /// What it was made from, in the case of one source; only if it was made.
  const auto& source() const { return std::get<0>(sources_); }
  /// It was made from these. Nothing is allocated where sources of these sizes were taken before.
  void take(const Sources&... now) {
    sources_ = std::tie(now...);
    isMade_ = true;
  }
  /// It is to be made again, whatever its sources are.
  void forget() { isMade_ = false; }
  /// Calls make() unless the value is current, and takes the sources then; what make() throws leaves it forgotten.
  template <class Make>
  void renew(const Sources&... now, const Make& make) {
    if (isCurrent(now...)) return;
    forget();
    make();
    take(now...);
  }

  /// Saves or restores it, where the sources are numbers that an archive takes. Equal states have equal archives.
  void serializeState(StateArchive& archive, std::string_view name) {
    if (!isMade_) sources_ = {};
    archive.value(name, isMade_);
    std::apply([&](Sources&... each) { (archive.value(name, each), ...); }, sources_);
  }

 private:
  bool isMade_ = false;
  std::tuple<Sources...> sources_{};
};

}  // namespace delassus
