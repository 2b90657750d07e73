// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/io/RecordReader.hpp>

#include <algorithm>
#include <delassus/kernel/io/Hdf5File.hpp>
#include <delassus/numerics/Error.hpp>

namespace delassus {

using namespace hdf5;

struct RecordReader::File {
  std::string name;
  Handle file;
  std::size_t rows = 0;
  std::vector<RecordQuantity> quantities;
  std::vector<std::string> tables;  // ragged ones

  Handle open(const std::string& path) const;
  void describe();
  // The ragged table that a quantity is of, or empty.
  std::string tableOf(const std::string& path) const;
  std::vector<double> read(const RecordQuantity& quantity, std::size_t first, std::size_t count) const;
};

Handle RecordReader::File::open(const std::string& path) const {
  Handle dataset = require(Handle(H5Dopen2(file.id(), path.c_str(), H5P_DEFAULT), H5Dclose), name,
                           "HDF5 cannot open the dataset '" + path + "'.");
  require(H5Drefresh(dataset.id()), name, "HDF5 cannot read the dataset '" + path + "'.");
  return dataset;
}

void RecordReader::File::describe() {
  for (const std::string& path : readNames(file.id(), "quantities", name)) {
    const Handle dataset = open(path);
    const Handle space(H5Dget_space(dataset.id()), H5Sclose);
    const int rank = H5Sget_simple_extent_ndims(space.id());
    if (rank < 1 || rank > 3) throw Error(name, "expected one to three dimensions of '" + path + "'.");
    std::vector<hsize_t> size(static_cast<std::size_t>(rank));
    H5Sget_simple_extent_dims(space.id(), size.data(), nullptr);
    RecordQuantity quantity;
    quantity.path = path;
    quantity.shape.assign(size.begin() + 1, size.end());
    quantity.unit = readText(dataset.id(), "unit", name);
    quantity.description = readText(dataset.id(), "description", name);
    quantity.columns = readTexts(dataset.id(), "columns", name);
    quantity.members = readTexts(dataset.id(), "members", name);
    const std::string kind = readText(dataset.id(), "kind", name);
    for (const RecordKind known : {RecordKind::integer, RecordKind::name}) {
      if (kind == toString(known)) quantity.kind = known;
    }
    if (path.ends_with("/first")) tables.push_back(path.substr(0, path.size() - 6));
    quantities.push_back(std::move(quantity));
  }
}

std::string RecordReader::File::tableOf(const std::string& path) const {
  for (const std::string& table : tables) {
    if (path.starts_with(table + '/') && path != table + "/first" && path != table + "/count") return table;
  }
  return {};
}

std::vector<double> RecordReader::File::read(const RecordQuantity& quantity, std::size_t first,
                                             std::size_t count) const {
  std::vector<double> numbers(count * quantity.size());
  if (count == 0) return numbers;
  const Handle dataset = open(quantity.path);
  const Handle space(H5Dget_space(dataset.id()), H5Sclose);
  std::vector<hsize_t> size(quantity.shape.size() + 1), start(size.size(), 0), part{count};
  if (H5Sget_simple_extent_dims(space.id(), size.data(), nullptr) != static_cast<int>(size.size()) ||
      size[0] < first + count) {
    throw Error(name, "expected " + std::to_string(first + count) + " rows of '" + quantity.path + "', got " +
                          std::to_string(size[0]) + ": the file is damaged.");
  }
  start[0] = first;
  part.insert(part.end(), quantity.shape.begin(), quantity.shape.end());
  const Handle memory(H5Screate_simple(static_cast<int>(part.size()), part.data(), nullptr), H5Sclose);
  H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, start.data(), nullptr, part.data(), nullptr);
  require(H5Dread(dataset.id(), H5T_NATIVE_DOUBLE, memory.id(), space.id(), H5P_DEFAULT, numbers.data()), name,
          "HDF5 cannot read the rows of '" + quantity.path + "': the file is truncated or damaged.");
  return numbers;
}

RecordReader::RecordReader(const std::filesystem::path& path) : file_(std::make_unique<File>()) {
  const Access access;
  file_->name = path.string();
  file_->file = openRecording(path);
  file_->describe();
  refresh();
}

RecordReader::~RecordReader() {
  const Access access;
  file_->file = Handle();
}

void RecordReader::refresh() {
  const Access access;
  const std::int64_t rows = readNumber(file_->file.id(), "rows", file_->name);
  if (rows < 0) throw Error(file_->name, "expected a number of rows, got " + std::to_string(rows) + ".");
  file_->rows = static_cast<std::size_t>(rows);
}

std::size_t RecordReader::rows() const {
  return file_->rows;
}

