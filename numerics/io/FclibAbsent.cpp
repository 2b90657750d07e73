// SPDX-License-Identifier: Apache-2.0
//
// Replaces Fclib.cpp in a build without HDF5.
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/io/Fclib.hpp>

namespace delassus::numerics {

ProblemFile parseFclib(std::string_view, const std::string& name) {
  throwAbsent(name, "HDF5", "DELASSUS_WITH_HDF5");
}

void writeFclib(const std::filesystem::path& path, const FrictionContactProblem&) {
  throwAbsent(path.string(), "HDF5", "DELASSUS_WITH_HDF5");
}

void writeFclib(const std::filesystem::path& path, const GlobalFrictionContactProblem&) {
  throwAbsent(path.string(), "HDF5", "DELASSUS_WITH_HDF5");
}

void writeFclib(const std::filesystem::path& path, const GlobalMechanicalProblem&) {
  throwAbsent(path.string(), "HDF5", "DELASSUS_WITH_HDF5");
}

}  // namespace delassus::numerics
