// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/lcp/LinearComplementarityProblem.hpp>
#include <delassus/numerics/mlcp/MixedLinearComplementarityProblem.hpp>
#include <delassus/numerics/relay/RelayProblem.hpp>
#include <filesystem>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

// Published problems in their text formats, read from a folder beside the project. For tests alone: it trusts the
// files.
namespace delassus::test {

/// The file `name` of `folder` under the published problems; nothing where it is absent.
inline std::optional<std::filesystem::path> publishedProblem(const std::string& folder, const std::string& name) {
  const std::filesystem::path path = std::filesystem::path(DELASSUS_PUBLISHED_DATA) / "problems" / folder / name;
  if (!std::filesystem::exists(path)) return std::nullopt;
  return path;
}

/// Reads one file; each read…() is the whole file.
class PublishedReader {
 public:
  explicit PublishedReader(const std::filesystem::path& path) : in_(path) {}

  /// n, M, q.
  numerics::LinearComplementarityProblem readLcp() {
    const std::size_t n = count();
    const Matrix M = matrix();
    return {M, vector(n)};
  }

  /// n, M, q, lower, upper.
  numerics::RelayProblem readRelay() {
    const std::size_t n = count();
    const Matrix M = matrix();
    const Vector q = vector(n);
    const Vector lower = vector(n);
    return {M, q, lower, vector(n)};
  }

  /// With the mixed rows, which all published files have.
  numerics::MixedLinearComplementarityProblem readMlcp() {
    using Row = numerics::MixedLinearComplementarityProblem::Row;
    const std::size_t mixed = count();
    count();
    if (mixed != 1) throw std::runtime_error("expected mixed rows");
    const std::size_t equalities = count();
    const std::size_t rows = equalities + count();
    std::vector<std::size_t> ends;
    do {
      ends.push_back(count());
    } while (ends.back() < rows);
    std::vector<Row> kinds;
    for (std::size_t block = 0; block + 1 < ends.size(); ++block) {
      kinds.resize(ends[block + 1], count() == 1 ? Row::complementarity : Row::equality);
    }
    Matrix M = matrix();
    Vector q = vector(M.size1());
    return {std::move(M), std::move(q), std::move(kinds)};
  }

 private:
  std::size_t count() {
    std::size_t value = 0;
    if (!(in_ >> value)) throw std::runtime_error("expected a number");
    return value;
  }

  double number() {
    double value = 0.;
    if (!(in_ >> value)) throw std::runtime_error("expected a number");
    return value;
  }

  std::vector<std::size_t> list(std::size_t size) {
    std::vector<std::size_t> entries(size);
    for (std::size_t& entry : entries) entry = count();
    return entries;
  }

  Vector vector(std::size_t size) {
    Vector v(size);
    for (double& entry : v.data()) entry = number();
    return v;
  }

  // `storage rows columns`, then dense (0) or block sparse (1).
  Matrix matrix() {
    const std::size_t storage = count();
    const std::size_t rows = count();
    Matrix M(rows, count());
    if (storage == 0) {
      list(2);
      for (double& entry : M.data()) entry = number();
    } else if (count() > 0) {
      readBlocks(M);
    }
    return M;
  }

  void readBlocks(Matrix& M) {
    const std::size_t rowCount = count();
    const std::size_t columnCount = count();
    const std::vector<std::size_t> rowEnds = list(rowCount);
    const std::vector<std::size_t> columnEnds = list(columnCount);
    const std::size_t pointers = count();
    const std::size_t columns = count();
    const std::vector<std::size_t> starts = list(pointers);
    const std::vector<std::size_t> column = list(columns);
    for (std::size_t row = 0; row + 1 < pointers; ++row) {
      for (std::size_t k = starts[row]; k < starts[row + 1]; ++k) {
        count();
        const std::size_t firstRow = row == 0 ? 0 : rowEnds[row - 1];
        const std::size_t firstColumn = column[k] == 0 ? 0 : columnEnds[column[k] - 1];
        for (std::size_t j = firstColumn; j < columnEnds[column[k]]; ++j) {
          for (std::size_t i = firstRow; i < rowEnds[row]; ++i) M(i, j) = number();
        }
      }
    }
  }

  std::ifstream in_;
};

}  // namespace delassus::test
