// SPDX-License-Identifier: Apache-2.0
//
// Bodies that turn freely, or under a moment, against closed forms: orders of the schemes, and what they keep.
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/numeric/odeint.hpp>
#include <cmath>
#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/problems/LCP.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <delassus/kernel/systems/NewtonEulerDS.hpp>
#include <delassus/numerics/functions/Automatic.hpp>
#include <functional>
#include <intermediate_axis/FreeRotation.hpp>
#include <support/Matchers.hpp>
#include <validation/Convergence.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

constexpr auto exponential = ConfigurationUpdate::exponential;
constexpr auto normalised = ConfigurationUpdate::normalised;

MoreauJeanOptions theta(double value) {
  return {value, 0.5, {}, {}};
}
const MoreauJeanOptions semiExplicit{0.5, 0.5, 0., 0.};  // as MoreauJeanOSI::semiExplicit()

double angleBetween(const Quaternion& p, const Quaternion& q) {
  return norm(rotations::logarithm(rotations::product(rotations::conjugate(p), q)));
}

// An asymmetric body whose frame is not that of its principal axes.
const Vector3 moments{1., 2., 2.7};
const Vector3 principalOmega{0.9, 0.7, 1.1};
const Quaternion frame = rotations::normalised({0.6, -0.2, 0.5, 0.3});  // from principal axes to the body's frame
const Quaternion start = rotations::normalised({0.1, 0.7, -0.4, 0.5});

Matrix turnedInertia() {
  const Matrix3 Q = rotations::rotationMatrix(frame);
  Matrix inertia(3, 3);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      for (std::size_t k = 0; k < 3; ++k) inertia(i, j) += Q[i + 3 * k] * moments[k] * Q[j + 3 * k];
    }
  }
  return inertia;
}

Vector twist(const Vector3& Omega) {
  return makeVector({0., 0., 0., Omega[0], Omega[1], Omega[2]});
}

std::shared_ptr<NewtonEulerDS> freeBody(ConfigurationUpdate update) {
  const Vector q0 = NewtonEulerDS::at({0., 0., 0.}, rotations::product(start, rotations::conjugate(frame)));
  const Vector v0 = twist(rotations::rotate(frame, principalOmega));
  auto body = std::make_shared<NewtonEulerDS>(q0, v0, 1., turnedInertia());
  body->setConfigurationUpdate(update);
  return body;
}

// Runs `body` alone, with `afterStep` called with the time.
void run(const std::shared_ptr<NewtonEulerDS>& body, const MoreauJeanOptions& scheme, double h, double T,
         const std::function<void(double)>& afterStep) {
  NonSmoothDynamicalSystem model(0., T);
  model.insert(body);
  TimeStepping simulation(model, TimeDiscretisation(0., h), MoreauJeanOSI(scheme), LCP());
  simulation.run([&] { afterStep(simulation.time()); });
}

struct Errors {
  std::vector<double> velocity, orientation;
};

struct Reference {
  std::function<Vector3(double)> velocity;
  std::function<Quaternion(double)> orientation;
};

const std::vector<double> steps{0.04, 0.02, 0.01, 0.005};

// Largest errors up to T for each of `steps`.
Errors errorsOf(const std::function<std::shared_ptr<NewtonEulerDS>()>& make, const MoreauJeanOptions& scheme, double T,
                const Reference& reference) {
  Errors errors;
  for (const double h : steps) {
    const auto body = make();
    double velocity = 0., orientation = 0.;
    run(body, scheme, h, T, [&](double t) {
      velocity = std::max(velocity, norm(body->angularVelocity() - reference.velocity(t)));
      orientation = std::max(orientation, angleBetween(body->orientation(), reference.orientation(t)));
    });
    errors.velocity.push_back(velocity);
    errors.orientation.push_back(orientation);
  }
  return errors;
}

void expectOrder(const char* title, const Errors& errors, double order, double largestLast) {
  std::printf("%s\n", title);
  EXPECT_NEAR(observedOrder("angular velocity", steps, errors.velocity), order, 0.1);
  EXPECT_NEAR(observedOrder("orientation", steps, errors.orientation), order, 0.1);
  EXPECT_LT(errors.orientation.back(), largestLast);
}

