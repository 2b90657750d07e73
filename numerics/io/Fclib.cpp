// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/io/Fclib.hpp>
#include <delassus/numerics/io/Hdf5.hpp>
#include <delassus/numerics/io/TextMatrix.hpp>
#include <delassus/numerics/io/TextReader.hpp>
#include <utility>
#include <vector>

namespace delassus::numerics {
namespace {

using hdf5::Reader;

Vector readVector(const Reader& file, const std::string& path) {
  std::vector<double> values = file.reals(path);
  Vector v(values.size());
  v.data().swap(values);
  requireFinite(v, path);
  return v;
}

// A sparse matrix as a group of m, n, nzmax, nz, p, i, x.
class SparseGroup {
 public:
  SparseGroup(const Reader& file, std::string path)
      : file_(file),
        path_(std::move(path)),
        nz_(file.integer(path_ + "/nz")),
        p_(file.integers(path_ + "/p")),
        i_(file.integers(path_ + "/i")),
        x_(file.reals(path_ + "/x")) {}

  SparseMatrix read(std::size_t rows, std::size_t columns) {
    requireSize("/m", rows);
    requireSize("/n", columns);
    if (nz_ < -2) file_.fail(path_ + "/nz", "expected -2, -1 or a count, got " + std::to_string(nz_) + ".");
    if (nz_ >= 0) {
      readTriplets(rows, columns);
    } else {
      readCompressed(nz_ == -2, rows, columns);
    }
    return sparseFromTriplets(rows, columns, std::move(entries_));
  }

 private:
  void requireSize(const char* which, std::size_t expected) const {
    const long long size = file_.integer(path_ + which);
    if (size >= 0 && static_cast<unsigned long long>(size) == expected) return;
    file_.fail(path_ + which, "expected " + std::to_string(expected) + " from the sizes of the vectors, got " +
                                  std::to_string(size) + ".");
  }

  std::size_t index(const char* which, long long value, std::size_t size) const {
    if (value >= 0 && static_cast<unsigned long long>(value) < size) return static_cast<std::size_t>(value);
    file_.fail(path_ + which,
               "expected indices from 0 to " + std::to_string(size) + " - 1, got " + std::to_string(value) + ".");
  }

  void requireLength(const char* which, std::size_t length, std::size_t atLeast) const {
    if (length >= atLeast) return;
    file_.fail(path_ + which,
               "expected at least " + std::to_string(atLeast) + " elements, got " + std::to_string(length) + ".");
  }

  void readTriplets(std::size_t rows, std::size_t columns) {
    const auto count = static_cast<std::size_t>(nz_);
    requireLength("/p", p_.size(), count);
    requireLength("/i", i_.size(), count);
    requireLength("/x", x_.size(), count);
    entries_.reserve(count);
    for (std::size_t k = 0; k < count; ++k) {
      entries_.push_back({index("/i", i_[k], rows), index("/p", p_[k], columns), value(k)});
    }
  }

  void readCompressed(bool byRows, std::size_t rows, std::size_t columns) {
    const std::size_t lines = byRows ? rows : columns;
    const std::size_t others = byRows ? columns : rows;
    requireLength("/p", p_.size(), lines + 1);
    const std::size_t stored = std::min(i_.size(), x_.size());
    if (p_[0] != 0) file_.fail(path_ + "/p", "expected 0 at the start, got " + std::to_string(p_[0]) + ".");
    for (std::size_t line = 0; line < lines; ++line) {
      if (p_[line + 1] < p_[line] || static_cast<unsigned long long>(p_[line + 1]) > stored) {
        file_.fail(path_ + "/p", "expected pointers that do not descend, up to the " + std::to_string(stored) +
                                     " entries stored, got " + std::to_string(p_[line + 1]) + ".");
      }
      for (auto k = static_cast<std::size_t>(p_[line]); k < static_cast<std::size_t>(p_[line + 1]); ++k) {
        const std::size_t other = index("/i", i_[k], others);
        entries_.push_back(byRows ? Triplet{line, other, value(k)} : Triplet{other, line, value(k)});
      }
    }
  }

