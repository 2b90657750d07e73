// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/kernel/io/RecordSink.hpp>
#include <delassus/numerics/Settings.hpp>
#include <delassus/numerics/algebra/Matrix.hpp>
#include <delassus/numerics/algebra/Vector.hpp>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace delassus {

/// Reads a recording of Recorder, also while it is written and after its program was killed:
///
///     const RecordReader recording("run.h5");
///     const Vector t = recording.column("time");
///     const Matrix q = recording.matrix("systems/ball/q");
///     std::cout << recording.unit("systems/ball/q") << ' ' << recording.rows() << '\n';
///
/// A program that writes a recording itself must close its recorder before reading it (the end of a run does).
///
/// Only committed rows are visible, the same number for all quantities. Functions throw Error naming the file, and what
/// is wrong: a quantity that it does not have (with a list of those it has), or a file that is truncated, foreign or of
/// a newer version.
class RecordReader {
 public:
  /// Opens the file, and keeps it open. Throws Error also if the library was built without HDF5.
  explicit RecordReader(const std::filesystem::path& path);
  ~RecordReader();
  RecordReader(const RecordReader&) = delete;
  RecordReader& operator=(const RecordReader&) = delete;

  /// Updates the number of rows.
  void refresh();

  std::size_t rows() const;        ///< at the last refresh(), or when the file was opened
  RecordStatus status() const;     ///< as of the last commit
  std::string library() const;     ///< version that wrote the file
  std::string created() const;     ///< UTC, "2026-01-31T12:00:00Z"
  std::string simulation() const;  ///< its class
  std::string model() const;       ///< systems and interactions, a line each
  /// Settings of the simulation.
  Settings settings() const;
  /// The parameters given to Recorder::setting, in that order.
  Settings options() const;

  /// All quantities, in the order in which they were chosen; "time" and "step" come first.
  const std::vector<RecordQuantity>& quantities() const;
  /// True if there is a quantity of this path.
  bool has(const std::string& path) const;
  /// Unit, shape and names of a quantity.
  const RecordQuantity& quantity(const std::string& path) const;
  /// The unit of its numbers; empty where it has none or it is not known.
  const std::string& unit(const std::string& path) const { return quantity(path).unit; }

  /// Of all rows, s.
  Vector times() const { return column("time"); }
  /// Rows x size, of all rows or of `count` rows from number `first` on; a quantity of m members of n numbers has m n
  /// columns, member after member. Throws Error also for rows that do not exist.
  ///@{
  Matrix matrix(const std::string& path) const { return matrix(path, 0, length(path)); }
  Matrix matrix(const std::string& path, std::size_t first, std::size_t count) const;
  ///@}
  /// One column of it, all rows.
  Vector column(const std::string& path, std::size_t column = 0) const;
  /// The words of a quantity of kind name.
  std::vector<std::string> words(const std::string& path) const;

  /// Rows that a quantity has: rows(), or those of its ragged table.
  std::size_t length(const std::string& path) const;
  /// The rows of a ragged table ("contacts") that belong to a row.
  struct Range {
    std::size_t first = 0;  ///< number of the first, in the ragged table
    std::size_t count = 0;  ///< may be 0
  };
  /// Of one row. Throws Error also if there is no such row, or no such ragged table.
  Range range(const std::string& table, std::size_t row) const;

 private:
  struct File;
  std::unique_ptr<File> file_;
};

}  // namespace delassus
