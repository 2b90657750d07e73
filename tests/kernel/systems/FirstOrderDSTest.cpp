// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/kernel/systems/FirstOrderLinearTIDS.hpp>
#include <delassus/kernel/systems/FirstOrderNonLinearDS.hpp>
#include <delassus/numerics/functions/Automatic.hpp>
#include <limits>
#include <support/Matchers.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Vector fieldOf(FirstOrderDS& system, double t, const Vector& xDot = {}) {
  Vector f;
  system.vectorField(t, system.x(), xDot.size() == 0 ? Vector(system.dimension()) : xDot, f);
  return f;
}

struct Jacobians {
  Matrix byX, byRate;
};

Jacobians jacobiansOf(FirstOrderDS& system, double t, const Vector& xDot) {
  Jacobians jacobians;
  system.vectorFieldJacobians(t, system.x(), xDot, jacobians.byX, jacobians.byRate);
  return jacobians;
}

// Van der Pol's oscillator, driven.
const auto vanDerPol = [](const auto& t, const auto& x, auto& f) {
  f(0) = x(1);
  f(1) = (1. - x(0) * x(0)) * x(1) - x(0) + t;
};

std::shared_ptr<FirstOrderNonLinearDS> oscillator() {
  return std::make_shared<FirstOrderNonLinearDS>(makeVector({0.5, 2.}), automatic(vanDerPol));
}

TEST(FirstOrderNonLinearDS, HasTheFieldAndJacobianOfItsFunction) {
  const auto system = oscillator();
  expectNear(fieldOf(*system, 3.), makeVector({2., 1.5 - 0.5 + 3.}), 1e-15);
  expectNear(jacobiansOf(*system, 3., Vector(2)).byX, makeMatrix({{0., 1.}, {-3., 0.75}}), 1e-15);
  EXPECT_FALSE(system->isLinear());
  EXPECT_FALSE(system->isTimeInvariant());
  EXPECT_FALSE(system->dependsOnRate());
  EXPECT_NO_THROW(system->checkJacobians(3., {}));
  EXPECT_EQ(system->firstOrder(), system.get());
  EXPECT_EQ(system->secondOrder(), nullptr);
}

class OverridingOscillator final : public FirstOrderNonLinearDS {
 public:
  OverridingOscillator() : FirstOrderNonLinearDS(makeVector({0.5, 2.})) { setTypicalSize(2.); }

 protected:
  void computeF(double t, const Vector& x, Vector& f) override { vanDerPol(t, x, f); }
};

TEST(FirstOrderNonLinearDS, MayBeOverriddenAndDifferencesWhatIsNot) {
  OverridingOscillator system;
  expectNear(fieldOf(system, 3.), makeVector({2., 4.}), 1e-15);
  expectNear(jacobiansOf(system, 3., Vector(2)).byX, makeMatrix({{0., 1.}, {-3., 0.75}}), 1e-8);
}

TEST(FirstOrderNonLinearDS, PassesParametersToFunctionsThatWantThem) {
  FirstOrderNonLinearDS system(makeVector({2.}), automatic([](const auto&, const auto& x, const auto& z, auto& f) {
                                 f(0) = z(0) * x(0) * x(0);
                               }));
  system.setName("cell");
  expectError([&] { fieldOf(system, 0.); }, {"'cell'", "parameters z", "setZ"});
  system.setZ(makeVector({3.}));
  EXPECT_EQ(fieldOf(system, 0.)(0), 12.);
  EXPECT_EQ(jacobiansOf(system, 0., Vector(1)).byX(0, 0), 12.);
  system.setZ(makeVector({-1.}));
  EXPECT_EQ(fieldOf(system, 0.)(0), -4.);
  expectError([&] { system.setZ(makeVector({nan})); }, {"parameters z", "nan"});
}

TEST(FirstOrderNonLinearDS, NamesAWrongJacobian) {
  FirstOrderNonLinearDS system(makeVector({2.}),
                               withJacobians([](double, const Vector& x, Vector& f) { f(0) = x(0) * x(0); },
                                             [](double, const Vector& x, Matrix& J) { J(0, 0) = x(0); }));
  system.setName("cell");
  expectError([&] { system.checkJacobians(0., {}); }, {"'cell'", "f + T u with respect to x", "(0, 0)", "is 2", "4"});
}

