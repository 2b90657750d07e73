// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/io/Hdf5.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <delassus/numerics/Error.hpp>
#include <limits>

namespace delassus::numerics::hdf5 {

Silence::Silence() {
  H5Eget_auto2(H5E_DEFAULT, &printer_, &data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Silence::~Silence() {
  H5Eset_auto2(H5E_DEFAULT, printer_, data_);
}

std::string reason() {
  std::string text;
  const auto innermost = [](unsigned, const H5E_error2_t* error, void* into) -> herr_t {
    *static_cast<std::string*>(into) = error->desc == nullptr ? "" : error->desc;
    return 0;
  };
  // From the call of the library to where it failed: the last one stays.
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, innermost, &text);
  constexpr std::string_view beforeMessage = "error message = '";
  if (const std::size_t begin = text.find(beforeMessage); begin != std::string::npos) {
    const std::size_t first = begin + beforeMessage.size();
    return " The system says: " + text.substr(first, text.find('\'', first) - first) + ".";
  }
  return text.empty() ? text : " HDF5 says: " + text + ".";
}

Reader::Reader(std::string_view content, std::string name) : name_(std::move(name)), bytes_(content.size()) {
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  constexpr std::size_t increment = std::size_t{1} << 16;
  // HDF5 copies the image; its parameter is not const, but it only reads.
  if (H5Pset_fapl_core(access.id(), increment, 0) < 0 ||
      H5Pset_file_image(access.id(), const_cast<char*>(content.data()), content.size()) < 0) {
    throw Error(name_, "HDF5 cannot take the file into memory.");
  }
  // An image must have a name that differs from those of all files and other images.
  static std::atomic<unsigned long> images{0};
  const std::string image = "/dev/null/" + std::to_string(images++);
  file_ = Handle(H5Fopen(image.c_str(), H5F_ACC_RDONLY, access.id()), H5Fclose);
  if (!file_.valid()) throw Error(name_, "expected an HDF5 file, but HDF5 cannot open it.");
}

void Reader::fail(const std::string& path, const std::string& what) const {
  throw Error(name_ + ", dataset " + path, what);
}

bool Reader::has(const std::string& path) const {
  // Each part of the path must exist, and in this file.
  for (std::size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
    const std::string part = path.substr(0, end);
    if (H5Lexists(file_.id(), part.c_str(), H5P_DEFAULT) <= 0) return false;
    H5L_info_t info;
    if (H5Lget_info(file_.id(), part.c_str(), &info, H5P_DEFAULT) < 0 || info.type != H5L_TYPE_HARD) return false;
    if (end == std::string::npos) return true;
  }
}

bool Reader::hasData(const std::string& path) const {
  return has(path) && H5Dget_storage_size(open(path).id()) > 0;
}

Handle Reader::open(const std::string& path) const {
  if (!has(path)) fail(path, "expected such a dataset, got none.");
  Handle dataset(H5Dopen2(file_.id(), path.c_str(), H5P_DEFAULT), H5Dclose);
  if (!dataset.valid()) fail(path, "expected a dataset that HDF5 can open.");
  return dataset;
}

std::size_t Reader::elements(const Handle& dataset, const std::string& path) const {
  const Handle space(H5Dget_space(dataset.id()), H5Sclose);
  const hssize_t count = space.valid() ? H5Sget_simple_extent_npoints(space.id()) : -1;
  if (count < 0) fail(path, "expected an array.");
  return static_cast<std::size_t>(count);
}

void Reader::requireStored(const Handle& dataset, std::size_t elements, std::size_t elementBytes,
                           const std::string& path) const {
  const Handle properties(H5Dget_create_plist(dataset.id()), H5Pclose);
  if (!properties.valid() || H5Pget_external_count(properties.id()) != 0) {
    fail(path, "expected data inside the file.");
  }
  const auto stored = static_cast<double>(std::min<hsize_t>(H5Dget_storage_size(dataset.id()), bytes_));
  // Deflation makes data at most about 1000 times smaller.
  const double limit = H5Pget_nfilters(properties.id()) > 0 ? 1100. * stored : stored;
  double largest = static_cast<double>(elements) * static_cast<double>(elementBytes);
  if (H5Pget_layout(properties.id()) == H5D_CHUNKED) {
    std::array<hsize_t, H5S_MAX_RANK> sizes{};
    const int rank = H5Pget_chunk(properties.id(), H5S_MAX_RANK, sizes.data());
    double chunk = static_cast<double>(elementBytes);
    for (int i = 0; i < std::min(rank, H5S_MAX_RANK); ++i)
      chunk *= static_cast<double>(sizes[static_cast<std::size_t>(i)]);
    largest = std::max(largest, chunk);
  }
  if (largest <= limit) return;
  fail(path, "expected what it declares, " + std::to_string(elements) + " elements of " + std::to_string(elementBytes) +
                 " bytes, but only " + std::to_string(static_cast<std::size_t>(stored)) + " bytes are stored.");
}

template <class Number>
std::vector<Number> Reader::read(const std::string& path, hid_t memoryType, bool realsToo) const {
  const Handle dataset = open(path);
  const Handle type(H5Dget_type(dataset.id()), H5Tclose);
  const H5T_class_t kind = type.valid() ? H5Tget_class(type.id()) : H5T_NO_CLASS;
  if (kind != H5T_INTEGER && !(realsToo && kind == H5T_FLOAT)) {
    fail(path, realsToo ? "expected numbers." : "expected whole numbers.");
  }
  const std::size_t count = elements(dataset, path);
  requireStored(dataset, count, H5Tget_size(type.id()), path);
  std::vector<Number> values(count);
  if (count > 0 && H5Dread(dataset.id(), memoryType, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0) {
    fail(path, "HDF5 cannot read the data.");
  }
  return values;
}

std::vector<long long> Reader::integers(const std::string& path) const {
  return read<long long>(path, H5T_NATIVE_LLONG, false);
}

std::vector<double> Reader::reals(const std::string& path) const {
  return read<double>(path, H5T_NATIVE_DOUBLE, true);
}

long long Reader::integer(const std::string& path) const {
  const std::vector<long long> values = integers(path);
  if (values.size() != 1) fail(path, "expected one number, got " + std::to_string(values.size()) + ".");
  return values[0];
}

std::string Reader::text(const std::string& path) const {
  if (!has(path)) return {};
  const Handle dataset = open(path);
  const Handle type(H5Dget_type(dataset.id()), H5Tclose);
  if (!type.valid() || H5Tget_class(type.id()) != H5T_STRING || H5Tis_variable_str(type.id()) != 0) return {};
  const std::size_t length = H5Tget_size(type.id());
  if (elements(dataset, path) != 1) return {};
  requireStored(dataset, 1, length, path);
  std::string value(length, '\0');
  if (H5Dread(dataset.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, value.data()) < 0) return {};
  value.resize(std::min(value.find('\0'), value.size()));
  return value;
}

Writer::Writer(const std::filesystem::path& path)
    : name_(path.string()), file_(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose) {
  if (!file_.valid()) throw Error(name_, "HDF5 cannot write the file." + reason());
}

void Writer::fail(const std::string& path) const {
  throw Error(name_ + ", dataset " + path, "HDF5 cannot write it." + reason());
}

void Writer::group(const std::string& path) {
  const Handle created(H5Gcreate2(file_.id(), path.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
  if (!created.valid()) fail(path);
}

void Writer::write(const std::string& path, hid_t fileType, hid_t memoryType, const void* values, std::size_t count) {
  const hsize_t size = count;
  const Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose);
  const Handle dataset(
      H5Dcreate2(file_.id(), path.c_str(), fileType, space.id(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
  if (!dataset.valid()) fail(path);
  if (count > 0 && H5Dwrite(dataset.id(), memoryType, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0) fail(path);
}

void Writer::integers(const std::string& path, const std::vector<long long>& values) {
  for (const long long value : values) {
    if (value <= std::numeric_limits<int>::max()) continue;
    throw Error(name_ + ", dataset " + path,
                "FCLIB has indices of 32 bits, and " + std::to_string(value) + " does not fit.");
  }
  write(path, H5T_STD_I32LE, H5T_NATIVE_LLONG, values.data(), values.size());
}

void Writer::reals(const std::string& path, const double* values, std::size_t count) {
  write(path, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, values, count);
}

void Writer::close() {
  // Closing writes what is still in memory.
  if (H5Fflush(file_.id(), H5F_SCOPE_GLOBAL) < 0) throw Error(name_, "HDF5 cannot write the file." + reason());
  file_ = Handle();
}

}  // namespace delassus::numerics::hdf5
