// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/io/Fclib.hpp>
#include <delassus/numerics/io/FileContent.hpp>
#include <delassus/numerics/io/Hdf5.hpp>
#include <delassus/numerics/io/TextMatrix.hpp>
#include <vector>

namespace delassus::numerics {
namespace {

using hdf5::Writer;

void writeInteger(Writer& file, const std::string& path, std::size_t value) {
  file.integers(path, {static_cast<long long>(value)});
}

void writeVector(Writer& file, const std::string& path, const Vector& v) {
  file.reals(path, data(v), v.size());
}

void writeSparse(Writer& file, const std::string& path, const SparseMatrix& A) {
  file.group(path);
  const std::size_t count = entryCount(A);
  std::vector<long long> starts, rows;
  for (std::size_t j = 0; j <= A.size2(); ++j) starts.push_back(static_cast<long long>(columnStart(A, j)));
  for (std::size_t k = 0; k < count; ++k) rows.push_back(static_cast<long long>(rowOf(A, k)));
  writeInteger(file, path + "/m", A.size1());
  writeInteger(file, path + "/n", A.size2());
  writeInteger(file, path + "/nzmax", count);
  // Compressed columns.
  file.integers(path + "/nz", {-1});
  file.integers(path + "/p", starts);
  file.integers(path + "/i", rows);
  file.reals(path + "/x", A.value_data().data(), count);
}

}  // namespace

void writeFclib(const std::filesystem::path& path, const FrictionContactProblem& problem) {
  BlockSparseMatrix assembled;
  if (problem.W().matrix() == nullptr) problem.W().assemble(assembled);
  const SparseMatrix W = sparseOf(problem.W().matrix() == nullptr ? assembled : *problem.W().matrix());
  replaceFile(path, [&](const std::filesystem::path& part) {
    Writer file(part);
    file.group("/fclib_local");
    file.group("/fclib_local/vectors");
    writeInteger(file, "/fclib_local/spacedim", problem.dimension());
    writeSparse(file, "/fclib_local/W", W);
    writeVector(file, "/fclib_local/vectors/q", problem.q());
    writeVector(file, "/fclib_local/vectors/mu", problem.mu());
    file.close();
  });
}

void writeFclib(const std::filesystem::path& path, const GlobalFrictionContactProblem& problem) {
  replaceFile(path, [&](const std::filesystem::path& part) {
    Writer file(part);
    file.group("/fclib_global");
    file.group("/fclib_global/vectors");
    writeInteger(file, "/fclib_global/spacedim", problem.dimension());
    writeSparse(file, "/fclib_global/M", problem.M());
    writeSparse(file, "/fclib_global/H", problem.H());
    writeVector(file, "/fclib_global/vectors/f", problem.f());
    writeVector(file, "/fclib_global/vectors/w", problem.b());
    writeVector(file, "/fclib_global/vectors/mu", problem.mu());
    file.close();
  });
}

}  // namespace delassus::numerics
