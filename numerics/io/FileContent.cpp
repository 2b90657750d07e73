// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/io/FileContent.hpp>

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

}  // namespace

std::string readContent(const std::filesystem::path& path) {
  std::error_code failure;
  if (std::filesystem::is_directory(path, failure)) throw Error(path.string(), "expected a file, got a folder.");
  const File file(std::fopen(path.c_str(), "rb"));
  if (!file) fail(path, "cannot read the file");
  std::string content;
  std::string part(std::size_t{1} << 16, '\0');
  while (const std::size_t length = std::fread(part.data(), 1, part.size(), file.get())) {
    content.append(part.data(), length);
  }
  if (std::ferror(file.get()) != 0) fail(path, "cannot read the file");
  return content;
}

void replaceFile(const std::filesystem::path& path, const std::function<void(const std::filesystem::path&)>& write) {
  createFolders(path);
  std::filesystem::path part = path;
  part += ".part";
  std::error_code failure;
  try {
    write(part);
  } catch (...) {
    std::filesystem::remove(part, failure);
    throw;
  }
  std::filesystem::rename(part, path, failure);
  if (failure) throw Error(path.string(), "cannot rename '" + part.string() + "' to it: " + failure.message() + ".");
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