TEST(FirstOrderNonLinearDS, RefusesToBeUsedWithoutAFieldOrState) {
  FirstOrderNonLinearDS empty(Vector(1));
  empty.setName("ghost");
  expectError([&] { fieldOf(empty, 0.); }, {"'ghost'", "no vector field", "override computeF"});
  expectError([] { FirstOrderNonLinearDS(Vector(1), FirstOrderNonLinearDS::Field()); }, {"f is empty"});
  expectError([] { FirstOrderNonLinearDS system(Vector(0)); }, {"FirstOrderNonLinearDS", "x0 is empty"});
  expectError([] { FirstOrderNonLinearDS system(makeVector({0., nan})); }, {"x0", "component 1", "nan"});
}

TEST(FirstOrderNonLinearDS, NamesTheTermThatIsNotFiniteOrHasAnotherSizeAndWhen) {
  FirstOrderNonLinearDS broken(Vector(2), differenced([](double t, const Vector&, Vector& f) {
                                 f(1) = t > 1. ? nan : 0.;
                                 if (t < 0.) f = Vector(3);
                               }));
  broken.setName("cell");
  EXPECT_NO_THROW(fieldOf(broken, 0.5));
  expectError([&] { fieldOf(broken, 1.5); }, {"'cell'", "vector field f at t = 1.5", "component 1", "nan"});
  expectError([&] { fieldOf(broken, -1.); }, {"'cell'", "vector field f at t = -1", "size 2", "size 3"});
  FirstOrderNonLinearDS jacobian(Vector(1), withJacobians([](double, const Vector&, Vector&) {},
                                                          [](double, const Vector&, Matrix& J) { J(0, 0) = nan; }));
  expectError([&] { jacobiansOf(jacobian, 2., Vector(1)); }, {"Jacobian of f with respect to x at t = 2", "nan"});
}

TEST(FirstOrderDS, HasTheIdentityAsMassUnlessGiven) {
  const auto system = oscillator();
  Matrix M;
  EXPECT_FALSE(system->hasMass());
  system->mass(0., system->x(), M);
  expectNear(M, identityMatrix(2), 0.);
  const Matrix constant = makeMatrix({{2., 1.}, {0., 1.}});
  const std::size_t before = system->parameterChanges();
  system->setM(constant);
  EXPECT_TRUE(system->hasMass());
  EXPECT_TRUE(system->hasConstantMass());
  EXPECT_GT(system->parameterChanges(), before);
  system->mass(0., system->x(), M);
  expectNear(M, constant, 0.);
}

TEST(FirstOrderDS, TakesAMassThatDependsOnTimeAndState) {
  const auto system = oscillator();
  system->setName("cell");
  system->setM([](double t, const Vector& x, Matrix& M) {
    M(0, 0) = 1. + t;
    M(1, 1) = x(1);
  });
  EXPECT_FALSE(system->hasConstantMass());
  Matrix M;
  system->mass(3., system->x(), M);
  expectNear(M, diagonalMatrix({4., 2.}), 0.);
  EXPECT_NO_THROW(system->requireRegularMass(3., M));
  system->mass(-1., system->x(), M);
  expectError([&] { system->requireRegularMass(-1., M); }, {"'cell'", "M at t = -1", "singular"});
  system->setM([](double, const Vector&, Matrix& mass) { mass = Matrix(1, 1); });
  expectError([&] { system->mass(2., system->x(), M); }, {"'cell'", "M at t = 2", "2 x 2", "1 x 1"});
  system->setM([](double, const Vector&, Matrix& mass) { mass(0, 0) = nan; });
  expectError([&] { system->mass(2., system->x(), M); }, {"'cell'", "M at t = 2", "nan"});
}

TEST(FirstOrderDS, HasAlgebraicEquationsWhereItsMassIsSingular) {
  const auto system = oscillator();
  EXPECT_FALSE(system->hasAlgebraicPart());
  system->setM(diagonalMatrix({1., 0.}));
  EXPECT_TRUE(system->hasAlgebraicPart());
  EXPECT_EQ(toDense(system->algebraicPart())(1, 1), 1.);
  expectError([&] { system->requireRegularMass(0., diagonalMatrix({1., 0.})); }, {"M", "singular"});
  system->setM(diagonalMatrix({1., 2.}));
  EXPECT_FALSE(system->hasAlgebraicPart());
  system->setM(diagonalMatrix({0., 2.}));
  system->setM([](double, const Vector&, Matrix& mass) { mass = identityMatrix(2); });
  EXPECT_FALSE(system->hasAlgebraicPart()) << "a function is regular";
}

