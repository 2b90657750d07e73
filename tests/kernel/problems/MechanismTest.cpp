// SPDX-License-Identifier: Apache-2.0
//
// Joints, dry friction, limits and contacts with friction in one mechanism. The laws are checked from configurations,
// velocities and multipliers alone, with kinematics that are written here.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <delassus/kernel/contacts/PointsPlane.hpp>
#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/laws/EqualityConditionNSL.hpp>
#include <delassus/kernel/laws/NewtonImpactFrictionNSL.hpp>
#include <delassus/kernel/laws/NewtonImpactNSL.hpp>
#include <delassus/kernel/laws/RelayNSL.hpp>
#include <delassus/kernel/problems/GenericMechanical.hpp>
#include <delassus/kernel/problems/GlobalMechanical.hpp>
#include <delassus/kernel/relations/NewtonEulerContactR.hpp>
#include <delassus/kernel/relations/joints/PivotJointR.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <delassus/kernel/systems/NewtonEulerDS.hpp>
#include <delassus/numerics/methods/AdmmSolver.hpp>
#include <memory>
#include <support/Matchers.hpp>
#include <vector>

namespace {

using namespace delassus;
using namespace delassus::test;

constexpr double g = 9.81;
constexpr Vector3 axisX{1., 0., 0.};
constexpr Vector3 axisY{0., 1., 0.};
constexpr Vector3 axisZ{0., 0., 1.};

// A configuration of a body with a twist, which need not be of the same time.
struct Placed {
  Vector3 x;
  Quaternion p;
  Vector3 v;
  Vector3 omega;  // in the inertial frame

  Placed(const Vector& q, const Vector& twist)
      : x(vector3(data(q))),
        p{q(3), q(4), q(5), q(6)},
        v(vector3(data(twist))),
        omega(rotations::rotate(p, vector3(data(twist) + 3))) {}

  Vector3 turned(const Vector3& inBody) const { return rotations::rotate(p, inBody); }
  Vector3 place(const Vector3& inBody) const { return x + turned(inBody); }
  Vector3 velocityAt(const Vector3& point) const { return v + cross(omega, point - x); }
};

// A sled on three feet on rough ground, pushed around in a circle, with an arm on a hinge that has dry friction and two
// stops. A moment swings the arm from stop to stop.
struct Sled {
  static constexpr double sledMass = 2., armMass = 0.5, armInertia = 0.004;
  static constexpr double muGround = 0.2, restitutionGround = 0.2;
  static constexpr double dryMoment = 0.8, restitutionStop = 0.4;
  static constexpr double highest = 0.5, lowest = -0.4;  // of the angle
  static constexpr Vector3 hingeOnSled{0.1, 0., 0.1}, hingeOnArm{-0.3, 0., 0.};
  static constexpr std::array<Vector3, 3> feet{Vector3{0.5, 0., -0.2}, Vector3{-0.4, 0.4, -0.2},
                                               Vector3{-0.4, -0.4, -0.2}};

  explicit Sled(double end) : model(0., end) {
    sled = std::make_shared<NewtonEulerDS>(NewtonEulerDS::at({0., 0., 0.203}), Vector(6), sledMass,
                                           NewtonEulerDS::boxInertia(sledMass, 0.9, 0.8, 0.2));
    arm = std::make_shared<NewtonEulerDS>(NewtonEulerDS::at({0.4, 0., 0.303}), Vector(6), armMass,
                                          diagonalMatrix({armInertia, armInertia, armInertia}));
    sled->setExternalForces([](double t, Vector& f) {
      const Vector3 pushed = push(t);
      std::copy(pushed.begin(), pushed.end(), f.begin());
    });
    arm->setExternalForces(makeVector({0., 0., -armMass * g}));
    arm->setExternalMoments([](double t, Vector& moment) { moment(1) = swing(t); });
    model.insert(sled);
    model.insert(arm);
    const PivotJointR hinge(JointFrame(hingeOnArm, axisY, axisX), JointFrame(hingeOnSled, axisY, axisX));
    joint = linked(EqualityConditionNSL(5), hinge);
    dryFriction = linked(RelayNSL(1, -dryMoment, dryMoment), hinge.angle());
    stops = {linked(NewtonImpactNSL(restitutionStop), hinge.angle().below(highest)),
             linked(NewtonImpactNSL(restitutionStop), hinge.angle().above(lowest))};
    const Plane ground = Plane::through({}, axisZ, axisX);
    contacts = std::make_shared<Interaction>(NewtonImpactFrictionNSL(restitutionGround, 0., muGround),
                                             NewtonEuler3DR(PointsPlane({feet.begin(), feet.end()}, ground)));
    model.link(contacts, sled);
  }

