// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/io/Hdf5Dataset.hpp>

#include <algorithm>
#include <bit>
#include <delassus/numerics/Error.hpp>
#include <utility>

namespace delassus::hdf5 {
namespace {

Handle textType() {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.id(), H5T_VARIABLE);
  H5Tset_cset(type.id(), H5T_CSET_UTF8);
  return type;
}

std::string attributeFailure(const char* name) {
  return std::string("HDF5 cannot write the attribute '") + name + "'.";
}

void writeAttribute(hid_t object, const char* name, const Handle& type, const Handle& space, const void* value,
                    const std::string& file) {
  const Handle attribute =
      require(Handle(H5Acreate2(object, name, type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose), file,
              attributeFailure(name));
  require(H5Awrite(attribute.id(), type.id(), value), file, attributeFailure(name));
}

}  // namespace

std::recursive_mutex& Access::mutex() {
  static std::recursive_mutex mutex;
  return mutex;
}

void require(herr_t result, const std::string& file, const std::string& what) {
  if (result < 0) throw Error(file, what + reason());
}

Handle require(Handle handle, const std::string& file, const std::string& what) {
  if (!handle.valid()) throw Error(file, what + reason());
  return handle;
}

void writeAttribute(hid_t object, const char* name, const std::string& text, const std::string& file) {
  const char* const value = text.c_str();
  writeAttribute(object, name, textType(), Handle(H5Screate(H5S_SCALAR), H5Sclose), &value, file);
}

void writeAttribute(hid_t object, const char* name, const std::vector<std::string>& texts, const std::string& file) {
  std::vector<const char*> values;
  values.reserve(texts.size());
  for (const std::string& text : texts) values.push_back(text.c_str());
  const hsize_t size = values.size();
  writeAttribute(object, name, textType(), Handle(H5Screate_simple(1, &size, nullptr), H5Sclose), values.data(), file);
}

void writeAttribute(hid_t object, const char* name, long long number, const std::string& file) {
  writeAttribute(object, name, Handle(H5Tcopy(H5T_NATIVE_LLONG), H5Tclose), Handle(H5Screate(H5S_SCALAR), H5Sclose),
                 &number, file);
}

bool hasAttribute(hid_t object, const char* name) {
  return H5Aexists(object, name) > 0;
}

std::vector<std::string> readTexts(hid_t object, const char* name, const std::string& file) {
  if (!hasAttribute(object, name)) return {};
  const std::string what = std::string("expected the attribute '") + name + "' to be text.";
  const Handle attribute = require(Handle(H5Aopen(object, name, H5P_DEFAULT), H5Aclose), file, what);
  const Handle type(H5Aget_type(attribute.id()), H5Tclose);
  const Handle space(H5Aget_space(attribute.id()), H5Sclose);
  const hssize_t count = space.valid() ? H5Sget_simple_extent_npoints(space.id()) : -1;
  if (!type.valid() || H5Tis_variable_str(type.id()) <= 0 || count < 0) throw Error(file, what);
  std::vector<char*> values(static_cast<std::size_t>(count), nullptr);
  const Handle memory = textType();
  require(H5Aread(attribute.id(), memory.id(), values.data()), file, what);
  std::vector<std::string> texts;
  texts.reserve(values.size());
  for (const char* value : values) texts.emplace_back(value == nullptr ? "" : value);
  H5Dvlen_reclaim(memory.id(), space.id(), H5P_DEFAULT, values.data());
  return texts;
}

std::string readText(hid_t object, const char* name, const std::string& file) {
  const std::vector<std::string> texts = readTexts(object, name, file);
  return texts.empty() ? std::string() : texts[0];
}

long long readInteger(hid_t object, const char* name, const std::string& file) {
  if (!hasAttribute(object, name)) return 0;
  const std::string what = std::string("expected the attribute '") + name + "' to be a whole number.";
  const Handle attribute = require(Handle(H5Aopen(object, name, H5P_DEFAULT), H5Aclose), file, what);
  const Handle space(H5Aget_space(attribute.id()), H5Sclose);
  long long number = 0;
  if (H5Sget_simple_extent_npoints(space.id()) != 1) throw Error(file, what);
  require(H5Aread(attribute.id(), H5T_NATIVE_LLONG, &number), file, what);
  return number;
}

Handle fixedText(std::size_t length) {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.id(), length);
  H5Tset_strpad(type.id(), H5T_STR_NULLPAD);
  H5Tset_cset(type.id(), H5T_CSET_UTF8);
  return type;
}