  double value(std::size_t k) const {
    if (!std::isfinite(x_[k])) file_.fail(path_ + "/x", "expected finite numbers, got " + toText(x_[k]) + ".");
    return x_[k];
  }

  const Reader& file_;
  std::string path_;
  long long nz_;
  std::vector<long long> p_, i_;
  std::vector<double> x_;
  std::vector<Triplet> entries_;
};

void refuseEqualities(const Reader& file, const std::string& matrix) {
  if (!file.has(matrix)) return;
  if (file.integer(matrix + "/m") == 0 || file.integer(matrix + "/n") == 0) return;
  file.fail(matrix, "unsupported: equality blocks. Expected a problem of contacts only.");
}

std::size_t readDimension(const Reader& file, const std::string& path) {
  const long long dimension = file.integer(path);
  if (dimension != 2 && dimension != 3) {
    file.fail(path, "expected dimension 2 or 3, got " + std::to_string(dimension) + ".");
  }
  return static_cast<std::size_t>(dimension);
}

void requireContactSize(const Reader& file, const std::string& path, const Vector& v, std::size_t size) {
  if (v.size() == size) return;
  file.fail(path, "expected a component for each direction of each contact, " + std::to_string(size) + ", got " +
                      std::to_string(v.size()) + ".");
}

FrictionContactProblem readLocal(const Reader& file) {
  const std::string root = "/fclib_local";
  refuseEqualities(file, root + "/V");
  refuseEqualities(file, root + "/R");
  const std::size_t dimension = readDimension(file, root + "/spacedim");
  Vector mu = readVector(file, root + "/vectors/mu");
  Vector q = readVector(file, root + "/vectors/q");
  requireContactSize(file, root + "/vectors/q", q, dimension * mu.size());
  BlockSparseMatrix W = inBlocks(SparseGroup(file, root + "/W").read(q.size(), q.size()), dimension);
  return {dimension, std::move(W), std::move(q), std::move(mu)};
}

GlobalFrictionContactProblem readGlobal(const Reader& file) {
  const std::string root = "/fclib_global";
  refuseEqualities(file, root + "/G");
  const std::size_t dimension = readDimension(file, root + "/spacedim");
  Vector mu = readVector(file, root + "/vectors/mu");
  Vector f = readVector(file, root + "/vectors/f");
  Vector b = readVector(file, root + "/vectors/w");
  requireContactSize(file, root + "/vectors/w", b, dimension * mu.size());
  SparseMatrix M = SparseGroup(file, root + "/M").read(f.size(), f.size());
  SparseMatrix H = SparseGroup(file, root + "/H").read(f.size(), b.size());
  return {dimension, std::move(M), std::move(H), std::move(f), std::move(b), std::move(mu)};
}

constexpr std::size_t rollingRows = 5;

GlobalMechanicalProblem readGlobalRolling(const Reader& file) {
  const std::string root = "/fclib_global_rolling";
  refuseEqualities(file, root + "/G");
  const long long dimension = file.integer(root + "/spacedim");
  if (dimension != rollingRows) {
    file.fail(root + "/spacedim", "expected 5 rows a contact, got " + std::to_string(dimension) + ".");
  }
  const Vector mu = readVector(file, root + "/vectors/mu");
  const Vector rolling = readVector(file, root + "/vectors/mu_r");
  if (rolling.size() != mu.size()) {
    file.fail(root + "/vectors/mu_r", "expected a coefficient for each contact, " + std::to_string(mu.size()) +
                                          ", got " + std::to_string(rolling.size()) + ".");
  }
  Vector f = readVector(file, root + "/vectors/f");
  Vector b = readVector(file, root + "/vectors/w");
  requireContactSize(file, root + "/vectors/w", b, rollingRows * mu.size());
  SparseMatrix M = SparseGroup(file, root + "/M").read(f.size(), f.size());
  SparseMatrix H = SparseGroup(file, root + "/H").read(f.size(), b.size());
  std::vector<Part> parts;
  parts.reserve(mu.size());
  for (std::size_t k = 0; k < mu.size(); ++k) parts.push_back(Part::rollingContact(3, mu(k), rolling(k)));
  return {std::move(M), std::move(H), std::move(f), std::move(b), std::move(parts)};
}

// Answers that were declared but not written, do not fit the problem or are not finite are useless as starts.
void readAnswer(const Reader& file, const std::string& group, ProblemFile& result) {
  if (!file.hasData("/" + group + "/r")) return;
  std::vector<double> reactions = file.reals("/" + group + "/r");
  Vector answer(reactions.size());
  answer.data().swap(reactions);
  const std::size_t rows = std::visit([](const auto& problem) { return problem.size(); }, result.problem);
  if (answer.size() != rows || !allFinite(answer)) return;
  result.answers.push_back({group, std::move(answer)});
}

void readAnswers(const Reader& file, ProblemFile& result) {
  readAnswer(file, "solution", result);
  constexpr int mostGuesses = 100;
  for (int k = 1; k <= mostGuesses; ++k) {
    const std::string group = "guesses/" + std::to_string(k);
    if (!file.has("/" + group)) return;
    readAnswer(file, group, result);
  }
}

AnyProblem readGroup(const Reader& file, const std::string& group) {
  if (group == "fclib_global_rolling") return readGlobalRolling(file);
  if (group == "fclib_global") return readGlobal(file);
  return readLocal(file);
}

ProblemFile readFile(const Reader& file, const std::string& name) {
  for (const std::string group : {"fclib_global_rolling", "fclib_global", "fclib_local"}) {
    if (!file.has("/" + group)) continue;
    ProblemFile result;
    result.format = FileFormat::fclib;
    result.problem = readGroup(file, group);
    result.title = file.text("/" + group + "/info/title");
    readAnswers(file, result);
    return result;
  }
  throw Error(name, "expected the group fclib_local, fclib_global or fclib_global_rolling of FCLIB, got none of them.");
}

}  // namespace

ProblemFile parseFclib(std::string_view content, const std::string& name) {
  const Reader file(content, name);
  try {
    return readFile(file, name);
  } catch (const Error& error) {
    const std::string message = error.what();
    throw Error(message.starts_with(name) ? message : name + ": " + message);
  }
}

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

void writeFclib(const std::filesystem::path& path, const GlobalMechanicalProblem& problem) {
  Vector mu(problem.parts().size()), rolling(problem.parts().size());
  for (std::size_t k = 0; k < mu.size(); ++k) {
    const Part& part = problem.parts()[k];
    if (part.set->name() != "rolling" || part.rows != rollingRows) {
      throw Error(path.string(), "expected rolling contacts of 5 rows for the format FCLIB, but part " +
                                     std::to_string(k) + " is '" + std::string(part.set->name()) + "' of " +
                                     std::to_string(part.rows) + ".");
    }
    mu(k) = part.set->coefficients()[0];
    rolling(k) = part.set->coefficients()[1];
  }
  replaceFile(path, [&](const std::filesystem::path& target) {
    Writer file(target);
    file.group("/fclib_global_rolling");
    file.group("/fclib_global_rolling/vectors");
    writeInteger(file, "/fclib_global_rolling/spacedim", rollingRows);
    writeSparse(file, "/fclib_global_rolling/M", problem.M());
    writeSparse(file, "/fclib_global_rolling/H", problem.H());
    writeVector(file, "/fclib_global_rolling/vectors/f", problem.f());
    writeVector(file, "/fclib_global_rolling/vectors/w", problem.b());
    writeVector(file, "/fclib_global_rolling/vectors/mu", mu);
    writeVector(file, "/fclib_global_rolling/vectors/mu_r", rolling);
    file.close();
  });
}

}  // namespace delassus::numerics
