// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/numerics/algebra/LeastSquares.hpp>
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

// Of 5,000 masses K has the condition 1e7, and its product with a low mode is the difference of far larger numbers.
TEST(LowestModes, AreFoundInALongRow) {
  const std::size_t n = 5000;
  const Modes modes = lowestModes(springs(n), masses(n, 1.), 6, "row");
  // Rounding of the factors, 1e-16 times the condition.
  for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(modes.squares(k) / exactSquare(k + 1, n, 1.), 1., 1e-8) << k;
}

// A cantilever of Euler and Bernoulli, EI = ρA = l = 1, of `n` elements with cubic deflections: ω = λ² with
// cos λ cosh λ = −1. Its K has the condition n⁴.
TEST(LowestModes, AreThoseOfABeam) {
  const std::size_t n = 300;
  const double l = 1. / static_cast<double>(n);
  const double stiffness[4][4] = {{12., 6. * l, -12., 6. * l},
                                  {6. * l, 4. * l * l, -6. * l, 2. * l * l},
                                  {-12., -6. * l, 12., -6. * l},
                                  {6. * l, 2. * l * l, -6. * l, 4. * l * l}};
  const double mass[4][4] = {{156., 22. * l, 54., -13. * l},
                             {22. * l, 4. * l * l, 13. * l, -3. * l * l},
                             {54., 13. * l, 156., -22. * l},
                             {-13. * l, -3. * l * l, -22. * l, 4. * l * l}};
  std::vector<Triplet> ofK, ofM;
  for (std::size_t e = 0; e < n; ++e) {
    for (std::size_t i = 0; i < 4; ++i) {
      for (std::size_t j = 0; j < 4; ++j) {
        if (2 * e + i < 2 || 2 * e + j < 2) continue;  // clamped
        ofK.push_back({2 * e + i - 2, 2 * e + j - 2, stiffness[i][j] / (l * l * l)});
        ofM.push_back({2 * e + i - 2, 2 * e + j - 2, mass[i][j] * l / 420.});
      }
    }
  }
  const SparseMatrix K = sparseFromTriplets(2 * n, 2 * n, ofK), M = sparseFromTriplets(2 * n, 2 * n, ofM);
  const Modes modes = lowestModes(K, M, 8, "beam");
  const double first[] = {1.875104068711961, 4.694091132974175, 7.854757438237613, 10.995540734875467};
  for (std::size_t k = 0; k < 8; ++k) {
    const double lambda = k < 4 ? first[k] : (static_cast<double>(k) + 0.5) * std::numbers::pi;
    // Elements are of order 4; K is rounded to 1e-16 of n⁴ of the lowest ω².
    EXPECT_NEAR(std::sqrt(modes.squares(k)) / (lambda * lambda), 1., 1e-6) << k;
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
