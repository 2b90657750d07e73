// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/io/ProblemFile.hpp>
#include <filesystem>
#include <string>
#include <string_view>

namespace delassus::numerics {

/// True if the content starts with the signature of HDF5.
inline bool isHdf5(std::string_view content) {
  return content.starts_with("\x89HDF\r\n\x1a\n");
}

/// Reads a friction contact problem in the layout of FCLIB (Acary, Brémond, Huber, Koziara, Pérignon, 2014):
/// `fclib_local` with W, q, μ, `fclib_global` with M, H, f, w (here b), μ, or `fclib_global_rolling` with M, H, f, w,
/// μ, μ_R (a GlobalMechanicalProblem of rolling contacts in space, spacedim 5), and the answers that came with it.
/// Equality blocks (V, R, s; G, b) are refused unless they are empty. Sparse matrices may be triplets, compressed
/// columns or rows. The HDF5 library must not be called from several threads at once. A build without HDF5 (`withHdf5`
/// of <delassus/Config.hpp>) throws Error, as writeFclib() does.
ProblemFile parseFclib(std::string_view content, const std::string& name);

/// Writes matrices in compressed columns, stored zeros included. A GlobalMechanicalProblem is written as
/// `fclib_global_rolling`; throws Error, and writes nothing, unless all of its parts are rolling contacts in space.
///@{
void writeFclib(const std::filesystem::path& path, const FrictionContactProblem& problem);
void writeFclib(const std::filesystem::path& path, const GlobalFrictionContactProblem& problem);
void writeFclib(const std::filesystem::path& path, const GlobalMechanicalProblem& problem);
///@}

}  // namespace delassus::numerics