  static Vector3 push(double t) { return {8. * std::cos(4. * t), 8. * std::sin(4. * t), -sledMass * g}; }
  static double swing(double t) { return -1.5 + 4. * std::sin(9. * t); }

  template <class Law, class Joint>
  std::shared_ptr<Interaction> linked(Law law, Joint relation) {
    const auto made = std::make_shared<Interaction>(law, relation);
    model.link(made, arm, sled);
    return made;
  }

  NonSmoothDynamicalSystem model;
  std::shared_ptr<NewtonEulerDS> sled, arm;
  std::shared_ptr<Interaction> joint, dryFriction, contacts;
  std::array<std::shared_ptr<Interaction>, 2> stops;
};

// Rates of the hinge's rows at a place of both bodies.
std::array<double, 5> hingeRates(const Placed& arm, const Placed& sled) {
  const Vector3 pin = arm.place(Sled::hingeOnArm);  // where the frame of the sled has it, too
  const Vector3 apart = arm.velocityAt(pin) - sled.velocityAt(pin);
  const Vector3 spin = arm.omega - sled.omega;
  const Vector3 axis = sled.turned(axisY);
  // (e · d)˙ = (ω₁ × e) · d + e · (ω₂ × d) = (ω₁ − ω₂) · (e × d)
  const auto tilt = [&](const Vector3& e) { return dot(spin, cross(arm.turned(e), axis)); };
  return {dot(axis, apart), dot(sled.turned(axisX), apart), dot(sled.turned(-axisZ), apart), tilt(axisX), tilt(-axisZ)};
}

// About y from x: from x to −z; and its rate, with (e · f)˙ = (ω₁ − ω₂) · (e × f). It is not the spin about the axis
// alone where the axes have drifted apart.
double angle(const Placed& arm, const Placed& sled) {
  const Vector3 along = arm.turned(axisX);
  return std::atan2(-dot(along, sled.turned(axisZ)), dot(along, sled.turned(axisX)));
}

double angleRate(const Placed& arm, const Placed& sled) {
  const Vector3 along = arm.turned(axisX);
  const Vector3 ahead = sled.turned(axisX);
  const Vector3 across = -sled.turned(axisZ);
  const Vector3 spin = arm.omega - sled.omega;
  const double c = dot(along, ahead);
  const double s = dot(along, across);
  return (c * dot(spin, cross(along, across)) - s * dot(spin, cross(along, ahead))) / (c * c + s * s);
}

// The velocity (u_N, u_T) of a foot in (z, x, y), taken halfway into the gap; the ground itself is at rest.
Vector3 footVelocity(const Placed& sled, const Vector3& foot) {
  const Vector3 place = sled.place(foot);
  const Vector3 u = sled.velocityAt(place - 0.5 * place[2] * axisZ);
  return {u[2], u[0], u[1]};
}

// Certificates are relative to free velocities of up to some m/s, at 1e-10; Newton's tolerance is of the same size.
constexpr double velocityTolerance = 1e-7;
constexpr double impulseTolerance = 1e-8;

// Watches a sled step by step.
class Laws {
 public:
  struct Counts {
    std::size_t all = 0, slips = 0, sticks = 0, stopImpacts = 0, stopRests = 0, slides = 0, footImpacts = 0;
  };

