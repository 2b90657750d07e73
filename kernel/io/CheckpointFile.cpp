// SPDX-License-Identifier: Apache-2.0
//
// A file is a header of 40 bytes and a payload. The header, all numbers little-endian: "DELASSUS-CHECKPT" (16 bytes),
// the format (4), zero (4), the length of the payload (8), CRC-32 of the payload (4), CRC-32 of the 36 bytes before
// (4). The payload is a binary archive of Boost.Serialization. Header and its check stay as they are in later formats.
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <boost/archive/archive_exception.hpp>
#include <boost/archive/binary_iarchive.hpp>
#include <boost/archive/binary_oarchive.hpp>
#include <boost/crc.hpp>
#include <boost/serialization/string.hpp>
#include <boost/serialization/utility.hpp>
#include <boost/serialization/vector.hpp>
#include <cerrno>
#include <cstring>
#include <delassus/kernel/io/Checkpoint.hpp>
#include <delassus/kernel/io/CheckpointFile.hpp>
#include <delassus/numerics/Error.hpp>
#include <fstream>
#include <sstream>
#include <system_error>

namespace delassus::detail {

template <class Archive>
void serialize(Archive& archive, CheckpointContent::Probe& probe, unsigned) {
  archive& probe.name;
  archive& probe.values;
}

template <class Archive>
void serialize(Archive& archive, CheckpointContent& content, unsigned) {
  archive& content.library;
  archive& content.time;
  archive& content.stepIndex;
  archive& content.description;
  archive& content.probes;
  archive& content.state;
  archive& content.observers;
  archive& content.states;
  archive& content.optionalObservers;
  archive& content.statistics;
}

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

// An open file that is closed, and removed unless it was kept.
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

  void write(std::string_view bytes) {
    while (!bytes.empty()) {
      const auto written = ::write(file_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail("cannot write to '" + part_.string() + "': " + std::strerror(errno));
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
  }

  // To the disk, then to its name, then the name to the disk.
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

std::string readAll(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file || std::filesystem::is_directory(path)) {
    throw Error(label(path), "it cannot be opened: " + std::string(std::strerror(errno)) + ".");
  }
  std::ostringstream all;
  all << file.rdbuf();
  if (file.bad()) throw Error(label(path), "it cannot be read: " + std::string(std::strerror(errno)) + ".");
  return std::move(all).str();
}

// The payload of a file that is whole and of this format.
std::string_view requireWhole(std::string_view bytes, const std::filesystem::path& path) {
  if (bytes.substr(0, magic.size()) != magic.substr(0, bytes.size()) || bytes.empty()) {
    throw Error(label(path), "it is no checkpoint of this library.");
  }
  if (bytes.size() < headerSize) throw Error(label(path), "it is truncated: it ends within its header.");
  if (take(bytes, 36, 4) != crc(bytes.substr(0, 36))) {
    throw Error(label(path), "it is damaged: the checksum of its header is wrong.");
  }
  const std::uint64_t format = take(bytes, 16, 4);
  if (format != checkpointFormat) {
    throw Error(label(path),
                "it has format " + std::to_string(format) + ", and this version of the library reads " +
                    std::to_string(checkpointFormat) +
                    (format > checkpointFormat ? "; it is of a newer version." : "; it is of an older one."));
  }
  const std::uint64_t length = take(bytes, 24, 8);
  const std::string_view payload = bytes.substr(headerSize);
  if (payload.size() < length) {
    throw Error(label(path), "it is truncated: " + std::to_string(payload.size()) + " of " + std::to_string(length) +
                                 " bytes are there.");
  }
  if (payload.size() > length) throw Error(label(path), "it is damaged: there is something behind its end.");
  if (take(bytes, 32, 4) != crc(payload)) throw Error(label(path), "it is damaged: its checksum is wrong.");
  return payload;
}

}  // namespace

void writeCheckpoint(const CheckpointContent& content, const std::filesystem::path& path) {
  std::ostringstream stream;
  {
    boost::archive::binary_oarchive archive(stream);
    archive << content;
  }
  const std::string payload = std::move(stream).str();
  std::string header(magic);
  put(header, checkpointFormat, 4);
  put(header, 0, 4);
  put(header, payload.size(), 8);
  put(header, crc(payload), 4);
  put(header, crc(header), 4);
  PartFile file(path);
  file.write(header);
  file.write(payload);
  file.keep();
}

CheckpointContent readCheckpoint(const std::filesystem::path& path) {
  const std::string bytes = readAll(path);
  std::istringstream stream{std::string(requireWhole(bytes, path))};
  CheckpointContent content;
  try {
    boost::archive::binary_iarchive archive(stream);
    archive >> content;
  } catch (const boost::archive::archive_exception& error) {
    throw Error(label(path),
                "it cannot be read: it is of another kind of machine, or of another version of "
                "Boost.Serialization (" +
                    std::string(error.what()) + ").");
  }
  return content;
}

}  // namespace delassus::detail
