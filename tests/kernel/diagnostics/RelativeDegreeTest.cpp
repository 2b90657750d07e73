// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/delassus.hpp>
#include <delassus/numerics/algebra/LUFactorization.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <optional>
#include <support/Matchers.hpp>
#include <support/Models.hpp>
#include <support/RandomProblems.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

using Degree = std::optional<std::size_t>;

RelativeDegreeReport degreesOf(const Matrix& A, const Matrix& B, const Matrix& C, const Matrix& D) {
  const auto interaction = std::make_shared<Interaction>(ComplementarityConditionNSL(), FirstOrderLinearTIR(C, D, B));
  interaction->setName("law");
  const auto system = std::make_shared<FirstOrderLinearTIDS>(Vector(A.size1()), A);
  NonSmoothDynamicalSystem model(0., 1.);
  model.insert(system);
  model.link(interaction, system);
  return relativeDegree(model);
}

std::vector<Degree> rowsOf(const RelativeDegreeReport& report) {
  std::vector<Degree> degrees;
  for (const auto& row : report.rows) degrees.push_back(row.degree);
  return degrees;
}

// A chain of n integrators: its first state is the n-th integral of its input.
Matrix chain(std::size_t n) {
  Matrix A(n, n);
  for (std::size_t i = 0; i + 1 < n; ++i) A(i, i + 1) = 1.;
  return A;
}

Matrix unit(std::size_t n, std::size_t i) {
  Matrix e(n, 1);
  e(i, 0) = 1.;
  return e;
}

Matrix transposed(const Matrix& a) {
  return trans(a);
}

TEST(RelativeDegree, IsZeroForADiodeBesideAResistor) {
  const double L = 1e-2, C = 1e-6, R = 1e3;
  const auto report = degreesOf(makeMatrix({{0., -1. / C}, {1. / L, 0.}}), makeMatrix({{-1. / C}, {0.}}),
                                makeMatrix({{-1., 0.}}), makeMatrix({{R}}));
  EXPECT_EQ(rowsOf(report), std::vector<Degree>{0});
  EXPECT_EQ(report.uniform, Degree(0));
  EXPECT_EQ(report.states, 2U);
  EXPECT_TRUE(report.warnings(EulerMoreauOSI(0.5)).empty());
}

TEST(RelativeDegree, IsTheLengthOfAChainOfIntegrators) {
  for (std::size_t n = 1; n <= 8; ++n) {
    const auto report = degreesOf(chain(n), unit(n, n - 1), transposed(unit(n, 0)), Matrix(1, 1));
    EXPECT_EQ(rowsOf(report), std::vector<Degree>{n});
    EXPECT_EQ(report.uniform, Degree(n));
    EXPECT_EQ(report.warnings(EulerMoreauOSI(0.5)).size(), n >= 2 ? 1U : 0U);
  }
}

TEST(RelativeDegree, IsNoneWhereTheMultiplierDoesNotReachTheOutput) {
  const auto report = degreesOf(transposed(chain(5)), unit(5, 4), transposed(unit(5, 0)), Matrix(1, 1));
  EXPECT_EQ(rowsOf(report), std::vector<Degree>{std::nullopt});
  EXPECT_EQ(report.uniform, std::nullopt);
  const auto warnings = report.warnings(EulerMoreauOSI(0.5));
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].find("does not enter its output"), std::string::npos) << warnings[0];
}

TEST(RelativeDegree, WarningsNameInteractionRowDegreeAndWhatToUse) {
  const auto report = degreesOf(chain(2), unit(2, 1), transposed(unit(2, 0)), Matrix(1, 1));
  const auto warnings = report.warnings(EulerMoreauOSI(0.5));
  ASSERT_EQ(warnings.size(), 1U);
  for (const char* part : {"'law'", "row 0", "relative degree 2", "EulerMoreauOSI", "MoreauJeanOSI"}) {
    EXPECT_NE(warnings[0].find(part), std::string::npos) << warnings[0];
  }
  EXPECT_TRUE(report.warnings(MoreauJeanOSI()).empty());
  EXPECT_NE(report.summary().find("2 states: uniform 2"), std::string::npos) << report.summary();
  EXPECT_NE(report.summary().find("'law' row 0: 2"), std::string::npos) << report.summary();
}