TEST(FreeRotation, ClosedFormSatisfiesEulersEquations) {
  const double h = 1e-4;  // central differences: h² of truncation
  for (const Vector3& Omega0 : {principalOmega, Vector3{1.4, 0.3, 0.1}, Vector3{-0.5, 0.8, -1.3},
                                Vector3{-1., -0.3, 0.2}, Vector3{0.01, 1., 0.02}, Vector3{0.02, -1., -0.01}}) {
    const FreeRotation exact(moments, Omega0, start);
    expectNear(twist(exact.angularVelocity(0.)), twist(Omega0), 1e-14);
    EXPECT_NEAR(angleBetween(exact.orientation(0.), start), 0., 1e-14);
    const auto body = [&](double t) {
      const Vector3 Omega = exact.angularVelocity(t);
      return Vector3{moments[0] * Omega[0], moments[1] * Omega[1], moments[2] * Omega[2]};
    };
    const Vector3 momentum = rotations::rotate(start, body(0.));
    for (const double t : {0.3, 1.7, 6.1, 23.5, 111.}) {
      const Vector3 Omega = exact.angularVelocity(t), L = body(t);
      const Vector3 rate = 0.5 / h * (body(t + h) - body(t - h));
      const Vector3 turn = rotations::logarithm(
          rotations::product(rotations::conjugate(exact.orientation(t - h)), exact.orientation(t + h)));
      for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_NEAR(rate[i], -cross(Omega, L)[i], 1e-7);
        EXPECT_NEAR(turn[i] / (2. * h), Omega[i], 1e-7);
        EXPECT_NEAR(rotations::rotate(exact.orientation(t), L)[i], momentum[i], 1e-12);
      }
      const Vector3 later = exact.angularVelocity(t + exact.period());
      for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(later[i], Omega[i], 1e-11);
    }
  }
}

// The moment −Ω × IΩ at the mean Ω of a step does no work.
TEST(FreeRotation, KeepsItsEnergyToRounding) {
  for (const double h : {0.2, 0.02}) {
    const auto body = freeBody(exponential);
    const double energy = body->kineticEnergy();
    double change = 0.;
    run(body, theta(0.5), h, 20., [&](double) { change = std::max(change, std::abs(body->kineticEnergy() - energy)); });
    EXPECT_LE(change, 1e-9 * energy) << h;  // Newton's loop ends at 1e-10
  }
}

Errors freeErrors(const MoreauJeanOptions& scheme, ConfigurationUpdate update) {
  const FreeRotation exact(moments, principalOmega, start);
  return errorsOf([&] { return freeBody(update); }, scheme, 20.,
                  {[&](double t) { return rotations::rotate(frame, exact.angularVelocity(t)); },
                   [&](double t) { return rotations::product(exact.orientation(t), rotations::conjugate(frame)); }});
}

TEST(FreeRotation, ThetaOneHalfIsOfOrderTwoWithBothUpdates) {
  expectOrder("theta = 1/2, exponential", freeErrors(theta(0.5), exponential), 2., 1e-3);
  expectOrder("theta = 1/2, normalised", freeErrors(theta(0.5), normalised), 2., 1e-3);
}

TEST(FreeRotation, ThetaOneIsOfOrderOneAndTheSemiExplicitSchemeOfOrderTwo) {
  expectOrder("theta = 1, exponential", freeErrors(theta(1.), exponential), 1., 0.5);
  expectOrder("theta = 1, normalised", freeErrors(theta(1.), normalised), 1., 0.5);
  expectOrder("semi-explicit, exponential", freeErrors(semiExplicit, exponential), 2., 0.01);
  expectOrder("semi-explicit, normalised", freeErrors(semiExplicit, normalised), 2., 0.05);
}

struct Drift {
  double energy = 0.;     // relative
  double size = 0.;       // of the angular momentum, relative
  double direction = 0.;  // of the angular momentum in the inertial frame, rad
};

