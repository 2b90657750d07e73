// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace delassus::numerics {

/// The bytes of a file. Throws Error naming the file if it cannot be read.
std::string readContent(const std::filesystem::path& path);

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
