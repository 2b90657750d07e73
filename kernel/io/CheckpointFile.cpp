// SPDX-License-Identifier: Apache-2.0
//
// A file is a header of 40 bytes and a payload. The header, all numbers little-endian: "DELASSUS-CHECKPT" (16 bytes),
// the format (4), zero (4), the length of the payload (8), CRC-32 of the payload (4), CRC-32 of the 36 bytes before
// (4). The payload is a StateArchive on a binary archive of Boost.Serialization. Later formats keep the header and its
// checksum.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <boost/crc.hpp>
#include <cerrno>
#include <cstring>
#include <delassus/kernel/io/Checkpoint.hpp>
#include <delassus/kernel/io/CheckpointArchive.hpp>
#include <delassus/kernel/io/CheckpointFile.hpp>
#include <delassus/numerics/Error.hpp>
#include <fstream>
#include <streambuf>
#include <string>
#include <system_error>

namespace delassus::detail {

namespace {

constexpr std::string_view magic = "DELASSUS-CHECKPT";
constexpr std::size_t headerSize = 40;

std::string label(const std::filesystem::path& path) {
  return "Checkpoint '" + path.string() + "'";
}

std::uint32_t crc(std::string_view bytes) {
  boost::crc_32_type sum;
  sum.process_bytes(bytes.data(), bytes.size());
  return sum.checksum();
}

void put(std::string& bytes, std::uint64_t number, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) bytes += static_cast<char>((number >> (8 * i)) & 0xffu);
}

std::uint64_t take(std::string_view bytes, std::size_t start, std::size_t size) {
  std::uint64_t number = 0;
  for (std::size_t i = size; i-- > 0;) number = (number << 8) | static_cast<unsigned char>(bytes[start + i]);
  return number;
}

// An open file that is closed and, unless kept, removed by the destructor.
class PartFile {
 public:
  PartFile(std::filesystem::path target) : target_(std::move(target)), part_(target_) {
    part_ += ".part";
    if (target_.has_parent_path()) {
      std::error_code failure;
      std::filesystem::create_directories(target_.parent_path(), failure);
      if (failure) fail("cannot create its folder: " + failure.message());
    }
    file_ = ::open(part_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file_ < 0) fail("cannot write '" + part_.string() + "': " + std::strerror(errno));
  }
  ~PartFile() {
    if (file_ >= 0) ::close(file_);
    if (!kept_) ::unlink(part_.c_str());
  }
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;

  void writeAt(std::uint64_t place, std::string_view bytes) {
    while (!bytes.empty()) {
      const auto written = ::pwrite(file_, bytes.data(), bytes.size(), static_cast<off_t>(place));
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail("cannot write to '" + part_.string() + "': " + std::strerror(errno));
      place += static_cast<std::uint64_t>(written);
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
  }

  // Forces the file to the disk, renames it, then forces the name to the disk.
  void keep() {
    if (::fsync(file_) != 0) fail("cannot bring '" + part_.string() + "' to the disk: " + std::strerror(errno));
    const int closed = ::close(file_);
    file_ = -1;
    if (closed != 0) fail("cannot finish '" + part_.string() + "': " + std::strerror(errno));
    if (::rename(part_.c_str(), target_.c_str()) != 0) {
      fail("cannot rename '" + part_.string() + "': " + std::strerror(errno));
    }
    kept_ = true;
    const std::filesystem::path folder = target_.has_parent_path() ? target_.parent_path() : std::filesystem::path(".");
    const int directory = ::open(folder.c_str(), O_RDONLY | O_CLOEXEC);
    if (directory < 0) return;  // not all file systems let it be opened
    ::fsync(directory);
    ::close(directory);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw Error(label(target_), what + "."); }

  std::filesystem::path target_, part_;
  int file_ = -1;
  bool kept_ = false;
};

// What is written goes to the file behind the header, with its checksum.
class Payload final : public std::streambuf {
 public:
  explicit Payload(PartFile& file) : file_(file), buffer_(std::size_t{1} << 16, '\0') { empty(); }

  std::uint64_t length() const { return length_; }
  std::uint32_t sum() const { return sum_.checksum(); }
  // Writes what has not been written yet.
  void finish() {
    const std::string_view part(pbase(), static_cast<std::size_t>(pptr() - pbase()));
    file_.writeAt(headerSize + length_, part);
    sum_.process_bytes(part.data(), part.size());
    length_ += part.size();
    empty();
  }

 private:
  int_type overflow(int_type c) override {
    finish();
    if (!traits_type::eq_int_type(c, traits_type::eof())) sputc(traits_type::to_char_type(c));
    return traits_type::not_eof(c);
  }
  void empty() { setp(buffer_.data(), buffer_.data() + buffer_.size()); }

