// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/kernel/integrators/EulerMoreauOSI.hpp>
#include <delassus/kernel/laws/ComplementarityConditionNSL.hpp>
#include <delassus/kernel/relations/FirstOrderLinearTIR.hpp>
#include <delassus/kernel/relations/FirstOrderNonLinearR.hpp>
#include <delassus/kernel/relations/FirstOrderType1R.hpp>
#include <delassus/kernel/relations/FirstOrderType2R.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <delassus/kernel/systems/FirstOrderLinearTIDS.hpp>
#include <delassus/numerics/functions/Automatic.hpp>
#include <initializer_list>
#include <limits>
#include <support/Matchers.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double t = 0.7;
const Vector x = makeVector({0.5, -1.5});
const Vector lambda = makeVector({2., 0.25, -1.});

Vector output(FirstOrderR& relation) {
  Vector y(relation.size());
  relation.computeOutput(t, x, lambda, y);
  return y;
}

Vector input(FirstOrderR& relation) {
  Vector r(x.size());
  relation.computeInput(t, x, lambda, r);
  return r;
}

Matrix jacobianC(FirstOrderR& relation) {
  Matrix C(relation.size(), x.size());
  relation.computeC(t, x, lambda, C);
  return C;
}

Matrix jacobianB(FirstOrderR& relation) {
  Matrix B(x.size(), relation.size());
  relation.computeB(t, x, lambda, B);
  return B;
}

// Three outputs of two states, with all there can be: t, x, λ and (as z) a gain.
struct Outputs {
  template <class T, class X, class L, class Y>
  void operator()(const T& time, const X& state, const L& multiplier, Y& y) const {
    using std::sin;
    y(0) = time * state(0) * state(1) + gain * multiplier(0) * state(0);
    y(1) = sin(state(1)) + multiplier(1) * multiplier(2);
    y(2) = gain * state(0) * state(0) - multiplier(0);
  }
  double gain = 3.;
};

struct Inputs {
  template <class T, class X, class L, class R>
  void operator()(const T& time, const X& state, const L& multiplier, R& r) const {
    r(0) = gain * multiplier(0) * multiplier(1) + state(1) * multiplier(2);
    r(1) = time * multiplier(2) * state(0) * state(0) + state(1);
  }
  double gain = 3.;
};

const Vector expectedOutput = makeVector({0.7 * 0.5 * -1.5 + 3. * 2. * 0.5, std::sin(-1.5) - 0.25, 0.75 - 2.});
const Vector expectedInput = makeVector({3. * 2. * 0.25 + 1.5, -0.7 * 0.25 - 1.5});
const Matrix expectedC = makeMatrix({{0.7 * -1.5 + 6., 0.7 * 0.5}, {0., std::cos(1.5)}, {3., 0.}});
const Matrix expectedD = makeMatrix({{1.5, 0., 0.}, {0., -1., 0.25}, {-1., 0., 0.}});
const Matrix expectedB = makeMatrix({{0.75, 6., -1.5}, {0., 0., 0.7 * 0.25}});
const Matrix expectedK = makeMatrix({{0., -1.}, {-0.7, 1.}});

void expectNonLinear(FirstOrderR& relation, double tolerance) {
  expectNear(output(relation), expectedOutput, 1e-14);
  expectNear(input(relation), expectedInput, 1e-14);
  expectNear(jacobianC(relation), expectedC, tolerance);
  expectNear(jacobianB(relation), expectedB, tolerance);
  Matrix D(3, 3), K(2, 2);
  relation.computeD(t, x, lambda, D);
  relation.computeK(t, x, lambda, K);
  expectNear(D, expectedD, tolerance);
  expectNear(K, expectedK, tolerance);
  EXPECT_NO_THROW(relation.checkJacobians(t, x, lambda, {}, "relation"));
  EXPECT_TRUE(relation.hasFeedthrough());
  EXPECT_TRUE(relation.inputDependsOnState());
  EXPECT_FALSE(relation.isLinear());
  EXPECT_FALSE(relation.isTimeInvariant());
}

