// SPDX-License-Identifier: Apache-2.0
//
// The discrete equations of the three schemes, written down a second time here, on a model with every type of relation.
#include <gtest/gtest.h>

#include <algorithm>
#include <delassus/kernel/integrators/EulerMoreauOSI.hpp>
#include <delassus/kernel/problems/Relay.hpp>
#include <delassus/kernel/simulation/CheckJacobians.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <delassus/numerics/algebra/LUFactorization.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <support/FirstOrderModels.hpp>
#include <support/Matchers.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

// θ, the weight of the new input in the dynamics, and the place of the relation in the step.
struct Scheme {
  const char* name;
  EulerMoreauOSI integrator;
  double theta, weight, place;
};

const std::vector<Scheme>& schemes() {
  static const std::vector<Scheme> all{
      {"implicit Euler", EulerMoreauOSI(1.), 1., 1., 1.},
      {"theta = 1/2", EulerMoreauOSI(0.5), 0.5, 1., 1.},
      {"explicit field", EulerMoreauOSI(0.), 0., 1., 1.},
      {"theta-gamma", EulerMoreauOSI(0.5, 0.5), 0.5, 0.5, 1.},
      {"theta-gamma, unequal", EulerMoreauOSI(0.7, 0.6), 0.7, 0.6, 1.},
      {"full theta-gamma", EulerMoreauOSI::fullThetaGamma(0.5, 0.5), 0.5, 1., 0.5},
      {"full theta-gamma, unequal", EulerMoreauOSI::fullThetaGamma(0.7, 0.8), 0.7, 1., 0.8},
  };
  return all;
}

Vector stacked(const MixedFirstOrderModel& m, const std::vector<std::size_t>& systems, const std::vector<Vector>& x) {
  Vector all;
  for (const std::size_t i : systems) {
    const std::size_t offset = all.size();
    all.resize(offset + m.systems[i]->dimension(), true);
    std::copy(x[i].begin(), x[i].end(), all.begin() + static_cast<std::ptrdiff_t>(offset));
  }
  return all;
}

// Largest violation of the discrete equations of the step from (t, x, r) that has just been done.
double violation(MixedFirstOrderModel& m, const Scheme& scheme, double t, double h, const std::vector<Vector>& x,
                 const std::vector<Vector>& r) {
  std::vector<Vector> placed, input;
  for (std::size_t i = 0; i < x.size(); ++i) {
    placed.push_back((1. - scheme.place) * x[i] + scheme.place * m.systems[i]->x());
    input.push_back(Vector(x[i].size(), 0.));
  }
  double worst = 0.;
  const double at = t + scheme.place * h;
  for (std::size_t k = 0; k < m.interactions.size(); ++k) {
    const Vector& lambda = m.interactions[k]->lambda(0);
    const Vector state = stacked(m, m.links[k], placed);
    Vector y(lambda.size()), g(state.size());
    m.outputs[k](at, state, lambda, y);
    m.inputs[k](at, state, lambda, g);
    for (std::size_t i = 0; i < y.size(); ++i) {
      worst = std::max(worst, std::abs(y(i) - m.interactions[k]->y(0)(i)));
      const double projected = std::clamp(lambda(i) - y(i), m.lower[k](i), m.upper[k](i));
      worst = std::max(worst, std::abs(lambda(i) - projected));
    }
    std::size_t offset = 0;
    for (const std::size_t i : m.links[k]) {
      for (std::size_t j = 0; j < input[i].size(); ++j) input[i](j) += g(offset + j);
      offset += input[i].size();
    }
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::size_t n = x[i].size();
    Vector before(n), after(n);
    m.fields[i](t, x[i], before);
    m.fields[i](t + h, m.systems[i]->x(), after);
    Matrix M(n, n);
    m.systems[i]->mass(t, x[i], M);
    Vector left = m.systems[i]->x() - x[i];
    Vector product(n);
    multiply(1., M, left, 0., product);
    for (std::size_t j = 0; j < n; ++j) {
      const double right = h * (scheme.theta * after(j) + (1. - scheme.theta) * before(j) +
                                scheme.weight * input[i](j) + (1. - scheme.weight) * r[i](j));
      worst = std::max(worst, std::abs(product(j) - right));
      worst = std::max(worst, std::abs(input[i](j) - m.systems[i]->r()(j)));
    }
  }
  return worst;
}

