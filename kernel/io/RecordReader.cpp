// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/io/RecordReader.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <delassus/kernel/io/Hdf5File.hpp>
#include <delassus/numerics/Error.hpp>
#include <string_view>
#include <system_error>

namespace delassus {

using namespace hdf5;

namespace {

constexpr int mostDimensions = 3;                    // rows, members, columns
constexpr double exactIntegers = 9007199254740992.;  // 2^53: whole numbers come as doubles

// A quantity of a file, and the layout of its dataset.
struct Stored {
  RecordQuantity quantity;
  std::uint64_t rows = 0;    // its extent
  std::uint64_t chunks = 0;  // that are in the file
  std::uint64_t chunkRows = 1;
};

}  // namespace

struct RecordReader::File {
  std::string name;
  Handle file;
  std::size_t rows = 0;
  std::vector<RecordQuantity> quantities;
  std::vector<std::string> tables;  // ragged ones

  Handle open(const std::string& path) const;
  Stored describe(const std::string& path) const;
  void findTables();
  void requireStored(const Stored& stored, std::uint64_t rowsWanted) const;
  // The ragged table that a quantity is of, or empty.
  std::string tableOf(const std::string& path) const;
  std::vector<double> read(const RecordQuantity& quantity, std::size_t first, std::size_t count) const;
  // Where a row of a ragged table is, as the file says.
  Range rangeOf(const std::string& table, std::size_t row) const;
  std::size_t numberIn(const std::string& path, std::size_t row) const;
  [[noreturn]] void damaged(const std::string& path, const std::string& what) const;
};

void RecordReader::File::damaged(const std::string& path, const std::string& what) const {
  throw Error(name, "the file is damaged: the dataset '" + path + "' " + what + ".");
}

Handle RecordReader::File::open(const std::string& path) const {
  Handle dataset = require(Handle(H5Dopen2(file.id(), path.c_str(), H5P_DEFAULT), H5Dclose), name,
                           "HDF5 cannot open the dataset '" + path + "'.");
  require(H5Drefresh(dataset.id()), name, "HDF5 cannot read the dataset '" + path + "'.");
  return dataset;
}

// Throws Error unless the dataset is laid out as docs/recording.md says.
Stored RecordReader::File::describe(const std::string& path) const {
  const Handle dataset = open(path);
  const Handle space(H5Dget_space(dataset.id()), H5Sclose);
  const Handle type(H5Dget_type(dataset.id()), H5Tclose);
  const Handle properties(H5Dget_create_plist(dataset.id()), H5Pclose);
  const int rank = H5Sget_simple_extent_ndims(space.id());
  if (rank < 1 || rank > mostDimensions) damaged(path, "has " + std::to_string(rank) + " dimensions, not one to three");
  std::array<hsize_t, mostDimensions> size{}, chunk{};
  H5Sget_simple_extent_dims(space.id(), size.data(), nullptr);
  if (H5Pget_layout(properties.id()) != H5D_CHUNKED || H5Pget_chunk(properties.id(), rank, chunk.data()) != rank ||
      !std::equal(size.begin() + 1, size.begin() + rank, chunk.begin() + 1) || chunk[0] == 0) {
    damaged(path, "is not stored in chunks of whole rows");
  }
  Stored stored;
  stored.rows = size[0];
  stored.chunkRows = chunk[0];
  hsize_t chunks = 0;
  require(H5Dget_num_chunks(dataset.id(), space.id(), &chunks), name, "HDF5 cannot find the rows of '" + path + "'.");
  stored.chunks = chunks;
  RecordQuantity& quantity = stored.quantity;
  quantity.path = path;
  quantity.shape.assign(size.begin() + 1, size.begin() + rank);
  quantity.unit = readText(dataset.id(), "unit", name);
  quantity.description = readText(dataset.id(), "description", name);
  quantity.columns = readTexts(dataset.id(), "columns", name);
  quantity.members = readTexts(dataset.id(), "members", name);
  const std::string kind = readText(dataset.id(), "kind", name);
  const bool isReal = kind == toString(RecordKind::real);
  quantity.kind = isReal                               ? RecordKind::real
                  : kind == toString(RecordKind::name) ? RecordKind::name
                                                       : RecordKind::integer;
  if (kind != toString(quantity.kind)) damaged(path, "has the kind '" + kind + "', not real, integer or name");
  if (H5Tget_class(type.id()) != (isReal ? H5T_FLOAT : H5T_INTEGER) || H5Tget_size(type.id()) != sizeof(double)) {
    damaged(path, "has no numbers of 64 bits of the kind " + kind);
  }
  const std::size_t columns = rank > 1 ? quantity.shape.back() : 1, members = rank > 2 ? quantity.shape.front() : 0;
  if ((!quantity.columns.empty() && quantity.columns.size() != columns) ||
      (!quantity.members.empty() && quantity.members.size() != members)) {
    damaged(path, "has another number of columns or members than of their names");
  }
  return stored;
}

// The quantities that give the rows of a ragged table. A user's functions may have these names, too.
void RecordReader::File::findTables() {
  const auto isNumber = [&](const std::string& path) {
    return std::any_of(quantities.begin(), quantities.end(), [&](const RecordQuantity& quantity) {
      return quantity.path == path && quantity.kind == RecordKind::integer && quantity.shape.empty();
    });
  };
  for (const RecordQuantity& quantity : quantities) {
    if (!quantity.path.ends_with("/first")) continue;
    const std::string table = quantity.path.substr(0, quantity.path.size() - std::string_view("/first").size());
    if (isNumber(quantity.path) && isNumber(table + "/count")) tables.push_back(table);
  }
}

void RecordReader::File::requireStored(const Stored& stored, std::uint64_t rowsWanted) const {
  const std::string& path = stored.quantity.path;
  if (stored.rows < rowsWanted) {
    damaged(path, "has " + std::to_string(stored.rows) + " rows, not " + std::to_string(rowsWanted));
  }
  // HDF5 would invent the missing ones.
  if (stored.chunks < rowsWanted / stored.chunkRows + (rowsWanted % stored.chunkRows > 0 ? 1 : 0)) {
    damaged(path, "lacks rows before number " + std::to_string(rowsWanted));
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
  if (count == 0 || quantity.size() == 0) return {};
  // Compression reduces data to a thousandth at best: a larger size cannot be true for this file.
  if (count / 1100 > bytesOf(file.id()) / (sizeof(double) * quantity.size())) {
    damaged(quantity.path, "says that it has more rows than the file has room for");
  }
  std::vector<double> numbers(count * quantity.size());
  const Handle dataset = open(quantity.path);
  const Handle space(H5Dget_space(dataset.id()), H5Sclose);
  std::array<hsize_t, mostDimensions> size{}, start{first}, part{count};
  std::copy(quantity.shape.begin(), quantity.shape.end(), part.begin() + 1);
  const int rank = static_cast<int>(quantity.shape.size()) + 1;
  if (H5Sget_simple_extent_ndims(space.id()) != rank ||
      H5Sget_simple_extent_dims(space.id(), size.data(), nullptr) != rank ||
      !std::equal(size.begin() + 1, size.begin() + rank, part.begin() + 1) || size[0] < first + count) {
    damaged(quantity.path, "has " + std::to_string(size[0]) + " rows, not " + std::to_string(first + count) +
                               ", or others than before");
  }
  const Handle memory(H5Screate_simple(rank, part.data(), nullptr), H5Sclose);
  H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, start.data(), nullptr, part.data(), nullptr);
  require(H5Dread(dataset.id(), H5T_NATIVE_DOUBLE, memory.id(), space.id(), H5P_DEFAULT, numbers.data()), name,
          "HDF5 cannot read the rows of '" + quantity.path + "': the file is truncated or damaged.");
  return numbers;
}

RecordReader::RecordReader(const std::filesystem::path& path) : file_(std::make_unique<File>()) {
  const Access access;
  file_->name = path.string();
  file_->file = openRecording(path);
  // The number of rows is read first, since a program that writes the file updates it after the rows.
  refresh();
  std::vector<Stored> stored;
  for (const std::string& quantity : readNames(file_->file.id(), "quantities", file_->name)) {
    stored.push_back(file_->describe(quantity));
    file_->quantities.push_back(stored.back().quantity);
  }
  file_->findTables();
  // Those of ragged tables stand where the others, which come first here, say.
  for (const bool isRagged : {false, true}) {
    for (const Stored& one : stored) {
      const std::string& quantity = one.quantity.path;
      if (file_->tableOf(quantity).empty() != isRagged) file_->requireStored(one, length(quantity));
    }
  }
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
  return readSettings(file_->file.id(), "settings", file_->name);
}

Settings RecordReader::options() const {
  const Access access;
  return readSettings(file_->file.id(), "options", file_->name);
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
  const Range last = file_->rangeOf(table, rows() - 1);
  return last.first + last.count;
}

std::size_t RecordReader::File::numberIn(const std::string& path, std::size_t row) const {
  const auto found =
      std::find_if(quantities.begin(), quantities.end(), [&](const auto& quantity) { return quantity.path == path; });
  if (row >= rows || found == quantities.end()) {
    throw Error(name, "row " + std::to_string(row) + " of '" + path + "' was asked for, but there are " +
                          (found == quantities.end() ? "none" : std::to_string(rows)) + ".");
  }
  const double number = read(*found, row, 1)[0];
  if (!(number >= 0. && number < exactIntegers))
    damaged(path, "has " + toText(number) + " in row " + std::to_string(row));
  return static_cast<std::size_t>(number);
}

RecordReader::Range RecordReader::File::rangeOf(const std::string& table, std::size_t row) const {
  return {numberIn(table + "/first", row), numberIn(table + "/count", row)};
}

RecordReader::Range RecordReader::range(const std::string& table, std::size_t row) const {
  const Access access;
  const Range range = file_->rangeOf(table, row);
  const Range last = file_->rangeOf(table, rows() - 1);
  if (range.first + range.count > last.first + last.count) {
    file_->damaged(table + "/first", "has a row " + std::to_string(row) + " that ends after the last one");
  }
  return range;
}

Matrix RecordReader::matrix(const std::string& path, std::size_t first, std::size_t count) const {
  const Access access;
  const RecordQuantity& wanted = quantity(path);
  const std::size_t all = length(path);
  if (first > all || count > all - first) {
    throw Error(file_->name, "rows " + std::to_string(first) + " to " + std::to_string(first + count) + " of '" + path +
                                 "' were asked for, but it has " + std::to_string(all) + ".");
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
    if (!(number >= 0. && number < static_cast<double>(names.size()))) {
      file_->damaged(path, "has the name " + toText(number) + ", but there are " + std::to_string(names.size()));
    }
    result.push_back(names[static_cast<std::size_t>(number)]);
  }
  return result;
}

}  // namespace delassus
