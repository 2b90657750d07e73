// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/io/TextProblems.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <optional>
#include <utility>
#include <vector>

namespace delassus::numerics {
namespace {

using Mlcp = MixedLinearComplementarityProblem;

bool readFlag(TextReader& reader, const std::string& what) {
  const std::size_t flag = reader.count(what);
  if (flag > 1) reader.fail("expected " + what + ", 0 or 1, got " + std::to_string(flag) + ".");
  return flag == 1;
}

// Kinds of the rows, from the ends of runs of equal rows.
std::vector<Mlcp::Row> readRows(TextReader& reader, std::size_t equalities, std::size_t complementarities) {
  const std::size_t rows = equalities + complementarities;
  std::vector<std::size_t> ends;
  std::size_t end = reader.count("the start of the blocks of rows, 0");
  if (end != 0) reader.fail("expected the start of the blocks of rows, 0, got " + std::to_string(end) + ".");
  while (end < rows) {
    const std::size_t next = reader.count("the end of a block of rows");
    if (next <= end || next > rows) {
      reader.fail("expected ends of the blocks of rows, ascending up to " + std::to_string(rows) + ", got " +
                  std::to_string(next) + ".");
    }
    ends.push_back(end = next);
  }
  std::vector<Mlcp::Row> kinds;
  kinds.reserve(rows);
  for (const std::size_t last : ends) {
    const bool isComplementarity = readFlag(reader, "the kind of a block of rows");
    kinds.resize(last, isComplementarity ? Mlcp::Row::complementarity : Mlcp::Row::equality);
  }
  const auto found = static_cast<std::size_t>(std::count(kinds.begin(), kinds.end(), Mlcp::Row::equality));
  if (found != equalities) {
    reader.fail("expected " + std::to_string(equalities) + " equality rows, got " + std::to_string(found) + ".");
  }
  return kinds;
}

// M is read dense. A sparse file may be small and its dense form not: no more than 8 million entries (64 MB),
// or 256 entries for each byte of the file.
void requireDenseSize(const TextReader& reader, const StoredMatrix& stored) {
  std::size_t rows = 0;
  std::size_t columns = 0;
  if (const auto* const sparse = std::get_if<SparseMatrix>(&stored)) {
    rows = sparse->size1();
    columns = sparse->size2();
  } else if (const auto* const blocks = std::get_if<BlockRows>(&stored)) {
    rows = blocks->rowEnds.back();
    columns = blocks->columnEnds.back();
  }
  // In doubles, which cannot overflow.
  if (static_cast<double>(rows) * static_cast<double>(columns) <= 8e6 + 256. * static_cast<double>(reader.bytes()))
    return;
  reader.fail("M of an MLCP is read dense, and one of " + std::to_string(rows) + " x " + std::to_string(columns) +
              " with so few entries is not taken.");
}

// M, q and the kinds of the rows, as the file has them: M may be rectangular.
struct MixedRows {
  Matrix M;
  Vector q;
  std::vector<Mlcp::Row> kinds;
};

// M has as many rows as q and the kinds; more only where the problem is known by its blocks, too.
MixedRows readMixedRows(TextReader& reader, std::size_t equalities, std::size_t complementarities, bool hasBlocks) {
  const std::size_t size = equalities + complementarities;
  std::vector<Mlcp::Row> kinds = readRows(reader, equalities, complementarities);
  StoredMatrix stored = readMatrix(reader, "M", hasBlocks ? std::nullopt : std::optional(size), std::nullopt);
  requireDenseSize(reader, stored);
  Matrix M = toDense(std::move(stored));
  if (M.size1() < size || (M.size1() > size && M.size2() != size)) {
    reader.fail("expected M with " + std::to_string(size) + " rows, or with more of them and " + std::to_string(size) +
                " columns, got " + std::to_string(M.size1()) + " x " + std::to_string(M.size2()) + ".");
  }
  Vector q = reader.vector(size, "an entry of q");
  return {std::move(M), std::move(q), std::move(kinds)};
}

Matrix readByRows(TextReader& reader, std::size_t rows, std::size_t columns, const std::string& name) {
  reader.requireProduct(rows, columns, name);
  Matrix A(rows, columns);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) A(i, j) = reader.number("an entry of " + name);
  }
  return A;
}

// [A C; D B] and (a, b), in the order of the blocks.
MixedRows readBlockForm(TextReader& reader, std::size_t equalities, std::size_t complementarities) {
  const std::size_t size = equalities + complementarities;
  const Matrix A = readByRows(reader, equalities, equalities, "A");
  const Matrix B = readByRows(reader, complementarities, complementarities, "B");
  const Matrix C = readByRows(reader, equalities, complementarities, "C");
  const Matrix D = readByRows(reader, complementarities, equalities, "D");
  MixedRows blocks{Matrix(size, size), reader.vector(size, "an entry of a or b"), {}};
  for (std::size_t j = 0; j < size; ++j) {
    for (std::size_t i = 0; i < size; ++i) {
      const bool isUpper = i < equalities, isLeft = j < equalities;
      const Matrix& block = isUpper ? (isLeft ? A : C) : (isLeft ? D : B);
      blocks.M(i, j) = block(isUpper ? i : i - equalities, isLeft ? j : j - equalities);
    }
  }
  blocks.kinds.assign(equalities, Mlcp::Row::equality);
  blocks.kinds.resize(size, Mlcp::Row::complementarity);
  return blocks;
}

