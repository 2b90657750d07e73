// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/kernel/io/RecordSink.hpp>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace delassus {

/// The quantities to record, once the model is known: tables of quantities, each with the function that gives its
/// numbers.
class RecordPlan {
 public:
  /// Writes the numbers of a row.
  using Fill = std::function<void(double*)>;
  /// Writes the present rows of a ragged table and returns their number.
  using FillRows = std::function<std::size_t(RecordSink&, std::size_t table)>;

  /// With the table of rows, which is empty.
  RecordPlan() : tables_(1) { tables_[0].name = "rows"; }

  /// Throws Error if there is a quantity of this path.
  void add(RecordQuantity quantity, Fill fill);
  /// With quantities "<name>/first" and "<name>/count" in the table of rows. Throws Error as above.
  void addRagged(RecordTable table, FillRows fill);

  /// The table of rows, then ragged ones in the order in which they were added.
  const std::vector<RecordTable>& tables() const { return tables_; }

  /// Writes a row with the present numbers.
  void writeRow(RecordSink& sink) const;

 private:
  struct Ragged {
    FillRows fill;
    std::size_t first;  // number of its quantity "first"; the next is "count"
  };

  void requireNew(const std::string& path) const;

  std::vector<RecordTable> tables_;
  std::vector<Fill> fills_;  // of the table of rows; empty for those of ragged tables
  std::vector<Ragged> ragged_;
};

}  // namespace delassus