TEST(FirstOrderDS, RefusesConstantMassesThatDoNotFit) {
  const auto system = oscillator();
  expectError([&] { system->setM(Matrix(2, 3)); }, {"M", "2 x 2", "2 x 3"});
  expectError([&] { system->setM(diagonalMatrix({1., nan})); }, {"M", "nan"});
  EXPECT_FALSE(system->hasMass());
}

// T u with T(x) = (x₀, x₁²; 1, 0) and u(t, x) = (t x₁, x₀).
const auto gain = [](const Vector& x, Matrix& T) {
  T(0, 0) = x(0);
  T(0, 1) = x(1) * x(1);
  T(1, 0) = 1.;
};
const auto feedback = [](const auto& t, const auto& x, auto& u) {
  u(0) = t * x(1);
  u(1) = x(0);
};

TEST(FirstOrderDS, AddsAControlTermOfTheState) {
  FirstOrderLinearDS system(makeVector({0.5, 2.}));
  EXPECT_TRUE(system.isLinear());
  system.setControl(2, gain, automatic(feedback));
  EXPECT_FALSE(system.isLinear());
  EXPECT_FALSE(system.dependsOnRate());
  const double t = 3.;
  // T u = (t x₀ x₁ + x₁² x₀, t x₁).
  expectNear(fieldOf(system, t), makeVector({3. + 2., 6.}), 1e-14);
  const Jacobians jacobians = jacobiansOf(system, t, Vector(2));
  expectNear(jacobians.byX, makeMatrix({{6. + 4., 1.5 + 2.}, {0., 3.}}), 1e-8);
  expectNear(jacobians.byRate, Matrix(2, 2), 0.);
  EXPECT_NO_THROW(system.checkJacobians(t, {}));
}

TEST(FirstOrderDS, AddsAControlTermWithAConstantGain) {
  FirstOrderLinearDS system(makeVector({0.5, 2.}), makeMatrix({{1., 0.}, {0., 1.}}));
  system.setControl(makeMatrix({{2.}, {-1.}}),
                    automatic([](const auto& t, const auto& x, auto& u) { u(0) = t * x(0); }));
  expectNear(fieldOf(system, 3.), makeVector({0.5 + 3., 2. - 1.5}), 1e-15);
  expectNear(jacobiansOf(system, 3., Vector(2)).byX, makeMatrix({{7., 0.}, {-3., 1.}}), 1e-15);
}

TEST(FirstOrderDS, AddsAControlTermOfTheRate) {
  FirstOrderLinearDS system(makeVector({0.5, 2.}));
  system.setControl(2, gain, automatic([](const auto& t, const auto& x, const auto& xDot, auto& u) {
                      u(0) = t * x(1) + xDot(0) * xDot(1);
                      u(1) = x(0) * xDot(0);
                    }));
  EXPECT_TRUE(system.dependsOnRate());
  const double t = 3.;
  const Vector xDot = makeVector({-1., 4.});
  // u = (2, −0.5); T u = (x₀ u₀ + x₁² u₁, u₀).
  expectNear(fieldOf(system, t, xDot), makeVector({1. - 2., 2.}), 1e-14);
  const Jacobians jacobians = jacobiansOf(system, t, xDot);
  expectNear(jacobians.byX, makeMatrix({{2. - 4., 1.5 - 2.}, {0., 3.}}), 1e-8);
  expectNear(jacobians.byRate, makeMatrix({{0.5 * 4. + 4. * 0.5, 0.5 * -1.}, {4., -1.}}), 1e-14);
  EXPECT_NO_THROW(system.checkJacobians(t, {}));
}

TEST(FirstOrderDS, NamesWrongJacobiansOfTheControl) {
  FirstOrderLinearDS system(makeVector({0.5}));
  system.setName("motor");
  const auto u = [](double, const Vector& x, const Vector& xDot, Vector& out) { out(0) = x(0) + 2. * xDot(0); };
  const auto right = [](double, const Vector&, const Vector&, Matrix& J) { J(0, 0) = 1.; };
  system.setControl(identityMatrix(1), withJacobians(u, right, right));
  expectError([&] { system.checkJacobians(0., {}); }, {"'motor'", "with respect to the rate of x", "is 1", "2"});
}