// Largest deviations from the start in each of `parts` of n steps.
std::vector<Drift> driftsOf(const MoreauJeanOptions& scheme, double h, std::size_t n, std::size_t parts,
                            double* worstNorm) {
  const auto body = freeBody(exponential);
  const double energy = body->kineticEnergy();
  const Vector3 L0 = body->angularMomentum();
  std::vector<Drift> drifts(parts);
  std::size_t k = 0;
  run(body, scheme, h, h * static_cast<double>(n), [&](double) {
    Drift& drift = drifts[std::min(parts - 1, k++ * parts / n)];
    const Vector3 L = body->angularMomentum();
    drift.energy = std::max(drift.energy, std::abs(body->kineticEnergy() / energy - 1.));
    drift.size = std::max(drift.size, std::abs(norm(L) / norm(L0) - 1.));
    drift.direction = std::max(drift.direction, norm(cross(L, L0)) / dot(L0, L0));
    if (worstNorm != nullptr) *worstNorm = std::max(*worstNorm, std::abs(rotations::norm(body->orientation()) - 1.));
  });
  for (const Drift& drift : drifts) {
    std::printf("  energy %.3e, size of L %.3e, direction of L %.3e\n", drift.energy, drift.size, drift.direction);
  }
  return drifts;
}

TEST(FreeRotation, AMillionStepsKeepTheNormOfTheQuaternionAndLoseNoEnergy) {
  double worstNorm = 0.;
  const double h = 0.01;
  const auto drifts = driftsOf(theta(0.5), h, 1000000, 10, &worstNorm);
  std::printf("norm of the quaternion: %.3e from 1\n", worstNorm);
  EXPECT_LT(worstNorm, 1e-14);
  // The midpoint rule keeps the quadratic energy and ‖IΩ‖². (Newton's tolerance leaves 1e-10 a step at most, and far
  // less at its quadratic end.)
  EXPECT_LT(drifts.back().energy, 1e-9);
  EXPECT_LT(drifts.back().size, 1e-9);
}

TEST(FreeRotation, DriftsAreAsSmallAsTheOrderOfTheScheme) {
  // Over a hundred turns or so; halving h must divide what is of order 2 by four, and of order 1 by two.
  for (const auto& [title, scheme, factor] :
       {std::tuple("theta = 1/2", theta(0.5), 4.), std::tuple("theta = 1", theta(1.), 2.),
        std::tuple("semi-explicit", semiExplicit, 4.)}) {
    std::printf("%s, h = 0.002 and 0.001 to t = 100\n", title);
    const Drift coarse = driftsOf(scheme, 0.002, 50000, 1, nullptr).front();
    const Drift fine = driftsOf(scheme, 0.001, 100000, 1, nullptr).front();
    if (factor < 4.) {
      EXPECT_NEAR(coarse.energy / fine.energy, factor, 0.15 * factor) << title;
      EXPECT_NEAR(coarse.size / fine.size, factor, 0.15 * factor) << title;
    } else {  // both are kept
      EXPECT_LT(std::max(coarse.energy, coarse.size), 1e-10) << title;
    }
    EXPECT_NEAR(coarse.direction / fine.direction, factor, 0.15 * factor) << title;
  }
}

// A symmetric body with a magnetic moment along its axis in a uniform field, or a heavy top held at a point of its
// axis: M = −s e₃ × Rᵀe_z. The steady precession at rate Φ under the angle θ has s = C ω₃ Φ − A Φ² cos θ.
struct Top {
  double A = 1.2, C = 0.8, angle = 0.7, precession = 0.9, spin = 3.;
  double axial() const { return spin + precession * std::cos(angle); }
  double strength() const { return precession * (C * axial() - A * precession * std::cos(angle)); }

  Vector3 velocity(double t) const {
    const double across = precession * std::sin(angle);
    return {across * std::sin(spin * t), across * std::cos(spin * t), axial()};
  }
  Quaternion orientation(double t) const {
    using rotations::exponential;
    return rotations::product(exponential({0., 0., precession * t}),
                              rotations::product(exponential({angle, 0., 0.}), exponential({0., 0., spin * t})));
  }
  std::shared_ptr<NewtonEulerDS> make(ConfigurationUpdate update) const {
    auto body = std::make_shared<NewtonEulerDS>(NewtonEulerDS::at({0., 0., 0.}, orientation(0.)), twist(velocity(0.)),
                                                1., diagonalMatrix({A, A, C}));
    body->setConfigurationUpdate(update);
    body->setInternalForces(automatic([s = strength()](const auto&, const auto& q, const auto&, auto& wrench) {
      // Rᵀe_z is the third row of R.
      wrench(3) = -2. * s * (q(5) * q(6) + q(4) * q(3));
      wrench(4) = 2. * s * (q(4) * q(6) - q(5) * q(3));
    }));
    return body;
  }
};