TEST(EulerMoreauEquations, SolvesItsDiscreteEquationsForEveryTypeOfRelation) {
  for (const Scheme& scheme : schemes()) {
    for (unsigned seed = 1; seed <= 8; ++seed) {
      MixedFirstOrderModel m(seed);
      const double h = 0.05;
      TimeStepping simulation(m.model, TimeDiscretisation(0., h), scheme.integrator, Relay());
      simulation.initialise();
      while (simulation.hasNextStep()) {
        std::vector<Vector> x, r;
        for (const auto& system : m.systems) {
          x.push_back(system->x());
          r.push_back(system->r());
        }
        const double t = simulation.time();
        simulation.step();
        // Newton's tolerance is 1e-10, relative to numbers of the size of 1; the multipliers' is 1e-8 of the free
        // output, where a solver is not exact.
        Scheme used = scheme;
        if (simulation.stepIndex() <= 2) used.weight = 1.;
        ASSERT_LT(violation(m, used, t, h, x, r), 1e-8) << scheme.name << ", seed " << seed << ", t = " << t;
      }
    }
  }
}

TEST(EulerMoreauEquations, ConvergesQuadraticallySoThatFewIterationsAreNeeded) {
  for (const Scheme& scheme : schemes()) {
    MixedFirstOrderModel m(3);
    TimeStepping simulation(m.model, TimeDiscretisation(0., 0.05), scheme.integrator, Relay());
    simulation.run();
    // From 1e-2 by 1e-4 and 1e-8 to rounding, and one more where the active set changes; a wrong block would converge
    // linearly and need tens.
    EXPECT_LE(simulation.statistics().newtonIterations, 5 * simulation.steps()) << scheme.name;
  }
}

// The linearisation at the beginning of a step, against differences of the functions of the model alone.
TEST(EulerMoreauEquations, GivesTheBlocksThatFiniteDifferencesGive) {
  for (Scheme scheme : schemes()) {
    scheme.weight = 1.;  // of the first step
    MixedFirstOrderModel m(5);
    const double h = 0.1;
    EulerMoreauOSI integrator = scheme.integrator;
    integrator.bind(m.model, 0.);
    integrator.beginStep({0., h, h});
    integrator.computeFreeState();
    const std::size_t n = 5;
    std::vector<Vector> x0;
    for (const auto& system : m.systems) x0.push_back(system->x());
    // All unknowns in one vector: 5 states, then the 2 + 2 + 1 + 1 multipliers.
    const std::size_t rows = 6;
    const auto residual = [&](double, const Vector& u, Vector& out) {
      std::vector<Vector> x = x0, placed = x0;
      for (std::size_t i = 0, row = 0; i < x.size(); ++i) {
        for (std::size_t j = 0; j < x[i].size(); ++j, ++row) {
          x[i](j) = u(row);
          placed[i](j) = (1. - scheme.place) * x0[i](j) + scheme.place * u(row);
        }
      }
      std::size_t offset = n;
      std::vector<Vector> input{Vector(2, 0.), Vector(3, 0.)};
      for (std::size_t k = 0; k < m.interactions.size(); ++k) {
        Vector lambda(m.interactions[k]->size());
        for (std::size_t i = 0; i < lambda.size(); ++i) lambda(i) = u(offset + i);
        const Vector state = stacked(m, m.links[k], placed);
        Vector y(lambda.size()), g(state.size());
        m.outputs[k](scheme.place * h, state, lambda, y);
        m.inputs[k](scheme.place * h, state, lambda, g);
        for (std::size_t i = 0; i < lambda.size(); ++i) out(offset + i) = y(i);
        std::size_t column = 0;
        for (const std::size_t i : m.links[k]) {
          for (std::size_t j = 0; j < input[i].size(); ++j) input[i](j) += g(column + j);
          column += input[i].size();
        }
        offset += lambda.size();
      }
      for (std::size_t i = 0, row = 0; i < x.size(); ++i) {
        Vector f(x[i].size());
        m.fields[i](h, x[i], f);
        Matrix M(f.size(), f.size());
        m.systems[i]->mass(0., x0[i], M);
        for (std::size_t j = 0; j < f.size(); ++j, ++row) {
          out(row) = -h * scheme.theta * f(j) - h * scheme.weight * input[i](j);
          for (std::size_t k = 0; k < f.size(); ++k) out(row) += M(j, k) * (x[i](k) - x0[i](k));
        }
      }
    };
    Vector u(n + rows, 0.);
    for (std::size_t i = 0, row = 0; i < x0.size(); ++i) {
      for (std::size_t j = 0; j < x0[i].size(); ++j) u(row++) = x0[i](j);
    }
    Matrix J(n + rows, n + rows);
    CentralDifferences<double, Vector>().compute<1>(residual, 0., u, J);
    // Eliminating the states from [W −hB; C D] leaves D + C W⁻¹ hB.
    Matrix W(n, n), right(n, rows), expected(rows, rows);
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t i = 0; i < n; ++i) W(i, j) = J(i, j);
    }
    for (std::size_t j = 0; j < rows; ++j) {
      for (std::size_t i = 0; i < n; ++i) right(i, j) = -J(i, n + j);
      for (std::size_t i = 0; i < rows; ++i) expected(i, j) = J(n + i, n + j);
    }
    LUFactorization factor;
    factor.factor(W, "W");
    factor.solve(right);
    for (std::size_t j = 0; j < rows; ++j) {
      for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t k = 0; k < n; ++k) expected(i, j) += J(n + i, k) * right(k, j);
      }
    }
    Relay problem;
    problem.bind(m.model, integrator.equations());
    problem.solve(integrator.equations());
    Matrix assembled;
    problem.problem().M().toDense(assembled);
    // Central differences are good to about 1e-10 here.
    expectNear(assembled, expected, 1e-8);
  }
}

