// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <delassus/numerics/Settings.hpp>
#include <delassus/numerics/StateArchive.hpp>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace delassus {

/// The kind of numbers of a quantity.
enum class RecordKind {
  real,     ///< a double
  integer,  ///< a whole number
  name      ///< a word: its number in the list of names
};

/// "real", "integer" or "name", as in files.
std::string_view toString(RecordKind kind);

/// A quantity of a recording: the layout of one of its rows.
struct RecordQuantity {
  std::string path;                    ///< "systems/ball/q"
  std::string unit;                    ///< "m"; empty where it has none or it is not known
  std::string description;             ///< one clause
  std::vector<std::size_t> shape;      ///< of a row: {} a number, {n} n numbers, {m, n} n numbers of m members
  std::vector<std::string> columns;    ///< names of the n numbers; may be empty
  std::vector<std::string> members;    ///< names of the m members; may be empty
  RecordKind kind = RecordKind::real;  ///< of all its numbers

  /// Numbers of a row.
  std::size_t size() const;
};

/// Quantities that share their rows. The first table of a recording has one row for each instant; the others are
/// ragged, with any number of rows.
struct RecordTable {
  std::string name;                        ///< "rows", and of ragged ones "contacts"
  std::vector<RecordQuantity> quantities;  ///< their numbers are their places here
};

/// The description of a run in its recording.
struct RecordHeader {
  std::string simulation;  ///< its class
  Settings settings;       ///< of the simulation
  std::string model;       ///< a line for each system and interaction
  Settings options;        ///< that the program gives
};

/// How the run of a recording ended, so far.
enum class RecordStatus {
  running,    ///< or killed
  completed,  ///< at the final time
  stopped,    ///< early, by Simulation::stop()
  failed      ///< by an exception
};

/// "running", "completed", "stopped" or "failed".
std::string_view toString(RecordStatus status);

/// Options of files in HDF5.
struct RecordFileOptions {
  /// 0 (none) to 9 of the compression of whole chunks. Level 1 comes close to the others in size, and is several times
  /// faster.
  int compression = 1;
  /// A chunk has as many rows as make up about this many bytes.
  std::size_t chunkBytes = 256 * 1024;
  /// Replace the recording of a run that did not complete: that was killed, was stopped or failed. A checkpoint may
  /// need it, so without this option it is refused. Recordings of completed runs are always replaced.
  bool replaceInterrupted = false;
};

/// The destination of rows: a file of some format. Rows are written in place: the numbers of each quantity of a table
/// are put at place(), then endRow() completes the row.
class RecordSink {
 public:
  virtual ~RecordSink() = default;
  RecordSink(const RecordSink&) = delete;
  RecordSink& operator=(const RecordSink&) = delete;

  /// Of the file, or of the first of them.
  virtual const std::filesystem::path& path() const = 0;

  /// Begins the file, or continues it after a restore (or after it was closed). Throws Error if that is impossible.
  virtual void open(const RecordHeader& header, const std::vector<RecordTable>& tables) = 0;
  /// True from open() to close(), or to the restore of a state.
  virtual bool isOpen() const = 0;

  /// The size() numbers of quantity `quantity` in the row being written.
  virtual double* place(std::size_t table, std::size_t quantity) = 0;
  /// Completes a row with the numbers in place.
  virtual void endRow(std::size_t table) = 0;
  /// Number of completed rows, committed or not, including those from before a restore.
  virtual std::uint64_t rows(std::size_t table) const = 0;

  /// The number that stands for this word.
  virtual double nameNumber(std::string_view name) = 0;

  /// Writes everything so far to the file, for others to read and to outlive this process.
  virtual void commit(RecordStatus status) = 0;
  /// Commits and finishes the file.
  virtual void close(RecordStatus status) = 0;

  /// Commits and saves the position in the file; or makes the next open() continue from there.
  virtual void serializeState(StateArchive& archive) = 0;

 protected:
  RecordSink() = default;
};

/// A file in HDF5, laid out as docs/recording.md says. Throws Error for options that make no sense, and if the library
/// was built without HDF5.
std::unique_ptr<RecordSink> makeHdf5Sink(std::filesystem::path path, const RecordFileOptions& options);

/// Comma-separated values: the first table under this path, the others next to it ("run.contacts.csv" to "run.csv").
std::unique_ptr<RecordSink> makeCsvSink(std::filesystem::path path);

}  // namespace delassus
