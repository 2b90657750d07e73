// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>
#include <delassus/Config.hpp>
#include <delassus/kernel/io/Hdf5File.hpp>
#include <delassus/kernel/io/Hdf5Lists.hpp>
#include <delassus/numerics/Error.hpp>
#include <random>
#include <utility>

namespace delassus {
namespace {

using namespace hdf5;

std::string now() {
  const std::time_t time = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&time, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text.data();
}

std::string randomIdentity() {
  std::random_device device;
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%08x%08x%08x%08x", device(), device(), device(), device());
  return text.data();
}

std::vector<std::string> linesOf(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

// The old options, with the values of the new ones where they have them; new names follow.
Settings renewed(const Settings& old, const Settings& now) {
  const auto find = [](const Settings& in, const std::string& name) {
    return std::find_if(in.list().begin(), in.list().end(), [&](const Setting& one) { return one.name == name; });
  };
  Settings result;
  for (const Setting& setting : old.list()) {
    const auto newer = find(now, setting.name);
    result.add(setting.name, std::string_view(newer == now.list().end() ? setting.value : newer->value));
  }
  for (const Setting& setting : now.list()) {
    if (find(old, setting.name) == old.list().end()) result.add(setting.name, std::string_view(setting.value));
  }
  return result;
}

class Hdf5Sink final : public RecordSink {
 public:
  Hdf5Sink(std::filesystem::path path, const RecordFileOptions& options)
      : path_(std::move(path)), name_(path_.string()), options_(options) {
    if (options.compression < 0 || options.compression > 9) {
      throw Error(name_, "the compression must be 0 (none) to 9, got " + std::to_string(options.compression) + ".");
    }
    if (options.chunkBytes < 1024 || options.chunkBytes > (std::size_t{1} << 30)) {
      throw Error(name_, "chunks must have from 1024 bytes to 2^30, got " + std::to_string(options.chunkBytes) + ".");
    }
    if (path_.filename().empty()) throw Error("Recorder", "the file '" + name_ + "' has no name.");
  }
  ~Hdf5Sink() override { release(); }

  const std::filesystem::path& path() const override { return path_; }
  bool isOpen() const override { return file_.valid(); }
  double* place(std::size_t table, std::size_t quantity) override { return tables_[table][quantity].place(); }
  void endRow(std::size_t table) override {
    for (RowDataset& quantity : tables_[table]) quantity.endRow();
    ++state_.rows[table];
  }
  std::uint64_t rows(std::size_t table) const override { return table < state_.rows.size() ? state_.rows[table] : 0; }
  double nameNumber(std::string_view name) override { return static_cast<double>(names_.number(name)); }

  void open(const RecordHeader& header, const std::vector<RecordTable>& tables) override {
    const Access access;
    const bool isNew = state_.rows.empty();
    Handle old;
    if (isNew) {
      requireReplaceable();
    } else {
      old = oldFile(tables);
    }
    std::filesystem::path part = path_;
    part += ".part";
    try {
      create(part);
      writeHeader(header, tables, old);
      if (old.valid()) take(old);
      require(H5Fstart_swmr_write(file_.id()), name_, "HDF5 cannot open the file for writing and reading at a time.");
      commit(RecordStatus::running);
      std::error_code failure;
      std::filesystem::rename(part, path_, failure);
      if (failure) throw Error(name_, "cannot be put in its place: " + failure.message() + ".");
      OpenRecordings::add(path_);
    } catch (...) {
      release();
      if (isNew) state_.rows.clear();
      std::error_code ignored;
      std::filesystem::remove(part, ignored);
      throw;
    }
  }

  void commit(RecordStatus status) override {
    const Access access;
    // The number of rows is written last: a reader that reads it first finds all of them.
    names_.commit();
    for (std::size_t table = tables_.size(); table-- > 0;) {
      for (RowDataset& quantity : tables_[table]) quantity.commit();
    }
    rowsDataset_.set(static_cast<std::int64_t>(state_.rows[0]));
    if (status != status_) statusDataset_.set(static_cast<std::int64_t>(status));
    status_ = status;
    state_.names = names_.size();
  }

  void close(RecordStatus status) override {
    commit(status);
    const Access access;
    const herr_t written = H5Fflush(file_.id(), H5F_SCOPE_GLOBAL);
    release();
    require(written, name_, "HDF5 cannot write the file.");
  }

  void serializeState(StateArchive& archive) override {
    if (!archive.restores()) {
      identify();
      if (isOpen()) {
        commit(status_);
        synchronise();
      }
    }
    archive.value("file", state_.identity);
    state_.rows.resize(archive.count("tables", state_.rows.size()));
    for (std::uint64_t& rows : state_.rows) archive.value("rows", rows);
    archive.value("names", state_.names);
    if (archive.restores()) release();  // the next open() goes on with that
  }

 private:
  // The state from which a run continues.
  struct State {
    std::string identity;             // of the run
    std::vector<std::uint64_t> rows;  // of the tables; empty before the file is begun
    std::size_t names = 0;
  };

  void identify() {
    if (state_.identity.empty()) state_.identity = randomIdentity();
  }

  // A checkpoint may need the recording of an incomplete run, or it may be all that is left of the run.
  void requireReplaceable() const {
    const FileMark mark = markOf(path_);
    if (mark == FileMark::none) return;
    if (mark == FileMark::foreign) {
      throw Error(name_, "there is a file of this name that is not a recording; it is not replaced.");
    }
    const RecordStatus status = mark == FileMark::closed ? statusOfClosed() : RecordStatus::running;
    if (status == RecordStatus::completed || options_.replaceInterrupted || hasLittle()) return;
    const char* const how = status == RecordStatus::stopped  ? "was stopped"
                            : status == RecordStatus::failed ? "failed"
                                                             : "was interrupted, or goes on at this time";
    throw Error(name_, std::string("there is a recording of a run that ") + how +
                           "; it is not replaced. Go on from its checkpoint, take another name, remove the file, or "
                           "set RecordFileOptions::replaceInterrupted.");
  }

  // Throws Error if it is another HDF5 file, which must not be lost.
  RecordStatus statusOfClosed() const {
    const Handle old = openRecording(path_);
    return static_cast<RecordStatus>(readNumber(old.id(), "status", name_));
  }

  // True for a recording of this run from before its first checkpoint, or with no more than the initial state.
  bool hasLittle() const {
    try {
      const Handle old = openRecording(path_);
      return (!state_.identity.empty() && readText(old.id(), "identity", name_) == state_.identity) ||
             readNumber(old.id(), "rows", name_) <= 1;
    } catch (const Error&) {
      return false;
    }
  }

  Handle oldFile(const std::vector<RecordTable>& tables) const {
    Handle old = openRecording(path_);
    if (readText(old.id(), "identity", name_) != state_.identity) {
      throw Error(name_, "the file is of another run than the checkpoint that was restored.");
    }
    std::size_t k = 0;
    const std::vector<std::string> paths = readNames(old.id(), "quantities", name_);
    for (const RecordTable& table : tables) {
      for (const RecordQuantity& quantity : table.quantities) {
        if (k < paths.size() && paths[k] == quantity.path) {
          ++k;
          continue;
        }
        throw Error(name_, "the file to go on with has " + (k < paths.size() ? "'" + paths[k] + "'" : "nothing") +
                               " where '" + quantity.path + "' is recorded now.");
      }
    }
    if (k != paths.size()) {
      throw Error(name_, "the file to go on with has '" + paths[k] + "', which is not recorded now.");
    }
    const std::int64_t rows = readNumber(old.id(), "rows", name_);
    if (rows >= 0 && static_cast<std::uint64_t>(rows) >= state_.rows[0]) return old;
    throw Error(name_, "the file has " + std::to_string(rows) +
                           " rows, but the checkpoint that was restored goes on after " +
                           std::to_string(state_.rows[0]) + ".");
  }

  void create(const std::filesystem::path& part) {
    if (path_.has_parent_path()) {
      std::error_code failure;
      std::filesystem::create_directories(path_.parent_path(), failure);
      if (failure) throw Error(name_, "cannot create its folder: " + failure.message() + ".");
    }
    file_ = require(Handle(H5Fcreate(part.c_str(), H5F_ACC_TRUNC, wholePages(name_).id(), newestForm().id()), H5Fclose),
                    name_, "HDF5 cannot create the file '" + part.string() + "'.");
  }

  void writeHeader(const RecordHeader& header, const std::vector<RecordTable>& tables, const Handle& old) {
    const hid_t file = file_.id();
    identify();
    if (state_.rows.empty()) state_.rows.assign(tables.size(), 0);
    writeAttribute(file, "format", std::string(formatName), name_);
    writeAttribute(file, "layout", layoutVersion, name_);
    writeAttribute(file, "library", std::string(libraryVersion), name_);
    writeAttribute(file, "created", old.valid() ? readText(old.id(), "created", name_) : now(), name_);
    writeAttribute(file, "continuations", old.valid() ? readInteger(old.id(), "continuations", name_) + 1 : 0, name_);
    writeAttribute(file, "identity", state_.identity, name_);
    writeAttribute(file, "simulation", header.simulation, name_);
    writeStrings(file, "model", linesOf(header.model), "systems, and interactions with their laws and relations",
                 name_);
    writeSettings(file, "settings", header.settings, name_);
    writeSettings(file, "options",
                  old.valid() ? renewed(readSettings(old.id(), "options", name_), header.options) : header.options,
                  name_);
    rowsDataset_ = NumberDataset(file, "rows", "number of rows that are committed", name_);
    statusDataset_ =
        NumberDataset(file, "status", "of the run: 0 goes on or was killed, 1 completed, 2 stopped, 3 failed", name_);
    status_ = RecordStatus::running;
    names_ = NameDataset(file, name_);
    std::vector<std::string> paths;
    tables_.clear();
    for (const RecordTable& table : tables) {
      tables_.emplace_back();
      for (const RecordQuantity& quantity : table.quantities) {
        tables_.back().emplace_back(file, quantity, options_, name_);
        paths.push_back(quantity.path);
      }
    }
    writeStrings(file, "quantities", paths, "paths of all quantities, in their order", name_);
  }

  void take(const Handle& old) {
    for (const std::string& name : readNames(old.id(), "names", name_, state_.names)) names_.number(name);
    if (state_.rows.size() != tables_.size() || names_.size() != state_.names) {
      throw Error(name_, "the file does not fit the checkpoint that was restored.");
    }
    for (std::size_t table = 0; table < tables_.size(); ++table) {
      for (RowDataset& quantity : tables_[table]) quantity.take(old.id(), state_.rows[table]);
    }
  }

  // Makes the system write the file to the disk: a checkpoint that refers to it may outlive a loss of power.
  void synchronise() {
    const Access access;
    void* handle = nullptr;
    if (H5Fget_vfd_handle(file_.id(), H5P_DEFAULT, &handle) >= 0 && handle != nullptr) {
      fsync(*static_cast<const int*>(handle));
    }
  }

  void release() {
    const Access access;
    if (isOpen()) OpenRecordings::remove(path_);
    tables_.clear();
    names_ = {};
    rowsDataset_ = {};
    statusDataset_ = {};
    file_ = Handle();
  }

  std::filesystem::path path_;
  std::string name_;
  RecordFileOptions options_;
  State state_;
  Handle file_;
  std::vector<std::vector<RowDataset>> tables_;
  NameDataset names_;
  NumberDataset rowsDataset_, statusDataset_;
  RecordStatus status_ = RecordStatus::running;
};

}  // namespace

std::unique_ptr<RecordSink> makeHdf5Sink(std::filesystem::path path, const RecordFileOptions& options) {
  return std::make_unique<Hdf5Sink>(std::move(path), options);
}

}  // namespace delassus
