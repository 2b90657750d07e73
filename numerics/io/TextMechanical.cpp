// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/io/TextProblems.hpp>
#include <delassus/numerics/io/TextSparse.hpp>
#include <delassus/numerics/sets/Part.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace delassus::numerics {
namespace {

// The sets that text can hold, by ConvexSet::name(), with what their coefficients() make.
struct KnownSet {
  std::string_view name;
  std::size_t coefficients;  // how many of the two the set has
  std::shared_ptr<const ConvexSet> (*make)(double first, double second);
};

constexpr std::array<KnownSet, 9> knownSets{{
    {"equality", 0, [](double, double) { return Part::equality(1).set; }},
    {"box", 0, [](double, double) { return Part::box(1).set; }},
    {"orthant", 0, [](double, double) { return Part::orthant(1).set; }},
    {"coulomb", 1, [](double mu, double) { return Part::coulomb(3, mu).set; }},
    {"associated", 1, [](double mu, double) { return Part::associated(3, mu).set; }},
    {"rolling", 2, [](double mu, double muR) { return Part::rollingContact(3, mu, muR).set; }},
    {"second_order", 1, [](double mu, double) { return Part::secondOrderCone(1, mu).set; }},
    {"drucker_prager", 2, [](double a, double k) { return Part::druckerPrager(1, a, k).set; }},
    {"ball", 1, [](double radius, double) { return Part::ball(1, radius).set; }},
}};
constexpr std::string_view names =
    "equality, box, orthant, coulomb, associated, rolling, second_order, drucker_prager or ball";

const KnownSet* findSet(std::string_view name) {
  const auto found =
      std::find_if(knownSets.begin(), knownSets.end(), [&](const auto& set) { return set.name == name; });
  return found != knownSets.end() ? &*found : nullptr;
}

void requireKnownSet(const Part& part, const std::string& problem) {
  if (findSet(part.set->name()) != nullptr) return;
  throw Error(problem, "the set of a part in a text file is " + std::string(names) + ", but a part has '" +
                           std::string(part.set->name()) + "'.");
}

// "coulomb 3 0.5 0": set, rows, two coefficients.
Part readPart(TextReader& reader) {
  const std::string name(reader.word("the set of a part"));
  const KnownSet* const known = findSet(name);
  if (known == nullptr) reader.fail("expected " + std::string(names) + ", got '" + name + "'.");
  const std::size_t rows = reader.count("the rows of a part");
  if (rows == 0 || rows > reader.bytes()) reader.fail("expected a number of rows that the text can hold.");
  const double first = reader.number("a coefficient of a set");
  const double second = reader.number("a second coefficient of a set");
  if (known->coefficients == 1 && second != 0.) {
    reader.fail("expected 0 for the second coefficient of a " + name + " part, got " + toText(second) + ".");
  }
  return {known->make(first, second), rows};
}

// The number of parts, and their lines.
std::vector<Part> readParts(TextReader& reader) {
  const std::size_t count = reader.count("the number of parts");
  reader.requireProduct(count, 3, "the parts");
  std::vector<Part> parts;
  parts.reserve(count);
  for (std::size_t k = 0; k < count; ++k) {
    parts.push_back(readPart(reader));
  }
  return parts;
}

// Throws Error naming the class of the problem where text cannot hold a set.
void appendParts(const std::vector<Part>& parts, const std::string& problem, std::string& text) {
  text += std::to_string(parts.size()) + "\n";
  for (const Part& part : parts) {
    requireKnownSet(part, problem);
    text += std::string(part.set->name()) + ' ' + std::to_string(part.rows);
    for (const double coefficient : part.set->coefficients()) {
      text += ' ';
      appendNumber(coefficient, text);
    }
    text += '\n';
  }
}

void readClassWord(TextReader& reader, std::string_view expected) {
  const std::string word(expected);
  if (reader.word("the word " + word) != expected) reader.fail("expected the word " + word + ".");
}

}  // namespace

GenericMechanicalProblem readMechanicalText(TextReader& reader) {
  readClassWord(reader, "mechanical");
  std::vector<Part> parts = readParts(reader);
  const std::size_t n = reader.count("the number of rows");
  BlockSparseMatrix W = toBlockSparse(readMatrix(reader, "W", n, n), 1);
  Vector q = reader.vector(n, "an entry of q");
  Vector lower = reader.extendedVector(n, "a lower bound");
  Vector upper = reader.extendedVector(n, "an upper bound");
  return {std::move(W), std::move(q), std::move(parts), std::move(lower), std::move(upper)};
}

GlobalMechanicalProblem readGlobalMechanicalText(TextReader& reader) {
  readClassWord(reader, "global_mechanical");
  std::vector<Part> parts = readParts(reader);
  SparseMatrix M = toSparse(readMatrix(reader, "M", std::nullopt, std::nullopt));
  if (M.size1() != M.size2()) reader.fail("expected a square matrix M.");
  const std::size_t freedom = M.size1();
  SparseMatrix H = toSparse(readMatrix(reader, "H", freedom, std::nullopt));
  const std::size_t n = H.size2();
  Vector f = reader.vector(freedom, "an entry of f");
  Vector b = reader.vector(n, "an entry of b");
  Vector lower = reader.extendedVector(n, "a lower bound");
  Vector upper = reader.extendedVector(n, "an upper bound");
  return {std::move(M), std::move(H), std::move(f), std::move(b), std::move(parts), std::move(lower), std::move(upper)};
}

std::string textOf(const GenericMechanicalProblem& problem, TextStorage storage) {
  std::string text = "mechanical\n";
  appendParts(problem.parts(), "GenericMechanicalProblem", text);
  text += std::to_string(problem.size()) + "\n";
  writeMatrix(problem.W(), storage, text);
  for (const Vector* v : {&problem.q(), &problem.lower(), &problem.upper()}) appendVector(*v, text);
  return text;
}

std::string textOf(const GlobalMechanicalProblem& problem, TextStorage storage) {
  std::string text = "global_mechanical\n";
  appendParts(problem.parts(), "GlobalMechanicalProblem", text);
  writeMatrix(problem.M(), storage, text);
  writeMatrix(problem.H(), storage, text);
  for (const Vector* v : {&problem.f(), &problem.b(), &problem.lower(), &problem.upper()}) appendVector(*v, text);
  return text;
}

}  // namespace delassus::numerics
