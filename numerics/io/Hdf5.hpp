// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hdf5.h>

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// HDF5's C interface with ownership and exceptions. Not for public headers.
namespace delassus::numerics::hdf5 {

/// Owns an identifier of HDF5.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);

  Handle() = default;
  Handle(hid_t id, Close close) : id_(id), close_(close) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }

  bool valid() const { return id_ >= 0; }
  hid_t id() const { return id_; }

 private:
  hid_t id_ = H5I_INVALID_HID;
  Close close_ = nullptr;
};

/// Keeps HDF5 from printing its errors while it lives.
class Silence {
 public:
  Silence();
  ~Silence();
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;

 private:
  H5E_auto2_t printer_ = nullptr;
  void* data_ = nullptr;
};

/// Why the last call of HDF5 failed, as a sentence after another one: what the system says ("Permission denied"), else
/// what HDF5 does; empty if neither says anything.
std::string reason();

/// Reads datasets from a file in memory. Every failure is an Error with the names of file and dataset. The declared
/// size of a dataset is compared with its stored size before memory is allocated. Links to other files are not
/// followed.
class Reader {
 public:
  /// The content must outlive the reader.
  Reader(std::string_view content, std::string name);

  /// True if there is such a group or dataset.
  bool has(const std::string& path) const;
  /// True if data were written to this dataset; one that was only declared has none.
  bool hasData(const std::string& path) const;
  /// The number in a dataset of one element.
  long long integer(const std::string& path) const;
  std::vector<long long> integers(const std::string& path) const;
  std::vector<double> reals(const std::string& path) const;
  /// A string of fixed length; empty where there is none.
  std::string text(const std::string& path) const;

  [[noreturn]] void fail(const std::string& path, const std::string& what) const;

 private:
  Handle open(const std::string& path) const;
  std::size_t elements(const Handle& dataset, const std::string& path) const;
  void requireStored(const Handle& dataset, std::size_t elements, std::size_t elementBytes,
                     const std::string& path) const;
  template <class Number>
  std::vector<Number> read(const std::string& path, hid_t memoryType, bool realsToo) const;

  std::string name_;
  std::size_t bytes_;
  Silence silence_;
  Handle file_;
};

/// Writes a new file.
class Writer {
 public:
  explicit Writer(const std::filesystem::path& path);

  void group(const std::string& path);
  /// In 32 bits, as FCLIB has its indices; throws Error if one does not fit.
  void integers(const std::string& path, const std::vector<long long>& values);
  void reals(const std::string& path, const double* values, std::size_t count);
  void close();

 private:
  void write(const std::string& path, hid_t fileType, hid_t memoryType, const void* values, std::size_t count);
  [[noreturn]] void fail(const std::string& path) const;

  std::string name_;
  Silence silence_;
  Handle file_;
};

}  // namespace delassus::numerics::hdf5
