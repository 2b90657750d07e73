// SPDX-License-Identifier: Apache-2.0
//
// Texts in the layouts of other programs whose problems have parts or two forms, and texts of class global_mechanical.
#include <gtest/gtest.h>

#include <delassus/Config.hpp>
#include <delassus/numerics/choice/SolverCatalogue.hpp>
#include <delassus/numerics/io/ProblemFile.hpp>
#include <delassus/numerics/problem/NaturalMapError.hpp>
#include <filesystem>
#include <sstream>
#include <string>
#include <support/Matchers.hpp>
#include <support/TestData.hpp>
#include <vector>

#include "SampleProblems.hpp"

namespace {

using namespace delassus;
using namespace delassus::numerics;
using namespace delassus::test;

// The answer by the automatic choice, certified in both measures.
Vector answerOf(const AnyProblem& any, double tolerance) {
  Vector lambda;
  std::visit(
      [&]<class Problem>(const Problem& problem) {
        for (const ErrorMeasure measure : {ErrorMeasure::published, ErrorMeasure::scaled}) {
          const auto solver = solversFor<Problem>().front().make({tolerance, 0});
          solver->setMeasure(measure);
          Vector w;
          const SolveReport report = solver->solve(problem, lambda, w);
          EXPECT_TRUE(report.converged()) << report.summary();
          EXPECT_LE(errorOf(problem, measure, lambda, w, tolerance), tolerance);
        }
      },
      any);
  return lambda;
}

AnyProblem parsed(const std::string& text) {
  return parseProblem(text, "file.dat").problem;
}

AnyProblem parsed(const std::string& text, ProblemClass problemClass) {
  return parseProblem(text, "file.dat", problemClass).problem;
}

// The text up to its last words.
std::vector<std::string> textsCutOff(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> texts;
  std::string cut;
  for (std::string word; in >> word; cut += word + ' ') texts.push_back(cut);
  return texts;
}

std::string excessRows() {
  return otherLayouts()[0];
}
std::string typedParts() {
  return otherLayouts()[1];
}
std::string plasticity() {
  return otherLayouts()[2];
}

struct Wrong {
  std::string text;
  ProblemClass problemClass;
  std::vector<std::string> parts;
};

void expectRefused(const Wrong& wrong) {
  SCOPED_TRACE(wrong.text);
  for (const std::string& part : wrong.parts) {
    expectError([&] { parsed(wrong.text, wrong.problemClass); }, {"file.dat", part});
  }
}

TEST(TypedParts, AreMechanicalProblemsByTheirNumbers) {
  const AnyProblem any = parsed(typedParts());
  ASSERT_EQ(classNameOf(any), "mechanical");
  const auto& problem = std::get<GenericMechanicalProblem>(any);
  const std::vector<std::string> sets{"orthant", "equality", "coulomb", "coulomb", "box"};
  const std::vector<std::size_t> rows{1, 2, 2, 3, 1};
  ASSERT_EQ(problem.parts().size(), sets.size());
  for (std::size_t k = 0; k < sets.size(); ++k) {
    EXPECT_EQ(problem.parts()[k].set->name(), sets[k]);
    EXPECT_EQ(problem.parts()[k].rows, rows[k]);
  }
  EXPECT_EQ(problem.parts()[2].set->coefficients()[0], 0.5);
  EXPECT_EQ(problem.parts()[3].set->coefficients()[0], 0.3);
  EXPECT_EQ(problem.lower()(8), -1.);
  EXPECT_EQ(problem.upper()(8), std::numeric_limits<double>::infinity());
  // W = 2: one row presses, two are equalities, a contact sticks, one slides, a relay is at its lower bound.
  expectNear(answerOf(any, 1e-12), makeVector({1., -2., 3., 1., -0.2, 2., -0.6, 0., -1.}), 1e-10);
}

TEST(TypedParts, CutOffAnywhereAreRefused) {
  for (const std::string& text : textsCutOff(typedParts())) {
    SCOPED_TRACE(text);
    EXPECT_THROW(parsed(text), Error);
    EXPECT_THROW(parsed(text, ProblemClass::typedParts), Error);
  }
}

TEST(TypedParts, FollowedByNumbersAreTakenOnlyByName) {
  expectError([] { parsed(typedParts() + " 5 6"); }, {"class typed_parts followed by 2 numbers"});
  EXPECT_EQ(sizeOf(parsed(typedParts() + " 5 6", ProblemClass::typedParts)), 9U);
}

TEST(TypedParts, NameWhatIsWrong) {
  constexpr auto typed = ProblemClass::typedParts;
  const std::string two = "1 2 2 1 1 1 2 2 2 1 0 1 0 0 1 0 0 1  1 2  ";
  EXPECT_EQ(sizeOf(parsed(two + "3 0.5", typed)), 2U);
  for (const Wrong& wrong : {
           Wrong{two + "1", typed, {"got 1, an MLCP"}},
           Wrong{two + "7", typed, {"9 (relay), got 7"}},
           Wrong{two + "4 0.5", typed, {"type 4", "3 rows", "with 2"}},
           Wrong{two + "3 -0.5", typed, {"-0.5"}},
           Wrong{two + "3 x", typed, {"'x'"}},
           Wrong{two + "9 1 1 0 0", typed, {"lower <= upper"}},
           Wrong{"0 2 2 2 2 1 0 0 1  1 2  3 0.5", typed, {"storage 1"}},
           Wrong{"1 2 3 1 1 1 2 3 2 1 0 1 0 0 1 0 0 1 0 0  1 2  3 0.5", typed, {"storage 1"}},
       }) {
    expectRefused(wrong);
  }
}

TEST(Plasticity, HasTheAssociatedLawOrCoulombsByItsDilatancy) {
  const AnyProblem any = parsed(plasticity());
  ASSERT_EQ(classNameOf(any), "mechanical");
  const auto& problem = std::get<GenericMechanicalProblem>(any);
  ASSERT_EQ(problem.parts().size(), 2U);
  EXPECT_EQ(problem.parts()[0].set->name(), "coulomb");
  EXPECT_EQ(problem.parts()[1].set->name(), "associated");
  // W = 2, q = (-4, 3, 0): with Coulomb's law w_N = 0; with the other the answer is the projection of (2, -3/2, 0) on
  // the ray (1, -1/2).
  expectNear(answerOf(any, 1e-12), makeVector({2., -1., 0., 2.2, -1.1, 0.}), 1e-10);
}

TEST(Plasticity, OfOtherDilatancyIsRefused) {
  std::string text = plasticity();
  text.replace(text.rfind("0.5"), 3, "0.2");
  // With and without the name of the class.
  expectError([&] { parsed(text); }, {"file.dat", "point 1", "0.5", "got 0.2", "no set", "class plasticity"});
  expectError([&] { parsed(text, ProblemClass::plasticity); }, {"file.dat", "point 1", "0.5", "got 0.2", "no set"});
}

TEST(Plasticity, IsToldFromFriction) {
  const std::vector<std::string> texts = textsCutOff(plasticity());
  // Friction with a number after it, or without, as before; all that is shorter is refused, or longer.
  const std::string friction = texts[texts.size() - 2];
  EXPECT_EQ(classNameOf(parsed(friction)), "friction_3d");
  EXPECT_EQ(classNameOf(parsed(texts.back())), "friction_3d");
  for (std::size_t k = 0; k + 2 < texts.size(); ++k) EXPECT_THROW(parsed(texts[k]), Error) << texts[k];
  expectError([] { parsed(plasticity() + " 0.5"); }, {"class friction followed by 3 numbers"});
  // One point may be a contact followed by a number.
  const std::string one = "3 1 0 3 3 3 3  1 0 0 0 1 0 0 0 1  -1 0.1 0  0.5 0.5";
  EXPECT_EQ(classNameOf(parsed(one)), "friction_3d");
  EXPECT_EQ(classNameOf(parsed(one, ProblemClass::plasticity)), "mechanical");
  // And in the plane two contacts are followed by two numbers.
  const std::string plane = "2 2 0 4 4 4 4 1 0 0 0  0 1 0 0  0 0 1 0  0 0 0 1  -1 0 -1 0  0.5 0.5  0.5 0.5";
  expectError([&] { parsed(plane); }, {"class friction followed by 2 numbers"});
  expectRefused({plane, ProblemClass::plasticity, {"3 rows", "got 2"}});
}

TEST(Plasticity, ThatMayBeAGlobalProblemCutOffIsTakenOnlyByName) {
  std::string text = plasticity();
  text.replace(text.find("-4 3 0"), 6, "0 6 6");
  expectError([&] { parsed(text); }, {"cut off in H"});
  EXPECT_EQ(classNameOf(parsed(text, ProblemClass::plasticity)), "mechanical");
}

TEST(ExcessRowsOfAnMlcp, LeaveTheProblemToItsBlocks) {
  const AnyProblem any = parsed(excessRows());
  ASSERT_EQ(classNameOf(any), "mlcp");
  const auto& problem = std::get<MixedLinearComplementarityProblem>(any);
  Matrix M;
  problem.M().toDense(M);
  expectNear(M, makeMatrix({{1., -1.}, {1., 1.}}), 0.);
  expectNear(problem.q(), makeVector({0., -1.}), 0.);
  EXPECT_EQ(problem.row(0), MixedLinearComplementarityProblem::Row::equality);
  EXPECT_EQ(problem.row(1), MixedLinearComplementarityProblem::Row::complementarity);
  // u - v = 0, 0 <= u + v - 1 and v >= 0.
  expectNear(answerOf(any, 1e-12), makeVector({0.5, 0.5}), 1e-12);
}

TEST(ExcessRowsOfAnMlcp, AreComparedInTheOrderOfTheirKinds) {
  // The same problem with v and its row first.
  const auto problem = std::get<MixedLinearComplementarityProblem>(
      parsed("1 1 1 1  0 1 2  1 0  0 3 2 3 2  1 -1 -1  1 1 -1  -1 0  1 1 -1 1 0 -1"));
  Matrix M;
  problem.M().toDense(M);
  expectNear(M, makeMatrix({{1., -1.}, {1., 1.}}), 0.);
}

TEST(ExcessRowsOfAnMlcp, ThatContradictTheBlocksAreRefused) {
  const std::string start = "1 1 1 1  0 1 2  0 1  ";
  const std::string blocks = "  1 1 -1 1 0 -1";
  for (const Wrong& wrong : {
           // A row of M, an entry of q, and a row of the blocks that are in one form only.
           Wrong{start + "0 3 2 3 2  1 -1 1  -1 -1 2  0 1" + blocks,
                 ProblemClass::mlcp,
                 {"3 rows", "2 entries", "row 2"}},
           Wrong{start + "0 3 2 3 2  1 -1 1  -1 -1 1  0 2" + blocks, ProblemClass::mlcp, {"row 1"}},
           Wrong{
               start + "0 3 2 3 2  1 -1 -1  -1 -1 -1  0 1" + blocks, ProblemClass::mlcp, {"[A C; D B] among", "row 1"}},
           Wrong{start + "0 3 3 3 3  1 -1 1  -1 -1 1  0 0 0  0 1" + blocks, ProblemClass::mlcp, {"got 3 x 3"}},
           Wrong{start + "0 1 2 1 2  1 -1  0" + blocks, ProblemClass::mlcp, {"got 1 x 2"}},
           // No blocks: M has a row for each entry of q.
           Wrong{"1 0 1 1  0 1 2  0 1  0 3 2 3 2  1 -1 1  -1 -1 1  0 1", ProblemClass::mlcp, {"3 x 2"}},
       }) {
    expectRefused(wrong);
  }
  for (const std::string& text : textsCutOff(excessRows())) {
    EXPECT_THROW(parsed(text, ProblemClass::mlcp), Error) << text;
  }
}

// A mass of 2 with one joint and one contact in the plane.
const std::string globalText =
    "global_mechanical 2 equality 1 0 0 coulomb 2 0.5 0  0 3 3 3 3  2 0 0 0 2 0 0 0 2  0 3 3 3 3  1 0 0 0 1 0 0 0 1 "
    " 1 -4 3  0 0 0  -inf -inf -inf  inf inf inf";

TEST(GlobalMechanicalText, IsAProblemInGlobalForm) {
  const AnyProblem any = parsed(globalText);
  ASSERT_EQ(classNameOf(any), "global_mechanical");
  EXPECT_EQ(sizeOf(any), 6U);
  EXPECT_EQ(contactsOf(any), 1U);
  // The contact slides.
  const Vector lambda = answerOf(any, 1e-12);
  expectNear(lambda, makeVector({-1., 4., -2.}), 1e-10);
  expectNear(std::get<GlobalMechanicalProblem>(any).velocities(lambda), makeVector({0., 0., 0.5}), 1e-10);
}

TEST(GlobalMechanicalText, NamesWhatIsWrong) {
  constexpr auto global = ProblemClass::globalMechanical;
  const auto changed = [](const std::string& from, const std::string& to) {
    std::string text = globalText;
    return text.replace(text.find(from), from.size(), to);
  };
  for (const Wrong& wrong : {
           Wrong{changed("coulomb 2", "orthant 1"), global, {"3", "got 2"}},
           Wrong{changed("coulomb", "sphere"), global, {"'sphere'"}},
           Wrong{changed("0 3 3 3 3  2", "0 1 9 1 9  2"), global, {"square matrix M"}},
           Wrong{changed("0 3 3 3 3  1", "0 1 9 1 9  1"), global, {"H of 3 x 9, got 1 x 9"}},
           Wrong{changed("2 0 0 0 2", "0 0 0 0 2"), global, {"GlobalMechanicalProblem: M"}},
           Wrong{"mechanical", global, {"global_mechanical"}},
       }) {
    expectRefused(wrong);
  }
  for (const std::string& text : textsCutOff(globalText)) EXPECT_THROW(parsed(text), Error) << text;
}

TEST(PublishedLayouts, AreSolvedAndCertified) {
  bool isAny = false;
  for (const char* name :
       {"Chute-ndof-768-nc-4-3.hdf5", "GMP4_siconos.dat", "Rectangular_mlcp.dat", "plasticity_2d_footing_10.dat"}) {
    const std::filesystem::path path = publishedFile("problems/other") / name;
    if (!std::filesystem::exists(path) || (!withHdf5 && path.extension() == ".hdf5")) continue;
    SCOPED_TRACE(path);
    isAny = true;
    const Vector lambda = answerOf(readProblem(path).problem, 1e-8);
    if (path.filename() == "Rectangular_mlcp.dat") expectNear(lambda, makeVector({0.5, 0.5}), 1e-8);
  }
  if (!isAny) GTEST_SKIP() << noTestData();
}

TEST(PublishedLayouts, OfRollingContactsHaveATitleAndNoAnswerThatIsOnlyDeclared) {
  const std::filesystem::path path = publishedFile("problems/other/Chute-ndof-768-nc-4-3.hdf5");
  if (!std::filesystem::exists(path) || !withHdf5) GTEST_SKIP() << noTestData();
  const ProblemFile file = readProblem(path);
  EXPECT_EQ(file.format, FileFormat::fclib);
  EXPECT_EQ(file.title, "Chute with rolling friction");
  EXPECT_TRUE(file.answers.empty());
}

}  // namespace
