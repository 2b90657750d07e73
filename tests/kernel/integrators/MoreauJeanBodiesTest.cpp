// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <delassus/Config.hpp>
#include <delassus/kernel/contacts/MovingPlane.hpp>
#include <delassus/kernel/contacts/PointsPlane.hpp>
#include <delassus/kernel/contacts/Sphere.hpp>
#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/laws/EqualityConditionNSL.hpp>
#include <delassus/kernel/laws/NewtonImpactFrictionNSL.hpp>
#include <delassus/kernel/laws/NewtonImpactNSL.hpp>
#include <delassus/kernel/problems/FrictionContact.hpp>
#include <delassus/kernel/problems/GenericMechanical.hpp>
#include <delassus/kernel/problems/GlobalFrictionContact.hpp>
#include <delassus/kernel/problems/LCP.hpp>
#include <delassus/kernel/problems/MLCP.hpp>
#include <delassus/kernel/relations/NewtonEulerContactR.hpp>
#include <delassus/kernel/relations/joints/FixedJointR.hpp>
#include <delassus/kernel/relations/joints/SphericalJointR.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <delassus/kernel/systems/LagrangianLinearTIDS.hpp>
#include <delassus/kernel/systems/NewtonEulerDS.hpp>
#include <delassus/numerics/StateArchive.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/functions/Automatic.hpp>
#include <memory>
#include <support/ThreadNumber.hpp>
#include <thread>
#include <vector>

// How MoreauJeanOSI and its problems handle bodies that stick, velocities that violate joints, and changes.
namespace delassus::test {
namespace {

constexpr double g = 9.81;

std::shared_ptr<NewtonEulerDS> box(const Vector3& x, const Vector3& v, const Vector3& omega, double mass = 1.) {
  auto body = std::make_shared<NewtonEulerDS>(NewtonEulerDS::at(x),
                                              makeVector({v[0], v[1], v[2], omega[0], omega[1], omega[2]}), mass,
                                              NewtonEulerDS::boxInertia(mass, 0.1, 0.12, 0.14));
  body->setExternalForces(makeVector({0., 0., -mass * g}));
  return body;
}

TEST(GlobalFrictionContact, LetsABoxStickWhereItsVelocityIsOnlyRounding) {
  for (const double mu : {0.2, 0.5}) {
    NonSmoothDynamicalSystem model(0., 0.3);
    const auto body = box({0., 0., 0.071}, {}, {});
    model.insert(body);
    model.link(std::make_shared<Interaction>(NewtonImpactFrictionNSL(0., 0., mu),
                                             NewtonEuler3DR(BoxPlane(0.1, 0.12, 0.14, Plane{}))),
               body);
    TimeStepping simulation(model, TimeDiscretisation(0., 0.01), MoreauJeanOSI::semiExplicit(),
                            GlobalFrictionContact(3));
    simulation.run();
    // Every step is solved to 1e-8 of the free velocity g h.
    for (const double v : body->velocity().data()) EXPECT_NEAR(v, 0., 1e-6);
  }
}

// y = a q₀ + (1 − a) q₁, linear, with a parameter in G.
class MixedCoordinateR final : public SecondOrderR {
 public:
  std::string_view className() const override { return "MixedCoordinateR"; }
  std::size_t size() const override { return 1; }
  bool isLinear() const override { return true; }
  void computeOutput(double, const Vector& q, const Vector&, Vector& y) override {
    y(0) = a_ * q(0) + (1. - a_) * q(1);
  }
  void computeJacobian(double, const Vector&, const Vector&, Matrix& G) override {
    G(0, 0) = a_;
    G(0, 1) = 1. - a_;
  }
  void set(double a) {
    a_ = a;
    parametersChanged();
  }