TEST(FirstOrderNonLinearR, HasTheValuesAndJacobiansOfItsFunctions) {
  FirstOrderNonLinearR relation(3, automatic(Outputs()), automatic(Inputs()));
  expectNonLinear(relation, 1e-14);
  FirstOrderNonLinearR differencing(3, differenced(Outputs()), differenced(Inputs()));
  expectNonLinear(differencing, 1e-8);
}

TEST(FirstOrderNonLinearR, PassesParametersToFunctionsThatWantThem) {
  FirstOrderNonLinearR relation(3,
                                automatic([](const auto& time, const auto& state, const auto& multiplier, const auto& z,
                                             auto& y) { Outputs{z(0)}(time, state, multiplier, y); }),
                                automatic([](const auto& time, const auto& state, const auto& multiplier, const auto& z,
                                             auto& r) { Inputs{z(0)}(time, state, multiplier, r); }));
  expectError([&] { output(relation); }, {"FirstOrderNonLinearR", "parameters z", "setZ"});
  expectError([&] { jacobianB(relation); }, {"FirstOrderNonLinearR", "parameters z", "setZ"});
  const std::size_t before = relation.parameterChanges();
  relation.setZ(makeVector({3.}));
  EXPECT_GT(relation.parameterChanges(), before);
  expectNonLinear(relation, 1e-14);
  relation.setZ(makeVector({0.}));
  EXPECT_NEAR(output(relation)(2), -2., 1e-15);
  expectError([&] { relation.setZ(makeVector({nan})); }, {"FirstOrderNonLinearR: z", "nan"});
  EXPECT_EQ(relation.z()(0), 0.);
}

class Overriding : public FirstOrderNonLinearR {
 public:
  Overriding() : FirstOrderNonLinearR(3) { setTypicalSize(1.); }
  void computeOutput(double time, const Vector& state, const Vector& multiplier, Vector& y) override {
    Outputs()(time, state, multiplier, y);
  }
  void computeInput(double time, const Vector& state, const Vector& multiplier, Vector& r) override {
    Inputs()(time, state, multiplier, r);
  }
};

TEST(FirstOrderNonLinearR, MayBeOverriddenAndDifferencesWhatIsNot) {
  Overriding relation;
  expectNonLinear(relation, 1e-8);
}

class OverridingWithJacobian final : public Overriding {
 public:
  explicit OverridingWithJacobian(double factor) : factor_(factor) {}
  void computeD(double, const Vector&, const Vector&, Matrix& D) override {
    D = expectedD;
    D(1, 2) *= factor_;
  }

 private:
  double factor_;
};

TEST(FirstOrderNonLinearR, JacobiansOfDerivedClassesAreUsedAndChecked) {
  OverridingWithJacobian right(1.);
  expectNonLinear(right, 1e-8);
  OverridingWithJacobian wrong(2.);
  expectError([&] { wrong.checkJacobians(t, x, lambda, {}, "Interaction 'gear'"); },
              {"'gear'", "h with respect to lambda", "(1, 2)", "0.5", "0.25"});
}

TEST(FirstOrderNonLinearR, RefusesToBeUsedWithoutItsFunctions) {
  class Forgetful : public FirstOrderNonLinearR {
   public:
    Forgetful() : FirstOrderNonLinearR(3) {}
  };
  Forgetful relation;
  expectError([&] { output(relation); }, {"FirstOrderNonLinearR", "must override computeOutput"});
  expectError([&] { input(relation); }, {"FirstOrderNonLinearR", "must override computeInput"});
  expectError([&] { jacobianC(relation); }, {"must override computeOutput"});
  expectError([] { FirstOrderNonLinearR(3, {}, automatic(Inputs())); }, {"a function is empty"});
  expectError([] { FirstOrderNonLinearR(0, automatic(Outputs()), automatic(Inputs())); }, {"at least 1"});
}

