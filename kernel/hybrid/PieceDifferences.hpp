// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

namespace delassus {

/// Nodes and weights of a derivative in time by differences of order 6: with f_j = f(node(j)), j = 0 … 6,
///
///     ḟ(t) ≈ Σ weights[j] f_j.
///
/// The nodes are centred at t, or as nearly as the piece of time [begin, end] allows, beyond which f may jump.
class PieceDifferences {
 public:
  static constexpr std::size_t nodes = 7;  ///< that a difference of order 6 takes

  /// Nodes `increment` apart, or closer in a short piece.
  PieceDifferences(double t, double increment, double begin, double end);

  /// Time of node j, within the piece.
  double node(std::size_t j) const { return std::clamp(t_ + offset(j), begin_, end_); }
  /// node(j) − t, without the rounding of t.
  double offset(std::size_t j) const { return shift_ + (static_cast<double>(j) - 3.) * increment_; }
  /// Weight of f_j, 1/s.
  double weight(std::size_t j) const { return weights_[j]; }
  /// True if node(3) is t and the nodes have the requested distance.
  bool isCentral() const { return central_; }

 private:
  double t_ = 0.;
  double begin_ = 0.;
  double end_ = 0.;
  double shift_ = 0.;  // of the middle node
  double increment_ = 0.;
  bool central_ = true;
  std::array<double, nodes> weights_{};
};

}  // namespace delassus
