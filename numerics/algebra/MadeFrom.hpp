// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <delassus/numerics/StateArchive.hpp>
#include <string_view>
#include <tuple>

namespace delassus {

/// A number that no other call in this process returns. It identifies a state of some values: solvers keep factors by
/// it.
std::uint64_t newStamp();

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

namespace delassus::numerics {

/// Which matrix of a problem the one that a solver derives from it was made from, as MadeFrom says it, and the stamp of
/// the derived one over a checkpoint. That matrix is not saved: it is computed again from the same values and then gets
/// its old stamp, by which other solvers know it.
class DerivedStamp {
 public:
  /// Whether it was made from the matrix with this stamp.
  bool isCurrent(std::uint64_t source) const { return from_.isCurrent(source); }
  /// It is to be made again.
  void forget() { from_.forget(); }
  /// What was restored does not count either: what is made now is made in another way.
  void forgetRestored() { restored_.forget(); }
  /// It has been made from `source`, and has the stamp `made`. Gives the stamp that it is to have: this one, or the
  /// restored one the first time.
  std::uint64_t take(std::uint64_t source, std::uint64_t made) {
    from_.take(source);
    if (!restored_.isCurrent(source)) return made;
    restored_.forget();
    return stamp_;
  }

  /// Saves or restores both, with the present stamp `made`; after restoring nothing is current.
  void serializeState(StateArchive& archive, std::uint64_t made) {
    // The state may be saved again before the matrix has been made.
    bool isKnown = from_.isMade() || restored_.isMade();
    std::uint64_t source = from_.isMade() ? from_.source() : isKnown ? restored_.source() : 0;
    std::uint64_t stamp = from_.isMade() ? made : isKnown ? stamp_ : 0;
    archive.value("isKnown", isKnown);
    archive.stamp("source", source);
    archive.stamp("made", stamp);
    if (!archive.restores()) return;
    from_.forget();
    restored_.forget();
    if (isKnown) restored_.take(source);
    stamp_ = stamp;
  }

 private:
  MadeFrom<std::uint64_t> from_;
  MadeFrom<std::uint64_t> restored_;
  std::uint64_t stamp_ = 0;  // restored
};

}  // namespace delassus::numerics