TEST(EulerMoreauEquations, GivesTheSameBitsAgain) {
  Vector results[2];
  for (Vector& result : results) {
    MixedFirstOrderModel m(4);
    TimeStepping(m.model, TimeDiscretisation(0., 0.02), EulerMoreauOSI(0.5, 0.5), Relay()).run();
    result = m.systems[1]->x();
  }
  for (std::size_t i = 0; i < results[0].size(); ++i) EXPECT_EQ(results[0](i), results[1](i));
}

// Writes down where its functions are called.
class NotedR final : public FirstOrderNonLinearR {
 public:
  using Point = std::vector<double>;

  NotedR() : FirstOrderNonLinearR(1) {}
  void computeOutput(double t, const Vector& x, const Vector& lambda, Vector& y) override {
    outputs.push_back({t, x(0), lambda(0)});
    y(0) = x(0) + 0.1 * x(0) * x(0) * x(0) + lambda(0);
  }
  void computeInput(double t, const Vector& x, const Vector& lambda, Vector& r) override {
    inputs.push_back({t, x(0), lambda(0)});
    r(0) = lambda(0) + 0.1 * lambda(0) * x(0);
  }
  void computeC(double, const Vector& x, const Vector&, Matrix& C) override { C(0, 0) = 1. + 0.3 * x(0) * x(0); }
  void computeD(double, const Vector&, const Vector&, Matrix& D) override { D(0, 0) = 1.; }
  void computeB(double, const Vector& x, const Vector&, Matrix& B) override { B(0, 0) = 1. + 0.1 * x(0); }
  void computeK(double, const Vector&, const Vector& lambda, Matrix& K) override { K(0, 0) = 0.1 * lambda(0); }

  std::vector<Point> outputs, inputs;
};

bool anyTwice(std::vector<NotedR::Point> points) {
  std::sort(points.begin(), points.end());
  return std::adjacent_find(points.begin(), points.end()) != points.end();
}

TEST(EulerMoreauEquations, CallsNoFunctionOfARelationTwiceAtOnePointOfAStep) {
  for (const Scheme& scheme : schemes()) {
    SCOPED_TRACE(scheme.name);
    NonSmoothDynamicalSystem model(0., 1.);
    auto system = std::make_shared<FirstOrderLinearDS>(Vector{-2.});
    system->setA(makeMatrix({{-1.}}));
    auto relation = std::make_shared<NotedR>();
    auto law = std::make_shared<ComplementarityConditionNSL>(1);
    model.insert(system);
    model.link(std::make_shared<Interaction>(law, relation), system);
    TimeStepping simulation(model, TimeDiscretisation(0., 0.1), scheme.integrator, Relay());
    simulation.initialise();
    std::size_t passes = 0;
    while (simulation.hasNextStep()) {
      relation->outputs.clear();
      relation->inputs.clear();
      simulation.step();
      passes = std::max(passes, simulation.lastStep().newtonIterations);
      EXPECT_FALSE(anyTwice(relation->outputs)) << "h at t = " << simulation.time();
      EXPECT_FALSE(anyTwice(relation->inputs)) << "g at t = " << simulation.time();
    }
    EXPECT_GE(passes, 2U);
  }
}

TEST(EulerMoreauEquations, HasRightJacobiansInItsTestModel) {
  MixedFirstOrderModel m(6);
  EXPECT_NO_THROW(checkJacobians(m.model, 0.3));
}

}  // namespace
