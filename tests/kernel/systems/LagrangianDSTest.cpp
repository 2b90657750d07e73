// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/kernel/systems/LagrangianDS.hpp>
#include <delassus/kernel/systems/LagrangianLinearTIDS.hpp>
#include <delassus/numerics/functions/Automatic.hpp>
#include <limits>
#include <support/Matchers.hpp>
#include <support/RandomProblems.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// M(q) = diag(2 + q₀, 1), NNL = (v₀ v₁, q₁ v₀²), F_int = (t q₀ v₁, sin q₁), F_ext = (t, 3).
std::shared_ptr<LagrangianDS> lambdaSystem() {
  auto system = std::make_shared<LagrangianDS>(makeVector({0.5, -1.}), makeVector({2., 3.}));
  system->setMass([](const Vector& q, Matrix& M) {
    M(0, 0) = 2. + q(0);
    M(1, 1) = 1.;
  });
  system->setNNL(automatic([](const auto& q, const auto& v, auto& N) {
    N(0) = v(0) * v(1);
    N(1) = q(1) * v(0) * v(0);
  }));
  system->setInternalForces(automatic([](const auto& t, const auto& q, const auto& v, auto& F) {
    using std::sin;
    F(0) = t * q(0) * v(1);
    F(1) = sin(q(1));
  }));
  system->setExternalForces([](double t, Vector& F) {
    F(0) = t;
    F(1) = 3.;
  });
  return system;
}

// The same by overriding.
class OverridingSystem : public LagrangianDS {
 public:
  OverridingSystem() : LagrangianDS(makeVector({0.5, -1.}), makeVector({2., 3.})) {}

 protected:
  void computeMass(const Vector& q, Matrix& M) override {
    M(0, 0) = 2. + q(0);
    M(1, 1) = 1.;
  }
  void computeNNL(const Vector& q, const Vector& v, Vector& N) override {
    N(0) = v(0) * v(1);
    N(1) = q(1) * v(0) * v(0);
  }
  void computeFInt(double t, const Vector& q, const Vector& v, Vector& F) override {
    F(0) = t * q(0) * v(1);
    F(1) = std::sin(q(1));
  }
  void computeFExt(double t, Vector& F) override {
    F(0) = t;
    F(1) = 3.;
  }
};

void expectTerms(SecondOrderDS& system, double jacobianTolerance) {
  const double t = 4.;
  const Vector q = makeVector({0.5, -1.});
  const Vector v = makeVector({2., 3.});
  Matrix mass(2, 2);
  system.mass(t, q, mass);
  expectNear(mass, diagonalMatrix({2.5, 1.}), 0.);
  Vector force(2);
  system.forces(t, q, v, force);
  // F = F_ext − F_int − NNL.
  expectNear(force, makeVector({4. - 4. * 0.5 * 3. - 6., 3. + std::sin(1.) + 4.}), 1e-15);
  Matrix byQ(2, 2), byV(2, 2);
  system.forceJacobians(t, q, v, byQ, byV);
  expectNear(byQ, makeMatrix({{-12., 0.}, {0., -std::cos(1.) - 4.}}), jacobianTolerance);
  expectNear(byV, makeMatrix({{-3., -2. - 2.}, {4., 0.}}), jacobianTolerance);
}

TEST(LagrangianDS, AssemblesForcesAndJacobiansFromFunctions) {
  expectTerms(*lambdaSystem(), 1e-14);
}

TEST(LagrangianDS, AssemblesForcesAndDifferencedJacobiansFromOverrides) {
  OverridingSystem system;
  expectTerms(system, 1e-8);
}

TEST(LagrangianDS, JacobiansPassTheirOwnCheckAndWrongOnesAreNamed) {
  const auto system = lambdaSystem();
  EXPECT_NO_THROW(system->checkJacobians(4., {}));
  system->setName("arm");
  const auto force = [](double, const Vector& q, const Vector&, Vector& F) { F(0) = q(0) * q(0); };
  system->setInternalForces(withJacobians(
      force, [](double, const Vector& q, const Vector&, Matrix& J) { J(0, 0) = q(0); },
      [](double, const Vector&, const Vector&, Matrix&) {}));
  expectError([&] { system->checkJacobians(4., {}); }, {"'arm'", "F_int with respect to q", "(0, 0)", "0.5"});
}

