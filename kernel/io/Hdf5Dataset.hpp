// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <delassus/kernel/io/RecordSink.hpp>
#include <delassus/numerics/io/Hdf5.hpp>
#include <mutex>
#include <string>
#include <vector>

// The parts of HDF5 that recordings use. Not for public headers.
namespace delassus::hdf5 {

using numerics::hdf5::Handle;
using numerics::hdf5::reason;
using numerics::hdf5::Silence;

/// While it lives, this thread alone is in HDF5 as far as recordings go, and HDF5 prints nothing.
class Access {
 public:
  Access() : lock_(mutex()) {}

 private:
  static std::recursive_mutex& mutex();

  std::lock_guard<std::recursive_mutex> lock_;
  Silence silence_;
};

/// Throws Error("<file>", "<what> <reason>") unless `result` is one of success.
void require(herr_t result, const std::string& file, const std::string& what);
Handle require(Handle handle, const std::string& file, const std::string& what);

// Attributes of an object; `file` is for messages.
void writeAttribute(hid_t object, const char* name, const std::string& text, const std::string& file);
void writeAttribute(hid_t object, const char* name, const std::vector<std::string>& texts, const std::string& file);
void writeAttribute(hid_t object, const char* name, long long number, const std::string& file);
bool hasAttribute(hid_t object, const char* name);
/// Empty, or 0, where there is none.
std::string readText(hid_t object, const char* name, const std::string& file);
std::vector<std::string> readTexts(hid_t object, const char* name, const std::string& file);
long long readInteger(hid_t object, const char* name, const std::string& file);

/// A type of strings of `length` bytes, in UTF-8, filled up with zeros.
Handle fixedText(std::size_t length);
/// Properties of links that make the groups on the way.
Handle withGroups();

/// The rows of a quantity in a file: a dataset of rows x shape that grows, in chunks of whole rows.
///
/// Rows are gathered until they fill a chunk, which is then compressed and written once. A chunk committed before it is
/// full is written uncompressed and stays so: it is rewritten in place, while a compressed one would leave a hole with
/// each commit, which files that are read while they are written cannot reuse.
class RowDataset {
 public:
  RowDataset(hid_t file, const RecordQuantity& quantity, const RecordFileOptions& options, std::string fileName);

  /// Copies the first `rows` rows of a dataset that was written with the same quantity and options.
  void take(hid_t from, std::uint64_t rows);

  double* place() { return buffer_.data() + filled_ * width_; }
  void endRow() {
    if (++filled_ == chunkRows_) writeFullChunk();
  }
  std::uint64_t rows() const { return written_ + filled_; }

  /// Writes the gathered rows, so that everything is in the file.
  void commit();

 private:
  void extend(std::uint64_t rows);
  const void* fileNumbers(std::size_t rows);
  void writeFullChunk();
  void writeChunkAsItIs();
  std::vector<hsize_t> offset() const;
  [[noreturn]] void fail(const char* what) const;

  std::string fileName_, path_;
  bool isReal_;
  bool isCompressed_;
  std::vector<hsize_t> chunk_;  // rows, shape
  std::size_t chunkRows_ = 0;
  std::size_t width_ = 0;
  Handle dataset_;
  std::vector<double> buffer_;          // of a chunk
  std::vector<std::int64_t> integers_;  // the same, for the file
  std::uint64_t written_ = 0;           // rows in chunks that are full
  std::size_t filled_ = 0;              // rows in the buffer …
  std::size_t committed_ = 0;           // … and those of them that are in the file: the chunk is there, uncompressed
  bool isFlushed_ = false;
};

}  // namespace delassus::hdf5
