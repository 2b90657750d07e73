// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/kernel/rotations/Rotation.hpp>
#include <delassus/kernel/systems/NewtonEulerDS.hpp>
#include <delassus/numerics/functions/Automatic.hpp>
#include <functional>
#include <limits>
#include <support/Matchers.hpp>
#include <support/RandomProblems.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double epsilon = std::numeric_limits<double>::epsilon();

// Full, with products of inertia.
const Matrix inertia = makeMatrix({{2., 0.3, -0.2}, {0.3, 3., 0.1}, {-0.2, 0.1, 2.5}});

Vector somewhere() {
  return NewtonEulerDS::at({0.3, -1., 2.}, {0.5, -0.7, 0.4, 0.9});
}

Vector someTwist() {
  return makeVector({1., -2., 0.5, 0.8, -1.5, 2.2});
}

std::shared_ptr<NewtonEulerDS> body() {
  auto system = std::make_shared<NewtonEulerDS>(somewhere(), someTwist(), 1.7, inertia);
  system->setName("rotor");
  return system;
}

// Depends on all of t, q and v.
const auto someWrench = [](const auto& t, const auto& q, const auto& v, auto& w) {
  using std::sin;
  for (std::size_t i = 0; i < 6; ++i) {
    w(i) = sin(q(i)) * v((i + 2) % 6) + q(6) * q(3 + i % 4) * q(i % 3) + t * v(i) * v(i);
  }
};

// Jacobians with respect to displacements and twists, by central differences of the forces along move().
void expectJacobiansOfForces(NewtonEulerDS& system, double t, double tolerance) {
  const double h = 1e-5;
  const Vector q = system.q(), v = system.velocity();
  Matrix byQ(6, 6), byV(6, 6);
  system.forceJacobians(t, q, v, byQ, byV);
  const auto difference = [&](const std::function<void(double, Vector&)>& forceAt, Vector& column) {
    Vector above(6), below(6);
    forceAt(h, above);
    forceAt(-h, below);
    for (std::size_t i = 0; i < 6; ++i) column(i) = (above(i) - below(i)) / (2. * h);
  };
  for (std::size_t j = 0; j < 6; ++j) {
    Vector column(6);
    difference(
        [&](double step, Vector& force) {
          Vector displacement(6), moved(7);
          displacement(j) = step;
          system.move(q, displacement, moved);
          system.forces(t, moved, v, force);
        },
        column);
    for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(byQ(i, j), column(i), tolerance) << "by q, " << i << ", " << j;
    difference(
        [&](double step, Vector& force) {
          Vector other = v;
          other(j) += step;
          system.forces(t, q, other, force);
        },
        column);
    for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(byV(i, j), column(i), tolerance) << "by v, " << i << ", " << j;
  }
}

// h² of truncation and ε/h of rounding, times the size of forces (about 20).
constexpr double differenceTolerance = 2e-9;

TEST(NewtonEulerDS, ForcesAreThoseOfNewtonAndEuler) {
  const auto system = body();
  system->setExternalForces([](double t, Vector& f) { f(2) = -t; });
  system->setExternalMoments(makeVector({1., 2., 3.}));
  system->setInertialExternalMoments(makeVector({0.5, 0., -1.}));
  system->setInternalForces(automatic(someWrench));
  Vector force(6), wrench(6);
  const double t = 1.3;
  system->forces(t, system->q(), system->velocity(), force);
  someWrench(t, system->q(), system->velocity(), wrench);
  const Vector3 Omega{0.8, -1.5, 2.2};
  Vector3 L{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) L[i] += inertia(i, j) * Omega[j];
  }
  const Vector3 gyroscopic = cross(Omega, L);
  const Vector3 turned = multiplyTransposed(system->rotation(), Vector3{0.5, 0., -1.});
  const Vector3 f{0., 0., -t};
  const Vector3 M{1., 2., 3.};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(force(i), f[i] - wrench(i), 1e-14);
    EXPECT_NEAR(force(3 + i), M[i] + turned[i] - gyroscopic[i] - wrench(3 + i), 1e-14);
  }
  Matrix mass(6, 6);
  system->mass(t, system->q(), mass);
  for (std::size_t j = 0; j < 6; ++j) {
    for (std::size_t i = 0; i < 6; ++i) {
      const double expected = i >= 3 && j >= 3 ? inertia(i - 3, j - 3) : (i == j ? 1.7 : 0.);
      EXPECT_EQ(mass(i, j), expected);
    }
  }
}

