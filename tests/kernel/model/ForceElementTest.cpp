// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <boost/math/special_functions/jacobi_elliptic.hpp>
#include <cmath>
#include <delassus/kernel/contacts/Sphere.hpp>
#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/laws/BushingLaw.hpp>
#include <delassus/kernel/laws/NewtonImpactNSL.hpp>
#include <delassus/kernel/laws/SpringDamperLaw.hpp>
#include <delassus/kernel/model/NonSmoothDynamicalSystem.hpp>
#include <delassus/kernel/relations/FirstOrderLinearTIR.hpp>
#include <delassus/kernel/relations/LagrangianCompliantR.hpp>
#include <delassus/kernel/relations/LagrangianContactR.hpp>
#include <delassus/kernel/relations/LagrangianLinearTIR.hpp>
#include <delassus/kernel/relations/LagrangianRheonomousR.hpp>
#include <delassus/kernel/relations/LagrangianScleronomousR.hpp>
#include <delassus/kernel/relations/NewtonEulerContactR.hpp>
#include <delassus/kernel/relations/PrescribedMotionR.hpp>
#include <delassus/kernel/relations/joints/CylindricalJointR.hpp>
#include <delassus/kernel/relations/joints/DistanceJointR.hpp>
#include <delassus/kernel/relations/joints/FixedJointR.hpp>
#include <delassus/kernel/relations/joints/PivotJointR.hpp>
#include <delassus/kernel/relations/joints/PrismaticJointR.hpp>
#include <delassus/kernel/relations/joints/SphericalJointR.hpp>
#include <delassus/kernel/rotations/Rotation.hpp>
#include <delassus/kernel/simulation/CheckJacobians.hpp>
#include <delassus/kernel/simulation/EventDriven.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <delassus/kernel/systems/LagrangianLinearTIDS.hpp>
#include <delassus/kernel/systems/NewtonEulerDS.hpp>
#include <delassus/numerics/functions/Automatic.hpp>
#include <functional>
#include <limits>
#include <support/Matchers.hpp>

namespace delassus {
namespace {

std::shared_ptr<NewtonEulerDS> bodyAt(const Vector3& position, const Vector3& turn, const Vector& twist) {
  Matrix inertia(3, 3);
  for (std::size_t i = 0; i < 3; ++i) inertia(i, i) = 0.5 + 0.25 * static_cast<double>(i);
  const Quaternion p = rotations::exponential(turn);
  Vector q(7);
  for (std::size_t i = 0; i < 3; ++i) q(i) = position[i];
  for (std::size_t i = 0; i < 4; ++i) q(3 + i) = p[i];
  return std::make_shared<NewtonEulerDS>(q, twist, 2., inertia);
}

// Two bodies, with relations of all kinds between them.
struct Bodies {
  std::shared_ptr<NewtonEulerDS> first =
      bodyAt({0.1, 0.2, -0.3}, {0.3, -0.2, 0.5}, makeVector({1., -2., 0.5, 0.3, 2., -1.}));
  std::shared_ptr<NewtonEulerDS> second =
      bodyAt({1.3, -0.1, 0.4}, {-0.4, 0.1, 0.2}, makeVector({-0.5, 1., 0.2, 1.3, -0.4, 0.6}));
  Vector3 anchor{0.6, 0.1, 0.}, axis{0.6, 0., 0.8};