TEST(LagrangianDS, PassesParametersZToFunctionsThatWantThem) {
  LagrangianDS system(makeVector({0.}), makeVector({0.}));
  system.setZ(makeVector({7.}));
  system.setMass([](const Vector&, const Vector& z, Matrix& M) { M(0, 0) = z(0); });
  system.setExternalForces([](double, const Vector& z, Vector& F) { F(0) = 2. * z(0); });
  Matrix mass(1, 1);
  Vector force(1);
  system.mass(0., system.q(), mass);
  system.forces(0., system.q(), system.velocity(), force);
  EXPECT_EQ(mass(0, 0), 7.);
  EXPECT_EQ(force(0), 14.);
  system.setZ(makeVector({1.}));
  system.forces(0., system.q(), system.velocity(), force);
  EXPECT_EQ(force(0), 2.);
}

TEST(LagrangianDS, RefusesSizesThatDoNotFit) {
  expectError([] { LagrangianDS(Vector(2), Vector(3)); }, {"q0", "size 3", "size 2"});
  expectError([] { LagrangianDS(Vector(2), Vector(2), Matrix(2, 3)); }, {"mass", "2 x 2", "2 x 3"});
  expectError([] { LagrangianDS(Vector(0), Vector(0)); }, {"empty"});
  expectError([] { LagrangianDS(makeVector({nan}), Vector(1)); }, {"q0", "nan"});
  LagrangianDS system(Vector(2), Vector(2), identityMatrix(2));
  expectError([&] { system.setExternalForces(Vector(3)); }, {"external forces", "size 2", "size 3"});
  expectError([&] { system.setState(Vector(1), Vector(2)); }, {"position", "size 2"});
}

TEST(LagrangianDS, RefusesMassesThatAreSingularOrNotSymmetric) {
  expectError([] { LagrangianDS(Vector(2), Vector(2), diagonalMatrix({1., 0.})); }, {"mass M", "positive definite"});
  expectError([] { LagrangianDS(Vector(2), Vector(2), makeMatrix({{1., 1.}, {0., 1.}})); }, {"mass M", "symmetric"});
  LagrangianDS withoutMass(Vector(1), Vector(1));
  withoutMass.setName("ghost");
  expectError(
      [&] {
        Matrix M(1, 1);
        withoutMass.mass(0., withoutMass.q(), M);
      },
      {"'ghost'", "no mass", "setMass"});
}

TEST(LagrangianDS, NamesTheTermThatIsNotFiniteAndWhen) {
  const auto system = lambdaSystem();
  system->setName("arm");
  Vector force(2);
  system->setExternalForces([](double, Vector& F) { F(1) = nan; });
  expectError([&] { system->forces(2.5, system->q(), system->velocity(), force); },
              {"'arm'", "F_ext", "t = 2.5", "component 1"});
  system->setExternalForces(Vector(2));
  system->setNNL(differenced([](const Vector&, const Vector&, Vector& N) { N(0) = nan; }));
  expectError([&] { system->forces(2.5, system->q(), system->velocity(), force); }, {"'arm'", "NNL", "t = 2.5"});
}

