// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <delassus/numerics/StateArchive.hpp>
#include <delassus/numerics/algebra/MadeFrom.hpp>
#include <span>
#include <vector>

namespace delassus {

class IterationNode;

/// The interface of a large node: the unknowns that interactions see, few of many, and W⁻¹ in their rows and columns.
/// A column is solved for when it is asked for and kept until W has other factors, so that contacts which do not act
/// cost nothing, and relations that change (a node that slides along segments) no solution with W.
class InterfaceCompliance {
 public:
  /// Of these unknowns of a node, ascending, which must outlive this.
  InterfaceCompliance(std::vector<std::uint32_t> unknowns, const IterationNode& node);
  InterfaceCompliance(const InterfaceCompliance&) = delete;
  InterfaceCompliance& operator=(const InterfaceCompliance&) = delete;

  /// The unknowns; their place here is their number below.
  const std::vector<std::uint32_t>& unknowns() const { return unknowns_; }
  /// Place of an unknown that is one of them.
  std::size_t placeOf(std::size_t unknown) const;

  /// Asks for a column, which solve() computes, many at once.
  void demand(std::size_t place);
  /// Computes what was demanded.
  void solve();
  /// The column of an unknown, one number for each of unknowns(); solves for it if it was not demanded. Valid until the
  /// factors change.
  const double* column(std::size_t place);

  /// Saves or restores the columns: solved for one by one they differ by rounding.
  void serializeState(StateArchive& archive);

 private:
  void forgetStale();
  void solve(std::span<const std::size_t> places);

  std::vector<std::uint32_t> unknowns_;
  const IterationNode& node_;
  MadeFrom<std::uint64_t> columnsFrom_;       // IterationNode::factorVersion
  std::vector<std::vector<double>> columns_;  // keep their storage
  std::vector<char> isKnown_, isDemanded_;
  std::vector<std::size_t> demanded_;
  std::vector<double> rightSides_;
};

}  // namespace delassus
