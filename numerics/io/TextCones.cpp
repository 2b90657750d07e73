// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/io/TextProblems.hpp>
#include <string>
#include <utility>
#include <vector>

namespace delassus::numerics {
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
