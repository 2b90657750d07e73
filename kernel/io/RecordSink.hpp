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

/// What the numbers of a quantity are.
enum class RecordKind {
  real,     ///< a double
  integer,  ///< a whole number
  name      ///< a word: its number in the list of names
};

/// "real", "integer" or "name", as in files.
std::string_view toString(RecordKind kind);

/// A quantity of a recording: what one row of it looks like.
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

/// Quantities that get their rows together. The first table of a recording has a row an instant; others are ragged:
/// any number of rows an instant.
struct RecordTable {
  std::string name;                        ///< "rows", and of ragged ones "contacts"
  std::vector<RecordQuantity> quantities;  ///< their numbers are their places here
};

/// What a recording says about its run.
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
  /// A chunk has as many rows as come to about this many bytes.
  std::size_t chunkBytes = 256 * 1024;
  /// Replace the recording of a run that did not complete: that was killed, was stopped or failed. It may hold what a
  /// checkpoint goes on from, and is refused otherwise. Those of runs that completed are always replaced.
  bool replaceInterrupted = false;
};

/// Where rows go: a file of some format. Rows are written in place: for each quantity of a table its numbers are put at
/// place(), then endRow() makes them a row.
class RecordSink {
 public:
  virtual ~RecordSink() = default;
  RecordSink(const RecordSink&) = delete;
  RecordSink& operator=(const RecordSink&) = delete;

  /// Of the file, or of the first of them.
  virtual const std::filesystem::path& path() const = 0;

  /// Begins the file, or goes on in it where a state was restored (or the file was closed). Throws Error if that cannot
  /// be.
  virtual void open(const RecordHeader& header, const std::vector<RecordTable>& tables) = 0;
  /// True from open() to close(), or to the restore of a state.
  virtual bool isOpen() const = 0;

  /// The size() numbers of quantity `quantity` of the row that is not yet there.
  virtual double* place(std::size_t table, std::size_t quantity) = 0;
  /// Makes a row of the numbers that are in place.
  virtual void endRow(std::size_t table) = 0;
  /// Rows that were ended, committed or not, with those from before a restore.
  virtual std::uint64_t rows(std::size_t table) const = 0;

  /// The number that stands for this word.
  virtual double nameNumber(std::string_view name) = 0;

  /// Has everything so far in the file, for others to read and to outlive this process.
  virtual void commit(RecordStatus status) = 0;
  /// Commits, and gives the file its final form.
  virtual void close(RecordStatus status) = 0;

  /// Saves where the file is, which is committed before; or has the next open() go on from there.
  virtual void serializeState(StateArchive& archive) = 0;

 protected:
  RecordSink() = default;
};

/// A file in HDF5, laid out as docs/recording.md says. Throws Error for options that make no sense, and if the library
/// was built without HDF5.
std::unique_ptr<RecordSink> makeHdf5Sink(std::filesystem::path path, const RecordFileOptions& options);

/// Comma-separated values: the first table under this path, others beside it ("run.contacts.csv" to "run.csv").
std::unique_ptr<RecordSink> makeCsvSink(std::filesystem::path path);

}  // namespace delassus
