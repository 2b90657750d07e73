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

/// The interface of a large node: the unknowns that interactions see, and W⁻¹ in their rows and columns. A column is
/// solved for when it is asked for and kept until W has other factors, so that contacts which do not act cost nothing,
/// and relations that change (a node that slides along segments) no solution with W.
///
/// W⁻¹ of a mesh or a circuit decays with the distance of two unknowns, the faster the smaller the step is. A column
/// ends where all further entries are below 10⁻²⁰ of its largest one, far below what rounding leaves of it: so a line
/// of thousands of nodes has short columns, and interactions that are far from each other are not coupled.
class InterfaceCompliance {
 public:
  /// Entries of a column from place `first` on; all others are zero.
  struct Column {
    std::size_t first = 0;       ///< place of the first entry
    std::vector<double> values;  ///< of it and the next ones

    /// Entry of a place.
    double operator[](std::size_t place) const {
      return place < first || place - first >= values.size() ? 0. : values[place - first];
    }
    /// Whether an entry of the places from `begin` on is not zero.
    bool reaches(std::size_t begin, std::size_t count) const {
      return begin < first + values.size() && first < begin + count;
    }
  };

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
  /// The column of an unknown; solves for it if it was not demanded. Valid until the factors change.
  const Column& column(std::size_t place);

  /// Saves or restores the columns: solved for one by one they differ by rounding.
  void serializeState(StateArchive& archive);

 private:
  void forgetStale();
  void solve(std::span<const std::size_t> places);
  void take(const double* solution, Column& column) const;

  std::vector<std::uint32_t> unknowns_;
  const IterationNode& node_;
  MadeFrom<std::uint64_t> columnsFrom_;  // IterationNode::factorVersion
  std::vector<Column> columns_;          // keep their storage
  std::vector<char> isKnown_, isDemanded_;
  std::vector<std::size_t> demanded_;
  std::vector<double> rightSides_;
};

}  // namespace delassus
