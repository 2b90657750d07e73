// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/Eigen.hpp>
#include <delassus/delassus.hpp>
#include <support/Matchers.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;
using Eigen::MatrixXd;
using Eigen::Ref;
using Eigen::VectorXd;

TEST(Eigen, SharesTheNumbersOfVectorsAndMatrices) {
  Vector v{1., 2., 3.};
  asEigen(v) *= 2.;
  expectNear(v, makeVector({2., 4., 6.}), 0.);
  Matrix A = makeMatrix({{1., 2., 3.}, {4., 5., 6.}});
  EXPECT_EQ(asEigen(A)(0, 2), 3.);
  EXPECT_EQ(asEigen(A).rows(), 2);
  asEigen(A)(1, 0) = 7.;
  EXPECT_EQ(A(1, 0), 7.);
  const Matrix& constant = A;
  EXPECT_EQ(asEigen(constant).data(), data(A));
  Vector3 w{1., 0., 0.};
  asEigen(w) = asEigen(w).cross(Eigen::Vector3d(0., 1., 0.));
  EXPECT_EQ(w, (Vector3{0., 0., 1.}));
}

TEST(Eigen, GivesCopiesOfItsExpressions) {
  const Vector v{1., 2.};
  const Matrix A = makeMatrix({{1., 2.}, {3., 4.}});
  expectNear(toVector(asEigen(A) * asEigen(v)), makeVector({5., 11.}), 0.);
  expectNear(toMatrix(asEigen(A).transpose()), makeMatrix({{1., 3.}, {2., 4.}}), 0.);
  EXPECT_EQ(toVector3(Eigen::Vector3d::UnitY()), (Vector3{0., 1., 0.}));
  const Matrix3 R = rotations::exponentialMatrix({0.1, -0.4, 0.9});
  const Quaternion p = rotations::exponential({0.1, -0.4, 0.9});
  EXPECT_NEAR((toEigen(p).toRotationMatrix() - asEigen(R)).norm(), 0., 1e-15);
  EXPECT_EQ(toQuaternion(toEigen(p)), p);
}

// A pendulum of one coordinate and a mass that depends on it, its functions in either library.
std::shared_ptr<LagrangianDS> arm() {
  return std::make_shared<LagrangianDS>(makeVector({0.4, 0.}), makeVector({0., 1.}));
}

double afterOneSecond(const std::shared_ptr<LagrangianDS>& system) {
  NonSmoothDynamicalSystem model(0., 1.);
  model.insert("arm", system);
  TimeStepping simulation(model, 1e-3);
  simulation.run();
  return system->q()(0);
}

TEST(Eigen, IsUnderstoodByTheFunctionsOfAModel) {
  const auto plain = arm();
  plain->setMass([](const Vector& q, Matrix& M) {
    M(0, 0) = 2. + std::cos(q(1));
    M(1, 1) = 1.;
  });
  plain->setExternalForces([](double t, Vector& F) { F(0) = std::sin(t); });
  plain->setInternalForces(withJacobians(
      [](double, const Vector& q, const Vector& v, Vector& F) {
        F(0) = 3. * q(0);
        F(1) = 0.1 * v(1);
      },
      [](double, const Vector&, const Vector&, Matrix& K) { K(0, 0) = 3.; },
      [](double, const Vector&, const Vector&, Matrix& C) { C(1, 1) = 0.1; }));
  plain->setNNL(differenced([](const Vector& q, const Vector& v, Vector& N) { N(0) = -std::sin(q(1)) * v(0) * v(1); }));

  using In = const Ref<const VectorXd>&;
  const auto byEigen = arm();
  byEigen->setMass(eigen([](In q, Ref<MatrixXd> M) { M.diagonal() << 2. + std::cos(q(1)), 1.; }));
  byEigen->setExternalForces(eigen([](double t, Ref<VectorXd> F) { F(0) = std::sin(t); }));
  byEigen->setInternalForces(
      withJacobians(eigen([](double, In q, In v, Ref<VectorXd> F) { F << 3. * q(0), 0.1 * v(1); }),
                    eigen([](double, In, In, Ref<MatrixXd> K) { K(0, 0) = 3.; }),
                    eigen([](double, In, In, Ref<MatrixXd> C) { C(1, 1) = 0.1; })));
  byEigen->setNNL(differenced(eigen([](In q, In v, Ref<VectorXd> N) { N(0) = -std::sin(q(1)) * v(0) * v(1); })));
  EXPECT_EQ(afterOneSecond(byEigen), afterOneSecond(plain));
}

TEST(Eigen, IsUnderstoodByRelationsAndBodies) {
  using In = const Ref<const VectorXd>&;
  NonSmoothDynamicalSystem model(0., 1.);
  const auto mass =
      model.insert("mass", std::make_shared<LagrangianLinearTIDS>(makeVector({1.}), Vector(1), identityMatrix(1)));
  mass->setExternalForces(eigen([](double, Ref<VectorXd> F) { F(0) = -9.81; }));
  const LagrangianScleronomousR gap(
      1, withJacobians(eigen([](In q, Ref<VectorXd> y) { y = q; }), eigen([](In, Ref<MatrixXd> G) { G(0, 0) = 1.; })));
  const auto floor = model.link("floor", NewtonImpactNSL(0.), gap, mass);
  const auto body = model.insert(
      "body", std::make_shared<NewtonEulerDS>(NewtonEulerDS::at({0., 0., 0.}), Vector(6), 1., identityMatrix(3)));
  body->setExternalForces(eigen([](double, Ref<VectorXd> F) { F = Eigen::Vector3d(1., 2., 3.); }));
  TimeStepping simulation(model, 1e-3);
  simulation.run();
  EXPECT_TRUE(floor->isActive());
  EXPECT_NEAR(mass->velocity()(0), 0., 1e-12);
  EXPECT_NEAR(body->velocity()(2), 3., 1e-12);
}

}  // namespace
