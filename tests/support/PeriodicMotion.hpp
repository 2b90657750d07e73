// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <delassus/numerics/algebra/Vector.hpp>
#include <support/AffineFlow.hpp>
#include <vector>

namespace delassus::test {

/// Pieces of a period, one after the other, and the state with which it begins.
struct PeriodicMotion {
  struct Piece {
    AffineFlow flow;
    double duration;
  };
  std::vector<Piece> pieces;
  Vector start;

  double period() const {
    double sum = 0.;
    for (const Piece& piece : pieces) sum += piece.duration;
    return sum;
  }
  Vector at(double t) const {
    double left = t - period() * std::floor(t / period() + 1e-12);
    Vector x = start;
    for (const Piece& piece : pieces) {
      const double part = std::min(left, piece.duration);
      x = piece.flow.over(part)(x);
      left -= part;
      if (left <= 0.) break;
    }
    return x;
  }
  AffineMap map() const {
    AffineMap all = pieces.front().flow.over(pieces.front().duration);
    for (std::size_t k = 1; k < pieces.size(); ++k) all = pieces[k].flow.over(pieces[k].duration).after(all);
    return all;
  }
};

}  // namespace delassus::test
