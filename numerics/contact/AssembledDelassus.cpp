// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/contact/AssembledDelassus.hpp>

#include <algorithm>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/Memory.hpp>
#include <delassus/numerics/Threads.hpp>
#include <delassus/numerics/algebra/BlockPatterns.hpp>
#include <delassus/numerics/algebra/Rounding.hpp>
#include <string>
#include <vector>

namespace delassus::numerics {
namespace {

// u := (W r)_row
template <std::size_t dimension>
void multiplyRow(const BlockSparseMatrix& W, std::size_t row, const double* r, double* u) {
  double sum[dimension] = {};
  for (std::size_t k = W.rowBegin(row); k < W.rowEnd(row); ++k) {
    const double* const block = W.block(k);
    const double* const from = r + dimension * W.column(k);
    for (std::size_t j = 0; j < dimension; ++j) {
      for (std::size_t i = 0; i < dimension; ++i) sum[i] += block[i + dimension * j] * from[j];
    }
  }
  std::copy_n(sum, dimension, u);
}

template <std::size_t dimension>
void multiplyBlocks(const BlockSparseMatrix& W, const double* r, double* u) {
  constexpr std::size_t rangeSize = 256;
  forRanges(W.blockRows(), rangeSize, [&](std::size_t first, std::size_t last) {
    for (std::size_t row = first; row < last; ++row) multiplyRow<dimension>(W, row, r, u + dimension * row);
  });
}

template <std::size_t dimension>
class AssembledSweep final : public DelassusSweep {
 public:
  explicit AssembledSweep(const BlockSparseMatrix& W) : W_(W) {}

  static void renew(std::unique_ptr<DelassusSweep>& sweep, const BlockSparseMatrix& W) {
    const auto* const known = dynamic_cast<const AssembledSweep*>(sweep.get());
    if (known == nullptr || &known->W_ != &W) sweep = std::make_unique<AssembledSweep>(W);
  }

  void begin(const double* r) override { r_.assign(r, r + W_.size()); }

  void velocity(std::size_t contact, double* u) const override { multiplyRow<dimension>(W_, contact, r_.data(), u); }

  void add(std::size_t contact, const double* change) override {
    for (std::size_t i = 0; i < dimension; ++i) r_[dimension * contact + i] += change[i];
  }

 private:
  const BlockSparseMatrix& W_;
  std::vector<double> r_;
};

// Solvers rely on a block (j, i) for every block (i, j), and on all (i, i).
bool isComplete(const BlockSparseMatrix& W) {
  for (std::size_t row = 0; row < W.blockRows(); ++row) {
    if (W.diagonalBlock(row) == nullptr) return false;
  }
  std::vector<std::size_t> mirrors;
  return findMirrors(W, mirrors) == W.blockCount();
}

}  // namespace

AssembledDelassus::AssembledDelassus(std::size_t dimension, BlockSparseMatrix W) : dimension_(dimension) {
  if (dimension != 2 && dimension != 3) {
    throw Error("AssembledDelassus", "expected dimension 2 or 3, got " + std::to_string(dimension) + ".");
  }
  if (W.size() % dimension != 0) {
    throw Error("AssembledDelassus", "expected a matrix whose size is a multiple of the dimension " +
                                         std::to_string(dimension) + ", got " + std::to_string(W.size()) + ".");
  }
  const std::vector<std::size_t> sizes(W.size() / dimension, dimension);
  BlockSparseMatrix parted = partedBy(sizes, std::move(W));
  own_ = isComplete(parted) ? std::move(parted) : withMirrors(parted);
}

std::shared_ptr<AssembledDelassus> AssembledDelassus::referringTo(std::size_t dimension, const BlockSparseMatrix& W) {
  if (!isComplete(W)) return std::make_shared<AssembledDelassus>(dimension, W);
  auto referring = std::make_shared<AssembledDelassus>(dimension, BlockSparseMatrix());
  referring->matrix_ = &W;
  return referring;
}

void AssembledDelassus::multiply(const double* r, double* u) const {
  dimension_ == 2 ? multiplyBlocks<2>(*matrix_, r, u) : multiplyBlocks<3>(*matrix_, r, u);
}

void AssembledDelassus::addExtended(const double* r, long double* u) const {
  delassus::addExtended(*matrix_, r, u);
}

void AssembledDelassus::addRounding(const double* r, double* bound) const {
  delassus::addRounding(*matrix_, r, bound);
}

void AssembledDelassus::diagonalBlock(std::size_t contact, double* block) const {
  const double* const stored = matrix_->diagonalBlock(contact);
  const std::size_t entries = dimension_ * dimension_;
  stored != nullptr ? std::copy_n(stored, entries, block) : std::fill_n(block, entries, 0.);
}

bool AssembledDelassus::findPattern(ContactPattern& pattern) const {
  const BlockSparseMatrix& W = *matrix_;
  pattern.starts.assign(1, 0);
  pattern.columns.clear();
  makeRoom(pattern.columns, W.blockCount());
  for (std::size_t row = 0; row < W.blockRows(); ++row) {
    for (std::size_t k = W.rowBegin(row); k < W.rowEnd(row); ++k) {
      pattern.columns.push_back(static_cast<std::uint32_t>(W.column(k)));
    }
    pattern.starts.push_back(static_cast<std::uint32_t>(pattern.columns.size()));
  }
  return true;
}

void AssembledDelassus::rowBlocks(std::size_t contact, std::span<const std::uint32_t> columns, double* blocks) const {
  if (columns.empty()) return;
  std::copy_n(matrix_->block(matrix_->rowBegin(contact)), columns.size() * dimension_ * dimension_, blocks);
}

void AssembledDelassus::renew(std::unique_ptr<DelassusSweep>& sweep) const {
  dimension_ == 2 ? AssembledSweep<2>::renew(sweep, *matrix_) : AssembledSweep<3>::renew(sweep, *matrix_);
}

void AssembledDelassus::validate() const {
  requireFinite(*matrix_, "FrictionContactProblem: W");
}

}  // namespace delassus::numerics