TEST(FirstOrderNonLinearR, EveryWrongJacobianIsNamed) {
  const auto none = [](double, const Vector&, const Vector&, Matrix&) {};
  const auto C = [](double, const Vector&, const Vector&, Matrix& J) { J = expectedC; };
  const auto D = [](double, const Vector&, const Vector&, Matrix& J) { J = expectedD; };
  const auto B = [](double, const Vector&, const Vector&, Matrix& J) { J = expectedB; };
  const auto K = [](double, const Vector&, const Vector&, Matrix& J) { J = expectedK; };
  const auto check = [](FirstOrderNonLinearR relation) { relation.checkJacobians(t, x, lambda, {}, "relation"); };
  EXPECT_NO_THROW(check({3, withJacobians(Outputs(), C, D), withJacobians(Inputs(), K, B)}));
  expectError(
      [&] {
        check({3, withJacobians(Outputs(), none, D), withJacobians(Inputs(), K, B)});
      },
      {"relation", "h with respect to x"});
  expectError(
      [&] {
        check({3, withJacobians(Outputs(), C, none), withJacobians(Inputs(), K, B)});
      },
      {"h with respect to lambda"});
  expectError(
      [&] {
        check({3, withJacobians(Outputs(), C, D), withJacobians(Inputs(), none, B)});
      },
      {"g with respect to x"});
  expectError(
      [&] {
        check({3, withJacobians(Outputs(), C, D), withJacobians(Inputs(), K, none)});
      },
      {"g with respect to lambda"});
}

// h of types 1 and 2, g of both.
const auto typeOneOutput = [](const auto& time, const auto& state, auto& y) {
  y(0) = time * state(0);
  y(1) = state(0) * state(1);
  y(2) = 4. - state(1);
};
const auto commonInput = [](const auto& time, const auto& multiplier, auto& r) {
  r(0) = 40. * multiplier(1) * (1. - multiplier(2));
  r(1) = time * multiplier(0);
};

TEST(FirstOrderType1R, HasTheValuesAndJacobiansOfItsFunctions) {
  FirstOrderType1R relation(3, automatic(typeOneOutput), automatic(commonInput));
  expectNear(output(relation), makeVector({0.35, -0.75, 5.5}), 1e-15);
  expectNear(input(relation), makeVector({40. * 0.25 * 2., 1.4}), 1e-14);
  expectNear(jacobianC(relation), makeMatrix({{0.7, 0.}, {-1.5, 0.5}, {0., -1.}}), 1e-15);
  expectNear(jacobianB(relation), makeMatrix({{0., 80., -10.}, {0.7, 0., 0.}}), 1e-13);
  EXPECT_FALSE(relation.hasFeedthrough());
  EXPECT_FALSE(relation.inputDependsOnState());
  EXPECT_NO_THROW(relation.checkJacobians(t, x, lambda, {}, "relation"));
  FirstOrderType1R differencing(3, differenced(typeOneOutput), differenced(commonInput));
  expectNear(jacobianC(differencing), jacobianC(relation), 1e-8);
  expectNear(jacobianB(differencing), jacobianB(relation), 1e-7);
}

TEST(FirstOrderType1R, PassesParametersToFunctionsThatWantThem) {
  FirstOrderType1R relation(
      3, automatic([](const auto&, const auto& state, const auto& z, auto& y) { y(0) = z(0) - state(0); }),
      automatic([](const auto&, const auto& multiplier, const auto& z, auto& r) { r(1) = z(1) * multiplier(0); }));
  relation.setZ(makeVector({4., -5.}));
  expectNear(output(relation), makeVector({3.5, 0., 0.}), 0.);
  expectNear(input(relation), makeVector({0., -10.}), 0.);
  expectNear(jacobianC(relation), makeMatrix({{-1., 0.}, {0., 0.}, {0., 0.}}), 0.);
  expectNear(jacobianB(relation), makeMatrix({{0., 0., 0.}, {-5., 0., 0.}}), 0.);
}

