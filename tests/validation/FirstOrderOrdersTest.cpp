// SPDX-License-Identifier: Apache-2.0
//
// Orders of convergence of the θ and θ–γ schemes on manufactured solutions, with every type of relation, where the
// multiplier acts and is smooth.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <delassus/kernel/integrators/EulerMoreauOSI.hpp>
#include <delassus/kernel/laws/ComplementarityConditionNSL.hpp>
#include <delassus/kernel/laws/EqualityConditionNSL.hpp>
#include <delassus/kernel/problems/LCP.hpp>
#include <delassus/kernel/problems/MLCP.hpp>
#include <delassus/kernel/relations/FirstOrderLinearR.hpp>
#include <delassus/kernel/relations/FirstOrderLinearTIR.hpp>
#include <delassus/kernel/relations/FirstOrderNonLinearR.hpp>
#include <delassus/kernel/relations/FirstOrderType1R.hpp>
#include <delassus/kernel/relations/FirstOrderType2R.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <delassus/kernel/systems/FirstOrderLinearTIDS.hpp>
#include <delassus/kernel/systems/FirstOrderNonLinearDS.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/functions/Automatic.hpp>
#include <functional>
#include <memory>

#include "Convergence.hpp"

namespace {

using namespace delassus;
using namespace delassus::test;

// The solution that the models below are made for: x* and, with y* = 0, the multiplier λ* > 0.
struct Wave {
  template <class T>
  static T x(const T& t, std::size_t i) {
    using std::cos;
    using std::sin;
    return i == 0 ? T(sin(2. * t) + 0.5 * t) : T(cos(t));
  }
  template <class T>
  static T rate(const T& t, std::size_t i) {
    using std::cos;
    using std::sin;
    return i == 0 ? T(2. * cos(2. * t) + 0.5) : T(-sin(t));
  }
  template <class T>
  static T lambda(const T& t) {
    using std::sin;
    return 1.5 + sin(3. * t);
  }
};

// g(t, x, λ) of a relation, for anything that can be calculated with.
template <class G>
struct Manufactured {
  G g;
  // f(t, x) = ẋ* − g(t, x*, λ*) + φ(x) − φ(x*), φ(x) = (−x₀ + x₁², sin x₀ − x₁).
  template <class T, class X, class Out>
  void operator()(const T& t, const X& x, Out& f) const {
    using std::sin;
    const double star[2] = {Wave::x(double(t), 0), Wave::x(double(t), 1)};
    double input[2];
    g(double(t), star, Wave::lambda(double(t)), input);
    f(0) = Wave::rate(double(t), 0) - input[0] - x(0) + x(1) * x(1) + star[0] - star[1] * star[1];
    f(1) = Wave::rate(double(t), 1) - input[1] + sin(x(0)) - x(1) - std::sin(star[0]) + star[1];
  }
};

// ψ(x, λ) = x₀ + sin(x₁) + c λ + ½ c λ², of which h is the difference to its value on the solution.
struct Output {
  double c;  // 0: relative degree 1
  template <class X0, class X1, class L>
  auto psi(const X0& x0, const X1& x1, const L& lambda) const {
    using std::sin;
    return x0 + sin(x1) + c * (lambda + 0.5 * lambda * lambda);
  }
  double onSolution(double t) const { return psi(Wave::x(t, 0), Wave::x(t, 1), Wave::lambda(t)); }
};

struct OrderCase {
  const char* name;
  EulerMoreauOSI integrator;
  double expected;
};

std::vector<OrderCase> orderCases(double withPlainHalf) {
  return {{"theta = 1", EulerMoreauOSI(1.), 1.},
          {"theta = 0", EulerMoreauOSI(0.), 1.},
          {"theta = 1/2, input at the end", EulerMoreauOSI(0.5), withPlainHalf},
          {"theta = gamma = 1/2", EulerMoreauOSI(0.5, 0.5), 2.},
          {"theta = 1/2, gamma = 0.7", EulerMoreauOSI(0.5, 0.7), withPlainHalf},
          {"full, theta = gamma = 1/2", EulerMoreauOSI::fullThetaGamma(0.5, 0.5), 2.},
          {"full, theta = 1/2, gamma = 0.7", EulerMoreauOSI::fullThetaGamma(0.5, 0.7), withPlainHalf}};
}

// Largest error of the state at the end, over halved steps.
template <class G>
double orderOf(const char* title, const EulerMoreauOSI& integrator, G g, const std::shared_ptr<FirstOrderR>& relation) {
  std::vector<double> steps, errors;
  for (int k = 6; k <= 9; ++k) {
    const double h = std::ldexp(1., -k);
    NonSmoothDynamicalSystem model(0., 2.);
    const auto system = std::make_shared<FirstOrderNonLinearDS>(makeVector({Wave::x(0., 0), Wave::x(0., 1)}),
                                                                automatic(Manufactured<G>{g}));
    const auto interaction = std::make_shared<Interaction>(std::make_shared<ComplementarityConditionNSL>(),
                                                           std::shared_ptr<Relation>(relation));
    model.insert(system);
    model.link(interaction, system);
    TimeStepping(model, TimeDiscretisation(0., h), integrator, LCP()).run();
    steps.push_back(h);
    errors.push_back(std::max(std::abs(system->x()(0) - Wave::x(2., 0)), std::abs(system->x()(1) - Wave::x(2., 1))));
  }
  return observedOrder(title, steps, errors);
}

// What the next terms of the expansion leave at these steps; where the first is small, an order of 1 looks better.
constexpr double orderMargin = 0.05;

void expectOrder(const OrderCase& c, double observed) {
  if (c.expected > 1.) {
    EXPECT_NEAR(observed, c.expected, orderMargin) << c.name;
  } else {
    EXPECT_GE(observed, c.expected - orderMargin) << c.name;
  }
}

TEST(FirstOrderOrders, OfTheFullyNonlinearRelationWithStateDependentInput) {
  // g = ((2 + sin x₁) λ + ½ x₀², cos(x₀) λ²/4 + t λ/4)
  const auto g = [](double t, const auto& x, double l, auto& r) {
    r[0] = (2. + std::sin(x[1])) * l + 0.5 * x[0] * x[0];
    r[1] = 0.25 * std::cos(x[0]) * l * l + 0.25 * t * l;
  };
  const Output output{0.5};
  const auto h = automatic([output](double t, const auto& x, const auto& l, auto& y) {
    y(0) = output.psi(x(0), x(1), l(0)) - output.onSolution(t);
  });
  const auto input = automatic([](double t, const auto& x, const auto& l, auto& r) {
    using std::cos;
    using std::sin;
    r(0) = (2. + sin(x(1))) * l(0) + 0.5 * x(0) * x(0);
    r(1) = 0.25 * cos(x(0)) * l(0) * l(0) + 0.25 * t * l(0);
  });
  const auto relation = std::make_shared<FirstOrderNonLinearR>(1, h, input);
  for (const OrderCase& c : orderCases(1.)) {
    expectOrder(c, orderOf(c.name, c.integrator, g, relation));
  }
}

const auto inputOfTypes = [](double t, const auto&, double l, auto& r) {
  r[0] = 2. * l + 0.1 * l * l;
  r[1] = 0.5 * l + 0.25 * std::sin(t) * l;
};

const auto automaticInputOfTypes = automatic([](double t, const auto& l, auto& r) {
  r(0) = 2. * l(0) + 0.1 * l(0) * l(0);
  r(1) = 0.5 * l(0) + 0.25 * std::sin(t) * l(0);
});

TEST(FirstOrderOrders, OfTheRelationOfType2) {
  const Output output{0.5};
  const auto h = automatic([output](double t, const auto& x, const auto& l, auto& y) {
    y(0) = output.psi(x(0), x(1), l(0)) - output.onSolution(t);
  });
  const auto relation = std::make_shared<FirstOrderType2R>(1, h, automaticInputOfTypes);
  for (const OrderCase& c : orderCases(1.)) {
    expectOrder(c, orderOf(c.name, c.integrator, inputOfTypes, relation));
  }
}

TEST(FirstOrderOrders, OfTheRelationOfType1WhichHasRelativeDegreeOne) {
  const Output output{0.};
  const auto h = automatic(
      [output](double t, const auto& x, auto& y) { y(0) = output.psi(x(0), x(1), 0.) - output.onSolution(t); });
  const auto relation = std::make_shared<FirstOrderType1R>(1, h, automaticInputOfTypes);
  for (const OrderCase& c : orderCases(1.)) {
    expectOrder(c, orderOf(c.name, c.integrator, inputOfTypes, relation));
  }
}

TEST(FirstOrderOrders, OfALinearRelationThatVariesInTime) {
  // y = (1 + ½ cos t) x₀ + (1 + t) λ + e(t), r = (2 + sin t, −t) λ.
  const auto g = [](double t, const auto&, double l, auto& r) {
    r[0] = (2. + std::sin(t)) * l;
    r[1] = -t * l;
  };
  const auto relation = std::make_shared<FirstOrderLinearR>(1);
  relation->setC([](double t, Matrix& C) { C(0, 0) = 1. + 0.5 * std::cos(t); });
  relation->setB([](double t, Matrix& B) {
    B(0, 0) = 2. + std::sin(t);
    B(1, 0) = -t;
  });
  relation->setD([](double t, Matrix& D) { D(0, 0) = 1. + t; });
  relation->setE(
      [](double t, Vector& e) { e(0) = -(1. + 0.5 * std::cos(t)) * Wave::x(t, 0) - (1. + t) * Wave::lambda(t); });
  for (const OrderCase& c : orderCases(1.)) {
    expectOrder(c, orderOf(c.name, c.integrator, g, relation));
  }
}

// ẋ = A(t) x + b(t) + B λ with everything linear and varying, so that each step is one pass with a new matrix.
TEST(FirstOrderOrders, OfALinearSystemThatVariesInTime) {
  const auto A = [](double t, Matrix& out) {
    out(0, 0) = -1. - 0.5 * std::sin(5. * t);
    out(0, 1) = 2. * t;
    out(1, 0) = -std::cos(3. * t);
    out(1, 1) = -0.5;
  };
  const auto B = [](double t, Matrix& out) {
    out(0, 0) = 2. + std::sin(t);
    out(1, 0) = -t;
  };
  for (const OrderCase& c : orderCases(1.)) {
    std::vector<double> steps, errors;
    for (int k = 6; k <= 9; ++k) {
      NonSmoothDynamicalSystem model(0., 2.);
      const auto system = std::make_shared<FirstOrderLinearDS>(makeVector({Wave::x(0., 0), Wave::x(0., 1)}));
      system->setA(A);
      system->setB([&](double t, Vector& b) {
        Matrix a(2, 2), gain(2, 1);
        A(t, a);
        B(t, gain);
        for (std::size_t i = 0; i < 2; ++i) {
          b(i) = Wave::rate(t, i) - a(i, 0) * Wave::x(t, 0) - a(i, 1) * Wave::x(t, 1) - gain(i, 0) * Wave::lambda(t);
        }
      });
      FirstOrderLinearR relation(1);
      relation.setC([](double t, Matrix& C) { C(0, 0) = 1. + 0.5 * std::cos(t); });
      relation.setB(B).setD([](double t, Matrix& D) { D(0, 0) = 1. + t; });
      relation.setE(
          [](double t, Vector& e) { e(0) = -(1. + 0.5 * std::cos(t)) * Wave::x(t, 0) - (1. + t) * Wave::lambda(t); });
      model.insert(system);
      model.link(std::make_shared<Interaction>(ComplementarityConditionNSL(), relation), system);
      const double h = std::ldexp(1., -k);
      TimeStepping simulation(model, TimeDiscretisation(0., h), c.integrator, LCP());
      simulation.run();
      EXPECT_EQ(simulation.statistics().newtonIterations, simulation.steps());
      steps.push_back(h);
      errors.push_back(std::max(std::abs(system->x()(0) - Wave::x(2., 0)), std::abs(system->x()(1) - Wave::x(2., 1))));
    }
    expectOrder(c, observedOrder(c.name, steps, errors));
  }
}

// A system without interactions whose M depends on the state and whose control depends on the rate:
// (2 + sin x) ẋ = f(t, x) + ½ u, u = x ẋ.
TEST(FirstOrderOrders, OfAMassThatDependsOnTheStateAndAControlThatDependsOnTheRate) {
  for (const double theta : {0.5, 1.}) {
    std::vector<double> steps, errors;
    for (int k = 3; k <= 7; ++k) {
      const double h = std::ldexp(1., -k);
      NonSmoothDynamicalSystem model(0., 2.);
      const auto system = std::make_shared<FirstOrderNonLinearDS>(
          makeVector({Wave::x(0., 0)}), automatic([](double t, const auto& x, auto& f) {
            using std::sin;
            const double star = Wave::x(t, 0);
            f(0) = (2. + std::sin(star) - 0.5 * star) * Wave::rate(t, 0) - sin(x(0)) + std::sin(star);
          }));
      system->setM([](double, const Vector& x, Matrix& M) { M(0, 0) = 2. + std::sin(x(0)); });
      system->setControl(makeMatrix({{0.5}}),
                         automatic([](double, const auto& x, const auto& rate, auto& u) { u(0) = x(0) * rate(0); }));
      model.insert(system);
      TimeStepping(model, TimeDiscretisation(0., h), EulerMoreauOSI(theta), LCP()).run();
      steps.push_back(h);
      errors.push_back(std::abs(system->x()(0) - Wave::x(2., 0)));
    }
    EXPECT_NEAR(observedOrder(theta < 1. ? "M(x), u(x'), theta = 1/2" : "M(x), u(x'), theta = 1", steps, errors),
                theta < 1. ? 2. : 1., orderMargin);
  }
}

}  // namespace
