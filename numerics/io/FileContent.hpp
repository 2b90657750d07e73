// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace delassus::numerics {

/// What readContent() takes at most unless it is told another limit, in bytes.
inline constexpr std::uintmax_t largestContent = 4'000'000'000;

/// The bytes of a file, a pipe or a terminal. Throws Error naming the file if it cannot be read, has more than
/// `largest` bytes (of a regular file found before anything is read), or is a device without an end.
std::string readContent(const std::filesystem::path& path, std::uintmax_t largest = largestContent);

/// Throws Error if the path is a folder, for programs that want to know before they compute what goes there.
void requireNoFolder(const std::filesystem::path& path);

/// Has `write` make a file beside `path`, of a name that nothing else has, and renames it when that is done: the file
/// under its name is always whole. Creates the folders of the path. Of a symbolic link, the target is replaced. What
/// exists and is no regular file (a device, a pipe) is written to directly. A failed write leaves nothing behind.
/// Throws Error naming the file.
void replaceFile(const std::filesystem::path& path, const std::function<void(const std::filesystem::path&)>& write);

/// The same for content that is in memory.
void writeContent(const std::filesystem::path& path, std::string_view content);

}  // namespace delassus::numerics
