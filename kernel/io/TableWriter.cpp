// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/io/TableWriter.hpp>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <delassus/kernel/io/Fnv1a.hpp>
#include <delassus/numerics/Error.hpp>
#include <system_error>
#include <utility>

namespace delassus {

TableWriter::TableWriter(std::filesystem::path path, std::vector<std::string> columns)
    : path_(std::move(path)), partPath_(path_), columns_(std::move(columns)) {
  if (columns_.empty()) throw Error("TableWriter", "the table '" + path_.string() + "' has no columns.");
  partPath_ += ".part";
  if (path_.has_parent_path()) {
    std::error_code failure;
    std::filesystem::create_directories(path_.parent_path(), failure);
    if (failure) {
      throw Error("TableWriter",
                  "cannot create the folder '" + path_.parent_path().string() + "': " + failure.message() + ".");
    }
  }
  // In both directions and without losing existing data, from which a restored run may continue.
  file_.reset(std::fopen(partPath_.c_str(), "ab+"));
  if (!file_) fail("cannot write");
}

void TableWriter::fail(const std::string& what) const {
  throw Error("TableWriter", what + " '" + partPath_.string() + "': " + std::strerror(errno) + ".");
}

void TableWriter::begin() {
  if (goesOn_) {
    if (ftruncate(fileno(file_.get()), static_cast<off_t>(position_.bytes)) != 0) fail("cannot write");
    std::fseek(file_.get(), 0, SEEK_END);
    goesOn_ = false;
  }
  if (begun_) return;
  if (ftruncate(fileno(file_.get()), 0) != 0) fail("cannot write");
  begun_ = true;
  position_ = {0, 0, Fnv1a().value()};
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    putWord(columns_[k]);
    put(k + 1 == columns_.size() ? "\n" : ",");
  }
}

void TableWriter::writeRow(std::span<const double> values) {
  requireRow(values.size());
  begin();
  for (std::size_t i = 0; i < values.size(); ++i) put(values[i], i + 1 == values.size() ? '\n' : ',');
  ++position_.rows;
}

void TableWriter::writeRow(std::span<const TableCell> cells) {
  requireRow(cells.size());
  begin();
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const char after = i + 1 == cells.size() ? '\n' : ',';
    if (const double* number = std::get_if<double>(&cells[i].content())) {
      put(*number, after);
    } else {
      putWord(std::get<std::string_view>(cells[i].content()));
      put(std::string_view(&after, 1));
    }
  }
  ++position_.rows;
}

void TableWriter::requireRow(std::size_t values) const {
  if (!file_) throw Error("TableWriter", "the table '" + path_.string() + "' is already closed.");
  if (values != columns_.size()) {
    throw Error("TableWriter", "the table '" + path_.string() + "' has " + std::to_string(columns_.size()) +
                                   " columns, but a row of " + std::to_string(values) + " values came.");
  }
}

void TableWriter::put(double value, char after) {
  std::array<char, 32> digits{};
  // The shortest form that reads back to the same double.
  char* const last = std::to_chars(digits.data(), digits.data() + digits.size() - 1, value).ptr;
  *last = after;
  put(std::string_view(digits.data(), static_cast<std::size_t>(last - digits.data()) + 1));
}

// As in RFC 4180, except that a line break becomes a blank, so that programs that read line by line get one row a line.
void TableWriter::putWord(std::string_view word) {
  if (word.find_first_of(",\"\r\n") == std::string_view::npos) {
    put(word);
    return;
  }
  put("\"");
  for (const char& c : word) put(c == '"' ? "\"\"" : c == '\n' || c == '\r' ? " " : std::string_view(&c, 1));
  put("\"");
}

void TableWriter::put(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size()) fail("cannot write to");
  position_.bytes += text.size();
  Fnv1a sum(position_.checksum);
  sum.add(text);
  position_.checksum = sum.value();
}

void TableWriter::flush() {
  if (!file_) return;
  begin();
  if (std::fflush(file_.get()) != 0) fail("cannot write to");
}

void TableWriter::close() {
  if (!file_) return;
  begin();
  if (std::fclose(file_.release()) != 0) fail("cannot finish");
  std::error_code failure;
  std::filesystem::rename(partPath_, path_, failure);
  if (failure) {
    throw Error("TableWriter",
                "cannot rename '" + partPath_.string() + "' to '" + path_.string() + "': " + failure.message() + ".");
  }
}

void TableWriter::Position::serializeState(StateArchive& archive) {
  archive.value("rows", rows);
  archive.value("bytes", bytes);
  archive.value("checksum", checksum);
}

void TableWriter::serializeState(StateArchive& archive) {
  Position at = archive.restores() ? Position() : position();
  at.serializeState(archive);
  if (archive.restores()) continueAt(at);
}

TableWriter::Position TableWriter::position() {
  // Before the first row the part file may belong to the run that this one continues.
  if (!begun_) return {};
  if (goesOn_) return position_;
  flush();
  if (file_) fsync(fileno(file_.get()));
  return position_;
}

void TableWriter::continueAt(const Position& position) {
  // It may have been closed since.
  if (!file_) file_.reset(std::fopen(partPath_.c_str(), "ab+"));
  if (!file_ || std::fflush(file_.get()) != 0) fail("cannot write");
  if (position.bytes == 0) {
    begun_ = goesOn_ = false;
    position_ = position;
    return;
  }
  std::error_code failure;
  // The part file is too short if the table was closed since.
  if (std::filesystem::file_size(partPath_, failure) < position.bytes &&
      std::filesystem::file_size(path_, failure) >= position.bytes && !failure) {
    std::filesystem::copy_file(path_, partPath_, std::filesystem::copy_options::overwrite_existing, failure);
    if (failure) throw Error("TableWriter", "cannot copy '" + path_.string() + "': " + failure.message() + ".");
  }
  std::rewind(file_.get());
  std::array<char, 65536> buffer{};
  std::uint64_t read = 0;
  Fnv1a found;
  while (read < position.bytes) {
    const auto most = static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), position.bytes - read));
    const std::size_t count = std::fread(buffer.data(), 1, most, file_.get());
    if (count == 0) break;
    found.add(std::string_view(buffer.data(), count));
    read += count;
  }
  if (read < position.bytes || found.value() != position.checksum) {
    throw Error("TableWriter", "the table '" + partPath_.string() + "' is " +
                                   (read < position.bytes ? "shorter than" : "not as") +
                                   " when the checkpoint was made, so that it cannot be gone on with.");
  }
  // It is truncated when the next row comes: the restore may still be refused.
  begun_ = goesOn_ = true;
  position_ = position;
}

}  // namespace delassus
