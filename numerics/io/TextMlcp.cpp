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

MixedRows readMixedRows(TextReader& reader, std::size_t equalities, std::size_t complementarities) {
  std::vector<Mlcp::Row> kinds = readRows(reader, equalities, complementarities);
  StoredMatrix stored = readMatrix(reader, "M", equalities + complementarities, std::nullopt);
  requireDenseSize(reader, stored);
  Matrix M = toDense(std::move(stored));
  Vector q = reader.vector(M.size1(), "an entry of q");
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

// The two forms of one problem: equality rows and free unknowns first in the block form, in the order of the mixed one.
void requireAgreement(const TextReader& reader, const MixedRows& mixed, const MixedRows& blocks) {
  std::vector<std::size_t> order;
  for (const Mlcp::Row kind : {Mlcp::Row::equality, Mlcp::Row::complementarity}) {
    for (std::size_t i = 0; i < mixed.kinds.size(); ++i) {
      if (mixed.kinds[i] == kind) order.push_back(i);
    }
  }
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

}  // namespace

MixedLinearComplementarityProblem readMlcpText(TextReader& reader) {
  const bool hasRows = readFlag(reader, "the flag of mixed rows");
  const bool hasBlocks = readFlag(reader, "the flag of blocks");
  if (!hasRows && !hasBlocks) reader.fail("expected an MLCP by mixed rows or by blocks, got flags 0 0.");
  const std::size_t equalities = reader.count("the number of equalities");
  reader.require(equalities, "equality rows");
  const std::size_t complementarities = reader.count("the number of complementarities");
  reader.require(complementarities, "complementarity rows");
  MixedRows given = hasRows ? readMixedRows(reader, equalities, complementarities)
                            : readBlockForm(reader, equalities, complementarities);
  // A rectangular problem has no such blocks.
  if (hasRows && hasBlocks && given.M.size1() == given.M.size2()) {
    requireAgreement(reader, given, readBlockForm(reader, equalities, complementarities));
  }
  return {std::move(given.M), std::move(given.q), std::move(given.kinds)};
}

}  // namespace delassus::numerics
