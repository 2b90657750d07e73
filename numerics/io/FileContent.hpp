// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace delassus::numerics {

/// Default limit of readContent(), in bytes.
inline constexpr std::uintmax_t largestContent = 4'000'000'000;

/// The bytes of a file, a pipe or a terminal. Throws Error naming the file if it cannot be read, has more than
/// `largest` bytes (of a regular file found before anything is read), or is a device without an end.
std::string readContent(const std::filesystem::path& path, std::uintmax_t largest = largestContent);

/// Throws Error if the path is a folder; for programs that check this before they compute.
void requireNoFolder(const std::filesystem::path& path);

/// Lets `write` make a file next to `path`, under a unique name, and renames it when it is done: the file under its
/// final name is always complete. Creates the folders of the path. Of a symbolic link, the target is replaced. An
/// existing path that is not a regular file (a device, a pipe) is written to directly. A failed write leaves nothing
/// behind. Throws Error naming the file.
void replaceFile(const std::filesystem::path& path, const std::function<void(const std::filesystem::path&)>& write);

/// The same for content that is in memory.
void writeContent(const std::filesystem::path& path, std::string_view content);

}  // namespace delassus::numerics