// The bound of |xᵀJx| / xᵀMx is the root of half the sum of Ω_k² (I_i − I_j)²/(I_i I_j) in principal axes, whatever
// axes the body has.
TEST(NewtonEulerDS, TheGyroscopicRateBoundsTheSymmetricPartOfItsJacobianInAnyAxes) {
  Generator generator(5);
  const Vector3 moments{3e-5, 1.99998, 2.};
  for (int k = 0; k < 20; ++k) {
    const Vector p = randomVector(generator, 4), w = randomVector(generator, 3);
    const Matrix3 R = rotations::rotationMatrix(rotations::normalised({p(0), p(1), p(2), p(3)}));
    const Vector3 Omega{w(0), w(1), w(2)}, inAxes = multiplyTransposed(R, Omega);
    Matrix turned(3, 3);
    double expected = 0.;
    for (std::size_t m = 0; m < 3; ++m) {
      const double first = moments[(m + 1) % 3], second = moments[(m + 2) % 3];
      expected += 0.5 * inAxes[m] * inAxes[m] * (first - second) * (first - second) / (first * second);
      for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) turned(i, j) += moments[m] * R[i + 3 * m] * R[j + 3 * m];
      }
    }
    NewtonEulerDS body(somewhere(), Vector(6), 1., turned);
    const Vector v = makeVector({0., 0., 0., Omega[0], Omega[1], Omega[2]});
    const double rate = body.gyroscopicRate(v);
    EXPECT_NEAR(rate, std::sqrt(expected), 1e-8 * rate);  // cofactors lose the ratio of the moments, 6e4
    SquareMatrix byV;
    byV.makeDense(6);
    body.addGyroscopicJacobian(1., v, byV);
    const Vector x = randomVector(generator, 3);
    double inJacobian = 0., inMass = 0.;
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) {
        inJacobian += x(i) * byV(3 + i, 3 + j) * x(j);
        inMass += x(i) * turned(i, j) * x(j);
      }
    }
    EXPECT_LE(std::abs(inJacobian), rate * inMass);
  }
}

TEST(NewtonEulerDS, EveryTermHasTheJacobiansOfItsForceInTwistCoordinates) {
  const auto system = body();
  {
    SCOPED_TRACE("gyroscopic");
    expectJacobiansOfForces(*system, 0.7, differenceTolerance);
  }
  {
    SCOPED_TRACE("inertial moment");
    system->setInertialExternalMoments([](double t, Vector& m) { m(0) = 1. + t, m(1) = -2., m(2) = 0.4; });
    expectJacobiansOfForces(*system, 0.7, differenceTolerance);
  }
  {
    SCOPED_TRACE("automatic");
    system->setInternalForces(automatic(someWrench));
    expectJacobiansOfForces(*system, 0.7, differenceTolerance);
    EXPECT_NO_THROW(system->checkJacobians(0.7, {}));
  }
  {
    SCOPED_TRACE("differenced");
    system->setInternalForces(differenced(someWrench));
    expectJacobiansOfForces(*system, 0.7, differenceTolerance);
  }
}

TEST(NewtonEulerDS, TakesJacobiansThatTheUserGivesAndNamesWrongOnes) {
  const auto system = body();
  // A spring to a post, m = −c p⃗ and damping of the turn.
  const auto wrench = [](double, const Vector& q, const Vector& v, Vector& w) {
    for (std::size_t i = 0; i < 3; ++i) {
      w(i) = 4. * q(i);
      w(3 + i) = 2. * q(4 + i) + 0.1 * v(3 + i);
    }
  };
  const auto byQ = [](double, const Vector&, const Vector&, Matrix& J) {
    for (std::size_t i = 0; i < 3; ++i) J(i, i) = 4., J(3 + i, 4 + i) = 2.;
  };
  const auto byV = [](double, const Vector&, const Vector&, Matrix& J) {
    for (std::size_t i = 0; i < 3; ++i) J(3 + i, 3 + i) = 0.1;
  };
  system->setInternalForces(withJacobians(wrench, byQ, byV));
  expectJacobiansOfForces(*system, 0., differenceTolerance);
  EXPECT_NO_THROW(system->checkJacobians(0., {}));
  system->setInternalForces(withJacobians(wrench, byQ, [](double, const Vector&, const Vector&, Matrix&) {}));
  expectError([&] { system->checkJacobians(0., {}); }, {"'rotor'", "with respect to v", "(3, 3)", "0.1"});
  system->setInternalForces(withJacobians(
      wrench, [](double, const Vector&, const Vector&, Matrix&) {}, byV));
  expectError([&] { system->checkJacobians(0., {}); }, {"'rotor'", "with respect to q", "(0, 0)", "4"});
}

