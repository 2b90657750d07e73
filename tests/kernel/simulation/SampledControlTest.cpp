// SPDX-License-Identifier: Apache-2.0
//
// What sampled control is made of: delays, sensors that round, pulses of constant width.
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/kernel/integrators/EulerMoreauOSI.hpp>
#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <delassus/kernel/systems/FirstOrderLinearDS.hpp>
#include <delassus/kernel/systems/LagrangianLinearTIDS.hpp>
#include <deque>
#include <memory>
#include <vector>

namespace delassus {
namespace {

// ẋ = u, which every scheme integrates exactly while u is constant.
struct Tank {
  NonSmoothDynamicalSystem model;
  std::shared_ptr<FirstOrderLinearDS> tank =
      std::make_shared<FirstOrderLinearDS>(Vector(1, 1.), Matrix(1, 1), Vector(1));
  TimeStepping simulation;

  Tank(double end, double h) : model(0., end), simulation(inserted(), TimeDiscretisation(0., h), EulerMoreauOSI(0.5)) {}
  NonSmoothDynamicalSystem& inserted() {
    model.insert("tank", tank);
    return model;
  }
  double x() const { return tank->x()(0); }
  void setInput(double u) { tank->setB(Vector(1, u)); }
};

// u(t) = −x_{k−1}/(4 T) for kT ≤ t < (k + 1)T: x_{k+1} = x_k − x_{k−1}/4, with the double root ½.
TEST(SampledControl, ActsOnePeriodAfterItsSampleExactly) {
  constexpr double period = 0.01;
  for (const double h : {period, 3.7e-3, 0.123}) {
    Tank plant(0.3, h);
    double command = 0.;
    std::size_t k = 0;
    plant.simulation.addSampling("controller", TimeDiscretisation(0., period), [&] {
      // The rounding of thirty steps and of their instants, of 1e-15 s at rates of 25.
      EXPECT_NEAR(plant.x(), (1. + static_cast<double>(k)) * std::pow(0.5, static_cast<double>(k)), 1e-13) << h;
      ++k;
      plant.setInput(std::exchange(command, -0.25 / period * plant.x()));
    });
    plant.simulation.run();
    EXPECT_EQ(k, 31U);
  }
}

// Delays that are no multiple of the period: the command of sample k acts from (k + d)T on. With d = n + r, 0 < r < 1,
// x_{k+1} = x_k − K T (r x_{k−n−1} + (1 − r) x_{k−n}).
TEST(SampledControl, ActsAnyTimeAfterItsSampleExactly) {
  constexpr double period = 0.01, gain = 20.;
  for (const double delay : {0.6, 1.35}) {
    Tank plant(0.4, 7e-3);
    std::deque<double> commands;
    std::vector<double> samples;
    plant.simulation.addSampling("controller", TimeDiscretisation(0., period), [&] {
      samples.push_back(plant.x());
      commands.push_back(-gain * plant.x());
    });
    plant.simulation.addSwitching(
        "actuator", [&](std::size_t k) { return (static_cast<double>(k) + delay) * period; },
        [&] {
          plant.setInput(commands.front());
          commands.pop_front();
        });
    plant.simulation.run();
    ASSERT_EQ(samples.size(), 41U);
    const auto n = static_cast<std::size_t>(delay);
    const double r = delay - static_cast<double>(n);
    const auto past = [&](std::size_t k, std::size_t back) { return k < back ? 0. : samples[k - back]; };
    for (std::size_t k = 0; k + 1 < samples.size(); ++k) {
      const double next = samples[k] - gain * period * (r * past(k, n + 1) + (1. - r) * past(k, n));
      EXPECT_NEAR(samples[k + 1], next, 1e-14) << delay << ", sample " << k;
    }
    EXPECT_LT(std::abs(samples.back()), 0.2) << "the loop is not closed";
  }
}

// A sensor that rounds to steps of 1/64 m, and a controller that knows no speed but the difference of two readings: the
// loop against the same arithmetic without a simulation. No reading balances the load, so that it ends in a limit
// cycle.
TEST(SampledControl, SeesWhatAQuantisedSensorReads) {
  constexpr double period = 0.02, step = 1. / 64., mass = 2.31, load = 1.273, start = 0.5137, speed = 0.3119;
  struct Controller {
    double before = 0.;
    double force(double reading) {
      const double rate = (reading - std::exchange(before, reading)) / period;
      return load - 41.37 * reading - 12.73 * rate;
    }
  };
  const auto read = [](double q) {
    // Where rounding decides between two readings, both loops would be right.
    EXPECT_GT(std::abs(std::abs(std::remainder(q, step)) - 0.5 * step), 1e-9);
    return step * std::round(q / step);
  };
  NonSmoothDynamicalSystem model(0., 4.);
  const auto body = model.insert(
      "body", std::make_shared<LagrangianLinearTIDS>(Vector(1, start), Vector(1, speed), Matrix(1, 1, mass)));
  TimeStepping simulation(model, 1.3e-2);
  Controller controller, alone;
  double q = start, v = speed, late = 0.;
  simulation.addSampling("controller", TimeDiscretisation(0., period), [&] {
    // Rounding of 200 periods.
    EXPECT_NEAR(body->q()(0), q, 1e-12) << simulation.time();
    EXPECT_NEAR(body->velocity()(0), v, 1e-12) << simulation.time();
    body->setExternalForces(Vector(1, controller.force(read(body->q()(0)))));
    const double a = alone.force(step * std::round(q / step)) / mass;
    q += period * v + 0.5 * period * period * a;
    v += period * a;
    if (simulation.time() > 3.) late = std::max(late, std::abs(v));
  });
  simulation.run();
  EXPECT_GT(late, 1e-3) << "no limit cycle";
  EXPECT_LT(late, 0.2);
}

// Linear systems of a user that count how often a scheme asks for their Jacobians: once a factorisation, and of first
// order once a change of parameters, to see whether it was one of the source alone.
class CountedSpring final : public SecondOrderDS {
 public:
  CountedSpring() : SecondOrderDS(Vector(1, 1.), Vector(1), "CountedSpring") {}
  std::string_view className() const override { return "CountedSpring"; }
  bool isLinear() const override { return true; }