  std::vector<std::shared_ptr<Relation>> relations() const {
    const Vector& a = first->q();
    const Vector& b = second->q();
    std::vector<std::shared_ptr<Relation>> all;
    const auto add = [&](auto relation) { all.push_back(std::make_shared<decltype(relation)>(std::move(relation))); };
    add(FixedJointR::at(anchor, a, b));
    add(SphericalJointR::at(anchor, a, b));
    add(PivotJointR::at(anchor, axis, a, b));
    add(PivotJointR::at(anchor, axis, a, b).angle());
    add(PrismaticJointR::at(anchor, axis, a, b));
    add(CylindricalJointR::at(anchor, axis, a, b));
    add(CylindricalJointR::at(anchor, axis, a, b).displacement());
    add(DistanceJointR({0.1, 0.2, 0.}, {0., -0.3, 0.1}, 0.7));
    add(DistanceJointR({0.1, 0.2, 0.}, {0., -0.3, 0.1}, 0.7).extension());
    return all;
  }
};

// The force along a displacement δ of all velocities' coordinates: p(q ⊕ s δ) by differences of fourth order.
Matrix differencesOf(ForceElement& element, const std::vector<std::shared_ptr<NewtonEulerDS>>& bodies, const Vector& v,
                     bool byVelocity) {
  const std::size_t n = v.size();
  Matrix J(n, n);
  const auto inputAt = [&](std::size_t j, double s) {
    Vector q, velocities = v, p;
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      Vector displacement(6), moved(7);
      if (!byVelocity && j / 6 == b) displacement(j % 6) = s;
      bodies[b]->move(bodies[b]->q(), displacement, moved);
      append(moved, q);
    }
    if (byVelocity) velocities(j) += s;
    element.computeInput(0.3, q, velocities, p);
    return p;
  };
  constexpr double s = 1e-3;
  for (std::size_t j = 0; j < n; ++j) {
    const Vector d = 8. * (inputAt(j, s) - inputAt(j, -s)) - (inputAt(j, 2. * s) - inputAt(j, -2. * s));
    for (std::size_t i = 0; i < n; ++i) J(i, j) = d(i) / (12. * s);
  }
  return J;
}

TEST(ForceElement, HasTheJacobiansOfItsForceForEachJoint) {
  const Bodies bodies;
  for (const auto& relation : bodies.relations()) {
    NonSmoothDynamicalSystem model(0., 1.);
    model.insert("first", bodies.first);
    model.insert("second", bodies.second);
    const auto element =
        model.link("spring", std::make_shared<SpringDamperLaw>(70., 3., 11.), relation, bodies.first, bodies.second);
    Vector q = bodies.first->q(), v = bodies.first->velocity();
    append(bodies.second->q(), q);
    append(bodies.second->velocity(), v);
    Matrix byQ, byV;
    element->computeJacobians(0.3, q, v, byQ, byV);
    const std::string name(relation->className());
    // Errors of the differences here, s⁴, and there, 1e-10 of the forces.
    EXPECT_LE(normMax(Matrix(byQ - differencesOf(*element, {bodies.first, bodies.second}, v, false))), 1e-7) << name;
    EXPECT_LE(normMax(Matrix(byV - differencesOf(*element, {bodies.first, bodies.second}, v, true))), 1e-9) << name;
    model.remove(bodies.first);
    EXPECT_TRUE(model.elements().empty());
    model.remove(bodies.second);
  }
}

TEST(ForceElement, GivesForcesThatAddUpToNothing) {
  const Bodies bodies;
  for (const auto& relation : bodies.relations()) {
    NonSmoothDynamicalSystem model(0., 1.);
    model.insert("first", bodies.first);
    model.insert("second", bodies.second);
    const auto element =
        model.link("spring", std::make_shared<SpringDamperLaw>(70., 3., 11.), relation, bodies.first, bodies.second);
    Vector q = bodies.first->q(), v = bodies.first->velocity(), p;
    append(bodies.second->q(), q);
    append(bodies.second->velocity(), v);
    element->computeInput(0., q, v, p);
    EXPECT_GT(normInf(p), 0.1);
    Vector3 moment{};
    for (const std::size_t b : {0U, 6U}) {
      const NewtonEulerDS& body = b == 0 ? *bodies.first : *bodies.second;
      const Vector3 own = body.orientation() == Quaternion{}
                              ? Vector3{}
                              : rotations::rotate(body.orientation(), Vector3{p(b + 3), p(b + 4), p(b + 5)});
      moment = moment + own + cross(body.position(), Vector3{p(b), p(b + 1), p(b + 2)});
    }
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(p(i) + p(6 + i), 0., 1e-12) << relation->className();
      EXPECT_NEAR(moment[i], 0., 1e-12) << relation->className();
    }
    model.remove(bodies.first);
    model.remove(bodies.second);
  }
}

// A relation as a spring, in one motion with a closed form: x(t) of a body of a mass or inertia J against the world,
// with the potential ½ k |y|² for an output |y| = |x|, 2 sin(x/2) of quaternions, or sin x of axes. With n = 0, 1, 2
// for these, n x is the angle of a pendulum of the frequency ω = (k/J)^½ for n > 0, that passes its lowest point at t =
// 0: ẋ = ẋ₀ cn(ωt, n ẋ₀/(2ω)), by Jacobi's function.
struct Oscillator {
  std::string name;
  std::function<std::shared_ptr<Relation>(const NewtonEulerDS&)> relation;
  std::size_t velocity;  // of the twist that oscillates
  double inertia;
  double pendulum = 0.;  // n
};

