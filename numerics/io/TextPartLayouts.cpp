// SPDX-License-Identifier: Apache-2.0
//
// Layouts of other programs that are read as problems of parts.
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/io/TextProblems.hpp>
#include <delassus/numerics/sets/Part.hpp>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace delassus::numerics {
namespace {

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

// The part of `rows` rows with this type number, and its data.
Part readTypedPart(TextReader& reader, std::size_t rows, double* lower, double* upper) {
  const std::size_t type = reader.count("the type of a part");
  switch (type) {
    case 0:
      return Part::orthant(rows);
    case 1:
      reader.fail("expected parts of types 0, 2, 3, 4 or 9, got 1, an MLCP, which is not read as one part.");
    case 2:
      return Part::equality(rows);
    case 3:
    case 4: {
      const std::size_t dimension = type - 1;
      if (rows != dimension) {
        reader.fail("expected a part of type " + std::to_string(type) + ", a contact, with " +
                    std::to_string(dimension) + " rows, got a block with " + std::to_string(rows) + ".");
      }
      return Part::coulomb(dimension, reader.number("a coefficient of friction"));
    }
    case 9: {
      for (std::size_t i = 0; i < rows; ++i) lower[i] = reader.extendedNumber("a lower bound");
      for (std::size_t i = 0; i < rows; ++i) upper[i] = reader.extendedNumber("an upper bound");
      return Part::box(rows);
    }
    default:
      reader.fail(
          "expected the type of a part, 0 (LCP), 2 (equality), 3 (friction in 2D), 4 (friction in 3D) or 9 "
          "(relay), got " +
          std::to_string(type) + ".");
  }
}

// The law of a point of plasticity.
Part plasticPart(const TextReader& reader, std::size_t point, double strength, double dilatancy) {
  if (dilatancy == 0.) return Part::coulomb(3, strength);
  if (dilatancy == strength) return Part::associated(3, strength);
  reader.fail("expected a dilatancy of 0 or that of the strength of point " + std::to_string(point) + ", " +
              toText(strength) + ", got " + toText(dilatancy) + ": no set of the library has a law between these.");
}

}  // namespace

GenericMechanicalProblem readRollingText(TextReader& reader) {
  const std::size_t dimension = reader.count("the rows of a contact");
  if (dimension != 5) {
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

GenericMechanicalProblem readTypedPartsText(TextReader& reader) {
  StoredMatrix stored = readMatrix(reader, "M", std::nullopt, std::nullopt);
  const auto* const blocks = std::get_if<BlockRows>(&stored);
  if (blocks == nullptr || blocks->rowEnds != blocks->columnEnds) {
    reader.fail("expected a matrix M with blocks (storage 1), the same in rows and in columns, which are the parts.");
  }
  const std::vector<std::size_t> ends = blocks->rowEnds;
  BlockSparseMatrix M = toBlockSparse(std::move(stored), 1);
  const std::size_t n = M.size();
  Vector q = reader.vector(n, "an entry of q");
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Vector lower(n, -infinity), upper(n, infinity);
  std::vector<Part> parts;
  parts.reserve(ends.size());
  std::size_t begin = 0;
  for (const std::size_t end : ends) {
    parts.push_back(readTypedPart(reader, end - begin, data(lower) + begin, data(upper) + begin));
    begin = end;
  }
  return {std::move(M), std::move(q), std::move(parts), std::move(lower), std::move(upper)};
}

GenericMechanicalProblem readPlasticityText(TextReader& reader) {
  const std::size_t rows = reader.count("the rows of a point");
  if (rows != 3) reader.fail("expected 3 rows a point, got " + std::to_string(rows) + ".");
  const std::size_t points = reader.count("the number of points");
  const std::size_t size = reader.requireProduct(rows, points, "vectors of " + std::to_string(points) + " points");
  BlockSparseMatrix W = toBlockSparse(readMatrix(reader, "W", size, size), rows);
  Vector q = reader.vector(size, "an entry of q");
  const Vector strength = reader.vector(points, "a coefficient of strength");
  const Vector dilatancy = reader.vector(points, "a coefficient of dilatancy");
  std::vector<Part> parts;
  parts.reserve(points);
  for (std::size_t point = 0; point < points; ++point) {
    parts.push_back(plasticPart(reader, point, strength(point), dilatancy(point)));
  }
  return {std::move(W), std::move(q), std::move(parts)};
}

}  // namespace delassus::numerics
