// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

// What StepList needs of HDF5. Not for public headers.
namespace delassus::hdf5 {

/// Writes a new file with a link /steps/NAME to the root of each of these files, by NAME. Paths may be relative to the
/// new file. Throws Error naming `label` if HDF5 cannot write it, or the build is without.
void writeStepLinks(const std::filesystem::path& path, const std::map<std::string, std::filesystem::path>& files,
                    const std::string& label);

/// The names of these links. Throws Error naming the file if it is not such a file, or cannot be read.
std::vector<std::string> readStepLinks(const std::filesystem::path& path);

}  // namespace delassus::hdf5