TEST(NewtonEulerDS, BothUpdatesMoveAlongTheTwist) {
  const auto system = body();
  const Vector q = system->q();
  const Vector displacement = makeVector({0.1, 0.2, -0.3, 0.4, -0.2, 0.1});
  const Quaternion p{q(3), q(4), q(5), q(6)};
  Vector moved(7);
  system->move(q, displacement, moved);
  const Quaternion exact = rotations::product(p, rotations::exponential({0.4, -0.2, 0.1}));
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(moved(i), q(i) + displacement(i));
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(moved(3 + i), exact[i], 2. * epsilon);

  system->setConfigurationUpdate(ConfigurationUpdate::normalised);
  EXPECT_EQ(system->configurationUpdate(), ConfigurationUpdate::normalised);
  system->move(q, displacement, moved);
  const Matrix43 T = rotations::rates(p);
  Quaternion straight = p;
  for (std::size_t i = 0; i < 4; ++i) straight[i] += 0.4 * T[i] - 0.2 * T[4 + i] + 0.1 * T[8 + i];
  straight = rotations::normalised(straight);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(moved(3 + i), straight[i], 2. * epsilon);
  // It turns about the same axis by 2 atan(θ/2) in place of θ: θ³/12 less.
  const Vector3 turn = rotations::logarithm(rotations::product(rotations::conjugate(p), straight));
  const double theta = std::sqrt(0.16 + 0.04 + 0.01);
  EXPECT_NEAR(norm(turn), 2. * std::atan(0.5 * theta), 4. * epsilon);
  EXPECT_NEAR(norm(cross(turn, {0.4, -0.2, 0.1})), 0., 4. * epsilon);
  // Large turns that pass −p are no trouble: the norm is at least 1 before it is divided out.
  system->move(q, makeVector({0., 0., 0., 1e3, 0., 0.}), moved);
  EXPECT_NEAR(rotations::norm({moved(3), moved(4), moved(5), moved(6)}), 1., 4. * epsilon);
}

TEST(NewtonEulerDS, IsLinearWhereNothingButTimeDrivesABall) {
  NewtonEulerDS ball(somewhere(), someTwist(), 2., NewtonEulerDS::ballInertia(2., 0.5));
  EXPECT_TRUE(ball.isLinear());
  EXPECT_TRUE(ball.hasConstantMass());
  ball.setExternalForces(makeVector({0., 0., -9.81}));
  ball.setExternalMoments([](double t, Vector& M) { M(0) = t; });
  EXPECT_TRUE(ball.isLinear());
  ball.setInertialExternalMoments(makeVector({1., 0., 0.}));
  EXPECT_FALSE(ball.isLinear());
  EXPECT_FALSE(body()->isLinear());
  NewtonEulerDS spring(somewhere(), someTwist(), 2., NewtonEulerDS::ballInertia(2., 0.5));
  spring.setInternalForces(automatic(someWrench));
  EXPECT_FALSE(spring.isLinear());
}

TEST(NewtonEulerDS, ReportsEnergyMomentumAndVelocitiesInTheirFrames) {
  const auto system = body();
  const Vector3 Omega{0.8, -1.5, 2.2};
  double energy = 0.5 * 1.7 * (1. + 4. + 0.25);
  Vector3 L{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      energy += 0.5 * Omega[i] * inertia(i, j) * Omega[j];
      L[i] += inertia(i, j) * Omega[j];
    }
  }
  EXPECT_NEAR(system->kineticEnergy(), energy, 1e-14);
  const Matrix3 R = system->rotation();
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(system->angularMomentum()[i], multiply(R, L)[i], 1e-14);
    EXPECT_NEAR(system->inertialAngularVelocity()[i], multiply(R, Omega)[i], 1e-14);
    EXPECT_EQ(system->angularVelocity()[i], Omega[i]);
  }
  EXPECT_EQ(system->position(), (Vector3{0.3, -1., 2.}));
  EXPECT_EQ(system->scalarMass(), 1.7);
}