TEST(RelativeDegree, RowsMayDifferAndThenThereIsNoUniformDegree) {
  // Row 0 sees its multiplier directly, row 1 through one integrator, row 2 through two, row 3 never.
  Matrix A(4, 4), B(4, 4), C(4, 4), D(4, 4);
  D(0, 0) = 2.;
  B(0, 1) = C(1, 0) = 1.;
  A(1, 2) = B(2, 2) = C(2, 1) = 1.;
  C(3, 3) = 1.;
  const auto report = degreesOf(A, B, C, D);
  EXPECT_EQ(rowsOf(report), (std::vector<Degree>{0, 1, 2, std::nullopt}));
  EXPECT_EQ(report.uniform, std::nullopt);
  EXPECT_EQ(report.warnings(EulerMoreauOSI(0.5)).size(), 2U);
}

TEST(RelativeDegree, IsUniformOnlyIfTheFirstParameterThatIsNotZeroIsRegular) {
  const Matrix zero(2, 2);
  const Matrix one = identityMatrix(2);
  EXPECT_EQ(degreesOf(zero, one, one, zero).uniform, Degree(1));
  EXPECT_EQ(degreesOf(zero, makeMatrix({{2., -52.}, {52., 2.}}), one, zero).uniform, Degree(1));
  EXPECT_EQ(degreesOf(zero, makeMatrix({{1., 2.}, {2., 4.}}), one, zero).uniform, std::nullopt);
  EXPECT_EQ(degreesOf(zero, one, one, makeMatrix({{1., 0.}, {0., 0.}})).uniform, std::nullopt);
  // Regular, although no multiplier enters its own row.
  const auto crossed = degreesOf(zero, one, one, makeMatrix({{0., 1.}, {-1., 0.}}));
  EXPECT_EQ(crossed.uniform, Degree(0));
  EXPECT_EQ(rowsOf(crossed), (std::vector<Degree>{1, 1}));
}

TEST(RelativeDegree, DoesNotChangeUnderARandomChangeOfState) {
  Generator generator(7);
  for (int k = 0; k < 60; ++k) {
    const std::size_t n = 2 + static_cast<std::size_t>(k) % 5;
    const std::size_t degree = 1 + static_cast<std::size_t>(k) % n;
    // A chain with feedback of all states into its last one: degree d where the output is state n − d.
    Matrix A = chain(n);
    for (std::size_t j = 0; j < n; ++j) A(n - 1, j) = randomVector(generator, 1)(0);
    Matrix T = randomMatrix(generator, n, n);
    for (std::size_t i = 0; i < n; ++i) T(i, i) += 2.;
    LUFactorization factor;
    factor.factor(T, "T");
    Matrix TA(n, n), TB = unit(n, n - 1), inverse = identityMatrix(n);
    factor.solve(TB);
    factor.solve(inverse);
    Matrix AT(n, n);
    multiply(1., A, T, 0., AT);
    multiply(1., inverse, AT, 0., TA);
    Matrix CT(1, n);
    multiply(1., transposed(unit(n, n - degree)), T, 0., CT);
    EXPECT_EQ(rowsOf(degreesOf(TA, TB, CT, Matrix(1, 1))), std::vector<Degree>{degree}) << "model " << k;
  }
}

TEST(RelativeDegree, DoesNotDependOnUnits) {
  // States in units from 1e-12 to 1e12 of each other, time in 1e-9: the degree of a chain stays what it is.
  const std::size_t n = 6;
  Matrix A = chain(n);
  for (std::size_t j = 0; j < n; ++j) A(n - 1, j) = 1. + static_cast<double>(j);
  const auto scale = [](std::size_t i) { return std::pow(10., i % 2 == 0 ? 12. : -12.); };
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < n; ++i) A(i, j) *= 1e9 * scale(i) / scale(j);
  }
  Matrix B = unit(n, n - 1);
  Matrix C = transposed(unit(n, 1));
  B *= 1e-30;
  C *= 1e-15;
  const auto report = degreesOf(A, B, C, Matrix(1, 1));
  EXPECT_EQ(rowsOf(report), std::vector<Degree>{n - 1});
  EXPECT_EQ(report.uniform, Degree(n - 1));
}