  Laws(const Sled& model, double theta, double placeInStep, double forceTheta)
      : m_(model), theta_(theta), placeInStep_(placeInStep), forceTheta_(forceTheta) {
    remember();
  }

  void check(double t, double h) {
    h_ = h;
    const bool jointActs = checkJoint();
    const bool relayActs = checkDryFriction();
    const bool firstActs = checkStop(0, -1.);
    const bool stopActs = checkStop(1, 1.) || firstActs;
    const bool groundActs = checkContacts();
    if (jointActs && relayActs && stopActs && groundActs) ++counts_.all;
    checkBalances(t);
    remember();
  }

  const Counts& counts() const { return counts_; }

 private:
  struct State {
    Vector q, v;
  };

  void remember() {
    sled_ = {m_.sled->q(), m_.sled->velocity()};
    arm_ = {m_.arm->q(), m_.arm->velocity()};
  }

  // Where relations are taken in the step, with the twist before or after.
  Vector placeOf(const NewtonEulerDS& body, const State& before) const {
    Vector displacement(6), q(7);
    for (std::size_t i = 0; i < 6; ++i) {
      displacement(i) = h_ * placeInStep_ * ((1. - theta_) * before.v(i) + theta_ * body.velocity()(i));
    }
    body.move(before.q, displacement, q);
    return q;
  }
  Placed sledAfter() const { return {placeOf(*m_.sled, sled_), m_.sled->velocity()}; }
  Placed armAfter() const { return {placeOf(*m_.arm, arm_), m_.arm->velocity()}; }
  Placed sledBefore() const { return {sled_.q, sled_.v}; }
  Placed armBefore() const { return {arm_.q, arm_.v}; }

  bool checkJoint() const {
    const auto after = hingeRates(armAfter(), sledAfter());
    const auto before = hingeRates({placeOf(*m_.arm, arm_), arm_.v}, {placeOf(*m_.sled, sled_), sled_.v});
    const auto last = hingeRates(armBefore(), sledBefore());
    // The scheme's mean over the step where relations are taken within it.
    const bool mean = placeInStep_ > 0.;
    for (std::size_t i = 0; i < after.size(); ++i) {
      const double rate = mean ? theta_ * after[i] + (1. - theta_) * (before[i] - last[i]) : after[i];
      EXPECT_NEAR(rate, 0., velocityTolerance) << "row " << i;
    }
    return norm(vector3(data(m_.joint->lambda(1)))) > 1e-4;
  }

  bool checkDryFriction() {
    const double p = m_.dryFriction->lambda(1)(0);
    const double bound = h_ * Sled::dryMoment;
    const double rate = angleRate(armAfter(), sledAfter());
    EXPECT_NEAR(p, h_ * m_.dryFriction->lambda(0)(0), 1e-15);
    EXPECT_LE(std::abs(p), bound + impulseTolerance);
    if (std::abs(rate) > 10. * velocityTolerance) {
      EXPECT_NEAR(p, std::copysign(bound, -rate), impulseTolerance) << "rate " << rate;
      ++counts_.slips;
    } else if (std::abs(p) < 0.99 * bound) {
      ++counts_.sticks;
    }
    return std::abs(p) > 0.01 * bound;
  }

  // `sign` of the angle in the output of the stop.
  bool checkStop(std::size_t which, double sign) {
    const Interaction& stop = *m_.stops[which];
    const double end = sign < 0. ? Sled::highest : -Sled::lowest;
    const double y = end + sign * angle(armBefore(), sledBefore());
    const double before = sign * angleRate(armBefore(), sledBefore());
    const double after = sign * angleRate(armAfter(), sledAfter());
    const double p = stop.lambda(1)(0);
    const double forecast = y + 0.5 * h_ * before;
    if (std::abs(forecast) > 1e-12) {
      EXPECT_EQ(stop.isActive(), forecast < 0.) << forecast;
    }
    if (!stop.isActive()) {
      EXPECT_EQ(p, 0.);
      return false;
    }
    const double w = after + Sled::restitutionStop * before;
    EXPECT_GE(w, -velocityTolerance);
    EXPECT_GE(p, -impulseTolerance);
    EXPECT_NEAR(std::min(w, p / Sled::armInertia), 0., velocityTolerance) << "w " << w << ", p " << p;
    if (p > 1e-5 && before < -1e-3) ++counts_.stopImpacts;
    if (p > 1e-5 && std::abs(before) < 1e-5) ++counts_.stopRests;
    return p > 1e-5;
  }

