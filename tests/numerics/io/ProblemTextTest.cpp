// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <delassus/numerics/choice/AutomaticMechanicalSolver.hpp>
#include <delassus/numerics/io/ProblemFile.hpp>
#include <delassus/numerics/problem/LinearComplementarityProblem.hpp>
#include <delassus/numerics/problem/MixedLinearComplementarityProblem.hpp>
#include <delassus/numerics/problem/RelayProblem.hpp>
#include <limits>
#include <string>

#include "../../support/Matchers.hpp"
#include "SampleProblems.hpp"

namespace {

using namespace delassus;
using namespace delassus::numerics;
using test::expectError;

template <class Problem>
Problem parse(const std::string& text, ProblemClass problemClass) {
  return std::get<Problem>(parseProblem(text, "file.dat", problemClass).problem);
}

const std::string lcpText = "2 0 2 2 2 2  1 2 3 4  -1 -2";

TEST(ProblemText, DenseMatricesAreColumnMajorWhateverTheLineBreaks) {
  const auto problem = parse<LinearComplementarityProblem>("2\n0\n2\n2\n2 2\n1 2\n3 4\n-1 -2", ProblemClass::lcp);
  EXPECT_EQ(problem.M().entry(0, 0), 1.);
  EXPECT_EQ(problem.M().entry(1, 0), 2.);
  EXPECT_EQ(problem.M().entry(0, 1), 3.);
  EXPECT_EQ(problem.q()(1), -2.);
}

TEST(ProblemText, BlocksKeepTheirPartition) {
  // Block rows of 1 and 2; blocks (0, 0), (0, 1), (1, 1).
  const auto problem = parse<LinearComplementarityProblem>(
      "3 1 3 3 3 2 2  1 3  1 3  3 3  0 2 3  0 1 1  0 5  1 6 7  2 1 2 3 4  -1 -2 -3", ProblemClass::lcp);
  EXPECT_EQ(problem.M().blockRows(), 2U);
  EXPECT_EQ(problem.M().blockCount(), 3U);
  Matrix M;
  problem.M().toDense(M);
  test::expectNear(M, makeMatrix({{5., 6., 7.}, {0., 1., 3.}, {0., 2., 4.}}), 0.);
}

TEST(ProblemText, BlockMatricesMayHaveNoBlocksOrLeaveRowsOutAtTheEnd) {
  const auto zero = parse<LinearComplementarityProblem>("2 1 2 2 0 1 2", ProblemClass::lcp);
  EXPECT_EQ(zero.M().size(), 2U);
  EXPECT_EQ(zero.M().blockCount(), 0U);
  const auto first = parse<LinearComplementarityProblem>("2 1 2 2 1 2 2 1 2 1 2 2 1 0 1 0 0 5 1 2", ProblemClass::lcp);
  EXPECT_EQ(first.M().entry(0, 0), 5.);
  EXPECT_EQ(first.M().entry(1, 1), 0.);
}

TEST(ProblemText, SparseMatricesComeByColumnsRowsOrTriplets) {
  const std::string start =
      "2 2 2 2 1 CSparse Version 3.1.9, May 4, 2016.  Copyright (c) Timothy A. Davis, 2006-2016\n";
  const std::string end = " -1 -2";
  const Matrix expected = makeMatrix({{1., 3.}, {0., 4.}});
  for (const char* body :
       {"2-by-2, nzmax: 3 nnz: 3, 1-norm: 7 col 0 : locations 0 to 0 0 : 1 col 1 : locations 1 to 2 0 : 3 1 : 4",
        "csr: 2-by-2, nzmax: 9 nnz: 3, 1-norm: 7 row 0 : locations 0 to 1 0 : 1 1 : 3 row 1 : locations 2 to 2 1 : 4",
        "triplet: 2-by-2, nzmax: 3 nnz: 3 0 0 : 1 1 1 : 4 0 1 : 3",
        "triplet: 2-by-2, nzmax: 4 nnz: 4 0 0 : 1 1 1 : 2 0 1 : 3 1 1 : 2"}) {
    SCOPED_TRACE(body);
    const auto problem = parse<LinearComplementarityProblem>(start + body + end, ProblemClass::lcp);
    Matrix M;
    problem.M().toDense(M);
    test::expectNear(M, expected, 0.);
  }
}

TEST(ProblemText, EmptyColumnsOfASparseMatrixAreTaken) {
  const auto problem = parse<LinearComplementarityProblem>(
      "2 2 2 2 1 x 2-by-2, nzmax: 1 nnz: 1, 1-norm: 1 col 0 : locations 0 to -1 col 1 : locations 0 to 0 1 : 4 1 2",
      ProblemClass::lcp);
  EXPECT_EQ(problem.M().entry(1, 1), 4.);
}

TEST(ProblemText, MlcpComesByRowsBlocksOrBoth) {
  // u + 2 v = 3, w = 4 u + 5 v + 6.
  const std::string rows = "0 1 2  0 1  0 2 2 2 2  1 4 2 5  -3 6";
  const std::string blocks = "1  5  2  4  -3  6";
  for (const std::string& text : {"1 0 1 1 " + rows, "0 1 1 1 " + blocks, "1 1 1 1 " + rows + " " + blocks}) {
    SCOPED_TRACE(text);
    const AnyProblem any = parseProblem(text, "file.dat").problem;
    ASSERT_EQ(classNameOf(any), "mlcp");
    const auto& problem = std::get<MixedLinearComplementarityProblem>(any);
    Matrix M;
    problem.M().toDense(M);
    test::expectNear(M, makeMatrix({{1., 2.}, {4., 5.}}), 0.);
    test::expectNear(problem.q(), makeVector({-3., 6.}), 0.);
    EXPECT_EQ(problem.row(0), MixedLinearComplementarityProblem::Row::equality);
    EXPECT_EQ(problem.row(1), MixedLinearComplementarityProblem::Row::complementarity);
  }
  expectError(
      [&] { parse<MixedLinearComplementarityProblem>("1 1 1 1 " + rows + " 1 5 9 4 -3 6", ProblemClass::mlcp); },
      {"expected the blocks A, B, C, D to agree with M"});
  expectError(
      [&] { parse<MixedLinearComplementarityProblem>("1 1 1 1 " + rows + " 1 5 2 4 -3 7", ProblemClass::mlcp); },
      {"expected the vectors a, b to agree with q", "entry 1"});
}

TEST(ProblemText, MlcpMayBeRectangular) {
  const auto wide =
      parse<MixedLinearComplementarityProblem>("1 0 1 1 0 1 2 0 1 0 2 3 2 3 1 2 3 4 5 6 -1 -2", ProblemClass::mlcp);
  // The free unknown that no equality is left for gets one of zeros.
  EXPECT_EQ(wide.size(), 3U);
  Matrix M;
  wide.M().toDense(M);
  test::expectNear(M, makeMatrix({{1., 3., 5.}, {0., 0., 0.}, {2., 4., 6.}}), 0.);
  test::expectNear(wide.q(), makeVector({-1., 0., -2.}), 0.);
}

TEST(ProblemText, RollingContactsAndSecondOrderConesAreMechanicalProblems) {
  const std::string rolling =
      "5 1  0 5 5 5 5  2 0 0 0 0  0 3 0 0 0  0 0 4 0 0  0 0 0 5 0  0 0 0 0 6  -1 2 0 0 1  0.3 0.1";
  const auto contact = std::get<GenericMechanicalProblem>(parseProblem(rolling, "file.dat").problem);
  ASSERT_EQ(contact.parts().size(), 1U);
  EXPECT_EQ(contact.parts()[0].set->name(), "rolling");
  EXPECT_EQ(contact.parts()[0].set->coefficients(), (std::array<double, 2>{0.3, 0.1}));
  Matrix W;
  contact.W().toDense(W);
  EXPECT_EQ(W(4, 4), 6.);
  // Two cones, of two rows and one.
  const std::string cones = "3 2  0 3 3 3 3  1 0 0  0 1 0  0 0 1  -1 4 2  0 2 3  0.5 1";
  const auto problem = std::get<GenericMechanicalProblem>(parseProblem(cones, "file.dat").problem);
  ASSERT_EQ(problem.parts().size(), 2U);
  EXPECT_EQ(problem.parts()[0].rows, 2U);
  EXPECT_EQ(problem.parts()[0].set->name(), "second_order");
  Vector z, w;
  ASSERT_TRUE(AutomaticMechanicalSolver({.tolerance = 1e-12}).solve(problem, z, w).converged());
  // On the cone |z_2| <= z_1 / 2, with w = z + q across it: (z_1, z_2) = s (2, -1), 5 s = 2 + 4.
  test::expectNear(z, makeVector({2.4, -1.2, 0.}), 1e-9);
  expectError(
      [&] {
        parseProblem("3 2  0 3 3 3 3  1 0 0  0 1 0  0 0 1  -1 4 2  0 2 2  0.5 1", "f", ProblemClass::secondOrder);
      },
      {"cones end", "3"});
  expectError([&] { parseProblem("4 1", "f", ProblemClass::rolling); }, {"5 rows", "4"});
}

TEST(ProblemText, RelayBoundsMayBeInfinite) {
  const auto problem = parse<RelayProblem>("1 0 1 1 1 1 2 -1 -inf inf", ProblemClass::relay);
  EXPECT_EQ(problem.lower()(0), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(problem.upper()(0), std::numeric_limits<double>::infinity());
}

TEST(ProblemText, CommentsMayFollow) {
  EXPECT_EQ(classNameOf(parseProblem(lcpText + "\n# Murty (1988), chapter 6\n 1 2 3", "file.dat").problem), "lcp");
  EXPECT_EQ(classNameOf(parseProblem("2 1 0 2 2 2 2 1 0 0 1 -1 0 0.5 1", "file.dat").problem), "friction_2d");
}

TEST(ProblemText, ContactProblemsMayHaveNoContacts) {
  const AnyProblem problem = parseProblem("2 0 0 1 1 1 1 5 0 1 0 1 0 9", "file.dat").problem;
  EXPECT_EQ(classNameOf(problem), "global_friction_2d");
  EXPECT_EQ(sizeOf(problem), 1U);
  EXPECT_EQ(contactsOf(problem), 0U);
}

TEST(ProblemText, WhatMayBeCutOffIsRefusedUnlessTheClassIsSaid) {
  // A relay problem without its last bound.
  expectError([] { parseProblem(lcpText + " 0 0 1", "file.dat"); },
              {"file.dat", "a problem of class lcp followed by 3 numbers, or a relay problem cut off"});
  EXPECT_EQ(parse<LinearComplementarityProblem>(lcpText + " 0 0 1", ProblemClass::lcp).size(), 2U);
  EXPECT_EQ(classNameOf(parseProblem(lcpText + " 0 0 1 1", "file.dat").problem), "relay");
}

TEST(ProblemText, AFileOfNoClassIsNamedWithWhatFitsBest) {
  expectError([] { parseProblem("hello world", "file.dat"); }, {"file.dat, line 1", "'hello'"});
  expectError([] { parseProblem("2 0 2 2 2 2 1 2 3 x", "file.dat"); },
              {"file.dat, line 1", "an entry of M", "'x'", "no class fits"});
  expectError([] { parseProblem("", "empty.dat"); }, {"empty.dat, line 1", "the file ends"});
}

struct Wrong {
  const char* text;
  ProblemClass problemClass;
  const char* message;
};

TEST(ProblemText, WrongFilesAreNamedByLineAndExpectation) {
  for (const Wrong& wrong : {
           Wrong{"-2 0 2 2", ProblemClass::lcp, "expected the size of the LCP, a whole number not below 0, got '-2'"},
           Wrong{"1000000000 0 1000000000 1000000000 1", ProblemClass::lcp, "cannot hold so many"},
           Wrong{"1000000000 2 1000000000 1000000000 1", ProblemClass::lcp, "cannot hold so many"},
           Wrong{"3 1000000000 1 3000000000 3000000000 0", ProblemClass::friction, "cannot hold so many"},
           Wrong{"3 9223372036854775807 1 3 3 0", ProblemClass::friction, "that a computer can hold"},
           Wrong{"2 7 2 2", ProblemClass::lcp, "expected the storage of M"},
           Wrong{"2 0 2 3", ProblemClass::lcp, "expected M of 2 x 2, got 2 x 3"},
           Wrong{"2 0 2 2 2 3 1 2 3 4 5 6", ProblemClass::lcp, "expected the size of M again, 2 x 2, got 2 x 3"},
           Wrong{"2 0 2 2 2 2 1 nan 3 4 5 6", ProblemClass::lcp, "a number, got 'nan'"},
           Wrong{"2 0 2 2 2 2 1 2 3", ProblemClass::lcp, "cannot hold so many"},
           Wrong{"4 0 1 1 1 1 1 1 1", ProblemClass::friction, "expected dimension 2 or 3, got 4"},
           Wrong{"2 1 0 2 2 2 2 1 0 0 1 -1 0 -0.5", ProblemClass::friction, "expected coefficients of friction >= 0"},
           Wrong{"2 1 2 2 1 2 2 2 1 1 2 3 1 0 1 1 0 0 5 1 2", ProblemClass::lcp, "ends of the block rows of M"},
           Wrong{"2 1 2 2 1 2 2 1 2 1 2 3 1 0 2 1 0 0 5 1 2", ProblemClass::lcp, "row pointers of M"},
           Wrong{"2 1 2 2 1 2 2 1 2 1 2 3 1 0 1 0 0 0 5 1 2", ProblemClass::lcp, "row pointers of M"},
           Wrong{"2 1 2 2 1 2 2 1 2 1 2 9 1 0 1 1 0 0 5 1 2", ProblemClass::lcp, "1 to 3 row pointers of M, got 9"},
           Wrong{"2 1 2 2 1 2 2 1 2 1 2 3 2 0 1 1 0 0 5 1 2", ProblemClass::lcp, "a block column for each"},
           Wrong{"2 1 2 2 1 2 2 1 2 1 2 3 1 0 1 1 2 0 5 1 2", ProblemClass::lcp, "block columns of M in ascending"},
           Wrong{"2 1 2 2 1 2 2 1 2 1 2 3 1 0 1 1 0 4 5 1 2", ProblemClass::lcp, "expected block 0 of M, got 4"},
           Wrong{"1 0 1 1 1 1 2 -1 3 2", ProblemClass::relay, "file.dat: RelayProblem: expected lower <= upper"},
           Wrong{"0 0 1 1", ProblemClass::mlcp, "by mixed rows or by blocks"},
           Wrong{"1 0 1 1 0 2 1 0 2 2 2 2 1 4 2 5 -3 6", ProblemClass::mlcp, "expected 1 equality rows, got 0"},
           Wrong{"1 0 1 1 0 3 1 0 2 2 2 2 1 4 2 5 -3 6", ProblemClass::mlcp, "ends of the blocks of rows"},
           Wrong{"1 2 1 1 1 x 1-by-1, nzmax: 1 nnz: 999999999, 1-norm: 1 col 0 :", ProblemClass::lcp, "cannot hold"},
           Wrong{"1 2 1 1 1 x 1-by-1, nzmax: 1 nnz: 1, 1-norm: 1 col 0 : locations 0 to 9 0 : 1 1", ProblemClass::lcp,
                 "expected locations of M"},
           Wrong{"1 2 1 1 1 x triplet: 1-by-1, nzmax: 1 nnz: 1 0 1 : 1 1 1 1", ProblemClass::lcp,
                 "expected a column of M below 1, got 1"},
           Wrong{"1 2 1 1 1 x 3-by-1, nzmax: 1 nnz: 1, 1-norm: 1 col 0 :", ProblemClass::lcp, "expected '1-by-1,'"},
       }) {
    SCOPED_TRACE(wrong.text);
    expectError([&] { parseProblem(wrong.text, "file.dat", wrong.problemClass); }, {"file.dat", wrong.message});
  }
}

TEST(ProblemText, ASparseMlcpThatWouldFillTheMemoryIsRefused) {
  // 40 kB that ask for 10000 x 10000 dense entries, 800 MB.
  std::string text = "1 0 10000 0 0 10000 0 1 10000 10000 0";
  for (int i = 0; i < 10000; ++i) text += " 1.0";
  expectError([&] { parseProblem(text, "file.dat", ProblemClass::mlcp); }, {"read dense"});
}

TEST(ProblemText, OfClassesThatFitEquallyWellAllAreNamed) {
  expectError([] { parseProblem("hello", "file.dat"); },
              {"no class fits completely",
               "mlcp, global_friction, relay, friction, lcp, rolling, second_order, typed_parts fit as far"});
  expectError([] { parseProblem("2 0 2 2 2 2 1 0 0 1 1", "file.dat"); }, {"no class fits completely"});
}

TEST(ProblemText, LocalFrictionThatMayBeAGlobalProblemCutOffIsTakenOnlyByName) {
  const std::string text = "3 1 0 3 3 3 3 1 0 0 0 1 0 0 0 1 0 3 3 3";
  expectError([&] { parseProblem(text, "file.dat"); }, {"cut off in H", "Give the class"});
  EXPECT_EQ(classNameOf(parseProblem(text, "file.dat", ProblemClass::friction).problem), "friction_3d");
}

TEST(ProblemText, ClassesHaveNames) {
  EXPECT_EQ(problemClassNamed("global_friction"), ProblemClass::globalFriction);
  EXPECT_EQ(toString(ProblemClass::mlcp), "mlcp");
  expectError([] { problemClassNamed("qp"); },
              {"expected one of lcp, mlcp, relay, friction, global_friction, mechanical", "'qp'"});
}

}  // namespace