RecordStatus RecordReader::status() const {
  const Access access;
  const std::int64_t status = readNumber(file_->file.id(), "status", file_->name);
  if (status < 0 || status > static_cast<std::int64_t>(RecordStatus::failed)) {
    throw Error(file_->name, "expected a status of 0 to 3, got " + std::to_string(status) + ".");
  }
  return static_cast<RecordStatus>(status);
}

std::string RecordReader::library() const {
  const Access access;
  return readText(file_->file.id(), "library", file_->name);
}

std::string RecordReader::created() const {
  const Access access;
  return readText(file_->file.id(), "created", file_->name);
}

std::string RecordReader::simulation() const {
  const Access access;
  return readText(file_->file.id(), "simulation", file_->name);
}

std::string RecordReader::model() const {
  const Access access;
  std::string text;
  for (const std::string& line : readNames(file_->file.id(), "model", file_->name)) text += line + '\n';
  return text;
}

Settings RecordReader::settings() const {
  const Access access;
  const Handle group = require(Handle(H5Gopen2(file_->file.id(), "settings", H5P_DEFAULT), H5Gclose), file_->name,
                               "expected a group 'settings'.");
  std::vector<std::string> names;
  const auto collect = [](hid_t, const char* name, const H5A_info_t*, void* list) -> herr_t {
    static_cast<std::vector<std::string>*>(list)->emplace_back(name);
    return 0;
  };
  require(H5Aiterate2(group.id(), H5_INDEX_CRT_ORDER, H5_ITER_INC, nullptr, collect, &names), file_->name,
          "HDF5 cannot read the settings.");
  Settings settings;
  for (const std::string& name : names) settings.add(name, readText(group.id(), name.c_str(), file_->name));
  return settings;
}

const std::vector<RecordQuantity>& RecordReader::quantities() const {
  return file_->quantities;
}

bool RecordReader::has(const std::string& path) const {
  return std::any_of(quantities().begin(), quantities().end(), [&](const auto& q) { return q.path == path; });
}

const RecordQuantity& RecordReader::quantity(const std::string& path) const {
  std::string list;
  for (const RecordQuantity& quantity : quantities()) {
    if (quantity.path == path) return quantity;
    list += (list.empty() ? "'" : ", '") + quantity.path + "'";
  }
  throw Error(file_->name, "the recording has no '" + path + "'; it has " + list + ".");
}

std::size_t RecordReader::length(const std::string& path) const {
  quantity(path);
  const std::string table = file_->tableOf(path);
  if (table.empty()) return rows();
  if (rows() == 0) return 0;
  const Range last = range(table, rows() - 1);
  return last.first + last.count;
}

RecordReader::Range RecordReader::range(const std::string& table, std::size_t row) const {
  const Matrix first = matrix(table + "/first", row, 1);
  const Matrix count = matrix(table + "/count", row, 1);
  return {static_cast<std::size_t>(first(0, 0)), static_cast<std::size_t>(count(0, 0))};
}

Matrix RecordReader::matrix(const std::string& path, std::size_t first, std::size_t count) const {
  const Access access;
  const RecordQuantity& wanted = quantity(path);
  if (first + count > length(path)) {
    throw Error(file_->name, "rows " + std::to_string(first) + " to " + std::to_string(first + count) + " of '" + path +
                                 "' were asked for, but it has " + std::to_string(length(path)) + ".");
  }
  const std::vector<double> numbers = file_->read(wanted, first, count);
  const std::size_t width = wanted.size();
  Matrix result(count, width);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < width; ++j) result(i, j) = numbers[i * width + j];
  }
  return result;
}

Vector RecordReader::column(const std::string& path, std::size_t column) const {
  const std::size_t width = quantity(path).size();
  if (column >= width) {
    throw Error(file_->name, "'" + path + "' has " + std::to_string(width) + " columns, number " +
                                 std::to_string(column) + " was asked for.");
  }
  const Matrix all = matrix(path);
  Vector result(all.size1());
  for (std::size_t i = 0; i < result.size(); ++i) result(i) = all(i, column);
  return result;
}

std::vector<std::string> RecordReader::words(const std::string& path) const {
  if (quantity(path).kind != RecordKind::name) throw Error(file_->name, "'" + path + "' has no words, but numbers.");
  const Access access;
  const std::vector<std::string> names = readNames(file_->file.id(), "names", file_->name);
  std::vector<std::string> result;
  for (const double number : column(path)) {
    const auto k = static_cast<std::size_t>(number);
    if (k >= names.size()) throw Error(file_->name, "'" + path + "' has a name that is not in the list of names.");
    result.push_back(names[k]);
  }
  return result;
}

}  // namespace delassus
