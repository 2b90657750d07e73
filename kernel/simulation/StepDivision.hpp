// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <delassus/numerics/Pause.hpp>
#include <delassus/numerics/StateArchive.hpp>

namespace delassus {

/// How steps are divided in which Newton's loop does not settle: into two pieces, four, and so on, each a step of the
/// scheme. The steps after it begin with as many, and go back by half after each in which loops were quick: what turns
/// by radians in a step does so in the next one, too. A loop that does not settle in an eighth of a piece either, since
/// it jumps between two states whatever the step is, takes the whole piece as it is, and so do ever more after it.
class StepDivision {
 public:
  /// The largest number of halvings that may be asked for.
  static constexpr std::size_t limit = 30;

  /// Of steps that may be halved so often.
  explicit StepDivision(std::size_t most) : most_(most) {}

  /// The longest piece of a step of this size.
  double longestPiece(double step) const { return std::ldexp(step, -static_cast<int>(halvings_)); }
  /// The loop of a piece has not settled: true if the piece is made again, in halves, or as long as it was where these
  /// did not help.
  bool revise() {
    if (isFutile_ || pause_.isOn()) return false;
    if (halvings_ < most_ && halvingsOfPiece_ < mostOfPiece) {
      ++halvings_;
      ++halvingsOfPiece_;
      return true;
    }
    if (halvingsOfPiece_ == 0) return false;
    halvings_ -= halvingsOfPiece_;
    halvingsOfPiece_ = 0;
    isFutile_ = true;
    return true;
  }
  /// Whether the piece that follows is a half of what was tried before.
  bool isHalved() const { return halvingsOfPiece_ > 0; }
  /// Whether the present step is made in pieces.
  bool isDivided() const { return isDivided_ || halvings_ > 0; }
  /// After a piece, which took so many passes of a loop, and whether it ends a step.
  void accept(std::size_t passes, bool endsStep) {
    if (isFutile_) {
      pause_.lengthen();
    } else if (isHalved()) {
      pause_.end();
    } else if (pause_.isOn()) {
      pause_.pass();
    }
    isFutile_ = false;
    halvingsOfPiece_ = 0;
    isDivided_ = isDivided();
    isQuick_ = isQuick_ && passes <= quickPasses;
    if (!endsStep) return;
    if (isQuick_ && halvings_ > 0) --halvings_;
    isQuick_ = true;
    isDivided_ = false;
  }

  /// Saves or restores it, between two pieces.
  void serializeState(StateArchive& archive) {
    archive.value("halvings", halvings_);
    pause_.serializeState(archive);
    archive.value("isQuick", isQuick_);
    archive.value("isDivided", isDivided_);
  }

 private:
  static constexpr std::size_t mostOfPiece = 3;
  static constexpr std::size_t quickPasses = 10;

  std::size_t most_;
  std::size_t halvings_ = 0;         // of the present step
  std::size_t halvingsOfPiece_ = 0;  // since the last piece
  Pause pause_;                      // of pieces that are not halved
  bool isFutile_ = false;            // halves have not helped this piece
  bool isQuick_ = true;              // no loop of this step was slow
  bool isDivided_ = false;           // this step has pieces already
};

}  // namespace delassus
