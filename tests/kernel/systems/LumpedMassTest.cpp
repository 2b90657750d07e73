// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/kernel/systems/LumpedMass.hpp>
#include <elastic_block/PlaneMesh.hpp>
#include <limits>
#include <support/Matchers.hpp>
#include <vector>

namespace delassus::test {
namespace {

// The consistent mass of a bar of n linear elements, of 1 kg.
SparseMatrix consistentBar(std::size_t n) {
  const double m = 1. / static_cast<double>(n);
  std::vector<Triplet> entries;
  for (std::size_t e = 0; e < n; ++e) {
    entries.insert(entries.end(), {{e, e, m / 3.}, {e, e + 1, m / 6.}, {e + 1, e, m / 6.}, {e + 1, e + 1, m / 3.}});
  }
  return sparseFromTriplets(n + 1, n + 1, entries);
}

TEST(LumpedMass, HasTheRowSumsOnItsDiagonalInEachStorage) {
  const SparseMatrix M = consistentBar(4);
  for (const SquareMatrix& given : {SquareMatrix(M), SquareMatrix(toDense(M))}) {
    const SparseMatrix diagonal = lumped(given);
    EXPECT_EQ(entryCount(diagonal), 5U) << "nothing but the diagonal is stored";
    expectNear(toDense(diagonal),
               makeMatrix({{0.125, 0., 0., 0., 0.},
                           {0., 0.25, 0., 0., 0.},
                           {0., 0., 0.25, 0., 0.},
                           {0., 0., 0., 0.25, 0.},
                           {0., 0., 0., 0., 0.125}}),
               1e-16);
    expectNear(toDense(lumped(diagonal)), toDense(diagonal), 0.);
  }
}

// An irregular quadrilateral mesh keeps its mass in each direction.
TEST(LumpedMass, HasTheMassOfTheBody) {
  const PlaneMaterial material{.young = 1e6, .poisson = 0.3, .density = 700., .thickness = 0.5};
  const PlaneMesh mesh = PlaneMesh::rectangle(5, 3, 2., 0.4);
  const SparseMatrix M = mesh.mass(material);
  Vector right(mesh.unknowns()), up(mesh.unknowns());
  for (std::size_t i = 0; i < mesh.nodes().size(); ++i) right(2 * i) = up(2 * i + 1) = 1.;
  const double mass = 700. * 0.5 * 2. * 0.4;
  EXPECT_NEAR(quadraticForm(SquareMatrix(M), right), mass, 1e-12 * mass);
  EXPECT_NEAR(quadraticForm(SquareMatrix(M), up), mass, 1e-12 * mass);
  EXPECT_EQ(entryCount(M), mesh.unknowns());
}

TEST(LumpedMass, RefusesRowsThatHaveNoMass) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  expectError([] { lumped(makeMatrix({{2., 1.}, {1., -1.}})); }, {"lumped", "row 1", "0"});
  expectError([] { lumped(makeMatrix({{2., -3.}, {-3., 7.}})); }, {"row 0", "-1"});
  expectError([] { lumped(sparseFromTriplets(3, 3, {{0, 0, 1.}, {2, 2, 1.}})); }, {"row 1"});
  expectError([&] { lumped(makeMatrix({{1., 0.}, {0., nan}})); }, {"mass M"});
  expectError([] { lumped(Matrix(2, 3)); }, {"mass M", "2 x 2"});
}

}  // namespace
}  // namespace delassus::test
