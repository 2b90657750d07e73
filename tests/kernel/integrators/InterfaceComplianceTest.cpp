// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/kernel/integrators/IterationNode.hpp>
#include <delassus/numerics/algebra/LUFactorization.hpp>
#include <support/ElasticBlock.hpp>
#include <support/Matchers.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

// W of a mesh whose stiffness is `scale` of that of the block, and its inverse by a dense factorisation.
struct Node : IterationNode {
  explicit Node(double scale) { set(scale); }
  void set(double scale) {
    const PlaneMesh mesh = PlaneMesh::rectangle(6, 3, 1., 0.5);
    const PlaneMaterial material{.young = 1e6 * scale, .poisson = 0.3, .density = 1000., .thickness = 1.};
    W.setDifference(mesh.mass(material), -1e-3, SparseMatrix(mesh.stiffness(material)), 0.,
                    SparseMatrix(mesh.stiffness(material)));
    ASSERT_TRUE(tryFactor({scale}));
  }
  Matrix inverse() const {
    LUFactorization dense;
    dense.factor(toDense(W), "W");
    Matrix columns = identityMatrix(W.size1());
    dense.solve(columns);
    return columns;
  }
};

void expectColumns(InterfaceCompliance& interface, const Node& node, std::initializer_list<std::size_t> places) {
  const Matrix inverse = node.inverse();
  const auto& unknowns = interface.unknowns();
  for (const std::size_t place : places) {
    const InterfaceCompliance::Column& column = interface.column(place);
    // Entries are up to 1; rounding of factors with a condition of some hundred.
    for (std::size_t i = 0; i < unknowns.size(); ++i) {
      EXPECT_NEAR(column[i], inverse(unknowns[i], unknowns[place]), 1e-13);
    }
  }
}

TEST(InterfaceCompliance, HasTheRowsAndColumnsOfTheInverse) {
  const Node node(1.);
  InterfaceCompliance interface({1, 2, 7, 20, 33, 41}, node);
  EXPECT_EQ(interface.placeOf(20), 3U);
  EXPECT_EQ(interface.placeOf(1), 0U);
  for (const std::size_t place : {5U, 0U, 3U, 5U}) interface.demand(place);
  interface.solve();
  expectColumns(interface, node, {0, 3, 5});
  // Not demanded.
  expectColumns(interface, node, {1, 2, 4});
}

TEST(InterfaceCompliance, IsThatOfTheFactorsAsTheyAre) {
  Node node(1.);
  InterfaceCompliance interface({0, 5, 6}, node);
  expectColumns(interface, node, {0, 2});
  node.set(3.);
  expectColumns(interface, node, {2, 1});
  node.set(0.2);
  interface.demand(0);
  interface.solve();
  expectColumns(interface, node, {0, 1, 2});
}

// Right-hand sides at once, more than one batch of them, are those one by one.
TEST(InterfaceCompliance, SolvesForManyAtOnce) {
  const Node node(1.);
  std::vector<std::uint32_t> all(node.W.size1());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::uint32_t>(i);
  InterfaceCompliance interface(all, node);
  for (std::size_t i = 0; i < all.size(); ++i) interface.demand(i);
  interface.solve();
  const Matrix inverse = node.inverse();
  for (std::size_t j = 0; j < all.size(); ++j) {
    for (std::size_t i = 0; i < all.size(); ++i) EXPECT_NEAR(interface.column(j)[i], inverse(i, j), 1e-13);
  }
}

// W of a line of nodes, tridiagonal with 1 + 2 r on the diagonal and −r beside it: W⁻¹ falls by q a node, with
// r q² − (1 + 2 r) q + r = 0.
TEST(InterfaceCompliance, HasColumnsThatEndWhereNothingIsLeft) {
  constexpr std::size_t n = 200;
  constexpr double r = 0.01;
  IterationNode node;
  std::vector<Triplet> entries;
  for (std::size_t i = 0; i < n; ++i) {
    entries.push_back({i, i, 1. + 2. * r});
    if (i > 0) entries.push_back({i, i - 1, -r});
    if (i > 0) entries.push_back({i - 1, i, -r});
  }
  node.W = sparseFromTriplets(n, n, entries);
  ASSERT_TRUE(node.tryFactor({1.}));
  std::vector<std::uint32_t> all(n);
  for (std::size_t i = 0; i < n; ++i) all[i] = static_cast<std::uint32_t>(i);
  InterfaceCompliance interface(all, node);
  const InterfaceCompliance::Column& column = interface.column(100);
  const double q = 2. * r / (1. + 2. * r + std::sqrt(1. + 4. * r));
  const auto length = static_cast<std::size_t>(-20. / std::log10(q));
  EXPECT_EQ(column.first, 100 - length);
  EXPECT_EQ(column.values.size(), 2 * length + 1);
  // To rounding of each entry, since all terms of the elimination have one sign.
  for (std::size_t i = 0; i <= length; ++i) {
    const double exact = std::pow(q, static_cast<double>(i)) / std::sqrt(1. + 4. * r);
    EXPECT_NEAR(column[100 + i], exact, 1e-13 * exact);
    EXPECT_NEAR(column[100 - i], exact, 1e-13 * exact);
  }
  EXPECT_EQ(column[101 + length], 0.);
  EXPECT_TRUE(column.reaches(99 - length, 2));
  EXPECT_FALSE(column.reaches(0, 100 - length));
  EXPECT_FALSE(column.reaches(101 + length, 99));
}

}  // namespace