TEST(RelativeDegree, CountsTheMassMatrix) {
  // With M = [[1, 1], [0, 1]], M⁻¹B of B = (1, 1) is (0, 1): the first state sees nothing of it at once.
  const auto system = std::make_shared<FirstOrderLinearTIDS>(Vector(2), makeMatrix({{0., 1.}, {0., 0.}}));
  system->setM(makeMatrix({{1., 1.}, {0., 1.}}));
  NonSmoothDynamicalSystem model(0., 1.);
  model.insert(system);
  model.link(std::make_shared<Interaction>(RelayNSL(), FirstOrderLinearTIR(makeMatrix({{1., 0.}}), unit(2, 0))),
             system);
  model.link(
      std::make_shared<Interaction>(RelayNSL(), FirstOrderLinearTIR(makeMatrix({{1., 0.}}), makeMatrix({{1.}, {1.}}))),
      system);
  EXPECT_EQ(rowsOf(relativeDegree(model)), (std::vector<Degree>{1, 2}));
}

TEST(RelativeDegree, LooksAtSeveralSystemsTogether) {
  // y = x_a − x_b drives b, and a is not touched: degree 1. The other law sees b through a chain of its own: 2.
  const auto a = std::make_shared<FirstOrderLinearTIDS>(Vector(1), makeMatrix({{-1.}}));
  const auto b = std::make_shared<FirstOrderLinearTIDS>(Vector(2), chain(2));
  NonSmoothDynamicalSystem model(0., 1.);
  model.insert(a);
  model.insert(b);
  const auto across = std::make_shared<Interaction>(
      ComplementarityConditionNSL(), FirstOrderLinearTIR(makeMatrix({{1., 0., -1.}}), makeMatrix({{0.}, {0.}, {1.}})));
  const auto alone = std::make_shared<Interaction>(ComplementarityConditionNSL(),
                                                   FirstOrderLinearTIR(makeMatrix({{1., 0.}}), unit(2, 1)));
  model.link(across, a, b);
  model.link(alone, b);
  const auto report = relativeDegree(model);
  EXPECT_EQ(rowsOf(report), (std::vector<Degree>{1, 2}));
  EXPECT_EQ(report.states, 3U);
  // The multiplier of `alone` enters the output of `across`: both are inputs of b.
  ASSERT_EQ(report.parameters.size(), 3U);
  expectNear(report.parameters[1], makeMatrix({{-1., -1.}, {0., 0.}}), 0.);
  expectNear(report.parameters[2], makeMatrix({{0., 0.}, {1., 1.}}), 0.);
  ASSERT_EQ(report.warnings(EulerMoreauOSI(1.)).size(), 1U);
}

TEST(RelativeDegree, IsTwoForContactsAndZeroForCompliantOnes) {
  ColumnOfBeads column(3, 0.1, 0.2, 0., 1.);
  const auto report = relativeDegree(column.model);
  EXPECT_EQ(rowsOf(report), (std::vector<Degree>{2, 2, 2}));
  EXPECT_EQ(report.uniform, Degree(2));
  EXPECT_EQ(report.states, 18U);
  EXPECT_TRUE(report.warnings(MoreauJeanOSI()).empty());
  EXPECT_EQ(report.warnings(EulerMoreauOSI(1.)).size(), 3U);
  // P₂ is the Delassus matrix of the undamped column.
  expectNear(report.parameters[2], makeMatrix({{1., -1., 0.}, {-1., 2., -1.}, {0., -1., 2.}}), 1e-15);

  LagrangianLinearTIR soft(makeMatrix({{1., 0., 0.}}));
  soft.setD(makeMatrix({{1e-6}}));
  column.model.link(std::make_shared<Interaction>(ComplementarityConditionNSL(), soft), column.beads[0]);
  EXPECT_EQ(relativeDegree(column.model).rows.back().degree, Degree(0));
}

TEST(RelativeDegree, StiffnessAndDampingOfMechanicsDoNotChangeIt) {
  const auto body =
      std::make_shared<LagrangianLinearTIDS>(Vector(2), Vector(2), makeMatrix({{2., 0.5}, {0.5, 1.}}),
                                             makeMatrix({{1e6, -1e6}, {-1e6, 1e6}}), makeMatrix({{10., 0.}, {0., 1.}}));
  NonSmoothDynamicalSystem model(0., 1.);
  model.insert(body);
  model.link(std::make_shared<Interaction>(NewtonImpactNSL(0.), LagrangianLinearTIR(makeMatrix({{1., 0.}}))), body);
  EXPECT_EQ(relativeDegree(model).uniform, Degree(2));
}

