// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/algebra/Products.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <support/RandomProblems.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

// A sum of terms that are no rounding of each other stays as it is; where a product is taken away again, zero is left
// of it, although the last bits differ.
template <class Left>
void expectClears(const Left& A, const Matrix& B) {
  Matrix sum(A.size1(), B.size2());
  ClearedProduct<Left> product;
  product.add(2., A, B, sum);
  Matrix expected(A.size1(), B.size2());
  multiply(2., A, B, 1., expected);
  for (std::size_t k = 0; k < sum.data().size(); ++k) {
    EXPECT_EQ(sum.data()[k], expected.data()[k]);
    sum.data()[k] = std::nextafter(sum.data()[k], 1e300);
  }
  product.add(-2., A, B, sum);
  for (const double entry : sum.data()) EXPECT_EQ(entry, 0.);
}

TEST(ClearedProduct, LeavesNothingOfWhatIsRounding) {
  Generator generator(3);
  for (const std::size_t n : {3U, 40U}) {
    const Matrix A = randomMatrix(generator, n, n + 2);
    const Matrix B = randomMatrix(generator, n + 2, 5);
    expectClears(A, B);
    expectClears(sparseFromDense(A), B);
  }
}

TEST(ClearedProduct, KeepsWhatIsSmallByItself) {
  Matrix sum(1, 1);
  ClearedProduct<Matrix>().add(1., makeMatrix({{1e-200}}), makeMatrix({{1.}}), sum);
  EXPECT_EQ(sum(0, 0), 1e-200);
  ClearedProduct<Matrix>().add(-1., makeMatrix({{1. - 1e-12}}), makeMatrix({{1e-200}}), sum);
  EXPECT_NEAR(sum(0, 0) * 1e200, 1e-12, 1e-15);
}

}  // namespace