// Relative to the largest entry: files give one of the forms with six digits.
constexpr double agreement = 1e-5;

// The rows of the mixed form in the order of the blocks: the equalities first.
std::vector<std::size_t> orderOfBlocks(const std::vector<Mlcp::Row>& kinds) {
  std::vector<std::size_t> order;
  for (const Mlcp::Row kind : {Mlcp::Row::equality, Mlcp::Row::complementarity}) {
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      if (kinds[i] == kind) order.push_back(i);
    }
  }
  return order;
}

// The two forms of one problem: equality rows and free unknowns first in the block form, in the order of the mixed one.
void requireAgreement(const TextReader& reader, const MixedRows& mixed, const MixedRows& blocks) {
  const std::vector<std::size_t> order = orderOfBlocks(mixed.kinds);
  const double threshold = agreement * normMax(mixed.M);
  for (std::size_t j = 0; j < order.size(); ++j) {
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (std::abs(mixed.M(order[i], order[j]) - blocks.M(i, j)) <= threshold) continue;
      reader.fail("expected the blocks A, B, C, D to agree with M, but entry (" + std::to_string(i) + ", " +
                  std::to_string(j) + ") of [A C; D B] does not.");
    }
  }
  const double thresholdOfQ = agreement * normInf(mixed.q);
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (std::abs(mixed.q(order[i]) - blocks.q(i)) <= thresholdOfQ) continue;
    reader.fail("expected the vectors a, b to agree with q, but entry " + std::to_string(i) + " of [a; b] does not.");
  }
}

// The two forms where M has more rows than q has entries: compared row by row, up to sign.
class ExcessRows {
 public:
  ExcessRows(const MixedRows& mixed, const MixedRows& blocks)
      : mixed_(mixed),
        blocks_(blocks),
        order_(orderOfBlocks(mixed.kinds)),
        threshold_(agreement * normMax(mixed.M)),
        thresholdOfQ_(agreement * normInf(mixed.q)) {}

  // Throws Error unless each row of M is a row of the blocks or its negative, and each of these is one of M.
  void requireAgreement(const TextReader& reader) const {
    std::vector<bool> isFound(order_.size(), false);
    for (std::size_t row = 0; row < mixed_.M.size1(); ++row) {
      bool isKnown = false;
      for (std::size_t k = 0; k < order_.size(); ++k) {
        if (isRow(row, 1., k)) isKnown = isFound[k] = true;
        isKnown = isKnown || isRow(row, -1., k);
      }
      if (!isKnown) {
        reader.fail("expected the " + std::to_string(mixed_.M.size1()) + " rows of M, for which q has " +
                    std::to_string(mixed_.q.size()) +
                    " entries, to be rows of [A C; D B] or their negatives, but row " + std::to_string(row) +
                    " is none.");
      }
    }
    const auto absent = std::find(isFound.begin(), isFound.end(), false);
    if (absent == isFound.end()) return;
    reader.fail("expected the rows of [A C; D B] among those of M, which has more of them, but row " +
                std::to_string(absent - isFound.begin()) + " is not.");
  }

 private:
  bool isRow(std::size_t row, double sign, std::size_t k) const {
    for (std::size_t j = 0; j < order_.size(); ++j) {
      if (std::abs(mixed_.M(row, order_[j]) - sign * blocks_.M(k, j)) > threshold_) return false;
    }
    return row >= mixed_.q.size() || std::abs(mixed_.q(row) - sign * blocks_.q(k)) <= thresholdOfQ_;
  }

  const MixedRows& mixed_;
  const MixedRows& blocks_;
  std::vector<std::size_t> order_;
  double threshold_, thresholdOfQ_;
};

}  // namespace

MixedLinearComplementarityProblem readMlcpText(TextReader& reader) {
  const bool hasRows = readFlag(reader, "the flag of mixed rows");
  const bool hasBlocks = readFlag(reader, "the flag of blocks");
  if (!hasRows && !hasBlocks) reader.fail("expected an MLCP by mixed rows or by blocks, got flags 0 0.");
  const std::size_t equalities = reader.count("the number of equalities");
  reader.require(equalities, "equality rows");
  const std::size_t complementarities = reader.count("the number of complementarities");
  reader.require(complementarities, "complementarity rows");
  MixedRows given = hasRows ? readMixedRows(reader, equalities, complementarities, hasBlocks)
                            : readBlockForm(reader, equalities, complementarities);
  if (hasRows && hasBlocks && given.M.size1() > given.q.size()) {
    MixedRows blocks = readBlockForm(reader, equalities, complementarities);
    ExcessRows(given, blocks).requireAgreement(reader);
    return {std::move(blocks.M), std::move(blocks.q), std::move(blocks.kinds)};
  }
  // A problem with more or fewer unknowns than rows has no such blocks.
  if (hasRows && hasBlocks && given.M.size1() == given.M.size2()) {
    requireAgreement(reader, given, readBlockForm(reader, equalities, complementarities));
  }
  return {std::move(given.M), std::move(given.q), std::move(given.kinds)};
}

}  // namespace delassus::numerics
