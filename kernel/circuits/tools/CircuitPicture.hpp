// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace delassus::tools {

/// True for a name that ends in .h5 or .hdf5.
bool isHdf5Name(const std::filesystem::path& file);

/// Draws a table of comma-separated values, its voltages above its currents, and leaves the script beside the picture
/// as NAME.gp. Returns false where gnuplot drew nothing.
bool drawTable(const std::filesystem::path& table, const std::filesystem::path& picture, const std::string& title);

}  // namespace delassus::tools
