// SPDX-License-Identifier: Apache-2.0
//
// Mechanisms of rigid bodies and joints against closed forms and models in minimal coordinates.
#include <gtest/gtest.h>

#include <boost/math/special_functions/jacobi_elliptic.hpp>
#include <cmath>
#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/laws/EqualityConditionNSL.hpp>
#include <delassus/kernel/laws/NewtonImpactNSL.hpp>
#include <delassus/kernel/laws/RelayNSL.hpp>
#include <delassus/kernel/problems/GenericMechanical.hpp>
#include <delassus/kernel/problems/MLCP.hpp>
#include <delassus/kernel/problems/Relay.hpp>
#include <delassus/kernel/relations/PrescribedMotionR.hpp>
#include <delassus/kernel/relations/joints/PivotJointR.hpp>
#include <delassus/kernel/relations/joints/PrismaticJointR.hpp>
#include <delassus/kernel/relations/joints/SphericalJointR.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <delassus/kernel/systems/LagrangianDS.hpp>
#include <delassus/numerics/functions/Automatic.hpp>
#include <delassus/numerics/methods/LeastNormSolver.hpp>
#include <numbers>
#include <support/Linkages.hpp>

#include "Convergence.hpp"

namespace {

using namespace delassus;
using namespace delassus::test;

constexpr double g = 9.81;
const Vector3 axisY{0., 1., 0.};

struct Scheme {
  const char* name;
  MoreauJeanOSI (*integrator)();
  double order;    // expected, less what is not yet asymptotic
  double largest;  // error, for bounds that are a few times what was measured
};

std::vector<Scheme> schemes() {
  return {{"theta = 1/2", [] { return MoreauJeanOSI(0.5); }, 1.7, 1e-4},
          {"theta = 1", [] { return MoreauJeanOSI(1.); }, 0.9, 0.1},
          {"semi-explicit", [] { return MoreauJeanOSI::semiExplicit(); }, 0.9, 0.1}};
}

template <class Joint>
std::shared_ptr<Interaction> closed(Joint joint) {
  const std::size_t size = joint.size();
  return std::make_shared<Interaction>(EqualityConditionNSL(size), std::move(joint));
}

// Of a rod from −z towards x.
double hangingAngle(const NewtonEulerDS& rod) {
  const Vector3 along = column(rod.rotation(), 2);
  return std::atan2(along[0], -along[2]);
}

Vector3 hanging(double length, double angle) {
  return {length * std::sin(angle), 0., -length * std::cos(angle)};
}

double momentAboutEnd(const NewtonEulerDS& rod, double length) {
  return rod.inertia()(1, 1) + 0.25 * rod.scalarMass() * length * length;
}

// A rod on a pivot in the world, released at rest.
struct PhysicalPendulum {
  static constexpr double length = 0.8;

  PhysicalPendulum(double angle, double end) : model(0., end) {
    rod = makeRod({0., 0., 0.}, hanging(length, angle), 1.5, g);
    joint = closed(PivotJointR::at({0., 0., 0.}, axisY, rod->q()));
    model.insert(rod);
    model.link(joint, rod);
  }

  double frequency() const { return std::sqrt(rod->scalarMass() * g * 0.5 * length / momentAboutEnd(*rod, length)); }
  // sin(θ/2) = k cd(ω t, k), k = sin(θ₀/2).
  double exact(double angle, double t) const {
    const double k = std::sin(0.5 * angle);
    return 2. * std::asin(k * boost::math::jacobi_cd(k, frequency() * t));
  }
  double gap() const { return norm2(joint->y(0)); }

  static double norm2(const Vector& v) {
    double sum = 0.;
    for (const double x : v.data()) sum += x * x;
    return std::sqrt(sum);
  }

