// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace delassus {

/// Iteration matrices W(h) of a node whose matrices are constant, with their factors, for the last few steps h beside
/// the present one: a step that is cut by a clock again and again at the same places is factored once for each piece.
template <class Matrix, class Factorization>
class FactorsByStep {
 public:
  /// Keeps the present W and factors, which are those of `present` (none, if it is not positive), and makes those of h
  /// the present ones if there are any: then true, and `present` is h. Otherwise W keeps its size, to be filled.
  bool exchange(double h, double& present, Matrix& W, Factorization& factor) {
    const auto found =
        std::find_if(entries_.begin(), entries_.end(), [h](const Entry& entry) { return entry.step == h; });
    // The step that finds initial multipliers has no size, as an entry without factors.
    if (found == entries_.end() || h == 0.) {
      if (!(present > 0.)) return false;
      std::rotate(entries_.begin(), entries_.end() - 1, entries_.end());
      Entry& oldest = entries_.front();
      oldest.step = std::exchange(present, 0.);
      oldest.W = W;
      std::swap(oldest.factor, factor);
      return false;
    }
    std::swap(found->step, present);
    found->W.swap(W);
    std::swap(found->factor, factor);
    return true;
  }
  /// Forgets all: the matrices have changed.
  void clear() {
    for (Entry& entry : entries_) entry.step = 0.;
  }

 private:
  struct Entry {
    double step = 0.;  // 0: none
    Matrix W;
    Factorization factor;
  };
  std::array<Entry, 3> entries_;
};

}  // namespace delassus
