// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/distributed/DistributedDelassus.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/algebra/Rounding.hpp>
#include <delassus/numerics/distributed/PenalisedDelassus.hpp>
#include <string>

namespace delassus::distributed {
namespace {

// First contact of each rank, and the number of all.
std::vector<std::size_t> startsOf(const Ranks& ranks, std::size_t contacts) {
  const auto own = static_cast<double>(contacts);
  std::vector<std::size_t> starts{0};
  for (const double count : ranks.gather({&own, 1})) starts.push_back(starts.back() + static_cast<std::size_t>(count));
  return starts;
}

}  // namespace

DistributedDelassus::DistributedDelassus(const Ranks& ranks, std::size_t dimension, const std::vector<Row>& rows)
    : ranks_(ranks), dimension_(dimension), contacts_(rows.size()) {
  const std::vector<std::size_t> starts = startsOf(ranks, contacts_);
  firstContact_ = starts[ranks.rank()];
  contactsOfAll_ = starts.back();
  const std::size_t last = firstContact_ + contacts_;
  std::vector<std::size_t>& ghosts = ghostNumbers_;
  ranks.agree([&] {
    if (rows.empty()) {
      throw Error("DistributedDelassus", "rank " + std::to_string(ranks.rank()) + " has no contact; there are " +
                                             std::to_string(contactsOfAll_) + " for " + std::to_string(ranks.size()) +
                                             " ranks. Take fewer ranks.");
    }
    for (const Row& row : rows) {
      if (row.blocks.size() != dimension * dimension * row.columns.size()) {
        throw Error("DistributedDelassus", "a row has " + std::to_string(row.columns.size()) + " columns of " +
                                               std::to_string(dimension * dimension) + " numbers, but " +
                                               std::to_string(row.blocks.size()) + " numbers.");
      }
      for (const std::size_t column : row.columns) {
        if (column >= contactsOfAll_) {
          throw Error("DistributedDelassus", "column " + std::to_string(column) + " is given, but there are " +
                                                 std::to_string(contactsOfAll_) + " contacts.");
        }
        if (column < firstContact_ || column >= last) ghosts.push_back(column);
      }
    }
  });
  std::sort(ghosts.begin(), ghosts.end());
  ghosts.erase(std::unique(ghosts.begin(), ghosts.end()), ghosts.end());
  std::vector<GhostExchange::Ghost> owners;
  for (const std::size_t ghost : ghosts) {
    const auto rank =
        static_cast<std::size_t>(std::upper_bound(starts.begin(), starts.end(), ghost) - starts.begin()) - 1;
    owners.push_back({rank, ghost - starts[rank]});
  }
  ghosts_ = std::make_unique<GhostExchange>(ranks, contacts_, owners, dimension_);

  const auto numberOf = [&](std::size_t column) {
    if (column >= firstContact_ && column < last) return column - firstContact_;
    return contacts_ +
           static_cast<std::size_t>(std::lower_bound(ghosts.begin(), ghosts.end(), column) - ghosts.begin());
  };
  std::vector<std::pair<std::size_t, std::size_t>> order;  // number here, place in the row
  const std::size_t entries = dimension_ * dimension_;
  local_.clear();
  for (const bool fills : {false, true}) {
    std::size_t block = 0;
    for (const Row& row : rows) {
      order.clear();
      for (std::size_t k = 0; k < row.columns.size(); ++k) order.emplace_back(numberOf(row.columns[k]), k);
      std::sort(order.begin(), order.end());
      if (!fills) local_.beginRow(dimension_);
      for (const auto& [number, place] : order) {
        if (fills) {
          std::copy_n(row.blocks.data() + entries * place, entries, local_.block(block++));
        } else {
          local_.addBlock(number);
        }
      }
    }
    if (fills) break;
    for (std::size_t ghost = 0; ghost < ghosts.size(); ++ghost) local_.beginRow(dimension_);
    local_.finish();
  }
  local_.touch();
  reactions_.resize(local_.size());
  products_.resize(local_.size());
}

const double* DistributedDelassus::withGhosts(const double* r) const {
  std::copy_n(r, size(), reactions_.data());
  ghosts_->bring(reactions_.data(), reactions_.data() + size());
  return reactions_.data();
}

void DistributedDelassus::multiply(const double* r, double* u) const {
  local_.multiply(withGhosts(r), products_.data());
  std::copy_n(products_.data(), size(), u);
}

void DistributedDelassus::addExtended(const double* r, long double* u) const {
  extended_.assign(local_.size(), 0.L);
  delassus::addExtended(local_, withGhosts(r), extended_.data());
  for (std::size_t i = 0; i < size(); ++i) u[i] += extended_[i];
}

void DistributedDelassus::addRounding(const double* r, double* bound) const {
  std::fill(products_.begin(), products_.end(), 0.);
  delassus::addRounding(local_, withGhosts(r), products_.data());
  for (std::size_t i = 0; i < size(); ++i) bound[i] += products_[i];
}

void DistributedDelassus::diagonalBlock(std::size_t contact, double* block) const {
  const double* const stored = local_.diagonalBlock(contact);
  std::fill_n(block, dimension_ * dimension_, 0.);
  if (stored != nullptr) std::copy_n(stored, dimension_ * dimension_, block);
}

void DistributedDelassus::assemble(BlockSparseMatrix&) const {
  throw Error("DistributedDelassus", "no rank has W as a whole.");
}

std::size_t DistributedDelassus::independentGroups(std::vector<std::size_t>& group) const {
  group.assign(contacts_, 0);
  return 1;
}

void DistributedDelassus::renew(std::unique_ptr<numerics::DelassusSweep>&) const {
  throw Error("DistributedDelassus", "sweeps over ranks are those of DistributedGaussSeidelSolver.");
}

void DistributedDelassus::renew(std::unique_ptr<numerics::PenalisedOperator>& kept) const {
  kept = std::make_unique<PenalisedDelassus>(*this);
}

void DistributedDelassus::validate() const {
  requireFinite(local_, "DistributedDelassus: W");
}

}  // namespace delassus::distributed
