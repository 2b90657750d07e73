// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/io/ProblemFile.hpp>
#include <string>

#include "Options.hpp"

namespace delassus::tools {

/// The problem of a file. HDF5 is read by a child process, since libhdf5 crashes on some damaged files: a crash of the
/// child is an Error here, and later files are read as usual. Throws Error naming the file.
numerics::AnyProblem readInput(const std::string& file, const Options& options);

}  // namespace delassus::tools