// Each term in turn resizes its result; the message names it, and once it is mended the system works again.
TEST(LagrangianDS, NoticesEveryFunctionThatChangesTheSizeOfItsResultAndRecovers) {
  const auto vectorTerm = [](const Vector&, const Vector&, Vector& F) { F = Vector(3); };
  const auto forceTerm = [](double, const Vector&, const Vector&, Vector& F) { F = Vector(1); };
  const auto goodForce = [](double, const Vector&, const Vector&, Vector& F) { F(0) = 1.; };
  const auto none = [](double, const Vector&, const Vector&, Matrix&) {};
  const auto resized = [](double, const Vector&, const Vector&, Matrix& J) { J = Matrix(4, 4); };
  const auto noneNNL = [](const Vector&, const Vector&, Matrix&) {};
  LagrangianDS system(Vector(2), Vector(2), identityMatrix(2));
  Vector force(2);
  Matrix byQ(2, 2), byV(2, 2), M(2, 2);
  const auto forces = [&] { system.forces(0., system.q(), system.velocity(), force); };
  const auto jacobians = [&] { system.forceJacobians(0., system.q(), system.velocity(), byQ, byV); };

  system.setExternalForces([](double, Vector& F) { F = Vector(3); });
  expectError(forces, {"F_ext", "size 2", "size 3"});
  system.setExternalForces(Vector(2));
  EXPECT_NO_THROW(forces());
  system.setInternalForces(withJacobians(forceTerm, none, none));
  expectError(forces, {"F_int", "size 2", "size 1"});
  system.setInternalForces(withJacobians(goodForce, resized, none));
  EXPECT_NO_THROW(forces());
  expectError(jacobians, {"F_int with respect to q", "2 x 2", "4 x 4"});
  system.setInternalForces(withJacobians(goodForce, none, resized));
  expectError(jacobians, {"F_int with respect to v", "2 x 2", "4 x 4"});
  expectError([&] { system.checkJacobians(0., {}); }, {"F_int with respect to v", "2 x 2", "4 x 4"});
  system.setInternalForces(differenced(forceTerm));
  expectError(jacobians, {"differenced function", "size 2", "size 1"});
  system.setInternalForces(withJacobians(goodForce, none, none));
  system.setNNL(withJacobians(vectorTerm, noneNNL, noneNNL));
  expectError(forces, {"NNL", "size 2", "size 3"});
  system.setNNL(automatic([](const auto&, const auto&, auto& N) { N.resize(3); }));
  expectError(jacobians, {"automatic", "from 2 to 3"});
  system.setMass([](const Vector&, Matrix& mass) { mass = Matrix(3, 3); });
  expectError([&] { system.mass(0., system.q(), M); }, {"mass M", "2 x 2", "3 x 3"});
  system.setMass(identityMatrix(2));
  EXPECT_NO_THROW(system.mass(0., system.q(), M));
}

TEST(LagrangianLinearTIDS, HasTheForcesOfItsMatrices) {
  const Matrix K = makeMatrix({{4., -1.}, {-1., 2.}});
  const Matrix C = makeMatrix({{0.1, 0.}, {0., 0.3}});
  LagrangianLinearTIDS system(makeVector({1., 2.}), makeVector({3., 4.}), identityMatrix(2), K, C);
  system.setExternalForces(makeVector({10., 20.}));
  Vector force(2);
  system.forces(0., system.q(), system.velocity(), force);
  expectNear(force, makeVector({10. - 2. - 0.3, 20. - 3. - 1.2}), 1e-14);
  Matrix byQ(2, 2), byV(2, 2);
  system.forceJacobians(0., system.q(), system.velocity(), byQ, byV);
  expectNear(byQ, Matrix(-K), 0.);
  expectNear(byV, Matrix(-C), 0.);
  EXPECT_TRUE(system.isLinear());
}

TEST(LagrangianLinearTIDS, RefusesMatricesThatDoNotFit) {
  const Matrix one = identityMatrix(1);
  expectError([&] { LagrangianLinearTIDS(Vector(1), Vector(1), one, Matrix(2, 2), one); }, {"stiffness K", "1 x 1"});
  Matrix bad(1, 1);
  bad(0, 0) = nan;
  expectError([&] { LagrangianLinearTIDS(Vector(1), Vector(1), one, one, bad); }, {"damping C", "nan"});
}

TEST(StateHistory, RefusesADepthWithoutMemoryByName) {
  LagrangianLinearTIDS system(makeVector({1.}), makeVector({0.}), makeMatrix({{1.}}));
  system.setName("ball");
  const std::size_t tooLong = std::size_t{1} << 60;
  expectError([&] { system.setHistoryDepth(tooLong); },
              {"System 'ball'", "no memory for a history of 1152921504606846976 states"});
#ifndef DELASSUS_SANITIZED  // AddressSanitizer ends the program instead
  expectError([&] { system.setHistoryDepth(1000000000000); }, {"no memory for a history of 1000000000000 states"});
#endif
  EXPECT_EQ(system.history().depth(), 1U);
}

TEST(StateHistory, HoldsTheLastStatesInOrder) {
  StateHistory<SecondOrderDS::State> history(3);
  expectError([&] { history.at(1); }, {"StateHistory", "1 steps back"});
  for (int k = 0; k < 5; ++k) *history.push() = {1. * k, makeVector({10. * k}), makeVector({-1. * k})};
  EXPECT_EQ(history.size(), 3U);
  for (std::size_t back = 1; back <= 3; ++back) {
    EXPECT_EQ(history.at(back).time, 5. - static_cast<double>(back));
    EXPECT_EQ(history.at(back).q(0), 10. * (5. - static_cast<double>(back)));
  }
  expectError([&] { history.at(4); }, {"4 steps back", "1 to 3"});
}