  bool checkContacts() {
    const Vector place = placeOf(*m_.sled, sled_);
    bool slides = false;
    for (std::size_t foot = 0; foot < Sled::feet.size(); ++foot) {
      SCOPED_TRACE("foot " + std::to_string(foot));
      const Vector3& at = Sled::feet[foot];
      const double forecast = sledBefore().place(at)[2] + 0.5 * h_ * footVelocity(sledBefore(), at)[0];
      const Vector3 p = vector3(data(m_.contacts->lambda(1)) + 3 * foot);
      if (std::abs(forecast) > 1e-12) {
        EXPECT_EQ(m_.contacts->isActive(foot), forecast < 0.) << forecast;
      }
      if (!m_.contacts->isActive(foot)) {
        EXPECT_EQ(norm(p), 0.);
        continue;
      }
      const double before = footVelocity({place, sled_.v}, at)[0];
      Vector3 w = footVelocity(sledAfter(), at);
      w[0] += Sled::restitutionGround * before;
      slides = checkCoulomb(w, p) || slides;
      if (before < -0.05 && p[0] > 0.) ++counts_.footImpacts;
    }
    if (slides) ++counts_.slides;
    return slides;
  }

  // True if it slides.
  static bool checkCoulomb(const Vector3& w, const Vector3& p) {
    const double slip = std::hypot(w[1], w[2]);
    const double friction = std::hypot(p[1], p[2]);
    EXPECT_GE(w[0], -velocityTolerance);
    EXPECT_GE(p[0], -impulseTolerance);
    EXPECT_NEAR(std::min(w[0], p[0] / Sled::sledMass), 0., velocityTolerance) << "w " << w[0] << ", p " << p[0];
    EXPECT_LE(friction, Sled::muGround * p[0] + impulseTolerance);
    // p_T = −μ p_N w_T / |w_T|, times |w_T| so that slow slips are measured as they are.
    for (const std::size_t i : {std::size_t{1}, std::size_t{2}}) {
      EXPECT_NEAR(slip * p[i], -Sled::muGround * p[0] * w[i], impulseTolerance) << "slip " << slip;
    }
    return slip > 1e-3 && p[0] > 1e-5;
  }

  // What the multipliers do to the bodies: forces on both, and moments about the hinge on the arm.
  void checkBalances(double t) const {
    const double begin = t - h_;
    const auto mean = [&](auto f) { return h_ * ((1. - forceTheta_) * f(begin) + forceTheta_ * f(t)); };
    const Vector& hinge = m_.joint->lambda(1);  // in the directions of the sled's frame
    const Placed sled = sledAfter();
    const Vector3 pin = hinge(0) * sled.turned(axisY) + hinge(1) * sled.turned(axisX) - hinge(2) * sled.turned(axisZ);
    Vector3 ground{};
    for (std::size_t foot = 0; foot < Sled::feet.size(); ++foot) {
      const Vector3 p = vector3(data(m_.contacts->lambda(1)) + 3 * foot);
      ground += Vector3{p[1], p[2], p[0]};
    }
    for (std::size_t i = 0; i < 3; ++i) {
      const double push = mean([&](double s) { return Sled::push(s)[i]; });
      const double weight = i == 2 ? -h_ * Sled::armMass * g : 0.;
      EXPECT_NEAR(Sled::sledMass * (m_.sled->velocity()(i) - sled_.v(i)), push - pin[i] + ground[i], impulseTolerance);
      EXPECT_NEAR(Sled::armMass * (m_.arm->velocity()(i) - arm_.v(i)), weight + pin[i], impulseTolerance);
    }
    // A body with one moment of inertia for all axes has no gyroscopic moment. The moments of the hinge that hold its
    // axis have none about it.
    const Placed arm = armAfter();
    const Vector3 axis = sledAfter().turned(axisY);
    const Vector3 spinBefore = rotations::rotate(arm.p, vector3(data(arm_.v) + 3));
    const double gained = Sled::armInertia * dot(axis, arm.omega - spinBefore);
    const double swing = dot(axis, arm.turned(axisY)) * mean([](double s) { return Sled::swing(s); });
    const double ofPin = dot(axis, cross(arm.turned(Sled::hingeOnArm), pin));
    const double ofLaws = m_.dryFriction->lambda(1)(0) - m_.stops[0]->lambda(1)(0) + m_.stops[1]->lambda(1)(0);
    EXPECT_NEAR(gained, swing + ofPin + ofLaws, impulseTolerance);
  }