TEST(FirstOrderType1R, MayBeOverriddenButNotLeftEmpty) {
  class Threshold final : public FirstOrderType1R {
   public:
    Threshold() : FirstOrderType1R(3) {}
    void computeOutput(double time, const Vector& state, const Vector&, Vector& y) override {
      typeOneOutput(time, state, y);
    }
    void computeInput(double time, const Vector&, const Vector& multiplier, Vector& r) override {
      commonInput(time, multiplier, r);
    }
  };
  class Forgetful final : public FirstOrderType1R {
   public:
    Forgetful() : FirstOrderType1R(3) {}
  };
  Threshold threshold;
  expectNear(jacobianB(threshold), makeMatrix({{0., 80., -10.}, {0.7, 0., 0.}}), 1e-7);
  EXPECT_NO_THROW(threshold.checkJacobians(t, x, lambda, {}, "relation"));
  Forgetful forgetful;
  expectError([&] { output(forgetful); }, {"FirstOrderType1R", "computeOutput"});
  expectError([&] { input(forgetful); }, {"FirstOrderType1R", "computeInput"});
  expectError([] { FirstOrderType1R(0, automatic(typeOneOutput), automatic(commonInput)); }, {"at least 1"});
  expectError([] { FirstOrderType1R(3, automatic(typeOneOutput), {}); }, {"a function is empty"});
}

// Says that it has no feedthrough, and has it.
TEST(FirstOrderType1R, HiddenFeedthroughAndStateDependenceAreCaughtByTheCheck) {
  class Feedthrough final : public FirstOrderType1R {
   public:
    Feedthrough() : FirstOrderType1R(3) {}
    void computeOutput(double, const Vector& state, const Vector& multiplier, Vector& y) override {
      y(1) = state(0) + 2. * multiplier(2);
    }
    void computeInput(double, const Vector&, const Vector& multiplier, Vector& r) override { r(0) = multiplier(0); }
  };
  class StateDependent final : public FirstOrderType1R {
   public:
    StateDependent() : FirstOrderType1R(3) {}
    void computeOutput(double, const Vector& state, const Vector&, Vector& y) override { y(1) = state(0); }
    void computeInput(double, const Vector& state, const Vector& multiplier, Vector& r) override {
      r(0) = state(1) * multiplier(0);
    }
  };
  Feedthrough feedthrough;
  expectError([&] { feedthrough.checkJacobians(t, x, lambda, {}, "Interaction 'valve'"); },
              {"'valve'", "h with respect to lambda", "(1, 2)", "is 0", "2"});
  StateDependent dependent;
  expectError([&] { dependent.checkJacobians(t, x, lambda, {}, "Interaction 'valve'"); },
              {"'valve'", "g with respect to x", "(0, 1)", "is 0", "2"});
}

TEST(FirstOrderType2R, HasTheValuesAndJacobiansOfItsFunctions) {
  FirstOrderType2R relation(3, automatic(Outputs()), automatic(commonInput));
  expectNear(output(relation), expectedOutput, 1e-14);
  expectNear(input(relation), makeVector({20., 1.4}), 1e-14);
  expectNear(jacobianC(relation), expectedC, 1e-14);
  expectNear(jacobianB(relation), makeMatrix({{0., 80., -10.}, {0.7, 0., 0.}}), 1e-13);
  Matrix D(3, 3);
  relation.computeD(t, x, lambda, D);
  expectNear(D, expectedD, 1e-14);
  EXPECT_TRUE(relation.hasFeedthrough());
  EXPECT_FALSE(relation.inputDependsOnState());
  EXPECT_NO_THROW(relation.checkJacobians(t, x, lambda, {}, "relation"));
  FirstOrderType2R differencing(3, differenced(Outputs()), differenced(commonInput));
  setZero(D);
  differencing.computeD(t, x, lambda, D);
  expectNear(D, expectedD, 1e-8);
}