TEST(LagrangianDS, HasItsKineticEnergy) {
  // ½ ((2 + 0.5) 2² + 3²).
  EXPECT_DOUBLE_EQ(lambdaSystem()->kineticEnergy(), 9.5);
  EXPECT_DOUBLE_EQ(OverridingSystem().kineticEnergy(), 9.5);
  EXPECT_DOUBLE_EQ(LagrangianLinearTIDS(Vector{0.}, Vector{3.}, makeMatrix({{2.}})).kineticEnergy(), 9.);
}

TEST(LagrangianDS, RefusesAForceOfParametersThatWereNeverSet) {
  LagrangianDS system(Vector{0.}, Vector{0.});
  system.setMass([](const Vector&, Matrix& M) { M(0, 0) = 1.; });
  system.setExternalForces([](double, const Vector& z, Vector& F) { F(0) = z(0); });
  Vector force(1);
  expectError([&] { system.forces(0., system.q(), system.velocity(), force); },
              {"LagrangianDS", "Parameters z", "setZ"});
  system.setName("crane");
  expectError([&] { system.forces(0., system.q(), system.velocity(), force); }, {"'crane'", "Parameters z", "setZ"});
  system.setZ(Vector{3.});
  system.forces(0., system.q(), system.velocity(), force);
  EXPECT_EQ(force(0), 3.);
}

// What a function of the user throws does not know of which system it is.
TEST(LagrangianDS, NamesItselfInErrorsOfItsFunctions) {
  LagrangianDS system(Vector{0.}, Vector{0.});
  system.setName("crane");
  system.setMass([](const Vector& q, Matrix& M) { M(0, 0) = q.at(1); });
  system.setExternalForces([](double, Vector& F) { F.at(2) = 1.; });
  Vector force(1);
  Matrix mass;
  expectError([&] { system.mass(0., system.q(), mass); }, {"'crane'", "Vector", "index 1", "there are 1"});
  expectError([&] { system.forces(0., system.q(), system.velocity(), force); }, {"'crane'", "Vector", "index 2"});
}

TEST(LagrangianLinearTIDS, TakesStiffnessAndDampingByName) {
  LagrangianLinearTIDS system(Vector{2.}, Vector{3.}, makeMatrix({{1.}}));
  system.setStiffness(makeMatrix({{10.}}));
  system.setDamping(makeMatrix({{100.}}));
  Vector force(1);
  system.forces(0., system.q(), system.velocity(), force);
  EXPECT_EQ(force(0), -10. * 2. - 100. * 3.);
  expectError([&] { system.setStiffness(Matrix(2, 2)); }, {"stiffness K"});
  expectError([&] { system.setDamping(makeMatrix({{nan}})); }, {"damping C", "nan"});
}

TEST(LagrangianLinearTIDS, TakesItsMatricesByName) {
  using Matrices = LagrangianLinearTIDS::Matrices;
  const Matrix M = makeMatrix({{1.}}), K = makeMatrix({{10.}}), C = makeMatrix({{100.}});
  Vector force(1);
  const auto forceOf = [&force](LagrangianLinearTIDS&& system) {
    system.forces(0., system.q(), system.velocity(), force);
    return force(0);
  };
  const Vector q{2.}, v{3.};
  EXPECT_EQ(forceOf(LagrangianLinearTIDS(q, v, Matrices{.M = M, .C = C, .K = K})), -10. * 2. - 100. * 3.);
  EXPECT_EQ(forceOf(LagrangianLinearTIDS(q, v, Matrices{.M = M, .K = K})), -10. * 2.);
  EXPECT_EQ(forceOf(LagrangianLinearTIDS(q, v, {.M = M, .C = C})), -100. * 3.);
  EXPECT_EQ(forceOf(LagrangianLinearTIDS(q, v, {.M = M})), 0.);
  expectError([&] { LagrangianLinearTIDS(q, v, {.M = M, .C = Matrix(2, 2)}); }, {"damping C", "1 x 1", "2 x 2"});
  expectError([&] { LagrangianLinearTIDS(q, v, {.M = Matrix(2, 2)}); }, {"mass M", "1 x 1", "2 x 2"});
}

}  // namespace
