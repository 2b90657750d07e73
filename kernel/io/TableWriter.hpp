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

  /// What came, with its kind.
  const std::variant<double, std::string_view>& content() const { return content_; }

 private:
  std::variant<double, std::string_view> content_;
};

/// Writes a table of numbers as comma-separated values: one header line of column names with units ("t [s]"), then a
/// line a row, each number in the shortest form that reads back to the same double.
///
/// The table is written beside its place, as "name.part", and renamed by close(): the file under its name is always
/// whole. A table that is not closed (an exception came in between, or the program was killed) leaves its part file,
/// for diagnosis, and for a run that goes on from a checkpoint: see serializeState.
class TableWriter {
 public:
  /// Creates the folders of the path. Throws Error if the file cannot be written or there is no column. A part file
  /// that is there stays as it is until the first row (or close) comes.
  TableWriter(std::filesystem::path path, std::vector<std::string> columns);

  /// Throws Error if there is not one value a column, the table is closed, or the disk does not take it.
  ///@{
  void writeRow(std::span<const double> values);
  void writeRow(std::initializer_list<double> values) {
    writeRow(std::span<const double>(values.begin(), values.size()));
  }
  ///@}

  /// A row with words in it. Line breaks in these become blanks. Throws Error as above.
  ///@{
  void writeRow(std::span<const TableCell> cells);
  void writeRow(std::initializer_list<TableCell> cells) {
    writeRow(std::span<const TableCell>(cells.begin(), cells.size()));
  }
  ///@}

  /// Has all rows so far in the part file, for others to read. Throws Error if the disk does not take them.
  void flush();

  /// Finishes the file and puts it in its place. Throws Error if that fails.
  void close();

  /// Rows of the table so far, flushed or not, with those that it goes on after.
  std::size_t rows() const { return position_.rows; }

  /// For checkpoints: saves how far the table is, after a flush; or goes on there, with the rows that the part file (or
  /// the file itself, of a run that was completed) has up to there, and without those after it. Restore before the
  /// first row is written:
  ///
  ///     simulation.addState("table", [&](StateArchive& archive) { table.serializeState(archive); });
  ///
  /// Throws Error if the file is not there, is shorter, or has other rows than when it was saved.
  void serializeState(StateArchive& archive);

  /// How far a table is.
  struct Position {
    std::uint64_t rows = 0;      ///< without the header
    std::uint64_t bytes = 0;     ///< of the file, the header included; 0 before the table is begun
    std::uint64_t checksum = 0;  ///< of these bytes

    /// Saves the numbers, or restores them; the table is not touched.
    void serializeState(StateArchive& archive);
  };
  /// The same in two steps: how far the table is, which is flushed before (nothing before the first row), …
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