 private:
  double a_ = 1.;
};

// The box rests on its face: zero is no answer, what the solver finds is one, and it is left as it is.
template <class Problem>
void expectCertificates(Problem problem) {
  const double h = 1e-3;
  const auto body = box({0., 0., 0.07 - 1e-12}, {0., 0., 0.}, {0., 0., 0.});
  NonSmoothDynamicalSystem model(0., h);
  model.insert(body);
  model.link(std::make_shared<Interaction>(NewtonImpactFrictionNSL(0., 0., 0.5),
                                           NewtonEuler3DR(BoxPlane(0.1, 0.12, 0.14, Plane{}))),
             body);
  MoreauJeanOSI scheme = MoreauJeanOSI::semiExplicit();
  scheme.bind(model, 0.);
  StepEquations& equations = scheme.equations();
  problem.bind(model, equations);
  scheme.beginStep({0., h, h});
  scheme.computeFreeState();
  EXPECT_FALSE(problem.certify(equations).converged());
  EXPECT_EQ(problem.solves(), 0U);
  ASSERT_TRUE(problem.solve(equations).converged());
  const std::vector<double> answer = equations.multipliers();
  const auto report = problem.certify(equations);
  EXPECT_TRUE(report.converged());
  EXPECT_EQ(report.iterations, 0U);
  EXPECT_EQ(problem.solves(), 1U);  // only solves count
  EXPECT_EQ(equations.multipliers(), answer);
}

TEST(OneStepNSProblem, CertifiesMultipliersAsTheyAre) {
  expectCertificates(FrictionContact(3));
  expectCertificates(GlobalFrictionContact(3));
  expectCertificates(GenericMechanical());
}

TEST(MoreauJeanOSI, SeesANewJacobianOfALinearRelationInBothSchemes) {
  for (const bool semiExplicit : {false, true}) {
    NonSmoothDynamicalSystem model(0., 1.);
    const auto mass = std::make_shared<LagrangianLinearTIDS>(Vector(2), Vector(2), identityMatrix(2));
    mass->setExternalForces(makeVector({-1., -2.}));
    model.insert(mass);
    const auto relation = std::make_shared<MixedCoordinateR>();
    model.link(std::make_shared<Interaction>(std::make_shared<NewtonImpactNSL>(0.), relation), mass);
    TimeStepping simulation(model, TimeDiscretisation(0., 0.1),
                            semiExplicit ? MoreauJeanOSI::semiExplicit() : MoreauJeanOSI(), LCP());
    simulation.step();
    simulation.step();
    relation->set(0.);
    mass->setState(Vector(2), Vector(2));
    simulation.step();
    EXPECT_NEAR(mass->velocity()(0), -0.1, 1e-14) << semiExplicit;
    EXPECT_NEAR(mass->velocity()(1), 0., 1e-14) << semiExplicit;
  }
}

// A fixed and a spherical joint between the same bodies, and twists that fit neither.
template <class Problem>
void expectJoltIsTaken() {
  NonSmoothDynamicalSystem model(0., 0.2);
  const auto a = box({0., 0., 0.}, {0.3, 0.1, -0.2}, {1., 2., -1.});
  const auto b = box({0.3, 0., 0.}, {-0.3, 0.2, 0.1}, {-1., 1., 2.}, 1.5);
  model.insert(a);
  model.insert(b);
  const auto fixed =
      std::make_shared<Interaction>(EqualityConditionNSL(6), FixedJointR::at({0.15, 0., 0.}, a->q(), b->q()));
  model.link(fixed, a, b);
  model.link(
      std::make_shared<Interaction>(EqualityConditionNSL(3), SphericalJointR::at({0.15, 0.05, 0.}, a->q(), b->q())), a,
      b);
  TimeStepping simulation(model, TimeDiscretisation(0., 2e-3), MoreauJeanOSI(), Problem());
  simulation.run();
  // What is left of the rate is the turn of G in half a step.
  for (const double rate : fixed->y(1).data()) EXPECT_NEAR(rate, 0., 1e-2);
}

TEST(MoreauJeanOSI, TakesVelocitiesThatDoNotFitRedundantJoints) {
  expectJoltIsTaken<GenericMechanical>();
  expectJoltIsTaken<MLCP>();
}

TEST(MoreauJeanOSI, ABallThatRestsOnATableThatShakesIsNotKickedByRestitution) {
  NonSmoothDynamicalSystem model(0., 1.);
  const double radius = 0.1;
  const auto ball = std::make_shared<NewtonEulerDS>(NewtonEulerDS::at({0., 0., radius - 1e-10}), Vector(6), 1.,
                                                    NewtonEulerDS::ballInertia(1., radius));
  ball->setExternalForces(makeVector({0., 0., -g}));
  model.insert(ball);
  // Its acceleration stays below g.
  const MovingPlane table(Plane{}, automatic([](const auto& t, auto& q) {
                            using std::cos;
                            q(2) = 0.05 * (1. - cos(10. * t));
                          }));
  const auto contact =
      std::make_shared<Interaction>(NewtonImpactFrictionNSL(0.8, 0., 0.3), NewtonEuler3DR(SpherePlane(radius, table)));
  model.link(contact, ball);
  TimeStepping simulation(model, TimeDiscretisation(0., 1e-2), MoreauJeanOSI(), GenericMechanical());
  simulation.run([&] { EXPECT_GT(contact->lambda(1)(0), 0.) << simulation.time(); });
}

// A corner of a body that turns fast lands without friction: the law says of the normal velocities with G(q*) what is
// e times before, in the frame of q* or as the output at the beginning was.
TEST(MoreauJeanOSI, TakesTheVelocityBeforeAnImpactWithFrictionWhereItsOptionSays) {
  const double e = 0.6;
  const double h = 1e-2;
  for (const VelocityBefore choice : {VelocityBefore::inStepFrame, VelocityBefore::atBegin}) {
    const auto body = box({0., 0., 0.1}, {0.3, 0., -1.}, {4., 7., -2.});
    NonSmoothDynamicalSystem model(0., h);
    model.insert(body);
    const auto relation = std::make_shared<NewtonEuler3DR>(PointsPlane({{0.05, 0.06, -0.1}}, Plane{}));
    const auto contact = std::make_shared<Interaction>(std::make_shared<NewtonImpactFrictionNSL>(e, 0., 0.), relation);
    model.link(contact, body);
    TimeStepping simulation(
        model, TimeDiscretisation(0., h),
        MoreauJeanOSI(MoreauJeanOptions{.velocityBefore = choice, .contactRule = ContactRule::pure}),
        FrictionContact(3));
    simulation.initialise();
    const Vector q = body->q(), v = body->velocity();
    const double atBegin = contact->y(1)(0);
    simulation.step();
    ASSERT_GT(contact->lambda(1)(0), 0.);
    Vector way(6), middle(7), none(3), before(3), after(3);
    for (std::size_t i = 0; i < 6; ++i) way(i) = 0.25 * h * (v(i) + body->velocity()(i));
    body->move(q, way, middle);
    Matrix G(3, 6);
    relation->computeJacobian(h, middle, none, G);
    multiply(1., G, v, 0., before);
    multiply(1., G, body->velocity(), 0., after);
    EXPECT_GT(std::abs(before(0) - atBegin), 1e-3);
    EXPECT_NEAR(after(0), -e * (choice == VelocityBefore::atBegin ? atBegin : before(0)), 1e-7);  // of the solver
  }
}

TEST(MovingPlane, TakesNormalsOfAnyLengthForTheSamePlane) {
  const Plane plane = Plane{{0., 0., 2.}, 1., {}}.normalised();  // 2 z = 1
  EXPECT_DOUBLE_EQ(plane.normal[2], 1.);
  EXPECT_DOUBLE_EQ(plane.offset, 0.5);
  EXPECT_THROW((Plane{{0., 0., 0.}, 1., {}}.normalised()), Error);
  EXPECT_THROW((Plane{{0., 0., 1.}, NAN, {}}.normalised()), Error);
}

// Bodies that may be evaluated side by side, until they get functions; also where the simulation then goes back to the
// state before, with the count of changes that it had.
TEST(MoreauJeanThreads, CallFunctionsThatAreSetBetweenStepsOnOne) {
  if constexpr (!withTbb) GTEST_SKIP() << "built without oneTBB";
  const ThreadNumber several(3);
  for (const bool goesBack : {false, true}) {
    NonSmoothDynamicalSystem model(0., 1.);
    std::vector<std::shared_ptr<NewtonEulerDS>> bodies;
    for (int k = 0; k < 300; ++k) {
      bodies.push_back(box({0.3 * k, 0., 1.}, {}, {}));
      model.insert(bodies.back());
    }
    TimeStepping simulation(model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(), LCP());
    simulation.step();
    MemoryArchive before;
    simulation.serializeState(before);
    std::atomic<std::size_t> elsewhere = 0, here = 0;
    for (const auto& body : bodies) {
      body->setExternalForces([&, caller = std::this_thread::get_id()](double, Vector& force) {
        ++(std::this_thread::get_id() == caller ? here : elsewhere);
        std::this_thread::sleep_for(std::chrono::microseconds(50));  // so that another thread would come in time
        force(2) = -g;
      });
    }
    if (goesBack) {
      MemoryArchive archive(before.bytes());
      simulation.serializeState(archive);
    }
    simulation.step();
    EXPECT_EQ(elsewhere, 0U) << goesBack;
    EXPECT_GE(here, 300U) << goesBack;
  }
}

}  // namespace
}  // namespace delassus::test
