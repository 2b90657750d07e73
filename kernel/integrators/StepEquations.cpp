// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <delassus/kernel/integrators/InterfaceCompliance.hpp>
#include <delassus/kernel/integrators/StepEquations.hpp>
#include <numeric>
#include <utility>

namespace delassus {

void StepEquations::clear(std::string_view scheme) {
  scheme_ = scheme;
  places_.resize(1);
  couplings_.clear();
  nodes_.clear();
}

void StepEquations::addInteraction(std::size_t rows, std::size_t blocks) {
  const Place& last = places_.back();
  places_.push_back({last.row + rows, last.block + blocks, last.coupling});
}

void StepEquations::addCoupling(std::size_t node, const Columns& columns, const double* left, const double* right,
                                const double* input) {
  const std::size_t interaction = interactions() - 1;
  const std::size_t place = columns.interface == nullptr ? 0 : columns.interface->placeOf(columns.first);
  couplings_.push_back({interaction, node, size(interaction), columns.count, columns.first, columns.all, left,
                        input == nullptr ? left : input, right, columns.interface, place});
  ++places_.back().coupling;
}

void StepEquations::Coupling::addResponse(const Coupling& other, std::size_t row, double* x) const {
  for (std::size_t k = 0; k < columns; ++k) {
    const double entry = input[row + k * rows];
    if (entry == 0.) continue;
    const InterfaceCompliance::Column& column = interface->column(place + k);
    const std::size_t begin = std::max(column.first, other.place);
    const std::size_t end = std::min(column.first + column.values.size(), other.place + other.columns);
    for (std::size_t i = begin; i < end; ++i) x[i - other.place] += column.values[i - column.first] * entry;
  }
}

bool StepEquations::Coupling::reaches(const Coupling& other) const {
  for (std::size_t k = 0; k < columns; ++k) {
    const double* const entries = input + k * rows;
    const bool isZero = std::all_of(entries, entries + rows, [](double entry) { return entry == 0.; });
    if (!isZero && interface->column(place + k).reaches(other.place, other.columns)) return true;
  }
  return false;
}

void StepEquations::sortByNodes() {
  nodeStarts_.assign(1, 0);
  for (const Coupling& coupling : couplings_) {
    // The starts, one place ahead, become the ends below, which are the starts of the next ones.
    if (coupling.node + 3 > nodeStarts_.size()) nodeStarts_.resize(coupling.node + 3, 0);
    ++nodeStarts_[coupling.node + 2];
  }
  std::partial_sum(nodeStarts_.begin(), nodeStarts_.end(), nodeStarts_.begin());
  couplingsOfNodes_.resize(couplings_.size());
  for (std::size_t c = 0; c < couplings_.size(); ++c) {
    couplingsOfNodes_[nodeStarts_[couplings_[c].node + 1]++] = static_cast<std::uint32_t>(c);
  }
  if (!couplings_.empty()) nodeStarts_.pop_back();
}

void StepEquations::finish() {
  sortByNodes();
  const Place& all = places_.back();
  for (std::vector<double>* const rows : {&freeOutputs_, &outputsBefore_, &multipliers_}) rows->assign(all.row, 0.);
  scales_.assign(interactions(), 1.);
  feedthroughs_.assign(interactions(), nullptr);
  active_.assign(all.block, 0);
  ++blocksVersion_;
  ++indexSetVersion_;
}

void StepEquations::serializeState(StateArchive& archive) {
  archive.value("blocksVersion", blocksVersion_);
  archive.value("indexSetVersion", indexSetVersion_);
  const std::size_t count = active_.size();
  archive.value("active", active_);
  if (active_.size() != count) archive.refuse("it has another number of contacts.");
  for (std::vector<double>* const all : {&freeOutputs_, &outputsBefore_, &multipliers_, &scales_}) {
    archive.values("rows", all->data(), all->size());
  }
}

void StepEquations::exchangeVersions(Versions& others) {
  std::swap(blocksVersion_, others.blocks);
  std::swap(indexSetVersion_, others.indexSet);
}

}  // namespace delassus
