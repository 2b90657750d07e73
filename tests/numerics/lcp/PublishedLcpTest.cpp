// SPDX-License-Identifier: Apache-2.0
//
// Published LCPs, read from a folder beside the project; skipped where it is absent.
#include <gtest/gtest.h>

#include <delassus/numerics/lcp/BlockPivotingSolver.hpp>
#include <delassus/numerics/lcp/EnumerationSolver.hpp>
#include <delassus/numerics/lcp/LcpError.hpp>
#include <delassus/numerics/lcp/LemkeSolver.hpp>
#include <filesystem>
#include <fstream>
#include <string>

namespace {

using namespace delassus;
using namespace delassus::numerics;

// n, then `storage rows columns` of M (0: dense in column-major order after the sizes again; 1: block sparse), then q.
class ProblemReader {
 public:
  explicit ProblemReader(const std::filesystem::path& path) : in_(path) {}

  LinearComplementarityProblem read() {
    const std::size_t n = next();
    const std::size_t storage = next();
    next();
    next();
    const Matrix M = storage == 0 ? readDense() : readBlocks(n);
    Vector q(n);
    for (double& entry : q.data()) in_ >> entry;
    EXPECT_TRUE(in_) << "the file ended early";
    return {M, q};
  }

 private:
  std::size_t next() {
    std::size_t value = 0;
    in_ >> value;
    return value;
  }

  std::vector<std::size_t> nextList(std::size_t count) {
    std::vector<std::size_t> list(count);
    for (std::size_t& entry : list) entry = next();
    return list;
  }

  Matrix readDense() {
    const std::size_t rows = next();
    Matrix M(rows, next());
    for (double& entry : M.data()) in_ >> entry;
    return M;
  }

  Matrix readBlocks(std::size_t n) {
    Matrix M(n, n);
    if (next() == 0) return M;
    const std::size_t rowCount = next();
    const std::size_t columnCount = next();
    const std::vector<std::size_t> rowEnds = nextList(rowCount);
    const std::vector<std::size_t> columnEnds = nextList(columnCount);
    const std::size_t pointers = next();
    const std::size_t columns = next();
    const std::vector<std::size_t> starts = nextList(pointers);
    const std::vector<std::size_t> column = nextList(columns);
    for (std::size_t row = 0; row + 1 < pointers; ++row) {
      for (std::size_t k = starts[row]; k < starts[row + 1]; ++k) {
        next();
        const std::size_t firstRow = row == 0 ? 0 : rowEnds[row - 1];
        const std::size_t firstColumn = column[k] == 0 ? 0 : columnEnds[column[k] - 1];
        for (std::size_t j = firstColumn; j < columnEnds[column[k]]; ++j) {
          for (std::size_t i = firstRow; i < rowEnds[row]; ++i) in_ >> M(i, j);
        }
      }
    }
    return M;
  }

  std::ifstream in_;
};

class PublishedLcp : public testing::TestWithParam<const char*> {
 protected:
  LinearComplementarityProblem load() {
    const std::filesystem::path path = std::filesystem::path(DELASSUS_PUBLISHED_DATA) / "problems" / "lcp" / GetParam();
    if (!std::filesystem::exists(path)) {
      skipped_ = true;
      return {};
    }
    return ProblemReader(path).read();
  }
  bool skipped_ = false;
};

TEST_P(PublishedLcp, IsSolvedByLemkeToRounding) {
  if (GetParam() == std::string("lcp_CPS_3.dat"))
    GTEST_SKIP() << "a bimatrix game, on which Lemke's method ends on a ray";
  const LinearComplementarityProblem problem = load();
  if (skipped_) GTEST_SKIP() << "the published problem " << GetParam() << " is not there";
  LemkeSolver solver;
  Vector z, w;
  const SolveReport report = solver.solve(problem, z, w);
  EXPECT_TRUE(report.converged()) << report.summary();
  EXPECT_LT(publishedLcpError(problem, z), 1e-8);
}

TEST_P(PublishedLcp, IsSolvedByEnumerationWhereItIsSmall) {
  const LinearComplementarityProblem problem = load();
  if (skipped_) GTEST_SKIP() << "the published problem " << GetParam() << " is not there";
  if (problem.size() > 16) GTEST_SKIP() << "too large to enumerate: " << problem.size();
  EnumerationSolver solver;
  Vector z, w;
  EXPECT_TRUE(solver.solve(problem, z, w).converged());
}

TEST(PublishedLcps, BimatrixGameEndsOnARayAndIsNotClaimed) {
  // Cottle, Pang, Stone, example 4.4.23: M is nonnegative with zero diagonal blocks, so z can only raise w.
  const Matrix M = makeMatrix({{0., 0., 10., 20.}, {0., 0., 30., 15.}, {10., 20., 0., 0.}, {30., 15., 0., 0.}});
  LemkeSolver solver;
  Vector z, w;
  EXPECT_EQ(solver.solve({M, makeVector({-1., -1., -1., -1.})}, z, w).status, SolveStatus::infeasible);
}

INSTANTIATE_TEST_SUITE_P(Files, PublishedLcp,
                         testing::Values("lcp_trivial.dat", "lcp_deudeu.dat", "lcp_CPS_1.dat", "lcp_CPS_3.dat",
                                         "lcp_mmc.dat", "lcp_exp_murty.dat", "lcp_ortiz.dat"));

}  // namespace
