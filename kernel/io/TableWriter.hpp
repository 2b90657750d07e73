// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <delassus/numerics/StateArchive.hpp>
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
  /// A number, or a word, which is not copied: it must outlive the cell.
  ///@{
  TableCell(double number) : content_(number) {}
  TableCell(std::string_view word) : content_(word) {}
  TableCell(const char* word) : content_(std::string_view(word)) {}
  TableCell(const std::string& word) : content_(std::string_view(word)) {}
  ///@}

  /// The content, a number or a word.
  const std::variant<double, std::string_view>& content() const { return content_; }

 private:
  std::variant<double, std::string_view> content_;
};

/// Writes a table of numbers as comma-separated values: one header line of column names with units ("t [s]"), then a
/// line a row, each number in the shortest form that reads back to the same double.
///
/// The table is written as "name.part" and renamed by close(): the file under its final name is always complete. A
/// table that is not closed (because of an exception, or because the program was killed) leaves its part file, for
/// diagnosis and for a run that continues from a checkpoint: see serializeState.
class TableWriter {
 public:
  /// Creates the folders of the path. Throws Error if the file cannot be written or there is no column. An existing
  /// part file remains until the first row (or close).
  TableWriter(std::filesystem::path path, std::vector<std::string> columns);

  /// Throws Error if there is not exactly one value for each column, the table is closed, or writing fails.
  ///@{
  void writeRow(std::span<const double> values);
  void writeRow(std::initializer_list<double> values) {
    writeRow(std::span<const double>(values.begin(), values.size()));
  }
  ///@}

  /// A row that contains words. Line breaks in these become blanks. Throws Error as above.
  ///@{
  void writeRow(std::span<const TableCell> cells);
  void writeRow(std::initializer_list<TableCell> cells) {
    writeRow(std::span<const TableCell>(cells.begin(), cells.size()));
  }
  ///@}

  /// Writes all rows so far to the part file, for others to read. Throws Error if writing fails.
  void flush();

  /// Finishes the file and gives it its final name. Throws Error if that fails.
  void close();

  /// Number of rows so far, flushed or not, including those from before a restore.
  std::size_t rows() const { return position_.rows; }

  /// For checkpoints: flushes and saves the position in the table; or continues from there, keeping the rows up to it
  /// in the part file (or in the file itself, if the run was completed) and dropping later ones. Restore before the
  /// first row is written:
  ///
  ///     simulation.addState("table", [&](StateArchive& archive) { table.serializeState(archive); });
  ///
  /// Throws Error if the file does not exist, is shorter, or has other rows than when it was saved.
  void serializeState(StateArchive& archive);

  /// How far a table is.
  struct Position {
    std::uint64_t rows = 0;      ///< without the header
    std::uint64_t bytes = 0;     ///< of the file, the header included; 0 before the table is begun
    std::uint64_t checksum = 0;  ///< of these bytes

    /// Saves the numbers, or restores them; the table is not touched.
    void serializeState(StateArchive& archive);
  };
  /// The same in two steps: the position in the table, which is flushed first (empty before the first row), …
  Position position();
  /// … and to go on there.
  void continueAt(const Position& position);

 private:
  struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  void begin();
  void requireRow(std::size_t values) const;
  void put(double value, char after);
  void put(std::string_view text);
  void putWord(std::string_view word);
  [[noreturn]] void fail(const std::string& what) const;

  std::filesystem::path path_;
  std::filesystem::path partPath_;
  std::vector<std::string> columns_;
  bool begun_ = false;   // the part file is this table's
  bool goesOn_ = false;  // and has rows after position_ that are to go
  Position position_;
  std::unique_ptr<std::FILE, CloseFile> file_;
};

}  // namespace delassus