  NonSmoothDynamicalSystem model;
  std::shared_ptr<NewtonEulerDS> rod;
  std::shared_ptr<Interaction> joint;
};

TEST(PhysicalPendulum, FollowsTheEllipticFunction) {
  // Of order 1 where equations act on the rate at the end of the step, as an impact would: each takes p²/(2 m) then.
  const double start = 2.;
  const std::vector<double> steps{4e-3, 2e-3, 1e-3, 5e-4};
  for (const Scheme& scheme : schemes()) {
    std::vector<double> errors, drifts;
    for (const double h : steps) {
      PhysicalPendulum pendulum(start, 2.);
      TimeStepping simulation(pendulum.model, TimeDiscretisation(0., h), scheme.integrator(), MLCP());
      simulation.run();
      errors.push_back(std::abs(hangingAngle(*pendulum.rod) - pendulum.exact(start, 2.)));
      drifts.push_back(pendulum.gap());
    }
    const std::string title = std::string("physical pendulum, ") + scheme.name;
    EXPECT_GE(observedOrder(title.c_str(), steps, errors), scheme.order);
    EXPECT_LT(errors.back(), scheme.largest);
    EXPECT_GE(observedOrder((title + ", drift of the pivot").c_str(), steps, drifts), scheme.order);
    EXPECT_LT(drifts.back(), scheme.largest);
  }
}

TEST(PhysicalPendulum, DriftsWithOrderTwoWhereJointsAreTakenAtTheEndOfTheStep) {
  const std::vector<double> steps{4e-3, 2e-3, 1e-3, 5e-4};
  std::vector<double> errors, drifts;
  for (const double h : steps) {
    PhysicalPendulum pendulum(2., 2.);
    TimeStepping simulation(pendulum.model, TimeDiscretisation(0., h), MoreauJeanOSI(0.5, 1.), MLCP());
    simulation.run();
    errors.push_back(std::abs(hangingAngle(*pendulum.rod) - pendulum.exact(2., 2.)));
    drifts.push_back(pendulum.gap());
  }
  EXPECT_GE(observedOrder("physical pendulum, theta = 1/2, gamma = 1", steps, errors), 0.9);
  EXPECT_GE(observedOrder("physical pendulum, theta = 1/2, gamma = 1, drift", steps, drifts), 1.9);
}

TEST(PhysicalPendulum, LosesAVelocityThatDoesNotFitItsPivotInOneStep) {
  // The impulse of the pivot takes it, as a plastic impact would; it does not come back with the next steps.
  for (const Scheme& scheme : schemes()) {
    PhysicalPendulum pendulum(1., 0.02);
    pendulum.rod->setState(pendulum.rod->q(), makeVector({1., 2., -1., 0.5, 0., 3.}));
    TimeStepping simulation(pendulum.model, TimeDiscretisation(0., 1e-4), scheme.integrator(), MLCP());
    simulation.step();
    simulation.run([&] { EXPECT_LT(PhysicalPendulum::norm2(pendulum.joint->y(1)), 1e-2) << scheme.name; });
    // The rod has turned out of its plane by up to h · 3 in the first step.
    for (const std::size_t across : {1U, 3U, 5U}) {
      EXPECT_NEAR(pendulum.rod->velocity()(across), 0., 1e-3) << scheme.name;
    }
  }
}

// A heavy top: a symmetric body on a ball and socket.
TEST(HeavyTop, KeepsItsSpinAndItsMomentumAboutTheVertical) {
  const double mass = 2.;
  const double arm = 0.3;
  const double tilt = 0.6;
  for (const Scheme& scheme : schemes()) {
    std::vector<double> momentumErrors, energyErrors;
    const std::vector<double> steps{1e-3, 5e-4, 2.5e-4};
    for (const double h : steps) {
      const Quaternion p{std::cos(tilt / 2.), 0., std::sin(tilt / 2.), 0.};
      const Vector3 up = rotations::rotate(p, {0., 0., 1.});
      const auto top =
          std::make_shared<NewtonEulerDS>(NewtonEulerDS::at(arm * up, p), makeVector({0., 0., 0., 0., 0., 60.}), mass,
                                          makeMatrix({{0.02, 0., 0.}, {0., 0.02, 0.}, {0., 0., 0.03}}));
      top->setExternalForces(makeVector({0., 0., -mass * g}));
      NonSmoothDynamicalSystem model(0., 1.);
      model.insert(top);
      model.link(closed(SphericalJointR::at({0., 0., 0.}, top->q())), top);
      TimeStepping simulation(model, TimeDiscretisation(0., h), scheme.integrator(), MLCP());
      const auto momentum = [&] {
        const Vector3 v = vector3(data(top->velocity()));
        return (top->angularMomentum() + cross(top->position(), mass * v))[2];
      };
      const auto energy = [&] { return top->kineticEnergy() + mass * g * top->position()[2]; };
      const double momentum0 = momentum();
      const double energy0 = energy();
      double momentumError = 0.;
      double energyError = 0.;
      simulation.run([&] {
        momentumError = std::max(momentumError, std::abs(momentum() - momentum0));
        energyError = std::max(energyError, std::abs(energy() - energy0));
        // Neither gravity nor the joint has a moment about the body's axis, and its inertia is symmetric.
        ASSERT_NEAR(top->angularVelocity()[2], 60., 1e-9);
      });
      momentumErrors.push_back(momentumError);
      energyErrors.push_back(energyError);
    }
    const std::string title = std::string("heavy top, ") + scheme.name;
    EXPECT_GE(observedOrder((title + ", momentum").c_str(), steps, momentumErrors), scheme.order);
    EXPECT_GE(observedOrder((title + ", energy").c_str(), steps, energyErrors), scheme.order);
  }
}

TEST(PrismaticJoint, BouncesBetweenItsLimits) {
  // Down an inclined slide from s = 1 to the limit s = 0, and up again to e² of the way.
  const double incline = 0.5;
  const double e = 0.7;
  const Vector3 upwards{std::cos(incline), 0., std::sin(incline)};
  const double slope = g * std::sin(incline);
  const double hit = std::sqrt(2. / slope);
  const double top = hit + e * slope * hit / slope;
  for (const Scheme& scheme : schemes()) {
    const double h = 1e-4;
    const auto body = std::make_shared<NewtonEulerDS>(NewtonEulerDS::at(upwards), Vector(6), 3.,
                                                      NewtonEulerDS::boxInertia(3., 0.2, 0.1, 0.1));
    body->setExternalForces(makeVector({0., 0., -3. * g}));
    const PrismaticJointR slide = PrismaticJointR::at(upwards, upwards, body->q());
    const auto stop = std::make_shared<Interaction>(NewtonImpactNSL(e), slide.displacement().above(-1.));
    NonSmoothDynamicalSystem model(0., top);
    model.insert(body);
    model.link(closed(slide), body);
    model.link(stop, body);
    TimeStepping simulation(model, TimeDiscretisation(0., h), scheme.integrator(), MLCP());
    simulation.run();
    // The impact is up to a step late, and is seen up to a step away.
    const double speed = slope * hit;
    EXPECT_NEAR(stop->y(0)(0), e * e, 3. * h * speed) << scheme.name;
    EXPECT_NEAR(dot(body->position(), upwards), e * e, 3. * h * speed) << scheme.name;
    EXPECT_NEAR(body->position()[0] * upwards[2] - body->position()[2] * upwards[0], 0., 1e-12) << scheme.name;
  }
}

TEST(PivotJoint, StopsByDryFrictionAtTheAngleOfTheClosedForm) {
  // J ω₀²/(2 τ) is some 7 turns here; then it sticks.
  const double tau = 0.05;
  const double rate = 12.;
  const double h = 1e-3;
  for (const Scheme& scheme : schemes()) {
    const double length = 0.4;
    const auto rod = makeRod({-length / 2., 0., 0.}, {length / 2., 0., 0.}, 2., 0.);
    const double J = rod->inertia()(1, 1);
    rod->setState(rod->q(), makeVector({0., 0., 0., 0., rate, 0.}));
    const PivotJointR hinge = PivotJointR::at({0., 0., 0.}, axisY, rod->q());
    const auto friction = std::make_shared<Interaction>(RelayNSL(1, -tau, tau), hinge.angle());
    NonSmoothDynamicalSystem model(0., 1.5 * J * rate / tau);
    model.insert(rod);
    model.link(closed(hinge), rod);
    model.link(friction, rod);
    TimeStepping simulation(model, TimeDiscretisation(0., h), scheme.integrator(), Relay());
    simulation.step();
    EXPECT_NEAR(friction->lambda(0)(0), -tau, 1e-12) << scheme.name;
    simulation.run();
    const double exact = 0.5 * J * rate * rate / tau;
    EXPECT_GT(exact, 4. * std::numbers::pi);
    // Theta = 1 loses half a step of the first rate; the last step is a part of one.
    EXPECT_NEAR(friction->y(0)(0), exact, 0.6 * h * rate) << scheme.name;
    EXPECT_NEAR(rod->angularVelocity()[1], 0., 1e-14) << scheme.name;
  }
}

TEST(DrivenCrank, FollowsItsMotionWithTheMomentThatItNeeds) {
  const auto f = [](double t) { return 3. * t + 0.5 * std::sin(2. * t); };
  const auto rate = [](double t) { return 3. + std::cos(2. * t); };
  const double length = 0.5;
  const std::vector<double> steps{4e-3, 2e-3, 1e-3};
  for (const Scheme& scheme : schemes()) {
    std::vector<double> angleErrors, momentErrors;
    for (const double h : steps) {
      const auto crank = makeRod({0., 0., 0.}, {length, 0., 0.}, 2., g);
      crank->setState(crank->q(), makeVector({0., 0., -0.5 * length * rate(0.), 0., rate(0.), 0.}));
      const PivotJointR hinge = PivotJointR::at({0., 0., 0.}, axisY, crank->q());
      const auto drive = closed(hinge.angle().following(Motion(f, rate)));
      NonSmoothDynamicalSystem model(0., 3.);
      model.insert(crank);
      model.link(closed(hinge), crank);
      model.link(drive, crank);
      TimeStepping simulation(model, TimeDiscretisation(0., h), scheme.integrator(), MLCP());
      simulation.run();
      const double J = momentAboutEnd(*crank, length);
      const double mid = 3. - 0.5 * h;  // λ(0) is the mean of the last step
      // A positive angle turns the crank down, z = −l/2 sin f.
      const double moment = -J * 2. * std::sin(2. * mid) - 2. * g * 0.5 * length * std::cos(f(mid));
      angleErrors.push_back(std::abs(drive->y(0)(0)));
      momentErrors.push_back(std::abs(drive->lambda(0)(0) - moment));
      EXPECT_NEAR(drive->y(1)(0), 0., 2e-2) << scheme.name;
    }
    const std::string title = std::string("driven crank, ") + scheme.name;
    EXPECT_GE(observedOrder((title + ", angle").c_str(), steps, angleErrors), scheme.order);
    EXPECT_LT(angleErrors.back(), scheme.largest);
    EXPECT_GE(observedOrder((title + ", moment").c_str(), steps, momentErrors), scheme.order);
    EXPECT_LT(momentErrors.back(), scheme.largest);
  }
}

// Two rods, in absolute angles from the vertical.
std::shared_ptr<LagrangianDS> minimalDoublePendulum(double l1, double l2, double m1, double m2, double I1, double I2,
                                                    double angle1, double angle2) {
  const auto system = std::make_shared<LagrangianDS>(makeVector({angle1, angle2}), Vector(2));
  const double coupling = 0.5 * m2 * l1 * l2;
  system->setMass([=](const Vector& q, Matrix& M) {
    M(0, 0) = I1 + 0.25 * m1 * l1 * l1 + m2 * l1 * l1;
    M(1, 1) = I2 + 0.25 * m2 * l2 * l2;
    M(0, 1) = M(1, 0) = coupling * std::cos(q(0) - q(1));
  });
  system->setNNL(automatic([=](const auto& q, const auto& v, auto& N) {
    using std::sin;
    N(0) = coupling * sin(q(0) - q(1)) * v(1) * v(1);
    N(1) = -coupling * sin(q(0) - q(1)) * v(0) * v(0);
  }));
  system->setInternalForces(automatic([=](double, const auto& q, const auto&, auto& F) {
    using std::sin;
    F(0) = (0.5 * m1 + m2) * g * l1 * sin(q(0));
    F(1) = 0.5 * m2 * g * l2 * sin(q(1));
  }));
  return system;
}

TEST(DoublePendulum, ConvergesToTheModelInMinimalCoordinates) {
  const double l1 = 0.6, l2 = 0.9, m1 = 1., m2 = 2., angle1 = 1., angle2 = 0.4, end = 1.;
  const auto rods = [&] {
    const Vector3 knee = hanging(l1, angle1);
    return std::pair(makeRod({0., 0., 0.}, knee, m1, g), makeRod(knee, knee + hanging(l2, angle2), m2, g));
  };
  const auto minimal = minimalDoublePendulum(l1, l2, m1, m2, rods().first->inertia()(1, 1),
                                             rods().second->inertia()(1, 1), angle1, angle2);
  NonSmoothDynamicalSystem reference(0., end);
  reference.insert(minimal);
  TimeStepping(reference, TimeDiscretisation(0., 1e-4), MoreauJeanOSI(0.5), MLCP()).run();

  const std::vector<double> steps{4e-3, 2e-3, 1e-3, 5e-4};
  for (const Scheme& scheme : schemes()) {
    std::vector<double> errors;
    for (const double h : steps) {
      const auto [upper, lower] = rods();
      const Vector3 knee = hanging(l1, angle1);
      NonSmoothDynamicalSystem model(0., end);
      model.insert(upper);
      model.insert(lower);
      model.link(closed(PivotJointR::at({0., 0., 0.}, axisY, upper->q())), upper);
      model.link(closed(PivotJointR::at(knee, axisY, lower->q(), upper->q())), lower, upper);
      TimeStepping simulation(model, TimeDiscretisation(0., h), scheme.integrator(), MLCP());
      simulation.run();
      errors.push_back(std::hypot(hangingAngle(*upper) - minimal->q()(0), hangingAngle(*lower) - minimal->q()(1)));
    }
    EXPECT_GE(observedOrder((std::string("double pendulum, ") + scheme.name).c_str(), steps, errors), scheme.order);
    EXPECT_LT(errors.back(), scheme.largest);
  }
}

// φ at the end, by Runge–Kutta on φ̇ = sqrt(2 (E − V(φ))/J(φ)).
double minimalFourBar(double angle, double rate, double gravity, double end) {
  const auto start = SpatialFourBar::at(angle, gravity);
  const double energy = 0.5 * start.inertia * rate * rate + start.potential;
  const auto speed = [&](double phi) {
    const auto position = SpatialFourBar::at(phi, gravity);
    return std::sqrt(2. * (energy - position.potential) / position.inertia);
  };
  const int steps = 4000;
  const double h = end / steps;
  double phi = angle;
  for (int k = 0; k < steps; ++k) {
    const double k1 = speed(phi);
    const double k2 = speed(phi + 0.5 * h * k1);
    const double k3 = speed(phi + 0.5 * h * k2);
    const double k4 = speed(phi + h * k3);
    phi += h / 6. * (k1 + 2. * k2 + 2. * k3 + k4);
  }
  return phi;
}

template <class Problem>
double fourBarError(MoreauJeanOSI scheme, double h, Problem problem) {
  const double end = 0.5;
  SpatialFourBar fourBar(0.5, 8., g, end);
  TimeStepping simulation(fourBar.model, TimeDiscretisation(0., h), std::move(scheme), std::move(problem));
  simulation.run();
  return std::abs(std::remainder(fourBar.crankAngle() - minimalFourBar(0.5, 8., g, end), 2. * std::numbers::pi));
}

TEST(FourBar, WithRedundantPivotsMovesAsInMinimalCoordinates) {
  const std::vector<double> steps{2e-3, 1e-3, 5e-4};
  for (const Scheme& scheme : schemes()) {
    std::vector<double> relay, mlcp;
    for (const double h : steps) {
      relay.push_back(fourBarError(scheme.integrator(), h, Relay()));
      mlcp.push_back(fourBarError(scheme.integrator(), h, MLCP()));
      EXPECT_NEAR(fourBarError(scheme.integrator(), h, GenericMechanical()), mlcp.back(), 1e-6) << scheme.name;
      // Reactions are not unique, the motion is: to the tolerance of the solvers over a thousand steps.
      EXPECT_NEAR(relay.back(), mlcp.back(), 1e-6) << scheme.name;
    }
    EXPECT_GE(observedOrder((std::string("four-bar, ") + scheme.name).c_str(), steps, mlcp), scheme.order);
    EXPECT_LT(mlcp.back(), scheme.largest);
  }
}

TEST(FourBar, HasTheReactionsOfLeastNormWhereAskedFor) {
  // In the plane; the redundant reactions across it are zero then.
  SpatialFourBar fourBar(0.5, 8., g, 0.05);
  TimeStepping simulation(fourBar.model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI::semiExplicit(),
                          MLCP(numerics::LeastNormSolver()));
  simulation.run();
  for (const auto& joint : fourBar.joints) {
    EXPECT_NEAR(joint->lambda(0)(0), 0., 1e-9);  // along the axis, of some 100 N
    EXPECT_NEAR(joint->lambda(0)(3), 0., 1e-9);
    EXPECT_NEAR(joint->lambda(0)(4), 0., 1e-9);
  }
}

TEST(SliderCrank, WithRedundantJointsTurnsByTheConservationOfEnergy) {
  const double angle = 0.7;
  const double rate = 10.;
  const std::vector<double> steps{5e-4, 2.5e-4, 1.25e-4};
  for (const Scheme& scheme : schemes()) {
    std::vector<double> errors;
    for (const double h : steps) {
      SpatialSliderCrank mechanism(angle, rate, 0.5);
      const double energy = 0.5 * sliderCrankInertia(angle) * rate * rate;
      EXPECT_NEAR(mechanism.energy(), energy, 1e-12 * energy);
      TimeStepping simulation(mechanism.model, TimeDiscretisation(0., h), scheme.integrator(), MLCP());
      simulation.run();
      errors.push_back(std::abs(mechanism.crankRate() - rate * std::sqrt(sliderCrankInertia(angle) /
                                                                         sliderCrankInertia(mechanism.crankAngle()))));
    }
    EXPECT_GE(observedOrder((std::string("slider-crank, ") + scheme.name).c_str(), steps, errors), scheme.order);
  }
}

TEST(PrescribedMotion, DrivesOneComponentOfABodyAndOfALagrangianSystem) {
  // A support that shakes: the force on it is m a, mean over the step.
  const Motion shake([](double t) { return 0.1 * std::sin(5. * t); }, [](double t) { return 0.5 * std::cos(5. * t); });
  const double h = 1e-3;
  const auto body = std::make_shared<NewtonEulerDS>(
      NewtonEulerDS::at({0., 0., 0.}), makeVector({0.5, 0., 0., 0., 0., 2.}), 2., NewtonEulerDS::ballInertia(2., 0.1));
  const auto mass = std::make_shared<LagrangianDS>(makeVector({0., 0.}), makeVector({0.5, 1.}), 2. * identityMatrix(2));
  const auto onBody = closed(PrescribedMotionR::ofPosition(0, shake));
  const auto onMass = closed(PrescribedMotionR::ofPosition(0, shake));
  const auto spin = closed(PrescribedMotionR::ofVelocity(5, [](double t) { return 2. + 3. * t; }));
  NonSmoothDynamicalSystem model(0., 1.);
  model.insert(body);
  model.insert(mass);
  model.link(onBody, body);
  model.link(onMass, mass);
  model.link(spin, body);
  TimeStepping simulation(model, TimeDiscretisation(0., h), MoreauJeanOSI(0.5), MLCP());
  simulation.run();
  const double force = -2. * 2.5 * std::sin(5. * (1. - 0.5 * h));
  EXPECT_NEAR(onBody->lambda(0)(0), force, 2. * 2.5 * 25. * h * h);
  EXPECT_NEAR(onMass->lambda(0)(0), force, 2. * 2.5 * 25. * h * h);
  // The trapezoidal rule: 0.5 · 25 h²/12 a unit of time.
  EXPECT_NEAR(onBody->y(0)(0), 0., 2. * h * h);
  EXPECT_NEAR(mass->q()(1), 1., 1e-12);
  EXPECT_NEAR(spin->lambda(0)(0), 3. * body->inertia()(2, 2), 1e-10);
  EXPECT_NEAR(body->angularVelocity()[2], 5., 1e-12);
}

}  // namespace
