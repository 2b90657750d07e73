// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <delassus/kernel/io/RecordSink.hpp>
#include <delassus/kernel/io/TableWriter.hpp>
#include <delassus/numerics/Error.hpp>
#include <fstream>
#include <optional>
#include <utility>

namespace delassus {
namespace {

// "ball q x [m]" of systems/ball/q.
std::vector<std::string> columnsOf(const RecordQuantity& quantity) {
  std::string title = quantity.path;
  for (const char* const room : {"systems/", "interactions/", "groups/", "user/"}) {
    if (title.starts_with(room)) title.erase(0, std::string_view(room).size());
  }
  std::replace(title.begin(), title.end(), '/', ' ');
  const std::size_t n = quantity.shape.empty() ? 1 : quantity.shape.back();
  std::vector<std::string> columns;
  for (std::size_t k = 0; k < quantity.size(); ++k) {
    std::string column = title;
    if (quantity.shape.size() > 1) {
      column += ' ' + (k / n < quantity.members.size() ? quantity.members[k / n] : std::to_string(k / n));
    }
    if (k % n < quantity.columns.size()) {
      column += ' ' + quantity.columns[k % n];
    } else if (n > 1) {
      column += ' ' + std::to_string(k % n);
    }
    // "m, 1" gives a unit for each kind of column without assigning them.
    if (!quantity.unit.empty() && quantity.unit.find(',') == std::string::npos) column += " [" + quantity.unit + ']';
    columns.push_back(std::move(column));
  }
  return columns;
}

// One table of the recording and its file.
class CsvTable {
 public:
  // The first column of a ragged table is the row to which its lines belong.
  CsvTable(const std::filesystem::path& path, const RecordTable& table, bool isRagged) : isRagged_(isRagged) {
    std::vector<std::string> columns;
    if (isRagged) columns.emplace_back("row");
    for (const RecordQuantity& quantity : table.quantities) {
      starts_.push_back(numbers_.size());
      numbers_.resize(numbers_.size() + quantity.size());
      isName_.resize(numbers_.size(), quantity.kind == RecordKind::name);
      for (std::string& column : columnsOf(quantity)) columns.push_back(std::move(column));
    }
    writer_.emplace(path, std::move(columns));
  }

  TableWriter& writer() { return *writer_; }
  const TableWriter& writer() const { return *writer_; }
  double* place(std::size_t quantity) { return numbers_.data() + starts_[quantity]; }
  void endRow(const std::vector<std::string>& names, std::size_t row) {
    cells_.clear();
    if (isRagged_) cells_.emplace_back(static_cast<double>(row));
    for (std::size_t k = 0; k < numbers_.size(); ++k) {
      if (isName_[k]) {
        cells_.emplace_back(names[static_cast<std::size_t>(numbers_[k])]);
      } else {
        cells_.emplace_back(numbers_[k]);
      }
    }
    writer_->writeRow(cells_);
  }

 private:
  bool isRagged_;
  std::vector<std::size_t> starts_;  // of the quantities in the row
  std::vector<double> numbers_;
  std::vector<char> isName_;
  std::vector<TableCell> cells_;
  std::optional<TableWriter> writer_;
};

class CsvSink final : public RecordSink {
 public:
  explicit CsvSink(std::filesystem::path path) : path_(std::move(path)) {
    if (path_.filename().empty()) throw Error("CsvRecorder", "the file '" + path_.string() + "' has no name.");
  }

  const std::filesystem::path& path() const override { return path_; }
  bool isOpen() const override { return isOpen_; }
  double* place(std::size_t table, std::size_t quantity) override { return tables_[table].place(quantity); }
  void endRow(std::size_t table) override { tables_[table].endRow(names_, rows(0)); }
  std::uint64_t rows(std::size_t table) const override {
    if (isOpen_) return tables_[table].writer().rows();
    return table < positions_.size() ? positions_[table].rows : 0;
  }

  double nameNumber(std::string_view name) override {
    const auto found = std::find(names_.begin(), names_.end(), name);
    if (found != names_.end()) return static_cast<double>(found - names_.begin());
    names_.emplace_back(name);
    return static_cast<double>(names_.size() - 1);
  }

  void open(const RecordHeader&, const std::vector<RecordTable>& tables) override {
    if (positions_.empty() && !restored_) requireReplaceable();
    tables_.clear();
    for (std::size_t k = 0; k < tables.size(); ++k) {
      std::filesystem::path path = path_;
      if (k > 0) path.replace_extension("." + tables[k].name + path_.extension().string());
      tables_.emplace_back(path, tables[k], k > 0);
    }
    if (!positions_.empty() && positions_.size() != tables_.size()) {
      throw Error(path_.string(), "the checkpoint that was restored knows of " + std::to_string(positions_.size()) +
                                      " tables, but " + std::to_string(tables_.size()) + " are recorded now.");
    }
    for (std::size_t k = 0; k < positions_.size(); ++k) tables_[k].writer().continueAt(positions_[k]);
    isOpen_ = true;
  }

  void commit(RecordStatus) override {
    for (CsvTable& table : tables_) table.writer().flush();
  }

  // Tables of incomplete runs remain part files.
  void close(RecordStatus status) override {
    savePositions();
    if (status == RecordStatus::completed) {
      for (CsvTable& table : tables_) table.writer().close();
    }
    tables_.clear();
    isOpen_ = false;
  }

  void serializeState(StateArchive& archive) override {
    if (!archive.restores() && isOpen_) savePositions();
    positions_.resize(archive.count("tables", positions_.size()));
    for (TableWriter::Position& position : positions_) position.serializeState(archive);
    if (!archive.restores()) return;
    tables_.clear();
    isOpen_ = false;
    restored_ = true;
  }

 private:
  // As for recordings in HDF5: a part file with more than the initial state may be all that is left of its run.
  void requireReplaceable() const {
    std::filesystem::path part = path_;
    part += ".part";
    std::ifstream file(part);
    std::string line;
    std::size_t lines = 0;
    while (lines < 3 && std::getline(file, line)) ++lines;
    if (lines < 3) return;
    throw Error(path_.string(),
                "there is the table of a run that did not complete, '" + part.string() +
                    "'; it is not replaced. Go on from its checkpoint, take another name, or remove it.");
  }

  void savePositions() {
    positions_.clear();
    for (CsvTable& table : tables_) positions_.push_back(table.writer().position());
  }

  std::filesystem::path path_;
  bool isOpen_ = false;
  std::vector<CsvTable> tables_;
  std::vector<TableWriter::Position> positions_;  // where the tables must continue
  bool restored_ = false;                         // also from before the tables were begun
  std::vector<std::string> names_;
};

}  // namespace

std::unique_ptr<RecordSink> makeCsvSink(std::filesystem::path path) {
  return std::make_unique<CsvSink>(std::move(path));
}

}  // namespace delassus
