// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/io/TextProblems.hpp>

#include <delassus/numerics/io/TextSparse.hpp>
#include <string>
#include <utility>

namespace delassus::numerics {
namespace {

std::size_t readDimension(TextReader& reader) {
  const std::size_t dimension = reader.count("the dimension");
  if (dimension != 2 && dimension != 3) {
    reader.fail("expected dimension 2 or 3, got " + std::to_string(dimension) + ".");
  }
  return dimension;
}

// d · contacts, of which as many coefficients of friction must follow as there are contacts.
std::size_t readContactSize(TextReader& reader, std::size_t dimension) {
  const std::size_t contacts = reader.count("the number of contacts");
  return reader.requireProduct(dimension, contacts, "vectors of " + std::to_string(contacts) + " contacts");
}

}  // namespace

void appendVector(const Vector& v, std::string& text) {
  for (const double x : v.data()) {
    appendNumber(x, text);
    text += ' ';
  }
  text += '\n';
}

LinearComplementarityProblem readLcpText(TextReader& reader) {
  const std::size_t n = reader.count("the size of the LCP");
  BlockSparseMatrix M = toBlockSparse(readMatrix(reader, "M", n, n), 1);
  Vector q = reader.vector(n, "an entry of q");
  return {std::move(M), std::move(q)};
}

RelayProblem readRelayText(TextReader& reader) {
  const std::size_t n = reader.count("the size of the relay problem");
  BlockSparseMatrix M = toBlockSparse(readMatrix(reader, "M", n, n), 1);
  Vector q = reader.vector(n, "an entry of q");
  Vector lower = reader.extendedVector(n, "a lower bound");
  Vector upper = reader.extendedVector(n, "an upper bound");
  return {std::move(M), std::move(q), std::move(lower), std::move(upper)};
}

FrictionContactProblem readFrictionText(TextReader& reader) {
  const std::size_t dimension = readDimension(reader);
  const std::size_t size = readContactSize(reader, dimension);
  BlockSparseMatrix W = toBlockSparse(readMatrix(reader, "W", size, size), dimension);
  Vector q = reader.vector(size, "an entry of q");
  Vector mu = reader.vector(size / dimension, "a coefficient of friction");
  return {dimension, std::move(W), std::move(q), std::move(mu)};
}

GlobalFrictionContactProblem readGlobalFrictionText(TextReader& reader) {
  const std::size_t dimension = readDimension(reader);
  const std::size_t size = readContactSize(reader, dimension);
  SparseMatrix M = toSparse(readMatrix(reader, "M", std::nullopt, std::nullopt));
  if (M.size1() != M.size2()) reader.fail("expected a square matrix M.");
  const std::size_t freedom = M.size1();
  SparseMatrix H = toSparse(readMatrix(reader, "H", freedom, size));
  Vector f = reader.vector(freedom, "an entry of f");
  Vector b = reader.vector(size, "an entry of b");
  Vector mu = reader.vector(size / dimension, "a coefficient of friction");
  return {dimension, std::move(M), std::move(H), std::move(f), std::move(b), std::move(mu)};
}

std::string textOf(const LinearComplementarityProblem& problem, TextStorage storage) {
  std::string text;
  text += std::to_string(problem.size()) + "\n";
  writeMatrix(problem.M(), storage, text);
  appendVector(problem.q(), text);
  return text;
}

std::string textOf(const RelayProblem& problem, TextStorage storage) {
  std::string text;
  text += std::to_string(problem.size()) + "\n";
  writeMatrix(problem.M(), storage, text);
  for (const Vector* v : {&problem.q(), &problem.lower(), &problem.upper()}) appendVector(*v, text);
  return text;
}

std::string textOf(const FrictionContactProblem& problem, TextStorage storage) {
  std::string text;
  text += std::to_string(problem.dimension()) + "\n";
  text += std::to_string(problem.contacts()) + "\n";
  BlockSparseMatrix assembled;
  if (problem.W().matrix() == nullptr) problem.W().assemble(assembled);
  writeMatrix(problem.W().matrix() == nullptr ? assembled : *problem.W().matrix(), storage, text);
  appendVector(problem.q(), text);
  appendVector(problem.mu(), text);
  return text;
}

std::string textOf(const GlobalFrictionContactProblem& problem, TextStorage storage) {
  std::string text;
  text += std::to_string(problem.dimension()) + "\n";
  text += std::to_string(problem.contacts()) + "\n";
  writeMatrix(problem.M(), storage, text);
  writeMatrix(problem.H(), storage, text);
  for (const Vector* v : {&problem.f(), &problem.b(), &problem.mu()}) appendVector(*v, text);
  return text;
}

std::string textOf(const MixedLinearComplementarityProblem& problem, TextStorage storage) {
  using Row = MixedLinearComplementarityProblem::Row;
  std::string text = "1\n0\n";
  std::size_t equalities = 0;
  for (std::size_t i = 0; i < problem.size(); ++i) equalities += problem.row(i) == Row::equality ? 1 : 0;
  text += std::to_string(equalities) + "\n";
  text += std::to_string(problem.size() - equalities) + "\n";
  std::string ends = "0 ";
  std::string kinds;
  for (std::size_t i = 0; i < problem.size(); ++i) {
    if (i + 1 < problem.size() && problem.row(i) == problem.row(i + 1)) continue;
    ends += std::to_string(i + 1) + " ";
    kinds += problem.row(i) == Row::complementarity ? "1 " : "0 ";
  }
  text += ends + "\n" + kinds + "\n";
  writeMatrix(problem.M(), storage, text);
  appendVector(problem.q(), text);
  return text;
}

}  // namespace delassus::numerics