TEST(FirstOrderType2R, PassesParametersMayBeOverriddenAndRefusesToBeEmpty) {
  FirstOrderType2R relation(
      3, automatic([](const auto& time, const auto& state, const auto& multiplier, const auto& z, auto& y) {
        Outputs{z(0)}(time, state, multiplier, y);
      }),
      automatic([](const auto&, const auto& multiplier, const auto& z, auto& r) { r(0) = z(0) * multiplier(1); }));
  relation.setZ(makeVector({3.}));
  expectNear(output(relation), expectedOutput, 1e-14);
  expectNear(input(relation), makeVector({0.75, 0.}), 1e-15);
  EXPECT_NO_THROW(relation.checkJacobians(t, x, lambda, {}, "relation"));
  class Switch : public FirstOrderType2R {
   public:
    Switch() : FirstOrderType2R(3) {}
    void computeOutput(double time, const Vector& state, const Vector& multiplier, Vector& y) override {
      Outputs()(time, state, multiplier, y);
    }
  };
  Switch overridden;
  Matrix D(3, 3);
  overridden.computeD(t, x, lambda, D);
  expectNear(D, expectedD, 1e-8);
  expectNear(jacobianC(overridden), expectedC, 1e-8);
  expectError([&] { input(overridden); }, {"FirstOrderType2R", "computeInput"});
  expectError([] { FirstOrderType2R(0, automatic(Outputs()), automatic(commonInput)); }, {"at least 1"});
  expectError([] { FirstOrderType2R(1, {}, {}); }, {"a function is empty"});
}

const Matrix constantC = makeMatrix({{1., 0.}, {0., 2.}, {-1., 1.}});
const Matrix constantB = makeMatrix({{1., 2., 3.}, {4., 5., 6.}});
const Matrix constantD = makeMatrix({{1., 0., 0.}, {0., 0., 1.}, {0., -1., 0.}});

// Two states, one output: the functions have x and λ the other way round, or stand in the wrong order.
template <class R>
void expectOrderNamed(R relation, std::initializer_list<std::string> parts) {
  NonSmoothDynamicalSystem model(0., 1.);
  const auto system = std::make_shared<FirstOrderLinearTIDS>(makeVector({1., 2.}), identityMatrix(2));
  model.insert(system);
  model.link("diode", ComplementarityConditionNSL(1), std::move(relation), system);
  TimeStepping simulation(model, TimeDiscretisation(0., 0.1), EulerMoreauOSI(1.));
  expectError([&] { simulation.run(); }, parts);
}

TEST(FirstOrderRelations, NameTheOrderOfArgumentsWhereAnIndexDoesNotFit) {
  const auto swapped = differenced(
      [](double, const Vector& multiplier, const Vector& state, Vector& y) { y(0) = state.at(1) + multiplier(0); });
  const auto last =
      differenced([](double, const Vector&, const Vector& multiplier, Vector& r) { r(0) = multiplier(0); });
  expectOrderNamed(FirstOrderNonLinearR(1, swapped, last),
                   {"'diode'", "output h", "h(t, x, lambda)", "2 states", "1 multipliers"});
  const auto input = differenced([](double, const Vector& multiplier, Vector& r) { r.at(1) = multiplier(0); });
  expectOrderNamed(FirstOrderType2R(1, swapped, input), {"'diode'", "h(t, x, lambda)", "2 states", "1 multipliers"});
  // h and g in the wrong order: the input has two rows, the output one.
  const auto output = differenced([](double, const Vector& state, Vector& y) { y(0) = state.at(1); });
  expectOrderNamed(FirstOrderType1R(1, input, output), {"'diode'", "h(t, x)", "2 states"});
}

