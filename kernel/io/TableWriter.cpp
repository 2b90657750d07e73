// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/io/TableWriter.hpp>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <delassus/numerics/Error.hpp>
#include <system_error>
#include <utility>

namespace delassus {
namespace {

std::string systemReason() {
  return std::strerror(errno);
}

}  // namespace

TableWriter::TableWriter(std::filesystem::path path, std::vector<std::string> columns)
    : path_(std::move(path)), partPath_(path_), columns_(columns.size()) {
  if (columns.empty()) throw Error("TableWriter", "the table '" + path_.string() + "' has no columns.");
  partPath_ += ".part";
  if (path_.has_parent_path()) {
    std::error_code failure;
    std::filesystem::create_directories(path_.parent_path(), failure);
    if (failure) {
      throw Error("TableWriter",
                  "cannot create the folder '" + path_.parent_path().string() + "': " + failure.message() + ".");
    }
  }
  file_.reset(std::fopen(partPath_.c_str(), "wb"));
  if (!file_) throw Error("TableWriter", "cannot write '" + partPath_.string() + "': " + systemReason() + ".");
  std::string header;
  for (const std::string& column : columns) header += (header.empty() ? "" : ",") + column;
  put(header += '\n');
}

void TableWriter::writeRow(std::span<const double> values) {
  requireRow(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) put(values[i], i + 1 == values.size() ? '\n' : ',');
  ++rows_;
}

void TableWriter::writeRow(std::initializer_list<TableCell> cells) {
  requireRow(cells.size());
  for (const TableCell& cell : cells) {
    const std::string_view* word = std::get_if<std::string_view>(&cell.content());
    if (word == nullptr || word->find_first_of(",\"\r\n") == std::string_view::npos) continue;
    throw Error("TableWriter", "a word of the table '" + path_.string() +
                                   "' must be without commas, quotation marks and line breaks, but '" +
                                   std::string(*word) + "' came.");
  }
  for (const TableCell& cell : cells) {
    const char after = &cell + 1 == cells.end() ? '\n' : ',';
    if (const double* number = std::get_if<double>(&cell.content())) {
      put(*number, after);
    } else {
      put(std::get<std::string_view>(cell.content()));
      put(std::string_view(&after, 1));
    }
  }
  ++rows_;
}

void TableWriter::requireRow(std::size_t values) const {
  if (!file_) throw Error("TableWriter", "the table '" + path_.string() + "' is already closed.");
  if (values != columns_) {
    throw Error("TableWriter", "the table '" + path_.string() + "' has " + std::to_string(columns_) +
                                   " columns, but a row of " + std::to_string(values) + " values came.");
  }
}

void TableWriter::put(double value, char after) {
  std::array<char, 32> digits{};
  // The shortest form that reads back to the same double.
  char* const last = std::to_chars(digits.data(), digits.data() + digits.size() - 1, value).ptr;
  *last = after;
  put(std::string_view(digits.data(), static_cast<std::size_t>(last - digits.data()) + 1));
}

void TableWriter::put(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size()) {
    throw Error("TableWriter", "cannot write to '" + partPath_.string() + "': " + systemReason() + ".");
  }
}

void TableWriter::close() {
  if (!file_) return;
  if (std::fclose(file_.release()) != 0) {
    throw Error("TableWriter", "cannot finish '" + partPath_.string() + "': " + systemReason() + ".");
  }
  std::error_code failure;
  std::filesystem::rename(partPath_, path_, failure);
  if (failure) {
    throw Error("TableWriter",
                "cannot rename '" + partPath_.string() + "' to '" + path_.string() + "': " + failure.message() + ".");
  }
}

}  // namespace delassus
