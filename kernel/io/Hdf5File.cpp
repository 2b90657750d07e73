// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/io/Hdf5File.hpp>

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <delassus/numerics/Error.hpp>
#include <fstream>
#include <limits>
#include <set>

namespace delassus::hdf5 {

namespace {

std::set<std::filesystem::path>& openRecordings() {
  static std::set<std::filesystem::path> paths;
  return paths;
}

std::filesystem::path placeOf(const std::filesystem::path& path) {
  std::error_code failure;
  const std::filesystem::path place = std::filesystem::weakly_canonical(path, failure);
  return failure ? path : place;
}

}  // namespace

void OpenRecordings::add(const std::filesystem::path& path) {
  openRecordings().insert(placeOf(path));
}

void OpenRecordings::remove(const std::filesystem::path& path) {
  openRecordings().erase(placeOf(path));
}

bool OpenRecordings::contain(const std::filesystem::path& path) {
  return openRecordings().count(placeOf(path)) > 0;
}

FileMark markOf(const std::filesystem::path& path) {
  std::error_code failure;
  if (!std::filesystem::exists(path, failure)) return FileMark::none;
  // The superblock: signature, version, two sizes, and flags that say how the file is open. (HDF5 File Format
  // Specification, version 3.0, II.A.)
  std::array<char, 12> begin{};
  std::ifstream file(path, std::ios::binary);
  if (!file.read(begin.data(), begin.size()) || std::memcmp(begin.data(), "\x89HDF\r\n\x1a\n", 8) != 0) {
    return FileMark::foreign;
  }
  constexpr int isWritten = 1, isReadToo = 4;
  if (begin[8] != 3) return FileMark::foreign;
  const int flags = begin[11] & (isWritten | isReadToo);
  if (flags == 0) return FileMark::closed;
  return flags == (isWritten | isReadToo) ? FileMark::open : FileMark::unreadable;
}

Handle newestForm() {
  Handle properties(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_libver_bounds(properties.id(), H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  return properties;
}

Handle wholePages(const std::string& fileName) {
  const std::string what = "HDF5 cannot keep the file's headers within pages.";
  Handle properties(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  require(H5Pset_file_space_strategy(properties.id(), H5F_FSPACE_STRATEGY_PAGE, false, 1), fileName, what);
  require(H5Pset_file_space_page_size(properties.id(), 4096), fileName, what);
  return properties;
}

Handle openRecording(const std::filesystem::path& path) {
  const std::string name = path.string();
  const FileMark mark = markOf(path);
  if (mark == FileMark::none) throw Error(name, "there is no such file.");
  if (mark == FileMark::foreign) throw Error(name, "expected a recording in HDF5, got another file.");
  if (mark == FileMark::unreadable) throw Error(name, "the file is incomplete: its writer ended while creating it.");
  if (OpenRecordings::contain(path)) {
    throw Error(name, "the recording is written by this program at this time: close its recorder before it is read.");
  }
  const Handle access = newestForm();
  // While the file is being written, incomplete parts are read again after waits that double from a nanosecond on: for
  // at most half a second, not for hours, as HDF5 does by default with a damaged file.
  if (mark == FileMark::open) H5Pset_metadata_read_attempts(access.id(), 28);
  const unsigned flags = mark == FileMark::open ? H5F_ACC_RDONLY | H5F_ACC_SWMR_READ : H5F_ACC_RDONLY;
  Handle file(H5Fopen(path.c_str(), flags, access.id()), H5Fclose);
  // It may have been closed in between.
  if (!file.valid()) file = Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, newestForm().id()), H5Fclose);
  if (!file.valid()) throw Error(name, "HDF5 cannot open the file: it is truncated, damaged, or locked." + reason());
  if (!hasAttribute(file.id(), "format") || readText(file.id(), "format", name) != formatName) {
    throw Error(name, "the file is in HDF5, but it is not a recording of Delassus.");
  }
  const long long layout = readInteger(file.id(), "layout", name);
  if (layout < 1 || layout > layoutVersion) {
    throw Error(name, "the recording has layout " + std::to_string(layout) + " (Delassus " +
                          readText(file.id(), "library", name) + "); this version reads layouts up to " +
                          std::to_string(layoutVersion) + ".");
  }
  return file;
}

void writeSettings(hid_t file, const char* path, const Settings& settings, const std::string& fileName) {
  const Handle inOrder(H5Pcreate(H5P_GROUP_CREATE), H5Pclose);
  H5Pset_attr_creation_order(inOrder.id(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  const Handle group = require(Handle(H5Gcreate2(file, path, H5P_DEFAULT, inOrder.id(), H5P_DEFAULT), H5Gclose),
                               fileName, std::string("HDF5 cannot make '") + path + "'.");
  for (const Setting& setting : settings.list()) {
    std::string name = setting.name;
    while (hasAttribute(group.id(), name.c_str())) name += '\'';
    writeAttribute(group.id(), name.c_str(), setting.value, fileName);
  }
}

Settings readSettings(hid_t file, const char* path, const std::string& fileName) {
  Settings settings;
  if (H5Lexists(file, path, H5P_DEFAULT) <= 0) return settings;
  const Handle group = require(Handle(H5Gopen2(file, path, H5P_DEFAULT), H5Gclose), fileName,
                               std::string("expected a group '") + path + "'.");
  std::vector<std::string> names;
  const auto collect = [](hid_t, const char* name, const H5A_info_t*, void* list) -> herr_t {
    static_cast<std::vector<std::string>*>(list)->emplace_back(name);
    return 0;
  };
  require(H5Aiterate2(group.id(), H5_INDEX_CRT_ORDER, H5_ITER_INC, nullptr, collect, &names), fileName,
          std::string("HDF5 cannot read '") + path + "'.");
  for (const std::string& name : names) settings.add(name, readText(group.id(), name.c_str(), fileName));
  return settings;
}

std::int64_t readNumber(hid_t file, const char* path, const std::string& fileName) {
  const std::string what = std::string("expected one whole number in '") + path + "'.";
  const Handle dataset = require(Handle(H5Dopen2(file, path, H5P_DEFAULT), H5Dclose), fileName, what);
  const Handle space(H5Dget_space(dataset.id()), H5Sclose);
  std::int64_t number = 0;
  if (H5Sget_simple_extent_npoints(space.id()) != 1) throw Error(fileName, what);
  require(H5Drefresh(dataset.id()), fileName, what);
  require(H5Dread(dataset.id(), H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, &number), fileName, what);
  return number;
}

std::uint64_t bytesOf(hid_t file) {
  void* handle = nullptr;
  struct stat status {};
  const bool known = H5Fget_vfd_handle(file, H5P_DEFAULT, &handle) >= 0 && handle != nullptr &&
                     fstat(*static_cast<const int*>(handle), &status) == 0;
  return known ? static_cast<std::uint64_t>(status.st_size) : std::numeric_limits<std::uint64_t>::max();
}

std::vector<std::string> readNames(hid_t file, const char* path, const std::string& fileName, std::size_t count) {
  const std::string what = std::string("expected a list of names in '") + path + "'.";
  const Handle dataset = require(Handle(H5Dopen2(file, path, H5P_DEFAULT), H5Dclose), fileName, what);
  require(H5Drefresh(dataset.id()), fileName, what);
  const Handle space(H5Dget_space(dataset.id()), H5Sclose);
  const Handle type(H5Dget_type(dataset.id()), H5Tclose);
  const std::size_t bytes = H5Tget_size(type.id());
  const hssize_t all = H5Sget_simple_extent_npoints(space.id());
  if (H5Sget_simple_extent_ndims(space.id()) != 1 || all < 0 || H5Tget_class(type.id()) != H5T_STRING ||
      H5Tis_variable_str(type.id()) != 0 || bytes == 0) {
    throw Error(fileName, what);
  }
  const hsize_t start = 0;
  const hsize_t number = std::min(count, static_cast<std::size_t>(all));
  std::vector<std::string> names;
  if (number == 0) return names;
  if (number > bytesOf(file) / bytes) {
    throw Error(fileName, std::string("the file is damaged: the list '") + path + "' is longer than it.");
  }
  const Handle memory(H5Screate_simple(1, &number, nullptr), H5Sclose);
  H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, &start, nullptr, &number, nullptr);
  std::vector<char> text(number * bytes);
  require(H5Dread(dataset.id(), type.id(), memory.id(), space.id(), H5P_DEFAULT, text.data()), fileName, what);
  for (std::size_t k = 0; k < number; ++k) {
    const char* const begin = text.data() + k * bytes;
    names.emplace_back(begin, std::find(begin, begin + bytes, '\0'));
  }
  return names;
}

}  // namespace delassus::hdf5
