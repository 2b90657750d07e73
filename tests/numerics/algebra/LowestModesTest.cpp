// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/numerics/algebra/LowestModes.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <numbers>
#include <support/Matchers.hpp>

namespace delassus {
namespace {

using namespace delassus::test;

// n masses m in a row between two walls, with springs of 1: ω² = 4/m sin²(kπ/(2n + 2)).
SparseMatrix springs(std::size_t n) {
  std::vector<Triplet> entries;
  for (std::size_t i = 0; i < n; ++i) {
    entries.push_back({i, i, 2.});
    if (i > 0) entries.push_back({i, i - 1, -1.});
    if (i > 0) entries.push_back({i - 1, i, -1.});
  }
  return sparseFromTriplets(n, n, entries);
}

SparseMatrix masses(std::size_t n, double m) {
  std::vector<Triplet> entries;
  for (std::size_t i = 0; i < n; ++i) entries.push_back({i, i, m});
  return sparseFromTriplets(n, n, entries);
}

double exactSquare(std::size_t k, std::size_t n, double m) {
  const double s = std::sin(0.5 * static_cast<double>(k) * std::numbers::pi / static_cast<double>(n + 1));
  return 4. * s * s / m;
}

// K φ = ω² M φ and φᵀMφ = 1, by products alone.
void expectModes(const SquareMatrix& K, const SquareMatrix& M, const Modes& modes, double tolerance) {
  const std::size_t n = K.size1(), count = modes.squares.size();
  ASSERT_EQ(modes.vectors.size2(), count);
  std::vector<Vector> weighted;
  for (std::size_t j = 0; j < count; ++j) {
    Vector phi(n), left(n), right(n);
    for (std::size_t i = 0; i < n; ++i) phi(i) = modes.vectors(i, j);
    multiply(1., K, phi, 0., left);
    multiply(1., M, phi, 0., right);
    weighted.push_back(right);
    double error = 0., size = 0.;
    for (std::size_t i = 0; i < n; ++i) {
      error = std::max(error, std::abs(left(i) - modes.squares(j) * right(i)));
      size = std::max(size, std::abs(left(i)));
    }
    EXPECT_LE(error, tolerance * size) << j;
    for (std::size_t k = 0; k <= j; ++k) {
      double product = 0.;
      for (std::size_t i = 0; i < n; ++i) product += modes.vectors(i, j) * weighted[k](i);
      EXPECT_NEAR(product, k == j ? 1. : 0., 1e-10);
    }
  }
}

TEST(LowestModes, AreThoseOfARowOfMasses) {
  for (const std::size_t n : {1U, 7U, 60U, 1500U}) {
    const SparseMatrix K = springs(n), M = masses(n, 3.);
    const std::size_t count = std::min<std::size_t>(n, 12);
    std::vector<std::pair<SquareMatrix, SquareMatrix>> storages{{K, M}};
    if (n < 100) storages.emplace_back(SquareMatrix(toDense(K)), SquareMatrix(toDense(M)));
    for (const auto& [stiffness, mass] : storages) {
      const Modes modes = lowestModes(stiffness, mass, count, "row");
      ASSERT_EQ(modes.squares.size(), count);
      for (std::size_t k = 0; k < count; ++k) {
        // The error of ω² is that of the residual squared, beside rounding of the factors of K, condition n².
        EXPECT_NEAR(modes.squares(k) / exactSquare(k + 1, n, 3.), 1., 1e-9) << n << " " << k;
      }
      expectModes(stiffness, mass, modes, 1e-7);
    }
  }
}

// Two rows that are the same have each frequency twice.
TEST(LowestModes, MayBeDouble) {
  const std::size_t n = 500;
  std::vector<Triplet> stiffness, mass;
  const SparseMatrix K = springs(n);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t k = columnStart(K, j); k < columnStart(K, j + 1); ++k) {
      for (const std::size_t offset : {std::size_t{0}, n}) {
        stiffness.push_back({rowOf(K, k) + offset, j + offset, valueOf(K, k)});
      }
    }
  }
  const SparseMatrix both = sparseFromTriplets(2 * n, 2 * n, stiffness), M = masses(2 * n, 1.);
  const Modes modes = lowestModes(both, M, 5, "rows");
  for (std::size_t k = 0; k < 5; ++k) EXPECT_NEAR(modes.squares(k) / exactSquare(k / 2 + 1, n, 1.), 1., 1e-9);
  expectModes(both, M, modes, 1e-7);
}

TEST(LowestModes, NameWhatIsWrong) {
  const SparseMatrix K = springs(4), M = masses(4, 1.);
  expectError([&] { lowestModes(K, M, 5, "frame"); }, {"frame", "4", "5"});
  expectError([&] { lowestModes(K, masses(3, 1.), 1, "frame"); }, {"frame: M", "4 x 4", "3 x 3"});
  expectError([&] { lowestModes(masses(4, 0.), M, 1, "frame"); }, {"frame: K"});
  expectError([&] { lowestModes(K, masses(4, -1.), 1, "frame"); }, {"frame: M"});
  EXPECT_EQ(lowestModes(K, M, 0, "frame").squares.size(), 0U);
}

}  // namespace
}  // namespace delassus
