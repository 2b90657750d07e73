// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/io/FileContent.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <delassus/numerics/Error.hpp>
#include <memory>
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

}  // namespace delassus::numerics