TEST(FirstOrderLinearTIR, HasTheValuesAndJacobiansOfItsMatrices) {
  FirstOrderLinearTIR relation(constantC, constantD, constantB);
  relation.setE(makeVector({0.1, 0.2, 0.3})).setFz(makeMatrix({{1.}, {0.}, {-2.}}), makeVector({10.}));
  expectNear(output(relation), makeVector({0.5 + 2. + 0.1 + 10., -3. - 1. + 0.2, -2. - 0.25 + 0.3 - 20.}), 1e-14);
  expectNear(input(relation), makeVector({2. + 0.5 - 3., 8. + 1.25 - 6.}), 1e-14);
  expectNear(jacobianC(relation), constantC, 0.);
  expectNear(jacobianB(relation), constantB, 0.);
  Matrix D(3, 3);
  relation.computeD(t, x, lambda, D);
  expectNear(D, constantD, 0.);
  EXPECT_TRUE(relation.isLinear());
  EXPECT_TRUE(relation.isTimeInvariant());
  EXPECT_TRUE(relation.hasFeedthrough());
  EXPECT_FALSE(relation.inputDependsOnState());
  EXPECT_NO_THROW(relation.checkJacobians(t, x, lambda, {}, "relation"));
  relation.setZ(makeVector({0.}));
  EXPECT_NEAR(output(relation)(0), 2.6, 1e-15);
  expectError([&] { relation.setZ(makeVector({1., 2.})); }, {"z (one entry a column of F)", "size 1", "size 2"});
}

TEST(FirstOrderLinearTIR, TakesItsCoefficientsByName) {
  using Coefficients = FirstOrderLinearR::Coefficients;
  FirstOrderLinearTIR all(Coefficients{.C = constantC, .D = constantD, .e = Vector{0.1, 0.2, 0.3}, .B = constantB});
  FirstOrderLinearTIR same(constantC, constantD, constantB);
  same.setE(Vector{0.1, 0.2, 0.3});
  expectNear(output(all), output(same), 0.);
  expectNear(jacobianB(all), constantB, 0.);
  FirstOrderLinearR least(Coefficients{.C = constantC, .B = constantB});
  EXPECT_FALSE(least.hasFeedthrough());
  FirstOrderLinearTIR likewise(constantC, constantB);
  expectNear(output(least), output(likewise), 0.);
  expectError([] { FirstOrderLinearR(Coefficients{.C = constantC, .B = constantC}); },
              {"B (states x outputs)", "2 x 3"});
  expectError([] { FirstOrderLinearR(Coefficients{.C = constantC, .D = Matrix(2, 2), .B = constantB}); },
              {"D", "3 x 3", "2 x 2"});
}

TEST(FirstOrderLinearTIR, HasNoFeedthroughWithoutD) {
  FirstOrderLinearTIR relation(constantC, constantB);
  EXPECT_FALSE(relation.hasFeedthrough());
  expectNear(output(relation), makeVector({0.5, -3., -2.}), 0.);
  Matrix D(3, 3);
  relation.computeD(t, x, lambda, D);
  expectNear(D, Matrix(3, 3), 0.);
}

TEST(FirstOrderLinearTIR, RefusesSizesThatDoNotFitAndNumbersThatAreNone) {
  expectError([] { FirstOrderLinearTIR(Matrix(0, 0), Matrix(0, 0)); }, {"at least 1"});
  expectError([] { FirstOrderLinearTIR(Matrix(1, 0), Matrix(0, 1)); }, {"no columns"});
  expectError([] { FirstOrderLinearTIR(constantC, constantC); }, {"B (states x outputs)", "2 x 3", "3 x 2"});
  expectError([] { FirstOrderLinearTIR(constantC, Matrix(2, 2), constantB); }, {"D", "3 x 3", "2 x 2"});
  FirstOrderLinearTIR relation(constantC, constantB);
  expectError([&] { relation.setE(Vector(2)); }, {"e (one entry an output)", "size 3", "size 2"});
  expectError([&] { relation.setFz(Matrix(2, 1), Vector(1)); }, {"F", "3 x 1", "2 x 1"});
  expectError([&] { relation.setE(Vector(3, nan)); }, {"e", "nan"});
  expectError([] { FirstOrderLinearTIR(Matrix(1, 1, nan), Matrix(1, 1)); }, {"C", "nan"});
  expectError([] { FirstOrderLinearTIR(Matrix(1, 1), Matrix(1, 1, nan)); }, {"B", "nan"});
  expectError([&] { relation.checkDimensions(3); }, {"columns of C is 2", "3 states"});
  EXPECT_NO_THROW(relation.checkDimensions(2));
}

