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
  header += '\n';
  if (std::fwrite(header.data(), 1, header.size(), file_.get()) != header.size()) {
    throw Error("TableWriter", "cannot write to '" + partPath_.string() + "': " + systemReason() + ".");
  }
}

void TableWriter::writeRow(std::span<const double> values) {
  if (!file_) throw Error("TableWriter", "the table '" + path_.string() + "' is already closed.");
  if (values.size() != columns_) {
    throw Error("TableWriter", "the table '" + path_.string() + "' has " + std::to_string(columns_) +
                                   " columns, but a row of " + std::to_string(values.size()) + " values came.");
  }
  std::array<char, 32> digits{};
  for (std::size_t i = 0; i < values.size(); ++i) {
    char* const first = digits.data();
    // The shortest form that reads back to the same double.
    char* last = std::to_chars(first, first + digits.size() - 1, values[i]).ptr;
    *last++ = i + 1 == values.size() ? '\n' : ',';
    const auto length = static_cast<std::size_t>(last - first);
    if (std::fwrite(first, 1, length, file_.get()) != length) {
      throw Error("TableWriter", "cannot write to '" + partPath_.string() + "': " + systemReason() + ".");
    }
  }
  ++rows_;
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