TEST(MagneticTop, SteadyPrecessionHasTheOrderOfTheScheme) {
  const Top top;
  const Reference exact{[&](double t) { return top.velocity(t); }, [&](double t) { return top.orientation(t); }};
  const auto errors = [&](const MoreauJeanOptions& scheme, ConfigurationUpdate update) {
    return errorsOf([&] { return top.make(update); }, scheme, 5., exact);
  };
  expectOrder("top, theta = 1/2, exponential", errors(theta(0.5), exponential), 2., 1e-3);
  expectOrder("top, theta = 1/2, normalised", errors(theta(0.5), normalised), 2., 1e-3);
  expectOrder("top, theta = 1", errors(theta(1.), exponential), 1., 0.5);
  expectOrder("top, semi-explicit", errors(semiExplicit, exponential), 1., 0.5);
}

// A symmetric body under a moment that turns in the inertial frame, with an accurate integration as reference.
class TurningMoment {
 public:
  static Vector3 moment(double t) { return {0.8 * std::cos(1.3 * t), 0.8 * std::sin(1.3 * t), 0.3}; }

  static std::shared_ptr<NewtonEulerDS> make() {
    auto body = std::make_shared<NewtonEulerDS>(NewtonEulerDS::at({0., 0., 0.}, start), twist(omega0), 1.,
                                                diagonalMatrix({1.2, 1.2, 0.8}));
    body->setInertialExternalMoments([](double t, Vector& m) {
      for (std::size_t i = 0; i < 3; ++i) m(i) = moment(t)[i];
    });
    return body;
  }

  // At multiples of the smallest of `steps`, by twenty steps of order 4 each: to 1e-13 or so.
  explicit TurningMoment(double T) {
    using State = std::array<double, 7>;
    namespace ode = boost::numeric::odeint;
    State x{start[0], start[1], start[2], start[3], omega0[0], omega0[1], omega0[2]};
    const auto count = static_cast<std::size_t>(std::lround(T / steps.back()));
    const auto rates = [](const State& s, State& rate, double t) {
      const Quaternion p{s[0], s[1], s[2], s[3]};
      const Vector3 Omega{s[4], s[5], s[6]}, I{1.2, 1.2, 0.8};
      const Matrix43 turn = rotations::rates(p);
      for (std::size_t i = 0; i < 4; ++i) {
        rate[i] = turn[i] * Omega[0] + turn[4 + i] * Omega[1] + turn[8 + i] * Omega[2];
      }
      const Vector3 L{I[0] * Omega[0], I[1] * Omega[1], I[2] * Omega[2]};
      const Vector3 M = multiplyTransposed(rotations::rotationMatrix(p), moment(t)) - cross(Omega, L);
      for (std::size_t i = 0; i < 3; ++i) rate[4 + i] = M[i] / I[i];
    };
    ode::runge_kutta4<State> stepper;
    constexpr std::size_t within = 20;
    const double h = steps.back() / static_cast<double>(within);
    states_.push_back(x);
    for (std::size_t k = 0; k < count * within; ++k) {
      stepper.do_step(rates, x, static_cast<double>(k) * h, h);
      if (k % within == within - 1) states_.push_back(x);
    }
  }

  Vector3 velocity(double t) const { return {at(t)[4], at(t)[5], at(t)[6]}; }
  Quaternion orientation(double t) const { return rotations::normalised({at(t)[0], at(t)[1], at(t)[2], at(t)[3]}); }

 private:
  static constexpr Vector3 omega0{0.4, -0.9, 2.5};
  const std::array<double, 7>& at(double t) const {
    return states_[static_cast<std::size_t>(std::lround(t / steps.back()))];
  }
  std::vector<std::array<double, 7>> states_;
};

TEST(InertialMoment, ATurningOneHasTheOrderOfTheScheme) {
  const double T = 6.;
  const TurningMoment reference(T);
  const Reference exact{[&](double t) { return reference.velocity(t); },
                        [&](double t) { return reference.orientation(t); }};
  expectOrder("moment, theta = 1/2", errorsOf(TurningMoment::make, theta(0.5), T, exact), 2., 1e-3);
  expectOrder("moment, theta = 1", errorsOf(TurningMoment::make, theta(1.), T, exact), 1., 0.5);
  expectOrder("moment, semi-explicit", errorsOf(TurningMoment::make, semiExplicit, T, exact), 1., 0.5);
}

}  // namespace
