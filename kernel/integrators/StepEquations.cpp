// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <delassus/kernel/integrators/InterfaceCompliance.hpp>
#include <delassus/kernel/integrators/StepEquations.hpp>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/Memory.hpp>
#include <numeric>
#include <string>
#include <utility>

namespace delassus {

void StepEquations::clear(std::string_view scheme) {
  scheme_ = scheme;
  places_.resize(1);
  couplings_.clear();
  nodes_.clear();
  placed_ = 0;
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

void StepEquations::addPlacedCoupling(std::size_t node, const Columns& columns, const double* left,
                                      const double* input) {
  addCoupling(node, columns, left, nullptr, input);
  ++placed_;
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

// Whether a coupling is the first of its interaction with its node, and has a right block for all of them.
bool StepEquations::leads(std::size_t coupling) const {
  const Coupling& one = couplings_[coupling];
  if (one.interface != nullptr) return false;
  for (std::size_t c = places_[one.interaction].coupling; c < coupling; ++c) {
    if (couplings_[c].node == one.node) return false;
  }
  return true;
}

void StepEquations::placeRights() {
  rights_.clear();
  if (placed_ == 0) return;
  if (placed_ != couplings_.size()) {
    throw Error("StepEquations", "of " + std::to_string(couplings_.size()) + " couplings " + std::to_string(placed_) +
                                     " were added by addPlacedCoupling; expected all of them, or none.");
  }
  std::size_t size = 0;
  for (std::size_t c = 0; c < couplings_.size(); ++c) {
    if (leads(c)) size += couplings_[c].rows * couplings_[c].unknowns;
  }
  numerics::makeRoom(rights_, size);
  rights_.assign(size, 0.);
  double* place = rights_.data();
  for (const std::uint32_t c : couplingsOfNodes_) {
    if (!leads(c)) continue;
    couplings_[c].right = place;
    place += couplings_[c].rows * couplings_[c].unknowns;
  }
}

void StepEquations::finish() {
  sortByNodes();
  placeRights();
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
  for (std::vector<double>* const all : {&rights_, &freeOutputs_, &outputsBefore_, &multipliers_, &scales_}) {
    archive.values("rows", all->data(), all->size());
  }
}

void StepEquations::exchangeVersions(Versions& others) {
  std::swap(blocksVersion_, others.blocks);
  std::swap(indexSetVersion_, others.indexSet);
}

}  // namespace delassus