  const Sled& m_;
  double theta_, placeInStep_, forceTheta_;
  double h_ = 0.;
  State sled_, arm_;
  Counts counts_;
};

GenericMechanical accurately() {
  return GenericMechanical(numerics::AutomaticMechanicalSolver({.tolerance = 1e-10}));
}

template <class Problem>
void expectLaws(MoreauJeanOSI integrator, double placeInStep, double forceTheta, Problem problem) {
  const double h = 2e-3;
  Sled sled(4.);
  Laws laws(sled, 0.5, placeInStep, forceTheta);
  TimeStepping simulation(sled.model, TimeDiscretisation(0., h), std::move(integrator), std::move(problem));
  while (simulation.hasNextStep() && !testing::Test::HasFailure()) {
    SCOPED_TRACE("step " + std::to_string(simulation.stepIndex()));
    const double size = simulation.nextStep().size;
    simulation.step();
    laws.check(simulation.time(), size);
  }
  // The model does all that it is made for; how often, rounding decides, since impacts multiply it.
  const Laws::Counts& counts = laws.counts();
  EXPECT_GT(counts.all, 200U);
  EXPECT_GT(counts.slips, 200U);
  EXPECT_GT(counts.sticks, 50U);
  EXPECT_GT(counts.slides, 500U);
  EXPECT_GT(counts.stopImpacts, 5U);
  EXPECT_GT(counts.stopRests, 100U);
  EXPECT_GT(counts.footImpacts, 2U);
}

TEST(Mechanism, KeepsAllItsLawsAtOnceInTheMiddleOfTheStep) {
  expectLaws(MoreauJeanOSI::pure(), 0.5, 0.5, accurately());
}

TEST(Mechanism, KeepsAllItsLawsAtOnceAtTheBeginOfTheStep) {
  expectLaws(MoreauJeanOSI::semiExplicit(0.5, 0.5, ContactRule::pure), 0., 0., accurately());
}

TEST(Mechanism, KeepsAllItsLawsInGlobalForm) {
  // Gyroscopic forces of the sled make iteration matrices unsymmetric.
  expectLaws(MoreauJeanOSI::pure(), 0.5, 0.5, GlobalMechanical(numerics::AutomaticGlobalSolver(1e-10)));
  expectLaws(MoreauJeanOSI::semiExplicit(0.5, 0.5, ContactRule::pure), 0., 0.,
             GlobalMechanical(numerics::AutomaticGlobalSolver(1e-10)));
}

// In velocities and multipliers, without the local form.
TEST(Mechanism, KeepsAllItsLawsByNewtonsMethodOnTheGlobalForm) {
  expectLaws(MoreauJeanOSI::semiExplicit(0.5, 0.5, ContactRule::pure), 0., 0.,
             GlobalMechanical(numerics::AdmmNewtonSolver({.tolerance = 1e-10})));
}

}  // namespace
