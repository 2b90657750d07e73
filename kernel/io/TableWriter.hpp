// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace delassus {

/// A number, or a word such as the kind of an event.
class TableCell {
 public:
  TableCell(double number) : content_(number) {}
  TableCell(std::string_view word) : content_(word) {}
  TableCell(const char* word) : content_(std::string_view(word)) {}
  TableCell(const std::string& word) : content_(std::string_view(word)) {}

  const std::variant<double, std::string_view>& content() const { return content_; }

 private:
  std::variant<double, std::string_view> content_;
};

/// Writes a table of numbers as comma-separated values: one header line of column names with units ("t [s]"), then a
/// line a row, each number in the shortest form that reads back to the same double.
///
/// The table is written beside its place, as "name.part", and renamed by close(): the file under its name is always
/// whole. A table that is not closed (an exception came in between) leaves its part file, for diagnosis.
class TableWriter {
 public:
  /// Creates the folders of the path. Throws Error if the file cannot be written or there is no column.
  TableWriter(std::filesystem::path path, std::vector<std::string> columns);

  /// Throws Error if there is not one value a column, or the disk does not take it.
  void writeRow(std::span<const double> values);
  void writeRow(std::initializer_list<double> values) {
    writeRow(std::span<const double>(values.begin(), values.size()));
  }

  /// A row with words in it. Throws Error also for a word with a comma, a quotation mark or a line break.
  void writeRow(std::initializer_list<TableCell> cells);

  /// Finishes the file and puts it in its place. Throws Error if that fails.
  void close();

  std::size_t rows() const { return rows_; }

 private:
  struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  void requireRow(std::size_t values) const;
  void put(double value, char after);
  void put(std::string_view text);

  std::filesystem::path path_;
  std::filesystem::path partPath_;
  std::size_t columns_;
  std::size_t rows_ = 0;
  std::unique_ptr<std::FILE, CloseFile> file_;
};

}  // namespace delassus
