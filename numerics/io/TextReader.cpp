// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/io/TextReader.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <delassus/numerics/Error.hpp>
#include <limits>
#include <memory>
#include <optional>
#include <system_error>

namespace delassus::numerics {
namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& what) {
  throw Error(path.string(), what + ": " + std::strerror(errno) + ".");
}

void createFolders(const std::filesystem::path& path) {
  if (!path.has_parent_path()) return;
  std::error_code failure;
  std::filesystem::create_directories(path.parent_path(), failure);
  if (failure) throw Error(path.string(), "cannot create its folder: " + failure.message() + ".");
}

// The target of a chain of symbolic links, whether it exists or not.
std::filesystem::path behindLinks(std::filesystem::path path) {
  constexpr int longestChain = 40;
  std::error_code failure;
  for (int k = 0; std::filesystem::is_symlink(path, failure); ++k) {
    if (k == longestChain) throw Error(path.string(), "its symbolic links lead nowhere.");
    const std::filesystem::path next = std::filesystem::read_symlink(path, failure);
    if (failure) throw Error(path.string(), "cannot follow the symbolic link: " + failure.message() + ".");
    path = path.parent_path() / next;
  }
  return path;
}

// An empty file with a unique name, even if several processes write one file. (Unlike that of mkstemp, it has the
// permissions of any new file.)
std::filesystem::path newFileBeside(const std::filesystem::path& target) {
  static std::atomic<unsigned> counter{0};
  constexpr int tries = 1000;
  for (int k = 0; k < tries; ++k) {
    std::filesystem::path part = target;
    part += "." + std::to_string(getpid()) + "-" + std::to_string(counter++) + ".part";
    const int descriptor = open(part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor >= 0) {
      close(descriptor);
      return part;
    }
    if (errno != EEXIST) fail(target, "cannot write the file");
  }
  throw Error(target.string(), "found no free name next to it.");
}

[[noreturn]] void refuseSize(const std::filesystem::path& path, const std::string& bytes, std::uintmax_t largest) {
  throw Error(path.string(), "expected at most " + std::to_string(largest) + " bytes, but it has " + bytes + ".");
}

// Pipes end when their writers do, terminals with Ctrl-D; other devices, such as /dev/zero, may have no end.
void requireEnd(const std::filesystem::path& path, const File& file, std::uintmax_t largest) {
  const int descriptor = fileno(file.get());
  struct stat status {};
  if (fstat(descriptor, &status) != 0) fail(path, "cannot read the file");
  if (S_ISBLK(status.st_mode) || (S_ISCHR(status.st_mode) && isatty(descriptor) == 0)) {
    throw Error(path.string(), "expected a file or a pipe, got a device.");
  }
  const auto size = static_cast<std::uintmax_t>(status.st_size);
  if (S_ISREG(status.st_mode) && size > largest) refuseSize(path, std::to_string(size), largest);
}

}  // namespace

std::string readContent(const std::filesystem::path& path, std::uintmax_t largest) {
  requireNoFolder(path);
  const File file(std::fopen(path.c_str(), "rb"));
  if (!file) fail(path, "cannot read the file");
  requireEnd(path, file, largest);
  std::string content;
  std::string part(std::size_t{1} << 16, '\0');
  while (const std::size_t length = std::fread(part.data(), 1, part.size(), file.get())) {
    if (length > largest - content.size()) refuseSize(path, "more", largest);
    content.append(part.data(), length);
  }
  if (std::ferror(file.get()) != 0) fail(path, "cannot read the file");
  return content;
}

void requireNoFolder(const std::filesystem::path& path) {
  std::error_code failure;
  if (std::filesystem::is_directory(path, failure)) throw Error(path.string(), "expected a file, got a folder.");
}

void replaceFile(const std::filesystem::path& path, const std::function<void(const std::filesystem::path&)>& write) {
  requireNoFolder(path);
  const std::filesystem::path target = behindLinks(path);
  createFolders(target);
  std::error_code failure;
  const std::filesystem::file_status status = std::filesystem::status(target, failure);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    write(target);
    return;
  }
  const std::filesystem::path part = newFileBeside(target);
  try {
    if (std::filesystem::exists(status)) std::filesystem::permissions(part, status.permissions(), failure);
    write(part);
    std::filesystem::rename(part, target, failure);
    if (failure) throw Error(path.string(), "cannot rename '" + part.string() + "' to it: " + failure.message() + ".");
  } catch (...) {
    std::filesystem::remove(part, failure);
    throw;
  }
}

void writeContent(const std::filesystem::path& path, std::string_view content) {
  replaceFile(path, [&](const std::filesystem::path& part) {
    File file(std::fopen(part.c_str(), "wb"));
    if (!file) fail(part, "cannot write the file");
    const bool written = std::fwrite(content.data(), 1, content.size(), file.get()) == content.size();
    if (std::fclose(file.release()) != 0 || !written) fail(part, "cannot write the file");
  });
}

