// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/io/TextProblems.hpp>

#include <algorithm>
#include <array>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/io/TextSparse.hpp>
#include <delassus/numerics/sets/Part.hpp>
#include <string>
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

void requireKnownSet(const Part& part) {
  if (findSet(part.set->name()) != nullptr) return;
  throw Error("GenericMechanicalProblem", "the set of a part in a text file is " + std::string(names) +
                                              ", but a part has '" + std::string(part.set->name()) + "'.");
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

Vector readBounds(TextReader& reader, std::size_t size, const std::string& what) {
  reader.require(size, what);
  Vector bounds(size);
  for (double& bound : bounds.data()) bound = reader.extendedNumber(what);
  return bounds;
}

void appendVector(const Vector& v, std::string& text) {
  for (const double x : v.data()) {
    appendNumber(x, text);
    text += ' ';
  }
  text += '\n';
}

}  // namespace

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
  Vector lower = readBounds(reader, n, "a lower bound");
  Vector upper = readBounds(reader, n, "an upper bound");
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

GenericMechanicalProblem readMechanicalText(TextReader& reader) {
  if (reader.word("the word mechanical") != "mechanical") reader.fail("expected the word mechanical.");
  const std::size_t count = reader.count("the number of parts");
  reader.requireProduct(count, 3, "the parts");
  std::vector<Part> parts;
  parts.reserve(count);
  for (std::size_t k = 0; k < count; ++k) {
    parts.push_back(readPart(reader));
  }
  const std::size_t n = reader.count("the number of rows");
  BlockSparseMatrix W = toBlockSparse(readMatrix(reader, "W", n, n), 1);
  Vector q = reader.vector(n, "an entry of q");
  Vector lower = readBounds(reader, n, "a lower bound");
  Vector upper = readBounds(reader, n, "an upper bound");
  return {std::move(W), std::move(q), std::move(parts), std::move(lower), std::move(upper)};
}

std::string textOf(const GenericMechanicalProblem& problem, TextStorage storage) {
  std::string text = "mechanical\n";
  text += std::to_string(problem.parts().size()) + "\n";
  for (const Part& part : problem.parts()) {
    requireKnownSet(part);
    text += std::string(part.set->name()) + ' ' + std::to_string(part.rows);
    for (const double coefficient : part.set->coefficients()) {
      text += ' ';
      appendNumber(coefficient, text);
    }
    text += '\n';
  }
  text += std::to_string(problem.size()) + "\n";
  writeMatrix(problem.W(), storage, text);
  appendVector(problem.q(), text);
  appendVector(problem.lower(), text);
  appendVector(problem.upper(), text);
  return text;
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

namespace {

constexpr std::size_t rollingRows = 5;

// Rows of cones from where each begins, and where the last ends.
std::vector<std::size_t> readConeRows(TextReader& reader, std::size_t size, std::size_t cones) {
  std::vector<std::size_t> rows;
  rows.reserve(cones);
  std::size_t begin = reader.count("the row where the first cone begins, 0");
  if (begin != 0) reader.fail("expected the row where the first cone begins, 0, got " + std::to_string(begin) + ".");
  for (std::size_t cone = 0; cone < cones; ++cone) {
    const std::size_t end = reader.count("the row where a cone ends");
    if (end <= begin || end > size) {
      reader.fail("expected rows where cones end, ascending up to " + std::to_string(size) + ", got " +
                  std::to_string(end) + ".");
    }
    rows.push_back(end - begin);
    begin = end;
  }
  if (begin != size) {
    reader.fail("expected that the last cone ends at row " + std::to_string(size) + ", got " + std::to_string(begin) +
                ".");
  }
  return rows;
}

}  // namespace

GenericMechanicalProblem readRollingText(TextReader& reader) {
  const std::size_t dimension = reader.count("the rows of a contact");
  if (dimension != rollingRows) {
    reader.fail("expected 5 rows a contact, got " + std::to_string(dimension) + ".");
  }
  const std::size_t contacts = reader.count("the number of contacts");
  const std::size_t size =
      reader.requireProduct(dimension, contacts, "vectors of " + std::to_string(contacts) + " contacts");
  BlockSparseMatrix W = toBlockSparse(readMatrix(reader, "W", size, size), dimension);
  Vector q = reader.vector(size, "an entry of q");
  const Vector mu = reader.vector(contacts, "a coefficient of friction");
  const Vector rolling = reader.vector(contacts, "a coefficient of rolling friction");
  std::vector<Part> parts;
  parts.reserve(contacts);
  for (std::size_t contact = 0; contact < contacts; ++contact) {
    parts.push_back(Part::rollingContact(3, mu(contact), rolling(contact)));
  }
  return {std::move(W), std::move(q), std::move(parts)};
}

GenericMechanicalProblem readSecondOrderText(TextReader& reader) {
  const std::size_t size = reader.count("the size of the problem");
  const std::size_t cones = reader.count("the number of cones");
  reader.require(cones, "cones");
  BlockSparseMatrix M = toBlockSparse(readMatrix(reader, "M", size, size), 1);
  Vector q = reader.vector(size, "an entry of q");
  const std::vector<std::size_t> rows = readConeRows(reader, size, cones);
  const Vector apertures = reader.vector(cones, "an aperture of a cone");
  std::vector<Part> parts;
  parts.reserve(cones);
  for (std::size_t cone = 0; cone < cones; ++cone) {
    parts.push_back(Part::secondOrderCone(rows[cone], apertures(cone)));
  }
  return {std::move(M), std::move(q), std::move(parts)};
}

}  // namespace delassus::numerics
