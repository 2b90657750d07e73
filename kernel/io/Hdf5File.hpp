// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/io/Hdf5Dataset.hpp>
#include <delassus/numerics/Settings.hpp>
#include <filesystem>
#include <string>
#include <vector>

// The frame of a recording in HDF5: what Hdf5Sink and RecordReader both know. Not for public headers.
namespace delassus::hdf5 {

inline constexpr char formatName[] = "Delassus recording";
inline constexpr long long layoutVersion = 1;
inline constexpr std::size_t nameBytes = 128;  ///< of an entry in the list of names

/// The state recorded at the beginning of a file.
enum class FileMark {
  none,       ///< no file
  foreign,    ///< not in HDF5, or of a version that recordings do not have
  closed,     ///< a whole file
  open,       ///< being written in a way that allows reading, or its writer was killed
  unreadable  ///< being written otherwise, or its writer was killed then
};
FileMark markOf(const std::filesystem::path& path);

/// Properties that have the newest form of HDF5 used, which reading while writing needs.
Handle newestForm();

/// Properties of a new file in which no piece of up to 4096 bytes of what HDF5 knows of the data lies across the border
/// of two pages of memory: there a system may cut a write of a process that is killed, and a cut piece is not readable.
/// Throws Error if HDF5 cannot do that.
Handle wholePages(const std::string& fileName);

/// A recording, opened for reading, also while it is written or after its writer was killed. Throws Error if it is
/// none, is truncated, or has a newer layout.
Handle openRecording(const std::filesystem::path& path);

/// Recordings that this process writes at this time. HDF5 would have a reader of the same process share what the writer
/// holds of the file, which is not what is in it. To be asked and changed with Access.
class OpenRecordings {
 public:
  static void add(const std::filesystem::path& path);
  static void remove(const std::filesystem::path& path);
  static bool contain(const std::filesystem::path& path);
};

/// The bytes of an open file, whatever its name is by now; a number that no file has if they are not known.
std::uint64_t bytesOf(hid_t file);

/// A group with an attribute for each of them, in their order.
void writeSettings(hid_t file, const char* path, const Settings& settings, const std::string& fileName);
/// None where there is no such group.
Settings readSettings(hid_t file, const char* path, const std::string& fileName);

/// The single number in a dataset.
std::int64_t readNumber(hid_t file, const char* path, const std::string& fileName);
/// The first `count` strings of a dataset, or all.
std::vector<std::string> readNames(hid_t file, const char* path, const std::string& fileName,
                                   std::size_t count = static_cast<std::size_t>(-1));

}  // namespace delassus::hdf5
