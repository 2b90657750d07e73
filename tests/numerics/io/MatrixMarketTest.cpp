// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/io/MatrixMarket.hpp>
#include <delassus/numerics/io/TextReader.hpp>
#include <filesystem>
#include <string>

namespace delassus::numerics {
namespace {

class MatrixMarket : public testing::Test {
 protected:
  std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("delassus_market_" + std::to_string(getpid()) + ".mtx");
  ~MatrixMarket() override { std::filesystem::remove(file); }

  Matrix read(const std::string& text) {
    writeContent(file, text);
    return toDense(readMatrixMarket(file));
  }
  // The message of the Error that it ends with.
  std::string failure(const std::string& text) {
    try {
      read(text);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }
};

TEST_F(MatrixMarket, IsReadInEachFormat) {
  Matrix A(3, 3);
  A(0, 0) = 2.;
  A(1, 0) = A(0, 1) = -1.5;
  A(2, 2) = 1e-30;
  EXPECT_EQ(normMax(Matrix(read("%%MatrixMarket matrix coordinate real symmetric\n% a comment\n%\n\n3 3 3\n1 1 2\n"
                                "2 1 -1.5\n3 3 1e-30\n") -
                           A)),
            0.);
  EXPECT_EQ(normMax(Matrix(read("%%matrixmarket MATRIX array REAL symmetric\n3 3\n2\n-1.5\n0\n0\n0\n1e-30") - A)), 0.);
  EXPECT_EQ(normMax(Matrix(read("%%MatrixMarket matrix array real general\n3 3\n2 -1.5 0 -1.5 0 0 0 0 1e-30") - A)),
            0.);
  Matrix B(2, 3);
  B(1, 2) = 7.;
  B(0, 1) = -2.;
  EXPECT_EQ(normMax(Matrix(read("%%MatrixMarket matrix coordinate integer general\r\n2 3 3\r\n2 3 4\r\n1 2 -2\r\n2 3 3"
                                "\r\n") -
                           B)),
            0.);
  const Matrix S = read("%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 5\n");
  EXPECT_EQ(S(1, 0), 5.);
  EXPECT_EQ(S(0, 1), -5.);
  EXPECT_EQ(read("%%MatrixMarket matrix array real skew-symmetric\n2 2\n5\n")(0, 1), -5.);
  EXPECT_EQ(read("%%MatrixMarket matrix array real skew-symmetric\n4 4\n1 2 3 4 5 6")(3, 2), 6.);
}

TEST_F(MatrixMarket, IsWrittenAndReadBackToTheLastBit) {
  Matrix A(40, 40), B(3, 5);
  for (std::size_t i = 0; i < 40; ++i) {
    A(i, i) = 1. / (3. + static_cast<double>(i));
    if (i > 0) A(i, i - 1) = A(i - 1, i) = -std::exp(-static_cast<double>(i));
  }
  B(2, 1) = 0.1;
  B(0, 4) = -1e300;
  for (const Matrix& matrix : {A, B, Matrix(2, 2)}) {
    writeMatrixMarket(file, sparseFromDense(matrix));
    const Matrix back = toDense(readMatrixMarket(file));
    ASSERT_EQ(back.size1(), matrix.size1());
    ASSERT_EQ(back.size2(), matrix.size2());
    EXPECT_TRUE(back.data() == matrix.data());
  }
  writeMatrixMarket(file, sparseFromDense(A));
  EXPECT_NE(readContent(file).find("symmetric\n40 40 79\n"), std::string::npos) << "one triangle is enough";
}

TEST_F(MatrixMarket, NamesTheLineThatIsWrong) {
  const std::string head = "%%MatrixMarket matrix coordinate real general\n% note\n";
  for (const std::string& text :
       {std::string(), std::string("3 3 1\n1 1 1\n"), std::string("%%MatrixMarket vector coordinate real general\n"),
        std::string("%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1 0\n"),
        std::string("%%MatrixMarket matrix coordinate pattern general\n1 1 1\n1 1\n"),
        std::string("%%MatrixMarket matrix coordinate real hermitian\n1 1 1\n1 1 1\n"), head + "3 3\n",
        head + "3 3 2\n1 1 1\n", head + "3 3 1\n1 4 1\n", head + "3 3 1\n0 1 1\n", head + "3 3 1\n1 1 nan\n",
        head + "3 3 1\n1 1 1\n2 2 2\n", head + "3 3 99999999999999999999\n", head + "99999999 99999999 999999999999\n",
        std::string("%%MatrixMarket matrix coordinate real symmetric\n2 3 1\n1 1 1\n"),
        std::string("%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n1 2 1\n"),
        std::string("%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 2 1\n"),
        std::string("%%MatrixMarket matrix array real general\n99999999 99999999\n1\n"),
        std::string("%%MatrixMarket matrix array real general\n2 2\n1 2 3\n")}) {
    EXPECT_NE(failure(text).find(file.string()), std::string::npos) << text;
  }
  EXPECT_NE(failure(head + "3 3 1\n1 4 1\n").find("4"), std::string::npos) << "the line, or the column that came";
  EXPECT_THROW(readMatrixMarket("/nowhere/file.mtx"), Error);
}

}  // namespace
}  // namespace delassus::numerics