namespace {

bool isSpace(char c) {
  return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

std::string quoted(std::string_view word) {
  constexpr std::size_t longest = 40;
  std::string text(word.substr(0, longest));
  // A binary file must not reach the terminal as it is.
  for (char& c : text) {
    if (c < ' ' || c > '~') c = '?';
  }
  return "'" + text + (word.size() > longest ? "...'" : "'");
}

struct Parsed {
  double value = 0.;
  bool tooLarge = false;
};

std::optional<Parsed> parseNumber(std::string_view word) {
  if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);
  Parsed parsed;
  const auto [end, failure] = std::from_chars(word.data(), word.data() + word.size(), parsed.value);
  if (end != word.data() + word.size() || failure == std::errc::invalid_argument) return std::nullopt;
  if (failure == std::errc::result_out_of_range) {
    // A number too small for a double is 0; one too large is an error.
    const std::size_t exponent = word.find_first_of("eE");
    parsed.tooLarge = exponent == std::string_view::npos || word.substr(exponent + 1, 1) != "-";
    parsed.value = word[0] == '-' ? -0. : 0.;
  }
  return parsed;
}

}  // namespace

std::string_view TextReader::nextWord() {
  while (position_ < text_.size() && isSpace(text_[position_])) ++position_;
  wordStart_ = position_;
  while (position_ < text_.size() && !isSpace(text_[position_])) ++position_;
  return text_.substr(wordStart_, position_ - wordStart_);
}

std::size_t TextReader::line() const {
  const auto end = text_.begin() + static_cast<std::ptrdiff_t>(wordStart_);
  return 1 + static_cast<std::size_t>(std::count(text_.begin(), end, '\n'));
}

void TextReader::fail(const std::string& what) const {
  throw Error(name_ + ", line " + std::to_string(line()), what);
}

std::string_view TextReader::word(std::string_view what) {
  const std::string_view next = nextWord();
  if (next.empty()) fail("expected " + std::string(what) + ", but the file ends.");
  return next;
}

std::size_t TextReader::count(std::string_view what) {
  const std::string_view next = word(what);
  std::size_t value = 0;
  const auto [end, failure] = std::from_chars(next.data(), next.data() + next.size(), value);
  if (end != next.data() + next.size() || failure != std::errc()) {
    fail("expected " + std::string(what) + ", a whole number not below 0, got " + quoted(next) + ".");
  }
  return value;
}

double TextReader::extendedNumber(std::string_view what) {
  const std::string_view next = word(what);
  const std::optional<Parsed> parsed = parseNumber(next);
  if (!parsed || std::isnan(parsed->value)) {
    fail("expected " + std::string(what) + ", a number, got " + quoted(next) + ".");
  }
  if (parsed->tooLarge) fail("expected " + std::string(what) + ", but " + quoted(next) + " is too large for a double.");
  return parsed->value;
}

double TextReader::number(std::string_view what) {
  const double value = extendedNumber(what);
  if (!std::isfinite(value)) fail("expected " + std::string(what) + ", a finite number, got " + toText(value) + ".");
  return value;
}

void TextReader::numbers(std::size_t count, double* values, std::string_view what) {
  for (std::size_t i = 0; i < count; ++i) values[i] = number(what);
}

Vector TextReader::vector(std::size_t size, std::string_view what) {
  require(size, what);
  Vector v(size);
  numbers(size, data(v), what);
  return v;
}

Vector TextReader::extendedVector(std::size_t size, std::string_view what) {
  require(size, what);
  Vector v(size);
  for (double& entry : v.data()) entry = extendedNumber(what);
  return v;
}

void TextReader::require(std::size_t count, std::string_view what) const {
  const std::size_t room = (text_.size() - position_ + 1) / 2;
  if (count <= room) return;
  fail("expected " + std::string(what) + " with " + std::to_string(count) + " numbers, but the rest of the file, " +
       std::to_string(text_.size() - position_) + " bytes, cannot hold so many.");
}

std::size_t TextReader::requireProduct(std::size_t rows, std::size_t columns, std::string_view what) const {
  if (columns != 0 && rows > std::numeric_limits<std::size_t>::max() / columns) {
    fail("expected " + std::string(what) + " that a computer can hold, got " + std::to_string(rows) + " x " +
         std::to_string(columns) + ".");
  }
  require(rows * columns, what);
  return rows * columns;
}

std::size_t TextReader::numbersLeft() const {
  TextReader rest = *this;
  std::size_t count = 0;
  for (std::string_view next = rest.nextWord(); !next.empty() && parseNumber(next); next = rest.nextWord()) ++count;
  return count;
}

}  // namespace delassus::numerics