  void switchTo(bool on) {
    force = on ? 1. : 0.;
    parametersChanged();
  }

  double force = 0.;
  std::size_t asked = 0;
  static constexpr std::size_t comparisons = 0;  // a change

 private:
  void computeMass(const Vector&, Matrix& M) override { M(0, 0) = 2.; }
  void computeForces(double, const Vector& q, const Vector& v, Vector& F) override {
    F(0) = force - 3. * q(0) - 0.5 * v(0);
  }
  void computeForceJacobians(double, const Vector&, const Vector&, Matrix& byQ, Matrix& byV) override {
    ++asked;
    byQ(0, 0) = -3.;
    byV(0, 0) = -0.5;
  }
};

class CountedCircuit final : public FirstOrderDS {
 public:
  CountedCircuit() : FirstOrderDS(Vector(1, 1.), "CountedCircuit") {}
  std::string_view className() const override { return "CountedCircuit"; }

  void switchTo(bool on) {
    source = on ? 1. : 0.;
    parametersChanged();
  }

  double source = 0.;
  std::size_t asked = 0;
  static constexpr std::size_t comparisons = 1;

 private:
  void computeF(double, const Vector& x, Vector& f) override { f(0) = source - x(0); }
  void computeJacobianFx(double, const Vector&, Matrix& J) override {
    ++asked;
    J(0, 0) = -1.;
  }
  bool hasLinearField() const override { return true; }
  bool hasConstantJacobian() const override { return true; }
  bool hasConstantSource() const override { return true; }
};

// A pulse of constant width cuts each period of four steps into five pieces, of three sizes.
template <class System, class Scheme>
void expectOneFactorisationForEachPiece(const Scheme& scheme) {
  constexpr double period = 0.04;
  NonSmoothDynamicalSystem model(0., 2.);
  const auto system = model.insert("system", std::make_shared<System>());
  TimeStepping simulation(model, TimeDiscretisation(0., 0.01), scheme);
  std::size_t afterOne = 0, changes = 0;
  const auto factorisations = [&] { return system->asked - System::comparisons * changes; };
  simulation.addSampling("on", TimeDiscretisation(0., period), [&] {
    if (changes == 2) afterOne = factorisations();
    system->switchTo(true);
    if (simulation.hasNextStep()) ++changes;  // what no step sees is not compared
  });
  simulation.addSwitching(
      "off", [&](std::size_t k) { return (static_cast<double>(k) + 0.325) * period; },
      [&] {
        system->switchTo(false);
        ++changes;
      });
  simulation.run();
  EXPECT_EQ(simulation.statistics().steps, 250U) << "pieces";
  EXPECT_GE(afterOne, 3U);
  EXPECT_LE(afterOne, 4U) << "and one for the start";
  EXPECT_EQ(factorisations(), afterOne) << "fifty periods";
}

TEST(SampledControl, FactorsNothingAfterTheFirstPeriodOfAPulseOfConstantWidth) {
  expectOneFactorisationForEachPiece<CountedSpring>(MoreauJeanOSI());
  expectOneFactorisationForEachPiece<CountedCircuit>(EulerMoreauOSI(0.5));
}

}  // namespace
}  // namespace delassus