TEST(FirstOrderLinearR, TakesFunctionsOfTimeAndParametersForEachCoefficient) {
  FirstOrderLinearR relation(3);
  relation.setC([](double time, Matrix& C) { C(0, 1) = time; })
      .setB([](double, const Vector& z, Matrix& B) { B(1, 2) = z(0); })
      .setD([](double time, const Vector& z, Matrix& D) { D(2, 0) = time * z(1); })
      .setF([](double time, Matrix& F) { F(1, 0) = time; })
      .setE([](double time, Vector& e) { e(0) = std::cos(time); });
  relation.setZ(makeVector({3., -4.}));
  expectNear(output(relation), makeVector({0.7 * -1.5 + std::cos(0.7), 0.7 * 3., -2.8 * 2.}), 1e-14);
  expectNear(input(relation), makeVector({0., -3.}), 0.);
  EXPECT_TRUE(relation.isLinear());
  EXPECT_FALSE(relation.isTimeInvariant());
  EXPECT_TRUE(relation.hasFeedthrough());
  EXPECT_NO_THROW(relation.checkDimensions(2));
  EXPECT_NO_THROW(relation.checkJacobians(t, x, lambda, {}, "relation"));
}

TEST(FirstOrderLinearR, IsTimeInvariantWithATimeVaryingOffset) {
  FirstOrderLinearR relation(constantC, constantB);
  relation.setE([](double time, Vector& e) { e(0) = time; });
  EXPECT_TRUE(relation.isTimeInvariant());
  relation.setD([](double, Matrix&) {});
  EXPECT_FALSE(relation.isTimeInvariant());
}

TEST(FirstOrderLinearR, NamesFunctionsThatGiveTheWrongSizeAndWhen) {
  FirstOrderLinearR relation(constantC, constantB);
  relation.setD([](double, Matrix& D) { D = Matrix(1, 1); });
  expectError([&] { output(relation); }, {"FirstOrderLinearR: D at t = 0.7", "3 x 3", "1 x 1"});
  relation.setD(constantD);
  relation.setE([](double, Vector& e) { e = Vector(5); });
  expectError([&] { output(relation); }, {"e at t = 0.7", "size 3", "size 5"});
  relation.setE(Vector(3));
  relation.setB([](double, Matrix& B) { B(0, 0) = nan; });
  expectError([&] { input(relation); }, {"B at t = 0.7", "nan"});
}

TEST(FirstOrderLinearR, NamesCoefficientsThatWereNotGiven) {
  FirstOrderLinearR relation(2);
  expectError([&] { relation.checkDimensions(2); }, {"C was not given"});
  relation.setC(identityMatrix(2));
  expectError([&] { relation.checkDimensions(2); }, {"B was not given"});
  relation.setB(identityMatrix(2)).setF(Matrix(2, 3));
  expectError([&] { relation.checkDimensions(2); }, {"z (one entry a column of F)", "size 3", "size 0"});
  relation.setZ(Vector(3));
  EXPECT_NO_THROW(relation.checkDimensions(2));
}

TEST(FirstOrderLinearR, CountsChangesOfItsCoefficients) {
  FirstOrderLinearR relation(constantC, constantB);
  const std::size_t before = relation.parameterChanges();
  relation.setD(constantD);
  EXPECT_GT(relation.parameterChanges(), before);
}

TEST(FirstOrderR, IsNoRelationOfMechanics) {
  FirstOrderLinearTIR relation(constantC, constantB);
  EXPECT_EQ(relation.firstOrder(), &relation);
  EXPECT_EQ(relation.secondOrder(), nullptr);
}

}  // namespace