TEST(NewtonEulerDS, HelpersHaveTheInertiaOfHomogeneousBodies) {
  // By the midpoint rule over the volume, of order 2 in the cell: 60 cells across leave 3e-4.
  const auto integrated = [](double lx, double ly, double lz, auto inside) {
    const int n = 60;
    double volume = 0., xx = 0., yy = 0., zz = 0.;
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        for (int k = 0; k < n; ++k) {
          const double x = lx * ((i + 0.5) / n - 0.5), y = ly * ((j + 0.5) / n - 0.5), z = lz * ((k + 0.5) / n - 0.5);
          if (!inside(x, y, z)) continue;
          volume += 1., xx += x * x, yy += y * y, zz += z * z;
        }
      }
    }
    return diagonalMatrix({3. * (yy + zz) / volume, 3. * (xx + zz) / volume, 3. * (xx + yy) / volume});
  };
  expectNear(NewtonEulerDS::boxInertia(3., 1., 2., 3.),
             integrated(1., 2., 3., [](double, double, double) { return true; }), 2e-3);
  expectNear(NewtonEulerDS::ballInertia(3., 0.5),
             integrated(1., 1., 1., [](double x, double y, double z) { return x * x + y * y + z * z < 0.25; }), 2e-3);
  expectNear(NewtonEulerDS::cylinderInertia(3., 0.5, 2.),
             integrated(1., 1., 2., [](double x, double y, double) { return x * x + y * y < 0.25; }), 2e-3);
}

TEST(NewtonEulerDS, PassesParametersZToFunctionsThatWantThem) {
  const auto system = body();
  system->setZ(makeVector({7.}));
  system->setExternalForces([](double, const Vector& z, Vector& f) { f(0) = z(0); });
  Vector force(6);
  system->forces(0., system->q(), system->velocity(), force);
  EXPECT_EQ(force(0), 7.);
  system->setZ(makeVector({-1.}));
  system->forces(0., system->q(), system->velocity(), force);
  EXPECT_EQ(force(0), -1.);
  expectError([&] { system->setZ(makeVector({nan})); }, {"'rotor'", "parameters z", "nan"});
}

// T, its metric and the constraint that a projection in coordinates uses.
TEST(NewtonEulerDS, GivesItsRatesAndTheConstraintOfItsQuaternion) {
  const Vector twist = makeVector({0.3, -0.2, 0.5, 0.7, -0.4, 0.6});
  const NewtonEulerDS body(NewtonEulerDS::at({1., 2., 3.}, {1., -2., 0.5, 0.3}), Vector(6), 1.,
                           NewtonEulerDS::ballInertia(1., 1.));
  Matrix T;
  body.rates(body.q(), T);
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t j = 0; j < 6; ++j) {
      double sum = 0.;
      for (std::size_t k = 0; k < 7; ++k) sum += T(k, i) * T(k, j);
      EXPECT_NEAR(sum * body.inverseRateMetric(i), i == j ? 1. : 0., 4. * epsilon);
    }
  }
  // T v is the derivative of the motion along v.
  const double small = 1e-6;
  Vector moved = body.q();
  body.move(body.q(), Vector(small * twist), moved);
  for (std::size_t k = 0; k < 7; ++k) {
    double rate = 0.;
    for (std::size_t i = 0; i < 6; ++i) rate += T(k, i) * twist(i);
    EXPECT_NEAR((moved(k) - body.q()(k)) / small, rate, 1e-6);  // differences of that step are known to that
  }
  Vector q = body.q();
  for (std::size_t i = 3; i < 7; ++i) q(i) *= 1.5;
  Vector gradient;
  EXPECT_NEAR(body.configurationConstraint(0, q, gradient), 0.5, 4. * epsilon);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(gradient(i), 0.);
  for (std::size_t i = 3; i < 7; ++i) EXPECT_NEAR(gradient(i), body.q()(i), 2. * epsilon);
  body.normalise(q);
  for (std::size_t k = 0; k < 7; ++k) EXPECT_NEAR(q(k), body.q()(k), 4. * epsilon);
}

}  // namespace