Handle withGroups() {
  Handle properties(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  H5Pset_create_intermediate_group(properties.id(), 1);
  H5Pset_char_encoding(properties.id(), H5T_CSET_UTF8);
  return properties;
}

RowDataset::RowDataset(hid_t file, const RecordQuantity& quantity, const RecordFileOptions& options,
                       std::string fileName)
    : fileName_(std::move(fileName)),
      path_(quantity.path),
      isReal_(quantity.kind == RecordKind::real),
      isCompressed_(options.compression > 0),
      width_(quantity.size()) {
  // A power of two, so that equal quantities have equal chunks, at most 8192 rows: a chunk waits in memory.
  chunkRows_ = std::clamp<std::size_t>(std::bit_floor(options.chunkBytes / (8 * width_) + 1), 1, 8192);
  std::vector<hsize_t> size{0}, most{H5S_UNLIMITED};
  chunk_ = {chunkRows_};
  for (const std::size_t extent : quantity.shape) {
    for (auto* list : {&size, &most, &chunk_}) list->push_back(extent);
  }
  const Handle space(H5Screate_simple(static_cast<int>(size.size()), size.data(), most.data()), H5Sclose);
  const Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_chunk(properties.id(), static_cast<int>(chunk_.size()), chunk_.data());
  H5Pset_fill_time(properties.id(), H5D_FILL_TIME_NEVER);
  if (isCompressed_) {
    H5Pset_shuffle(properties.id());
    H5Pset_deflate(properties.id(), static_cast<unsigned>(options.compression));
  }
  const Handle access(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose);
  H5Pset_chunk_cache(access.id(), 0, 0, H5D_CHUNK_CACHE_W0_DEFAULT);  // chunks are written whole
  dataset_ = Handle(H5Dcreate2(file, path_.c_str(), isReal_ ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT64, space.id(),
                               withGroups().id(), properties.id(), access.id()),
                    H5Dclose);
  if (!dataset_.valid()) fail("cannot make it");
  writeAttribute(dataset_.id(), "unit", quantity.unit, fileName_);
  writeAttribute(dataset_.id(), "description", quantity.description, fileName_);
  writeAttribute(dataset_.id(), "kind", std::string(toString(quantity.kind)), fileName_);
  if (!quantity.columns.empty()) writeAttribute(dataset_.id(), "columns", quantity.columns, fileName_);
  if (!quantity.members.empty()) writeAttribute(dataset_.id(), "members", quantity.members, fileName_);
  buffer_.resize(chunkRows_ * width_);
  if (!isReal_) integers_.resize(buffer_.size());
}

void RowDataset::fail(const char* what) const {
  throw Error(fileName_ + ", dataset " + path_, std::string("HDF5 ") + what + "." + reason());
}

void RowDataset::extend(std::uint64_t rows) {
  std::vector<hsize_t> size = chunk_;
  size[0] = rows;
  if (H5Dset_extent(dataset_.id(), size.data()) < 0) fail("cannot extend it");
}

std::vector<hsize_t> RowDataset::offset() const {
  std::vector<hsize_t> start(chunk_.size(), 0);
  start[0] = written_;
  return start;
}

// The first `rows` rows of the buffer as in the file; the others are zero.
const void* RowDataset::fileNumbers(std::size_t rows) {
  std::fill(buffer_.begin() + static_cast<std::ptrdiff_t>(rows * width_), buffer_.end(), 0.);
  if (isReal_) return buffer_.data();
  std::transform(buffer_.begin(), buffer_.end(), integers_.begin(),
                 [](double number) { return static_cast<std::int64_t>(number); });
  return integers_.data();
}

void RowDataset::writeFullChunk() {
  const Access access;
  if (committed_ > 0 || !isCompressed_) {
    writeChunkAsItIs();
  } else {
    extend(written_ + chunkRows_);
    const Handle memory(H5Screate_simple(static_cast<int>(chunk_.size()), chunk_.data(), nullptr), H5Sclose);
    const Handle space(H5Dget_space(dataset_.id()), H5Sclose);
    H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, offset().data(), nullptr, chunk_.data(), nullptr);
    if (H5Dwrite(dataset_.id(), isReal_ ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT64, memory.id(), space.id(), H5P_DEFAULT,
                 fileNumbers(chunkRows_)) < 0) {
      fail("cannot write to it");
    }
  }
  written_ += chunkRows_;
  filled_ = committed_ = 0;
  isFlushed_ = false;
}