  PartFile& file_;
  std::string buffer_;
  std::uint64_t length_ = 0;
  boost::crc_32_type sum_;
};

void serialize(StateArchive& archive, const char* name, std::vector<CheckpointContent::Named>& all) {
  const std::size_t count = archive.count(name, all.size());
  if (archive.restores()) all.clear();
  for (std::size_t k = 0; k < count; ++k) {
    if (archive.restores()) all.emplace_back();
    archive.value("name", all[k].first);
    archive.value("value", all[k].second);
  }
}

void serialize(StateArchive& archive, std::vector<CheckpointContent::Probe>& all) {
  const std::size_t count = archive.count("probes", all.size());
  if (archive.restores()) all.clear();
  for (std::size_t k = 0; k < count; ++k) {
    if (archive.restores()) all.emplace_back();
    archive.value("name", all[k].name);
    archive.value("values", all[k].values);
  }
}

void serialize(StateArchive& archive, CheckpointContent& content) {
  archive.value("library", content.library);
  archive.value("time", content.time);
  archive.value("stepIndex", content.stepIndex);
  serialize(archive, "description", content.description);
  serialize(archive, content.probes);
  archive.value("state", content.state);
  serialize(archive, "observers", content.observers);
  serialize(archive, "states", content.states);
  serialize(archive, "optional observers", content.optionalObservers);
  serialize(archive, "statistics", content.statistics);
}

// Up to `most` bytes of the file, which takes no more memory than are there.
std::string readBytes(std::ifstream& file, std::uint64_t most, const std::filesystem::path& path) {
  std::string all;
  std::string part(std::size_t{1} << 16, '\0');
  while (all.size() < most && file) {
    const std::uint64_t wanted = std::min<std::uint64_t>(part.size(), most - all.size());
    file.read(part.data(), static_cast<std::streamsize>(wanted));
    all.append(part.data(), static_cast<std::size_t>(file.gcount()));
  }
  if (file.bad()) throw Error(label(path), "it cannot be read: " + std::string(std::strerror(errno)) + ".");
  return all;
}

// The length of the payload, from the header of a file of this format.
std::uint64_t payloadLength(std::string_view header, const std::filesystem::path& path) {
  if (header.substr(0, magic.size()) != magic.substr(0, header.size()) || header.empty()) {
    throw Error(label(path), "it is not a checkpoint of this library.");
  }
  if (header.size() < headerSize) throw Error(label(path), "it is truncated: it ends within its header.");
  if (take(header, 36, 4) != crc(header.substr(0, 36))) {
    throw Error(label(path), "it is damaged: the checksum of its header is wrong.");
  }
  const std::uint64_t format = take(header, 16, 4);
  if (format != checkpointFormat) {
    throw Error(label(path),
                "it has format " + std::to_string(format) + ", and this version of the library reads " +
                    std::to_string(checkpointFormat) +
                    (format > checkpointFormat ? "; it is of a newer version." : "; it is of an older one."));
  }
  return take(header, 24, 8);
}

// Checks that the file is complete and has this format.
std::string readPayload(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file || std::filesystem::is_directory(path)) {
    throw Error(label(path), "it cannot be opened: " + std::string(std::strerror(errno)) + ".");
  }
  const std::string header = readBytes(file, headerSize, path);
  const std::uint64_t length = payloadLength(header, path);
  std::string payload = readBytes(file, length, path);
  if (payload.size() < length) {
    throw Error(label(path), "it is truncated: " + std::to_string(payload.size()) + " of " + std::to_string(length) +
                                 " bytes are there.");
  }
  if (file.peek() != std::ifstream::traits_type::eof()) {
    throw Error(label(path), "it is damaged: there is something behind its end.");
  }
  if (take(header, 32, 4) != crc(payload)) throw Error(label(path), "it is damaged: its checksum is wrong.");
  return payload;
}

}  // namespace

void writeCheckpoint(CheckpointContent& content, const std::filesystem::path& path) {
  PartFile file(path);
  Payload payload(file);
  {
    SavingArchive archive(payload);
    serialize(archive, content);
  }
  payload.finish();
  std::string header(magic);
  put(header, checkpointFormat, 4);
  put(header, 0, 4);
  put(header, payload.length(), 8);
  put(header, payload.sum(), 4);
  put(header, crc(header), 4);
  file.writeAt(0, header);
  file.keep();
}

CheckpointContent readCheckpoint(const std::filesystem::path& path) {
  RestoringArchive archive(readPayload(path), label(path));
  CheckpointContent content;
  serialize(archive, content);
  archive.requireEnd();
  return content;
}

}  // namespace delassus::detail