TEST(ForceElement, IsASpringOfEachJointWithItsClosedForm) {
  const Vector3 z{0., 0., 1.};
  const auto made = [](auto relation) { return std::make_shared<decltype(relation)>(std::move(relation)); };
  const std::vector<Oscillator> all = {
      {"angle", [&](const auto& b) { return made(PivotJointR::at({}, z, b.q()).angle()); }, 5, 1.},
      {"displacement", [&](const auto& b) { return made(CylindricalJointR::at({}, z, b.q()).displacement()); }, 2, 2.},
      {"spherical", [&](const auto& b) { return made(SphericalJointR::at({}, b.q())); }, 1, 2.},
      {"pivot, along its axis", [&](const auto& b) { return made(PivotJointR::at({}, z, b.q())); }, 2, 2.},
      {"pivot, about x", [&](const auto& b) { return made(PivotJointR::at({}, z, b.q())); }, 3, 0.5, 2.},
      {"pivot, about y", [&](const auto& b) { return made(PivotJointR::at({}, z, b.q())); }, 4, 0.75, 2.},
      {"cylindrical, across", [&](const auto& b) { return made(CylindricalJointR::at({}, z, b.q())); }, 1, 2.},
      {"cylindrical, about x", [&](const auto& b) { return made(CylindricalJointR::at({}, z, b.q())); }, 3, 0.5, 2.},
      {"prismatic, across", [&](const auto& b) { return made(PrismaticJointR::at({}, z, b.q())); }, 0, 2.},
      {"prismatic, about x", [&](const auto& b) { return made(PrismaticJointR::at({}, z, b.q())); }, 3, 0.5, 1.},
      {"prismatic, about z", [&](const auto& b) { return made(PrismaticJointR::at({}, z, b.q())); }, 5, 1., 1.},
      {"prismatic, displacement", [&](const auto& b) { return made(PrismaticJointR::at({}, z, b.q()).displacement()); },
       2, 2.},
      {"fixed, displacement", [&](const auto& b) { return made(FixedJointR::at({}, b.q())); }, 0, 2.},
      {"fixed, about y", [&](const auto& b) { return made(FixedJointR::at({}, b.q())); }, 4, 0.75, 1.},
      {"fixed, about z", [&](const auto& b) { return made(FixedJointR::at({}, b.q())); }, 5, 1., 1.},
      {"extension",
       [&](const auto&) {
         return made(DistanceJointR({}, {0., 0., -2.}, 2.).extension());
       },
       2, 2.}};
  for (const Oscillator& each : all) {
    // Turns of up to a third of a radian are far from linear.
    const double speed = each.pendulum > 0. ? 3. : 0.4;
    const auto errorOf = [&](double h) {
      NonSmoothDynamicalSystem model(0., 1.);
      Vector twist(6);
      twist(each.velocity) = speed;
      const auto body = model.insert("body", bodyAt({}, {}, twist));
      const auto spring = model.link("spring", std::make_shared<SpringDamperLaw>(50.), each.relation(*body), body);
      TimeStepping(model, h).run();
      const double omega = std::sqrt(50. / each.inertia);
      const double exact = boost::math::jacobi_cn(0.5 * each.pendulum * speed / omega, omega);
      for (std::size_t i = 0; i < 6; ++i) {
        if (i == each.velocity) continue;
        EXPECT_NEAR(body->velocity()(i), 0., 1e-12) << each.name << ": rounding of what the spring does not drive";
      }
      return std::abs(body->velocity()(each.velocity) / speed - exact);
    };
    const double coarse = errorOf(4e-3), fine = errorOf(2e-3);
    EXPECT_LE(coarse, 3e-3) << each.name;
    EXPECT_NEAR(std::log2(coarse / fine), 2., 0.1) << each.name;
  }
}

