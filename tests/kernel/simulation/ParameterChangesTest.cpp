// SPDX-License-Identifier: Apache-2.0
//
// What a user changes between two steps or outputs counts from there on: each setter of each class, in time stepping
// and event-driven, against a simulation that starts from the state of the change with all set before.
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/delassus.hpp>
#include <functional>
#include <memory>
#include <string>
#include <support/Matchers.hpp>
#include <vector>

namespace {

using namespace delassus;
using namespace delassus::test;

// A model of one system and at most one contact, and the change.
struct Scene {
  std::shared_ptr<DynamicalSystem> system;
  std::shared_ptr<Interaction> interaction;
  std::function<void()> change;
};

struct Case {
  std::string name;
  std::function<Scene(const Vector& q, const Vector& v)> make;
  Vector q, v;
};

void PrintTo(const Case& one, std::ostream* out) {
  *out << one.name;
}

constexpr double g = 10.;
constexpr double middle = 0.1, end = 0.2, step = 5e-3;

// Above a floor, in x (along it) and y.
std::shared_ptr<LagrangianDS> makeBlock(const Vector& q, const Vector& v) {
  auto block = std::make_shared<LagrangianDS>(q, v, identityMatrix(2));
  block->setExternalForces(makeVector({1., -g}));
  return block;
}

std::shared_ptr<Interaction> makeFloor() {
  return std::make_shared<Interaction>(NewtonImpactNSL(0.), LagrangianLinearTIR(makeMatrix({{0., 1.}})));
}

// A block that rests on a floor, and what is done to it.
Case onFloor(const std::string& name, std::function<void(LagrangianDS&)> prepare,
             std::function<void(LagrangianDS&)> change) {
  return {name,
          [=](const Vector& q, const Vector& v) {
            const auto block = makeBlock(q, v);
            if (prepare) prepare(*block);
            return Scene{block, makeFloor(), [=] { change(*block); }};
          },
          makeVector({0., 0.}), makeVector({0., 0.})};
}

Case linearOnFloor(const std::string& name, std::function<void(LagrangianLinearTIDS&)> prepare,
                   std::function<void(LagrangianLinearTIDS&)> change) {
  return {name,
          [=](const Vector& q, const Vector& v) {
            const auto block = std::make_shared<LagrangianLinearTIDS>(q, v, identityMatrix(2));
            block->setExternalForces(makeVector({1., -g}));
            if (prepare) prepare(*block);
            return Scene{block, makeFloor(), [=] { change(*block); }};
          },
          makeVector({0., 0.}), makeVector({0., 0.})};
}

// A body that turns in flight.
Case inFlight(const std::string& name, std::function<void(NewtonEulerDS&)> prepare,
              std::function<void(NewtonEulerDS&)> change) {
  return {name,
          [=](const Vector& q, const Vector& v) {
            const auto body = std::make_shared<NewtonEulerDS>(q, v, 2., diagonalMatrix({1., 1.5, 2.}));
            if (prepare) prepare(*body);
            return Scene{body, nullptr, [=] { change(*body); }};
          },
          NewtonEulerDS::at({0., 0., 1.}), makeVector({0.1, 0.2, 0.3, 1., 2., 3.})};
}

// A block on something that its relation describes.
template <class R>
Case withRelation(const std::string& name, std::function<std::shared_ptr<R>()> makeRelation,
                  std::function<void(R&)> change, bool friction = false) {
  return {name,
          [=](const Vector& q, const Vector& v) {
            const auto relation = makeRelation();
            const std::shared_ptr<NonSmoothLaw> law =
                friction ? std::shared_ptr<NonSmoothLaw>(std::make_shared<NewtonImpactFrictionNSL>(0., 0., 0.5, 2))
                         : std::make_shared<NewtonImpactNSL>(0.);
            return Scene{makeBlock(q, v), std::make_shared<Interaction>(law, relation), [=] { change(*relation); }};
          },
          makeVector({0., 0.}), makeVector({0., 0.})};
}

template <class DS, class Make>
Case ofFirstOrder(const std::string& name, Make make, std::function<void(DS&)> change) {
  return {name,
          [=](const Vector& x, const Vector&) {
            const std::shared_ptr<DS> system = make(x);
            return Scene{system, nullptr, [=] { change(*system); }};
          },
          makeVector({1., -0.5}), Vector()};
}

Case ofFirstOrderRelation(const std::string& name, std::function<void(FirstOrderLinearR&)> prepare,
                          std::function<void(FirstOrderLinearR&)> change) {
  return {name,
          [=](const Vector& x, const Vector&) {
            const auto system =
                std::make_shared<FirstOrderLinearTIDS>(x, makeMatrix({{0., 1.}, {-4., -0.2}}), makeVector({0., 1.}));
            const auto relation = std::make_shared<FirstOrderLinearR>(makeMatrix({{1., 0.}}), makeMatrix({{0.}, {1.}}));
            relation->setD(makeMatrix({{0.5}}));
            if (prepare) prepare(*relation);
            return Scene{system,
                         std::make_shared<Interaction>(std::make_shared<ComplementarityConditionNSL>(1), relation),
                         [=] { change(*relation); }};
          },
          makeVector({-1., -0.5}), Vector()};
}

const auto noForce = differenced([](double, const Vector&, const Vector&, Vector&) {});

std::vector<Case> lagrangianCases() {
  const auto byZ = [](LagrangianDS& b) {
    b.setZ(makeVector({-g}));
    b.setExternalForces([](double, const Vector& z, Vector& f) { f = makeVector({1., z(0)}); });
  };
  const auto massByZ = [](LagrangianDS& b) {
    b.setZ(makeVector({1.}));
    b.setMass([](const Vector&, const Vector& z, Matrix& M) { M(0, 0) = M(1, 1) = z(0); });
  };
  // A functions that sees a number of the user.
  const auto captured = std::make_shared<double>(-g);
  return {
      onFloor("LagrangianDS_setExternalForces", {},
              [](auto& b) {
                b.setExternalForces(makeVector({2., 5.}));
              }),
      onFloor("LagrangianDS_setExternalForces_function", {},
              [](auto& b) { b.setExternalForces([](double t, Vector& f) {
                              f = makeVector({2. * t, 5.});
                            }); }),
      onFloor("LagrangianDS_setExternalForces_onTheFloor", {},
              [](auto& b) {
                b.setExternalForces(makeVector({2., -20.}));
              }),
      onFloor("LagrangianDS_setZ", byZ, [](auto& b) { b.setZ(makeVector({5.})); }),
      onFloor("LagrangianDS_setZ_ofMass", massByZ, [](auto& b) { b.setZ(makeVector({2.})); }),
      onFloor("LagrangianDS_setMass", {},
              [](auto& b) {
                b.setMass(makeMatrix({{2., 0.5}, {0.5, 3.}}));
              }),
      onFloor("LagrangianDS_setMass_function", {},
              [](auto& b) {
                b.setMass([](const Vector& q, Matrix& M) {
                  M(0, 0) = 2. + q(0);
                  M(1, 1) = 1.;
                });
              }),
      onFloor("LagrangianDS_setInternalForces", {},
              [](auto& b) {
                b.setInternalForces(differenced([](double, const Vector&, const Vector&, Vector& f) { f(1) = -15.; }));
              }),
      onFloor("LagrangianDS_setNNL", {},
              [](auto& b) {
                b.setNNL(differenced([](const Vector&, const Vector& v, Vector& f) { f(1) = -15. - v(0) * v(0); }));
              }),
      onFloor(
          "LagrangianDS_parametersChanged",
          [=](auto& b) {
            b.setExternalForces([=](double, Vector& f) { f = makeVector({1., *captured}); });
            *captured = -g;
          },
          [=](auto& b) {
            *captured = 5.;
            b.parametersChanged();
          }),
      linearOnFloor("LagrangianLinearTIDS_setExternalForces", {},
                    [](auto& b) {
                      b.setExternalForces(makeVector({2., 5.}));
                    }),
      linearOnFloor("LagrangianLinearTIDS_setExternalForces_function", {},
                    [](auto& b) { b.setExternalForces([](double t, Vector& f) {
                                    f = makeVector({2. * t, 5.});
                                  }); }),
      linearOnFloor("LagrangianLinearTIDS_setStiffness", {},
                    [](auto& b) {
                      b.setStiffness(diagonalMatrix({3., -40.}));
                    }),
      linearOnFloor("LagrangianLinearTIDS_setDamping", {},
                    [](auto& b) {
                      b.setDamping(diagonalMatrix({4., 1.}));
                    }),
      linearOnFloor(
          "LagrangianLinearTIDS_setZ",
          [](auto& b) {
            b.setZ(makeVector({-g}));
            b.setExternalForces([](double, const Vector& z, Vector& f) { f = makeVector({1., z(0)}); });
          },
          [](auto& b) { b.setZ(makeVector({5.})); }),
      linearOnFloor(
          "LagrangianLinearTIDS_parametersChanged",
          [=](auto& b) {
            b.setExternalForces([=](double, Vector& f) { f = makeVector({1., *captured}); });
            *captured = -g;
          },
          [=](auto& b) {
            *captured = 5.;
            b.parametersChanged();
          }),
  };
}

std::vector<Case> bodyCases() {
  const auto drag = [](double k) {
    return differenced([k](double, const Vector&, const Vector& v, Vector& f) {
      for (std::size_t i = 0; i < 6; ++i) f(i) = k * v(i);
    });
  };
  return {
      inFlight("NewtonEulerDS_setExternalForces", {},
               [](auto& b) {
                 b.setExternalForces(makeVector({1., 2., -g}));
               }),
      inFlight("NewtonEulerDS_setExternalMoments", {},
               [](auto& b) {
                 b.setExternalMoments(makeVector({1., 2., 3.}));
               }),
      inFlight("NewtonEulerDS_setInertialExternalMoments", {},
               [](auto& b) {
                 b.setInertialExternalMoments(makeVector({1., 2., 3.}));
               }),
      inFlight("NewtonEulerDS_setInternalForces", {}, [=](auto& b) { b.setInternalForces(drag(3.)); }),
      inFlight(
          "NewtonEulerDS_setZ",
          [](auto& b) {
            b.setZ(makeVector({1.}));
            b.setExternalForces([](double, const Vector& z, Vector& f) { f(0) = z(0); });
          },
          [](auto& b) { b.setZ(makeVector({-4.})); }),
      inFlight("NewtonEulerDS_setConfigurationUpdate", {},
               [](auto& b) { b.setConfigurationUpdate(ConfigurationUpdate::normalised); }),
  };
}

std::vector<Case> relationCases() {
  const auto place = std::make_shared<double>(0.);
  const auto lower = [=](Relation& relation) {
    *place = 0.05;
    relation.parametersChanged();
  };
  const auto bias = [](const Vector&, const Vector&, Vector& b) { b(0) = 0.; };
  return {
      withRelation<LagrangianLinearTIR>(
          "LagrangianLinearTIR_setZ",
          [] {
            auto r = std::make_shared<LagrangianLinearTIR>(makeMatrix({{0., 1.}}));
            r->setFz(makeMatrix({{1.}}), makeVector({0.}));
            return r;
          },
          [](auto& r) { r.setZ(makeVector({0.05})); }),
      withRelation<LagrangianLinearTIR>(
          "LagrangianLinearTIR_setFz",
          [] {
            return std::make_shared<LagrangianLinearTIR>(makeMatrix({{0., 1.}}));
          },
          [](auto& r) { r.setFz(makeMatrix({{1.}}), makeVector({0.05})); }),
      withRelation<LagrangianScleronomousR>(
          "LagrangianScleronomousR_parametersChanged",
          [=] {
            *place = 0.;
            return std::make_shared<LagrangianScleronomousR>(
                1, differenced([=](const Vector& q, Vector& y) { y(0) = q(1) + *place; }));
          },
          lower),
      withRelation<LagrangianScleronomousR>(
          "LagrangianScleronomousR_setBias",
          [] {
            return std::make_shared<LagrangianScleronomousR>(
                1, differenced([](const Vector& q, Vector& y) { y(0) = q(1); }));
          },
          [=](auto& r) { r.setBias(bias); }),
      withRelation<LagrangianRheonomousR>(
          "LagrangianRheonomousR_parametersChanged",
          [=] {
            *place = 0.;
            return std::make_shared<LagrangianRheonomousR>(
                1, differenced([=](double, const Vector& q, Vector& y) { y(0) = q(1) + *place; }));
          },
          lower),
      withRelation<LagrangianContactR>(
          "LagrangianContactR_setTangentialDrift",
          [] {
            return std::make_shared<LagrangianContactR>(
                2, LagrangianContactR::Function(differenced([](const Vector& q, Vector& h) { h(0) = q(1); })),
                [](double, const Vector&, Matrix& T) { T(0, 0) = 1.; });
          },
          [](auto& r) { r.setTangentialDrift([](double, const Vector&, Vector& w) { w(0) = -2.; }); }, true),
  };
}

std::vector<Case> firstOrderCases() {
  const Matrix A = makeMatrix({{0., 1.}, {-4., -0.2}});
  const auto linear = [=](const Vector& x) { return std::make_shared<FirstOrderLinearDS>(x, A, makeVector({0., 1.})); };
  const auto invariant = [=](const Vector& x) { return std::make_shared<FirstOrderLinearTIDS>(x, A); };
  const auto nonlinear = [](const Vector& x) {
    auto system =
        std::make_shared<FirstOrderNonLinearDS>(x, differenced([](double, const Vector& y, const Vector& z, Vector& f) {
                                                  f(0) = y(1);
                                                  f(1) = -z(0) * std::sin(y(0));
                                                }));
    system->setZ(makeVector({1.}));
    return system;
  };
  const Matrix M = makeMatrix({{2., 0.}, {0., 3.}});
  const Matrix gain = makeMatrix({{0.}, {1.}});
  const auto control = differenced([](double, const Vector& x, Vector& u) { u(0) = -5. * x(1); });
  return {
      ofFirstOrder<FirstOrderLinearDS>("FirstOrderLinearDS_setA", linear,
                                       [=](auto& s) {
                                         s.setA(makeMatrix({{0., 1.}, {-9., 0.}}));
                                       }),
      ofFirstOrder<FirstOrderLinearDS>("FirstOrderLinearDS_setA_function", linear,
                                       [=](auto& s) {
                                         s.setA([](double t, Matrix& a) { a = makeMatrix({{0., 1.}, {-9. * t, 0.}}); });
                                       }),
      ofFirstOrder<FirstOrderLinearDS>("FirstOrderLinearDS_setB", linear,
                                       [=](auto& s) {
                                         s.setB(makeVector({3., -1.}));
                                       }),
      ofFirstOrder<FirstOrderLinearDS>("FirstOrderLinearDS_setM", linear, [=](auto& s) { s.setM(M); }),
      ofFirstOrder<FirstOrderLinearDS>("FirstOrderLinearDS_setM_function", linear,
                                       [=](auto& s) { s.setM([=](double, const Vector&, Matrix& out) { out = M; }); }),
      ofFirstOrder<FirstOrderLinearDS>("FirstOrderLinearDS_setControl", linear,
                                       [=](auto& s) { s.setControl(gain, control); }),
      ofFirstOrder<FirstOrderLinearTIDS>("FirstOrderLinearTIDS_setA", invariant,
                                         [=](auto& s) {
                                           s.setA(makeMatrix({{0., 1.}, {-9., 0.}}));
                                         }),
      ofFirstOrder<FirstOrderNonLinearDS>("FirstOrderNonLinearDS_setZ", nonlinear,
                                          [=](auto& s) { s.setZ(makeVector({20.})); }),
      ofFirstOrderRelation("FirstOrderLinearR_setC", {},
                           [](auto& r) {
                             r.setC(makeMatrix({{3., 1.}}));
                           }),
      ofFirstOrderRelation("FirstOrderLinearR_setB", {},
                           [](auto& r) {
                             r.setB(makeMatrix({{0.}, {2.}}));
                           }),
      ofFirstOrderRelation("FirstOrderLinearR_setD", {}, [](auto& r) { r.setD(makeMatrix({{0.1}})); }),
      ofFirstOrderRelation("FirstOrderLinearR_setE", {}, [](auto& r) { r.setE(makeVector({-0.5})); }),
      ofFirstOrderRelation(
          "FirstOrderLinearR_setZ",
          [](auto& r) {
            r.setZ(makeVector({0.}));
            r.setF(makeMatrix({{1.}}));
          },
          [](auto& r) { r.setZ(makeVector({-0.5})); }),
  };
}

std::vector<Case> mechanicalCases() {
  std::vector<Case> all = lagrangianCases();
  for (const auto& more : {bodyCases(), relationCases()}) all.insert(all.end(), more.begin(), more.end());
  return all;
}

std::vector<Case> allCases() {
  std::vector<Case> all = mechanicalCases();
  const std::vector<Case> more = firstOrderCases();
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

// The state of the system, velocities after positions.
Vector stateOf(DynamicalSystem& system) {
  if (const FirstOrderDS* const flow = system.firstOrder()) return flow->x();
  Vector state = system.secondOrder()->q();
  append(system.secondOrder()->velocity(), state);
  return state;
}

Scene again(const Case& one, DynamicalSystem& system) {
  if (const FirstOrderDS* const flow = system.firstOrder()) return one.make(flow->x(), Vector());
  return one.make(system.secondOrder()->q(), system.secondOrder()->velocity());
}

void fill(NonSmoothDynamicalSystem& model, const Scene& scene) {
  model.insert(scene.system);
  if (scene.interaction) model.link(scene.interaction, scene.system);
}

using Simulate = std::function<std::unique_ptr<Simulation>(NonSmoothDynamicalSystem& model)>;

// Runs to the middle, changes, and runs to the end; beside it from the middle with the change made before all else.
void expectChangeCounts(const Case& one, const Simulate& simulate, double tolerance) {
  const Scene scene = one.make(one.q, one.v);
  NonSmoothDynamicalSystem model(0., end);
  fill(model, scene);
  const auto simulation = simulate(model);
  while (simulation->time() < middle - 0.5 * step) simulation->step();

  const Scene fresh = again(one, *scene.system);
  NonSmoothDynamicalSystem freshModel(simulation->time(), end);
  fill(freshModel, fresh);
  fresh.change();
  simulate(freshModel)->run();
  const Scene unchanged = again(one, *scene.system);  // resets what cases capture
  scene.change();
  simulation->run();
  expectNear(stateOf(*scene.system), stateOf(*fresh.system), tolerance);
  if (scene.interaction) expectNear(scene.interaction->lambda(0), fresh.interaction->lambda(0), 100. * tolerance);
}

class ParameterChanges : public ::testing::TestWithParam<Case> {};

std::string nameOf(const ::testing::TestParamInfo<Case>& info) {
  return info.param.name;
}

TEST_P(ParameterChanges, CountInTimeStepping) {
  const bool flows = GetParam().v.size() == 0;
  // Both runs do the same steps except for warm starts: what is left is what Newton's loop and solvers leave.
  expectChangeCounts(
      GetParam(),
      [=](NonSmoothDynamicalSystem& model) -> std::unique_ptr<Simulation> {
        const TimeDiscretisation grid(model.t0(), step);
        if (flows) return std::make_unique<TimeStepping>(model, grid, EulerMoreauOSI(1.), LCP());
        return std::make_unique<TimeStepping>(model, grid, MoreauJeanOSI(0.5), GenericMechanical());
      },
      1e-8);
}

INSTANTIATE_TEST_SUITE_P(AllSetters, ParameterChanges, ::testing::ValuesIn(allCases()), nameOf);

class MechanicalParameterChanges : public ParameterChanges {};

TEST_P(MechanicalParameterChanges, CountInSchatzmanPaoliOSI) {
  const Scene scene = GetParam().make(GetParam().q, GetParam().v);
  if (GetParam().q.size() != GetParam().v.size()) GTEST_SKIP() << "the scheme takes Lagrangian systems";
  if (scene.interaction && scene.interaction->law().size() > 1) GTEST_SKIP() << "the scheme takes no friction";
  // The two-step scheme takes a force at t for what acts half a step around it: a jump is seen half a step early, which
  // makes velocities differ by ½h ΔF/m, of 15 m/s² at most. A change that is not seen makes them differ by 1.5 m/s.
  expectChangeCounts(
      GetParam(),
      [=](NonSmoothDynamicalSystem& model) -> std::unique_ptr<Simulation> {
        return std::make_unique<TimeStepping>(model, TimeDiscretisation(model.t0(), step), SchatzmanPaoliOSI(0.5),
                                              LCP());
      },
      0.5 * step * 16.);
}

INSTANTIATE_TEST_SUITE_P(AllSetters, MechanicalParameterChanges, ::testing::ValuesIn(lagrangianCases()), nameOf);

class EventDrivenParameterChanges : public ParameterChanges {};

TEST_P(EventDrivenParameterChanges, CountBetweenOutputs) {
  if constexpr (!withSundials) GTEST_SKIP() << "built without SUNDIALS";
  // Tolerances of the integration are 1e-10 and 1e-12.
  expectChangeCounts(
      GetParam(),
      [](NonSmoothDynamicalSystem& model) -> std::unique_ptr<Simulation> {
        return std::make_unique<EventDriven>(model, TimeDiscretisation(model.t0(), step), GenericMechanical());
      },
      1e-8);
}

INSTANTIATE_TEST_SUITE_P(AllSetters, EventDrivenParameterChanges, ::testing::ValuesIn(allCases()), nameOf);

}  // namespace
