// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/io/MatrixMarket.hpp>

#include <algorithm>
#include <cctype>
#include <delassus/numerics/io/TextReader.hpp>
#include <delassus/numerics/io/TextSparse.hpp>
#include <string>
#include <utility>
#include <vector>

namespace delassus::numerics {
namespace {

enum class Symmetry { general, symmetric, skew };

struct Header {
  bool isCoordinate = true;
  Symmetry symmetry = Symmetry::general;
};

// Comments become spaces, so that lines keep their numbers.
std::string withoutComments(std::string text) {
  bool isHeader = true;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (!isHeader && text[begin] == '%')
      std::fill_n(text.begin() + static_cast<std::ptrdiff_t>(begin), end - begin, ' ');
    isHeader = false;
    begin = end + 1;
  }
  return text;
}

std::string lowerCase(std::string_view word) {
  std::string lower(word);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
  return lower;
}

Header readHeader(TextReader& reader) {
  if (lowerCase(reader.word("%%MatrixMarket")) != "%%matrixmarket") reader.fail("expected %%MatrixMarket");
  if (lowerCase(reader.word("'matrix'")) != "matrix") reader.fail("expected 'matrix'");
  Header header;
  const std::string format = lowerCase(reader.word("'coordinate' or 'array'"));
  if (format != "coordinate" && format != "array") reader.fail("expected 'coordinate' or 'array'");
  header.isCoordinate = format == "coordinate";
  const std::string field = lowerCase(reader.word("'real' or 'integer'"));
  if (field != "real" && field != "integer") reader.fail("expected numbers that are 'real' or 'integer'");
  const std::string symmetry = lowerCase(reader.word("'general', 'symmetric' or 'skew-symmetric'"));
  if (symmetry == "symmetric") {
    header.symmetry = Symmetry::symmetric;
  } else if (symmetry == "skew-symmetric") {
    header.symmetry = Symmetry::skew;
  } else if (symmetry != "general") {
    reader.fail("expected 'general', 'symmetric' or 'skew-symmetric'");
  }
  return header;
}

void add(const Header& header, std::size_t i, std::size_t j, double value, std::vector<Triplet>& entries) {
  entries.push_back({i, j, value});
  if (header.symmetry == Symmetry::general || i == j) return;
  entries.push_back({j, i, header.symmetry == Symmetry::symmetric ? value : -value});
}

std::size_t readIndex(TextReader& reader, std::size_t size, const char* what) {
  const std::size_t index = reader.count(what);
  if (index == 0 || index > size) reader.fail("expected " + std::string(what) + " from 1 to " + std::to_string(size));
  return index - 1;
}

std::vector<Triplet> readCoordinates(TextReader& reader, const Header& header, std::size_t rows, std::size_t columns) {
  const std::size_t count = reader.count("number of entries");
  reader.require(count, "entries");
  std::vector<Triplet> entries;
  entries.reserve(header.symmetry == Symmetry::general ? count : 2 * count);
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t i = readIndex(reader, rows, "a row");
    const std::size_t j = readIndex(reader, columns, "a column");
    if (header.symmetry != Symmetry::general && j > i) {
      reader.fail("expected an entry on or below the diagonal of a symmetric matrix");
    }
    const double value = reader.number("an entry");
    if (header.symmetry == Symmetry::skew && i == j && value != 0.) reader.fail("expected 0 on the diagonal");
    add(header, i, j, value, entries);
  }
  return entries;
}

// Column by column, of symmetric matrices the lower triangles.
std::vector<Triplet> readArray(TextReader& reader, const Header& header, std::size_t rows, std::size_t columns) {
  // Of a triangle at least half of all but the diagonal.
  if (header.symmetry == Symmetry::general) {
    reader.requireProduct(rows, columns, "entries");
  } else if (rows > 1) {
    reader.requireProduct(rows, (columns - 1) / 2, "entries");
  }
  std::vector<Triplet> entries;
  for (std::size_t j = 0; j < columns; ++j) {
    const std::size_t first = header.symmetry == Symmetry::general ? 0 : header.symmetry == Symmetry::skew ? j + 1 : j;
    for (std::size_t i = first; i < rows; ++i) {
      const double value = reader.number("an entry");
      if (value != 0.) add(header, i, j, value, entries);
    }
  }
  return entries;
}

void append(std::size_t i, std::size_t j, double value, std::string& text) {
  text += std::to_string(i + 1) + ' ' + std::to_string(j + 1) + ' ';
  appendNumber(value, text);
  text += '\n';
}

}  // namespace

SparseMatrix readMatrixMarket(const std::filesystem::path& path) {
  const std::string text = withoutComments(readContent(path));
  TextReader reader(text, path.string());
  const Header header = readHeader(reader);
  const std::size_t rows = reader.count("number of rows");
  const std::size_t columns = reader.count("number of columns");
  if (header.symmetry != Symmetry::general && rows != columns) reader.fail("expected a symmetric matrix to be square");
  std::vector<Triplet> entries =
      header.isCoordinate ? readCoordinates(reader, header, rows, columns) : readArray(reader, header, rows, columns);
  if (reader.numbersLeft() > 0) reader.fail("expected the end of the file after the last entry");
  return sparseFromTriplets(rows, columns, std::move(entries));
}

void writeMatrixMarket(const std::filesystem::path& path, const SparseMatrix& A) {
  const bool isSymmetricMatrix = A.size1() == A.size2() && isSymmetric(A, 0.);
  std::string body;
  std::size_t count = 0;
  for (std::size_t j = 0; j < A.size2(); ++j) {
    for (std::size_t k = columnStart(A, j); k < columnStart(A, j + 1); ++k) {
      if (isSymmetricMatrix && rowOf(A, k) < j) continue;
      append(rowOf(A, k), j, valueOf(A, k), body);
      ++count;
    }
  }
  const std::string head = std::string("%%MatrixMarket matrix coordinate real ") +
                           (isSymmetricMatrix ? "symmetric\n" : "general\n") + std::to_string(A.size1()) + ' ' +
                           std::to_string(A.size2()) + ' ' + std::to_string(count) + '\n';
  writeContent(path, head + body);
}

}  // namespace delassus::numerics