// Rows that a joint leaves free stay free of forces: it turns and slides on along its axis as if there were no spring.
TEST(ForceElement, LeavesFreeWhatItsJointLeavesFree) {
  const Vector3 z{0., 0., 1.};
  NonSmoothDynamicalSystem model(0., 1.);
  const auto turning = model.insert("turning", bodyAt({}, {}, makeVector({0., 0., 0., 0., 0., 2.})));
  const auto sliding = model.insert("sliding", bodyAt({}, {}, makeVector({0., 0., 0.7, 0., 0., 2.})));
  const auto slide = model.insert("slide", bodyAt({}, {}, makeVector({0., 0., 0.7, 0., 0., 0.})));
  model.link("pivot", std::make_shared<SpringDamperLaw>(50., 3.),
             std::make_shared<PivotJointR>(PivotJointR::at({}, z, turning->q())), turning);
  model.link("cylindrical", std::make_shared<SpringDamperLaw>(50., 3.),
             std::make_shared<CylindricalJointR>(CylindricalJointR::at({}, z, sliding->q())), sliding);
  model.link("prismatic", std::make_shared<SpringDamperLaw>(50., 3.),
             std::make_shared<PrismaticJointR>(PrismaticJointR::at({}, z, slide->q())), slide);
  TimeStepping(model, 0.01).run();
  EXPECT_NEAR(turning->velocity()(5), 2., 1e-13);
  EXPECT_NEAR(sliding->velocity()(5), 2., 1e-13);
  EXPECT_NEAR(sliding->q()(2), 0.7, 1e-13);
  EXPECT_NEAR(slide->q()(2), 0.7, 1e-13);
}

// A law for any number of outputs whose force is of all of them, by its Jacobians.
SmoothLaw softeningLaw(std::size_t rows) {
  return SmoothLaw(rows, automatic([rows](const auto&, const auto& y, const auto& yDot, auto& f) {
                     for (std::size_t i = 0; i < rows; ++i) {
                       using std::tanh;
                       f(i) = -30. * tanh(y(i)) - 2. * yDot(i) + 0.5 * y(0) * yDot(rows - 1);
                     }
                   }));
}

TEST(ForceElement, HasRightJacobiansOfEachRelation) {
  const auto expectRight = [](NonSmoothDynamicalSystem& model, const std::shared_ptr<Relation>& relation,
                              const auto&... systems) {
    const auto element =
        model.link("element", std::make_shared<SmoothLaw>(softeningLaw(relation->size())), relation, systems...);
    EXPECT_NO_THROW(checkJacobians(model, 0.3)) << relation->className();
    model.remove(element);
  };
  const auto made = [](auto relation) -> std::shared_ptr<Relation> {
    return std::make_shared<decltype(relation)>(std::move(relation));
  };
  const auto swing = automatic([](const auto& t) {
    using std::sin;
    return 0.2 * sin(3. * t);
  });
  const Bodies bodies;
  NonSmoothDynamicalSystem model(0., 1.);
  model.insert("first", bodies.first);
  model.insert("second", bodies.second);
  for (const auto& relation : bodies.relations()) expectRight(model, relation, bodies.first, bodies.second);
  const Vector& a = bodies.first->q();
  const Vector& b = bodies.second->q();
  const auto pivot = PivotJointR::at(bodies.anchor, bodies.axis, a, b);
  expectRight(model, made(pivot.angle().following(swing)), bodies.first, bodies.second);
  expectRight(model, made(pivot.angle().above(-1.)), bodies.first, bodies.second);
  expectRight(model, made(PrismaticJointR::at(bodies.anchor, bodies.axis, a, b).displacement().times(2.)), bodies.first,
              bodies.second);
  expectRight(model, made(DistanceJointR({0.1, 0.2, 0.}, {0., -0.3, 0.1}, 0.7).distance()), bodies.first,
              bodies.second);
  expectRight(model, made(PrescribedMotionR::ofPosition(1, swing)), bodies.first);
  // Penalties of contacts.
  expectRight(model, made(NewtonEuler1DR(SpherePlane(0.1, Plane{}))), bodies.first);
  expectRight(model, made(NewtonEuler1DR(SphereSphere(0.1, 0.2))), bodies.first, bodies.second);

  NonSmoothDynamicalSystem plane(0., 1.);
  const auto arm = plane.insert(
      "arm", std::make_shared<LagrangianLinearTIDS>(makeVector({0.3, -0.7}), makeVector({1., 2.}), identityMatrix(2)));
  expectRight(plane, made(LagrangianLinearTIR(makeMatrix({{1., -2.}, {0.5, 3.}}))), arm);
  expectRight(plane, made(LagrangianScleronomousR(1, automatic([](const auto& q, auto& y) {
                                                    using std::cos;
                                                    y(0) = q(1) * cos(q(0));
                                                  }))),
              arm);
  expectRight(plane, made(LagrangianRheonomousR(1, automatic([](const auto& t, const auto& q, auto& y) {
                                                  using std::sin;
                                                  y(0) = q(0) * q(1) - sin(2. * t);
                                                }))),
              arm);
  expectRight(plane, made(LagrangianContactR(automatic([](const auto& q, auto& h) { h(0) = q(0) + q(1) * q(1); }))),
              arm);
}