void RowDataset::writeChunkAsItIs() {
  extend(written_ + filled_);
  const std::uint32_t noFilters = isCompressed_ ? 0x3 : 0x0;  // which of them are left out
  if (H5Dwrite_chunk(dataset_.id(), H5P_DEFAULT, noFilters, offset().data(), buffer_.size() * sizeof(double),
                     fileNumbers(filled_)) < 0) {
    fail("cannot write to it");
  }
}

void RowDataset::commit() {
  if (filled_ > committed_) {
    writeChunkAsItIs();
    committed_ = filled_;
    isFlushed_ = false;
  }
  if (!isFlushed_ && H5Dflush(dataset_.id()) < 0) fail("cannot write to it");
  isFlushed_ = true;
}

void RowDataset::take(hid_t from, std::uint64_t rows) {
  const Handle old(H5Dopen2(from, path_.c_str(), H5P_DEFAULT), H5Dclose);
  if (!old.valid()) throw Error(fileName_, "expected the dataset '" + path_ + "' in the file to go on with, got none.");
  const Handle properties(H5Dget_create_plist(old.id()), H5Pclose);
  const Handle space(H5Dget_space(old.id()), H5Sclose);
  const Handle type(H5Dget_type(old.id()), H5Tclose);
  std::vector<hsize_t> chunk(chunk_.size()), size(chunk_.size());
  if (H5Sget_simple_extent_ndims(space.id()) != static_cast<int>(chunk_.size()) ||
      H5Sget_simple_extent_dims(space.id(), size.data(), nullptr) < 0 ||
      H5Pget_chunk(properties.id(), static_cast<int>(chunk.size()), chunk.data()) != static_cast<int>(chunk.size()) ||
      chunk != chunk_ || H5Pget_nfilters(properties.id()) != (isCompressed_ ? 2 : 0) ||
      H5Tequal(type.id(), isReal_ ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT64) <= 0) {
    throw Error(fileName_,
                "the dataset '" + path_ + "' of the file to go on with has another shape, kind or compression.");
  }
  if (size[0] < rows) {
    throw Error(fileName_, "expected at least " + std::to_string(rows) + " rows of '" + path_ +
                               "' in the file to go on with, got " + std::to_string(size[0]) + ".");
  }
  std::vector<char> bytes;
  while (written_ + chunkRows_ <= rows) {
    hsize_t stored = 0;
    std::uint32_t filters = 0;
    if (H5Dget_chunk_storage_size(old.id(), offset().data(), &stored) < 0) fail("cannot read the rows to go on with");
    bytes.resize(stored);
    if (H5Dread_chunk(old.id(), H5P_DEFAULT, offset().data(), &filters, bytes.data()) < 0) {
      fail("cannot read the rows to go on with");
    }
    extend(written_ + chunkRows_);
    if (H5Dwrite_chunk(dataset_.id(), H5P_DEFAULT, filters, offset().data(), bytes.size(), bytes.data()) < 0) {
      fail("cannot write to it");
    }
    written_ += chunkRows_;
  }
  filled_ = static_cast<std::size_t>(rows - written_);
  if (filled_ == 0) return;
  chunk[0] = filled_;
  const Handle memory(H5Screate_simple(static_cast<int>(chunk.size()), chunk.data(), nullptr), H5Sclose);
  H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, offset().data(), nullptr, chunk.data(), nullptr);
  if (H5Dread(old.id(), H5T_NATIVE_DOUBLE, memory.id(), space.id(), H5P_DEFAULT, buffer_.data()) < 0) {
    fail("cannot read the rows to go on with");
  }
}

}  // namespace delassus::hdf5
