// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/io/TextSparse.hpp>

#include <array>
#include <charconv>
#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace delassus::numerics {
namespace {

enum class Order { columns, rows, triplets };

std::optional<std::size_t> parseCount(std::string_view word) {
  std::size_t value = 0;
  const auto [end, failure] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (end != word.data() + word.size() || failure != std::errc()) return std::nullopt;
  return value;
}

// "3-by-4," as (3, 4).
std::optional<std::pair<std::size_t, std::size_t>> parseSizes(std::string_view word) {
  const std::size_t between = word.find("-by-");
  if (between == std::string_view::npos || word.back() != ',') return std::nullopt;
  const auto rows = parseCount(word.substr(0, between));
  const auto columns = parseCount(word.substr(between + 4, word.size() - between - 5));
  if (!rows || !columns) return std::nullopt;
  return std::pair(*rows, *columns);
}

class PrintedSparse {
 public:
  PrintedSparse(TextReader& reader, const std::string& name, std::size_t rows, std::size_t columns)
      : reader_(reader), name_(name), rows_(rows), columns_(columns) {}

  SparseMatrix read() {
    reader_.count("the origin of " + name_);
    readHeader();
    order_ == Order::triplets ? readTriplets() : readCompressed();
    return sparseFromTriplets(rows_, columns_, std::move(entries_));
  }

 private:
  void expect(std::string_view word) {
    const std::string_view next = reader_.word("'" + std::string(word) + "' in " + name_);
    if (next == word) return;
    reader_.fail("expected '" + std::string(word) + "' in " + name_ + ", got another word.");
  }

  // Reads up to the number of entries; the words of the version line are ignored, and the first is not a number.
  void readHeader() {
    constexpr int longestVersion = 60;
    std::string_view word = reader_.word("the version line of " + name_);
    if (word.find_first_of("0123456789+-.") == 0 && !parseSizes(word)) {
      reader_.fail("expected the version line of " + name_ + ", as printed by CSparse, got a number.");
    }
    for (int skipped = 0; !parseSizes(word) && skipped < longestVersion; ++skipped) {
      if (word == "triplet:") order_ = Order::triplets;
      if (word == "csr:") order_ = Order::rows;
      word = reader_.word("the sizes of " + name_);
    }
    if (parseSizes(word) != std::pair(rows_, columns_)) {
      reader_.fail("expected '" + std::to_string(rows_) + "-by-" + std::to_string(columns_) + ",' in " + name_ +
                   ", as printed by CSparse.");
    }
    expect("nzmax:");
    reader_.word("nzmax of " + name_);
    expect("nnz:");
    word = reader_.word("the number of entries of " + name_);
    if (word.ends_with(',')) word.remove_suffix(1);
    const auto count = parseCount(word);
    if (!count) reader_.fail("expected the number of entries of " + name_ + ".");
    count_ = *count;
    if (order_ != Order::triplets) {
      expect("1-norm:");
      reader_.word("the norm of " + name_);
    }
    // An index, a colon and a value each.
    reader_.requireProduct(3, count_, name_);
    entries_.reserve(count_);
  }

  std::size_t index(std::size_t size, const char* what) {
    const std::size_t value = reader_.count(what + name_);
    if (value < size) return value;
    reader_.fail("expected " + (what + name_) + " below " + std::to_string(size) + ", got " + std::to_string(value) +
                 ".");
  }

  void readTriplets() {
    for (std::size_t k = 0; k < count_; ++k) {
      const std::size_t row = index(rows_, "a row of ");
      const std::size_t column = index(columns_, "a column of ");
      expect(":");
      entries_.push_back({row, column, reader_.number("an entry of " + name_)});
    }
  }

  void readCompressed() {
    const bool byRows = order_ == Order::rows;
    const std::size_t lines = byRows ? rows_ : columns_;
    for (std::size_t line = 0; line < lines; ++line) {
      const std::size_t count = readLineHeader(line);
      for (std::size_t k = 0; k < count; ++k) {
        const std::size_t other = index(byRows ? columns_ : rows_, byRows ? "a column of " : "a row of ");
        expect(":");
        const double value = reader_.number("an entry of " + name_);
        entries_.push_back(byRows ? Triplet{line, other, value} : Triplet{other, line, value});
      }
    }
    if (entries_.size() != count_) {
      reader_.fail("expected " + std::to_string(count_) + " entries of " + name_ + ", got " +
                   std::to_string(entries_.size()) + ".");
    }
  }

  // "col j : locations a to b", b = a − 1 if the column is empty; returns the number of entries.
  std::size_t readLineHeader(std::size_t line) {
    const std::string_view word = reader_.word("'col' in " + name_);
    if (word != "col" && word != "row") reader_.fail("expected 'col' in " + name_ + ", got another word.");
    if (reader_.count("the number of a column of " + name_) != line) {
      reader_.fail("expected column " + std::to_string(line) + " of " + name_ + ".");
    }
    expect(":");
    expect("locations");
    const std::size_t first = reader_.count("the first location of a column of " + name_);
    expect("to");
    const std::string_view last = reader_.word("the last location of a column of " + name_);
    const auto end = last == "-1" ? 0 : parseCount(last).value_or(count_) + 1;
    if (first != entries_.size() || end < first || end > count_) {
      reader_.fail("expected locations of " + name_ + " from " + std::to_string(entries_.size()) + " to at most " +
                   std::to_string(count_) + " - 1.");
    }
    return end - first;
  }

  TextReader& reader_;
  const std::string& name_;
  std::size_t rows_, columns_;
  std::size_t count_ = 0;
  Order order_ = Order::columns;
  std::vector<Triplet> entries_;
};

double norm1(const SparseMatrix& A) {
  double largest = 0.;
  for (std::size_t j = 0; j < A.size2(); ++j) {
    double sum = 0.;
    for (std::size_t k = columnStart(A, j); k < columnStart(A, j + 1); ++k) sum += std::abs(valueOf(A, k));
    largest = std::max(largest, sum);
  }
  return largest;
}

}  // namespace

SparseMatrix readPrintedSparse(TextReader& reader, const std::string& name, std::size_t rows, std::size_t columns) {
  return PrintedSparse(reader, name, rows, columns).read();
}

void appendNumber(double value, std::string& text) {
  std::array<char, 32> digits{};
  text.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr);
}

void printSparse(const SparseMatrix& A, std::string& text) {
  const std::string count = std::to_string(entryCount(A));
  // 2: made from compressed columns.
  text += "2\nCSparse's printed format, written by Delassus\n" + std::to_string(A.size1()) + "-by-" +
          std::to_string(A.size2()) + ", nzmax: " + count + " nnz: " + count + ", 1-norm: ";
  appendNumber(norm1(A), text);
  text += '\n';
  for (std::size_t j = 0; j < A.size2(); ++j) {
    const std::size_t first = columnStart(A, j);
    const std::size_t end = columnStart(A, j + 1);
    text += "    col " + std::to_string(j) + " : locations " + std::to_string(first) + " to ";
    text += (end == 0 ? "-1" : std::to_string(end - 1)) + "\n";
    for (std::size_t k = first; k < end; ++k) {
      text += "      " + std::to_string(rowOf(A, k)) + " : ";
      appendNumber(valueOf(A, k), text);
      text += '\n';
    }
  }
}

}  // namespace delassus::numerics