TEST(ForceElement, NamesItselfWhereAJacobianIsWrong) {
  NonSmoothDynamicalSystem model(0., 1.);
  const auto mass =
      model.insert("mass", std::make_shared<LagrangianLinearTIDS>(Vector(1, 0.7), Vector(1), Matrix(1, 1, 1.)));
  const auto expectNamed = [&](const SmoothLaw& law, const LagrangianScleronomousR& relation) {
    const auto element = model.link("crooked", law, relation, mass);
    test::expectError([&] { checkJacobians(model, 0.); }, {"'crooked'", "(0, 0)"});
    model.remove(element);
  };
  const auto square = [](const Vector& q, Vector& y) { y(0) = q(0) * q(0); };
  expectNamed(softeningLaw(1),
              LagrangianScleronomousR(1, withJacobians(square, [](const Vector& q, Matrix& G) { G(0, 0) = q(0); })));
  expectNamed(
      SmoothLaw(1, withJacobians([](double, const Vector& y, const Vector& yDot, Vector& f) { f(0) = -y(0) - yDot(0); },
                                 [](double, const Vector&, const Vector&, Matrix& byY) { byY(0, 0) = 1.; },
                                 [](double, const Vector&, const Vector&, Matrix& byRate) { byRate(0, 0) = -1.; })),
      LagrangianScleronomousR(1, withJacobians(square, [](const Vector& q, Matrix& G) { G(0, 0) = 2. * q(0); })));
}

TEST(ForceElement, IsAnyFunctionOfOutputAndRateAndTime) {
  // A Duffing spring with a drive that keeps x = sin t: f = −y³ − ẏ² + drive.
  NonSmoothDynamicalSystem model(0., 3.);
  const auto mass =
      model.insert("mass", std::make_shared<LagrangianLinearTIDS>(Vector(1), Vector(1, 1.), Matrix(1, 1, 1.)));
  const auto law = SmoothLaw(
      1, withJacobians(
             [](double t, const Vector& y, const Vector& yDot, Vector& f) {
               const double s = std::sin(t), c = std::cos(t);
               f(0) = -std::pow(y(0), 3) - yDot(0) * yDot(0) + s * s * s + c * c - s;
             },
             [](double, const Vector& y, const Vector&, Matrix& byY) { byY(0, 0) = -3. * y(0) * y(0); },
             [](double, const Vector&, const Vector& yDot, Matrix& byRate) { byRate(0, 0) = -2. * yDot(0); }));
  const auto element = model.link("spring", law, LagrangianLinearTIR(Matrix(1, 1, 1.)), mass);
  EXPECT_NO_THROW(checkJacobians(model, 0.7));
  const auto errorOf = [&](double h) {
    mass->setState(Vector(1), Vector(1, 1.));
    TimeStepping(model, h).run();
    return std::abs(mass->q()(0) - std::sin(3.));
  };
  const double coarse = errorOf(2e-2);
  EXPECT_NEAR(std::log2(coarse / errorOf(1e-2)), 2., 0.1);
  EXPECT_NEAR(element->output(3.)(0), mass->q()(0), 0.);
  EXPECT_NEAR(element->rate(3.)(0), mass->velocity()(0), 0.);
  const double y = mass->q()(0), s = std::sin(3.), c = std::cos(3.);
  EXPECT_NEAR(element->force(3.)(0), -y * y * y - std::pow(mass->velocity()(0), 2) + s * s * s + c * c - s, 1e-14);
}

TEST(ForceElement, FollowsAMotionAsAServo) {
  // y = x − t², a stiff spring and damper: the mass lags behind by its inertia, m x″/k = 2/k.
  NonSmoothDynamicalSystem model(0., 2.);
  const auto body = model.insert("body", bodyAt({}, {}, Vector(6)));
  const auto slide = CylindricalJointR::at({}, {0., 0., 1.}, body->q()).displacement();
  const auto t2 = automatic([](const auto& t) { return t * t; });
  model.link("servo", SpringDamperLaw(1e4, 4e2), slide.following(t2), body);
  TimeStepping(model, 1e-3).run();
  EXPECT_NEAR(body->q()(2), 4. - 2. * 2. / 1e4, 1e-6);
}

