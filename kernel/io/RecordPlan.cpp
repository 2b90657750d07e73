// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/io/RecordPlan.hpp>

#include <delassus/numerics/Error.hpp>

namespace delassus {

void RecordPlan::requireNew(const std::string& path) const {
  for (const RecordTable& table : tables_) {
    for (const RecordQuantity& other : table.quantities) {
      if (other.path == path) throw Error("Recorder", "'" + path + "' was chosen twice.");
    }
  }
}

void RecordPlan::add(RecordQuantity quantity, Fill fill) {
  requireNew(quantity.path);
  tables_[0].quantities.push_back(std::move(quantity));
  fills_.push_back(std::move(fill));
}

void RecordPlan::addRagged(RecordTable table, FillRows fill) {
  for (const RecordQuantity& quantity : table.quantities) requireNew(quantity.path);
  ragged_.push_back({std::move(fill), tables_[0].quantities.size()});
  const std::string& name = table.name;
  add({name + "/first", "", "the first of the rows of '" + name + "' of this instant", {}, {}, {}, RecordKind::integer},
      {});
  add({name + "/count", "", "how many rows of '" + name + "' this instant has", {}, {}, {}, RecordKind::integer}, {});
  tables_.push_back(std::move(table));
}

void RecordPlan::writeRow(RecordSink& sink) const {
  for (std::size_t k = 0; k < fills_.size(); ++k) {
    if (fills_[k]) fills_[k](sink.place(0, k));
  }
  for (std::size_t k = 0; k < ragged_.size(); ++k) {
    const auto first = static_cast<double>(sink.rows(k + 1));
    const std::size_t count = ragged_[k].fill(sink, k + 1);
    *sink.place(0, ragged_[k].first) = first;
    *sink.place(0, ragged_[k].first + 1) = static_cast<double>(count);
  }
  sink.endRow(0);
}

}  // namespace delassus