TEST(FirstOrderDS, RefusesControlsThatDoNotFit) {
  FirstOrderLinearDS system(makeVector({0.5, 2.}));
  system.setName("motor");
  const auto none = differenced([](double, const Vector&, Vector&) {});
  expectError([&] { system.setControl(Matrix(3, 1), none); }, {"'motor'", "control gain T", "2 x 1", "3 x 1"});
  expectError([&] { system.setControl(Matrix(2, 0), none); }, {"'motor'", "at least one component"});
  expectError([&] { system.setControl(Matrix(2, 1, nan), none); }, {"'motor'", "control gain T", "nan"});
  expectError([&] { system.setControl(1, ControlTerm::Gain(), none); }, {"'motor'", "function of the control gain T"});
  system.setControl(
      1, [](const Vector&, Matrix& T) { T = Matrix(1, 1); }, none);
  expectError([&] { fieldOf(system, 0.); }, {"'motor'", "control gain T", "2 x 1", "1 x 1"});
  system.setControl(Matrix(2, 1, 1.), differenced([](double, const Vector&, Vector& u) { u = Vector(4); }));
  expectError([&] { fieldOf(system, 0.); }, {"'motor'", "control u", "size 1", "size 4"});
  system.setControl(Matrix(2, 1, 1.), differenced([](double, const Vector&, Vector& u) { u(0) = nan; }));
  expectError([&] { fieldOf(system, 1.5); }, {"'motor'", "control term T u at t = 1.5", "nan"});
}

TEST(FirstOrderLinearDS, TakesConstantsAndFunctionsOfTimeAndParameters) {
  FirstOrderLinearDS system(makeVector({1., 2.}), makeMatrix({{0., 1.}, {-1., 0.}}), makeVector({5., 0.}));
  expectNear(fieldOf(system, 0.), makeVector({7., -1.}), 0.);
  EXPECT_TRUE(system.isTimeInvariant());
  system.setB([](double t, Vector& b) { b(1) = t; });
  EXPECT_TRUE(system.isTimeInvariant());
  expectNear(fieldOf(system, 4.), makeVector({2., 3.}), 0.);
  system.setName("tank");
  system.setA([](double t, const Vector& z, Matrix& A) { A(0, 0) = t * z(0); });
  expectError([&] { fieldOf(system, 4.); }, {"'tank'", "parameters z", "setZ"});
  system.setZ(makeVector({10.}));
  EXPECT_TRUE(system.isLinear());
  EXPECT_FALSE(system.isTimeInvariant());
  expectNear(fieldOf(system, 4.), makeVector({40., 4.}), 0.);
  expectNear(jacobiansOf(system, 4., Vector(2)).byX, makeMatrix({{40., 0.}, {0., 0.}}), 0.);
  EXPECT_NO_THROW(system.checkJacobians(4., {}));
  Matrix A;
  Vector b;
  system.A(0.5, A);
  system.b(0.5, b);
  EXPECT_EQ(A(0, 0), 5.);
  EXPECT_EQ(b(1), 0.5);
}

TEST(FirstOrderLinearDS, TakesAFunctionThatBringsItsDerivative) {
  FirstOrderLinearDS system(makeVector({2.}));
  system.setA(
      withJacobians([](double t, Matrix& A) { A(0, 0) = t * t; }, [](double t, Matrix& A) { A(0, 0) = 2. * t; }));
  Matrix A;
  system.A(3., A);
  EXPECT_EQ(A(0, 0), 9.);
}

// A mesh with no A, or with a sparse function, makes no dense matrix on the way.
TEST(FirstOrderLinearDS, StoresAAsTheSystemIs) {
  const std::size_t n = 200000;  // n² numbers are more than there is memory for
  std::vector<Triplet> ones(n);
  for (std::size_t i = 0; i < n; ++i) ones[i] = {i, i, 2.};
  FirstOrderLinearDS system(Vector(n, 1.));
  system.setM(sparseFromTriplets(n, n, ones));
  SquareMatrix A;
  system.A(0., A);
  EXPECT_TRUE(A.isSparse());
  EXPECT_EQ(entryCount(A.sparse()), 0U);
  system.setA([&](double t, SparseMatrix& out) { out = sparseFromTriplets(n, n, {{0, 1, t}}); });
  system.A(3., A);
  ASSERT_TRUE(A.isSparse());
  EXPECT_EQ(A(0, 1), 3.);
}

TEST(FirstOrderLinearDS, IsAtRestWithoutCoefficients) {
  FirstOrderLinearDS system(makeVector({1., 2.}));
  expectNear(fieldOf(system, 1.), Vector(2), 0.);
  expectNear(jacobiansOf(system, 1., Vector(2)).byX, Matrix(2, 2), 0.);
}