TEST(ForceElement, RefusesWhatCannotBeAForce) {
  NonSmoothDynamicalSystem model(0., 1.);
  const auto mass =
      model.insert("mass", std::make_shared<LagrangianLinearTIDS>(Vector(1), Vector(1), Matrix(1, 1, 1.)));
  const auto free = std::make_shared<LagrangianLinearTIDS>(Vector(1), Vector(1), Matrix(1, 1, 1.));
  const LagrangianLinearTIR place(Matrix(1, 1, 1.));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(SpringDamperLaw(-1.), Error);
  EXPECT_THROW(SpringDamperLaw(1., -1.), Error);
  EXPECT_THROW(SpringDamperLaw(1., 1., nan), Error);
  EXPECT_THROW(BushingLaw(Matrix(2, 3)), Error);
  EXPECT_THROW(BushingLaw(identityMatrix(2), identityMatrix(3)), Error);
  EXPECT_THROW(BushingLaw(Matrix(-identityMatrix(2))), Error);
  EXPECT_NO_THROW(BushingLaw(Matrix(2, 2)));
  EXPECT_THROW(SmoothLaw(1, SmoothLaw::Function()), Error);
  EXPECT_THROW(ForceElement(nullptr, std::make_shared<LagrangianLinearTIR>(place)), Error);
  EXPECT_THROW(ForceElement(std::make_shared<SpringDamperLaw>(1.), nullptr), Error);
  EXPECT_THROW(model.link("a", BushingLaw(identityMatrix(2)), place, mass), Error) << "two rows of a law, one output";
  EXPECT_THROW(model.link("b", SpringDamperLaw(1.), FirstOrderLinearTIR(Matrix(1, 1, 1.), Matrix(1, 1, 1.)), mass),
               Error);
  EXPECT_THROW(model.link("c", SpringDamperLaw(1.), place, free), Error) << "a system that was not inserted";
  EXPECT_THROW(model.link("d", SpringDamperLaw(1.), place, mass, mass), Error);
  EXPECT_THROW(model.link("e", SpringDamperLaw(1.), LagrangianLinearTIR(Matrix(1, 2)), mass), Error);
  EXPECT_TRUE(model.elements().empty()) << "a link that failed is there";
  const auto element = model.link("spring", SpringDamperLaw(1.), place, mass);
  EXPECT_NO_THROW(model.remove(element));
  EXPECT_THROW(model.remove(element), Error);
}

// Functions that give another number of results, or become compliant, end in an Error, each time.
TEST(ForceElement, RefusesOutputsOfAnotherSize) {
  NonSmoothDynamicalSystem model(0., 1.);
  const auto mass =
      model.insert("mass", std::make_shared<LagrangianLinearTIDS>(Vector(1), Vector(1), Matrix(1, 1, 1.)));
  const auto relation = std::make_shared<LagrangianScleronomousR>(
      1, withJacobians([](const Vector& q, Vector& y) { y = Vector(2, q(0)); },
                       [](const Vector&, Matrix& G) { G(0, 0) = 1.; }));
  const auto element =
      model.link("wide", std::make_shared<SpringDamperLaw>(1.), std::shared_ptr<Relation>(relation), mass);
  for (int k = 0; k < 2; ++k) EXPECT_THROW(element->force(0.), Error);
  EXPECT_EQ(element->size(), 1U);
  model.remove(element);
  const auto linear = std::make_shared<LagrangianLinearTIR>(Matrix(1, 1, 1.));
  const auto soft = model.link("soft", std::make_shared<SpringDamperLaw>(1.), std::shared_ptr<Relation>(linear), mass);
  linear->setD(Matrix(1, 1, 0.1));
  EXPECT_THROW(soft->force(0.), Error);
}

TEST(ForceElement, NamesItselfWhereItsLawFails) {
  NonSmoothDynamicalSystem model(0., 1.);
  const auto mass =
      model.insert("mass", std::make_shared<LagrangianLinearTIDS>(Vector(1), Vector(1), Matrix(1, 1, 1.)));
  model.link("hook", SmoothLaw(1, differenced([](double t, const Vector& y, const Vector&, Vector& f) {
                                 f(0) = t > 0.5 ? std::sqrt(-1. - y(0) * y(0)) : 0.;
                               })),
             LagrangianLinearTIR(Matrix(1, 1, 1.)), mass);
  TimeStepping simulation(model, 0.1);
  try {
    simulation.run();
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("'hook'"), std::string::npos) << error.what();
  }
  EXPECT_NEAR(simulation.time(), 0.5, 1e-12);
}

}  // namespace
}  // namespace delassus