// Kirchhoff's laws: multipliers that enter other rows than their own.
TEST(RelativeDegree, EqualitiesThatAreSolvedTogetherAreNoReasonForAWarning) {
  const auto make = [](double coupling) {
    Matrix C(3, 1), B(1, 3), D(3, 3);
    C(0, 0) = 1.;
    B(0, 2) = 1.;
    D(0, 1) = 1.;
    D(1, 0) = -coupling;
    D(1, 2) = 1.;
    D(2, 1) = 1.;
    return std::make_shared<Interaction>(MixedComplementarityConditionNSL(3, 2), FirstOrderLinearTIR(C, D, B));
  };
  const auto system = std::make_shared<FirstOrderLinearTIDS>(Vector(1), makeMatrix({{-1.}}));
  NonSmoothDynamicalSystem model(0., 1.);
  model.insert(system);
  const auto circuit = make(1.);
  model.link(circuit, system);
  const auto report = relativeDegree(model);
  EXPECT_TRUE(report.rows[0].equality);
  EXPECT_FALSE(report.rows[2].equality);
  EXPECT_EQ(rowsOf(report), (std::vector<Degree>{std::nullopt, std::nullopt, std::nullopt}));
  EXPECT_TRUE(report.warnings(EulerMoreauOSI(0.5)).empty());
  // Without the term that determines the first multiplier they are not solved.
  model.remove(circuit);
  model.link(make(0.), system);
  EXPECT_FALSE(relativeDegree(model).warnings(EulerMoreauOSI(0.5)).empty());
}

TEST(RelativeDegree, EqualitiesThatDependOnEachOtherAreNamedTogether) {
  Matrix D(2, 2, 1.);
  const auto interaction =
      std::make_shared<Interaction>(EqualityConditionNSL(2), FirstOrderLinearTIR(Matrix(2, 1), D, Matrix(1, 2)));
  const auto system = std::make_shared<FirstOrderLinearTIDS>(Vector(1), makeMatrix({{0.}}));
  NonSmoothDynamicalSystem model(0., 1.);
  model.insert(system);
  model.link(interaction, system);
  const auto warnings = relativeDegree(model).warnings(EulerMoreauOSI(0.5));
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].find("equalities of the model together"), std::string::npos) << warnings[0];
}

TEST(RelativeDegree, IsFoundForHundredsOfStatesWithoutOverflow) {
  Matrix A = chain(200);
  A *= 1e9;
  EXPECT_EQ(rowsOf(degreesOf(A, unit(200, 199), transposed(unit(200, 0)), Matrix(1, 1))), std::vector<Degree>{200});
}

TEST(RelativeDegree, OfAModelWithoutInteractionsIsEmpty) {
  NonSmoothDynamicalSystem model(0., 1.);
  model.insert(std::make_shared<FirstOrderLinearTIDS>(Vector(1), identityMatrix(1)));
  const auto report = relativeDegree(model);
  EXPECT_TRUE(report.rows.empty());
  EXPECT_TRUE(report.warnings(EulerMoreauOSI(0.5)).empty());
}

TEST(RelativeDegree, RefusesWhatIsNotLinearAndTimeInvariantByName) {
  const auto varying = std::make_shared<FirstOrderLinearDS>(Vector(1));
  varying->setName("tank");
  varying->setA([](double t, Matrix& A) { A(0, 0) = t; });
  NonSmoothDynamicalSystem model(0., 1.);
  model.insert(varying);
  expectError([&] { relativeDegree(model); }, {"'tank'", "FirstOrderLinearDS", "time-invariant"});

  NonSmoothDynamicalSystem nonlinear(0., 1.);
  nonlinear.insert(std::make_shared<FirstOrderNonLinearDS>(
      Vector(1), automatic([](auto, const auto& x, auto& f) { f(0) = x(0) * x(0); })));
  expectError([&] { relativeDegree(nonlinear); }, {"FirstOrderNonLinearDS 0"});

  NonSmoothDynamicalSystem arm(0., 1.);
  arm.insert(std::make_shared<LagrangianDS>(Vector(1), Vector(1), identityMatrix(1)));
  expectError([&] { relativeDegree(arm); }, {"LagrangianDS 0"});

  const auto system = std::make_shared<FirstOrderLinearTIDS>(Vector(1), identityMatrix(1));
  FirstOrderLinearR relation(identityMatrix(1), identityMatrix(1));
  relation.setD([](double t, Matrix& D) { D(0, 0) = t; });
  const auto interaction = std::make_shared<Interaction>(RelayNSL(), relation);
  interaction->setName("switch");
  NonSmoothDynamicalSystem linked(0., 1.);
  linked.insert(system);
  linked.link(interaction, system);
  expectError([&] { relativeDegree(linked); }, {"'switch'", "FirstOrderLinearR"});
}

}  // namespace