TEST(FirstOrderLinearDS, RefusesCoefficientsThatDoNotFitAndNamesWhen) {
  const Vector x0(2);
  expectError([&] { FirstOrderLinearDS(x0, Matrix(2, 3)); }, {"A", "2 x 2", "2 x 3"});
  expectError([&] { FirstOrderLinearDS(x0, identityMatrix(2), Vector(3)); }, {"b", "size 2", "size 3"});
  expectError([&] { FirstOrderLinearTIDS(x0, diagonalMatrix({1., nan})); }, {"A", "nan"});
  expectError([&] { FirstOrderLinearTIDS(x0, identityMatrix(2), Vector(2, nan)); }, {"b", "nan"});
  FirstOrderLinearDS system(x0);
  system.setName("tank");
  system.setA([](double, Matrix& A) { A = Matrix(1, 1); });
  expectError([&] { fieldOf(system, 2.5); }, {"'tank'", "A at t = 2.5", "2 x 2", "1 x 1"});
  system.setA([](double, Matrix& A) { A(1, 0) = nan; });
  expectError([&] { fieldOf(system, 2.5); }, {"'tank'", "A at t = 2.5", "nan"});
  system.setA(identityMatrix(2));
  system.setB([](double, Vector& b) { b = Vector(1); });
  expectError([&] { fieldOf(system, 2.5); }, {"'tank'", "b at t = 2.5", "size 2", "size 1"});
  system.setB(Vector(2));
  EXPECT_NO_THROW(fieldOf(system, 2.5));
}

TEST(FirstOrderLinearTIDS, IsLinearAndTimeInvariantUntilItHasAControl) {
  FirstOrderLinearTIDS system(makeVector({1.}), makeMatrix({{-2.}}), makeVector({1.}));
  EXPECT_TRUE(system.isLinear());
  EXPECT_TRUE(system.isTimeInvariant());
  const std::size_t before = system.parameterChanges();
  system.setA(makeMatrix({{-3.}}));
  system.setM(makeMatrix({{2.}}));
  EXPECT_GT(system.parameterChanges(), before);
  EXPECT_EQ(fieldOf(system, 0.)(0), -2.);
  system.setControl(identityMatrix(1), differenced([](double, const Vector& x, Vector& u) { u(0) = x(0); }));
  EXPECT_FALSE(system.isLinear());
}

TEST(FirstOrderDS, KeepsItsStateUntilItIsSetOrAccepted) {
  FirstOrderLinearTIDS system(makeVector({1., 2.}), Matrix(2, 2));
  system.setName("cell");
  const std::size_t resets = system.stateResets();
  system.setState(makeVector({3., 4.}));
  EXPECT_EQ(system.stateResets(), resets + 1);
  expectNear(system.x(), makeVector({3., 4.}), 0.);
  expectNear(system.x0(), makeVector({1., 2.}), 0.);
  expectError([&] { system.setState(Vector(3)); }, {"'cell'", "state", "size 2", "size 3"});
  expectError([&] { system.setState(makeVector({0., nan})); }, {"'cell'", "state", "nan"});
  expectNear(system.x(), makeVector({3., 4.}), 0.);
  system.setStart(makeVector({5., 6.}), makeVector({7., 8.}));
  expectNear(system.r(), makeVector({7., 8.}), 0.);
  expectNear(system.x(), makeVector({5., 6.}), 0.);
  EXPECT_EQ(system.stateResets(), resets + 1) << "the scheme has set it, not the user";
}

TEST(FirstOrderDS, RemembersAsManyStatesAsItIsAskedTo) {
  FirstOrderLinearTIDS system(makeVector({0.}), Matrix(1, 1));
  system.setHistoryDepth(2);
  for (int k = 1; k <= 4; ++k) {
    Vector x = makeVector({1. * k});
    Vector r = makeVector({10. * k});
    system.accept(0.1 * (k - 1), x, r);
  }
  EXPECT_EQ(system.x()(0), 4.);
  EXPECT_EQ(system.r()(0), 40.);
  EXPECT_EQ(system.history().size(), 2U);
  EXPECT_EQ(system.history().at(1).x(0), 3.);
  EXPECT_EQ(system.history().at(2).x(0), 2.);
  EXPECT_DOUBLE_EQ(system.history().at(2).time, 0.2);
  expectError([&] { system.history().at(3); }, {"3 steps back", "1 to 2"});
  system.setHistoryDepth(0);
  Vector x = makeVector({5.});
  Vector r = makeVector({0.});
  system.accept(0.4, x, r);
  EXPECT_EQ(system.history().size(), 0U);
}

}  // namespace
