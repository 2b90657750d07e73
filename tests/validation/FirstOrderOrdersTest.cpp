// SPDX-License-Identifier: Apache-2.0
//
// Orders of convergence of the θ and θ–γ schemes: on manufactured solutions with every type of relation, where the
// multiplier acts and is smooth, and on linear complementarity systems that are solved mode by mode with matrix
// exponentials.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <delassus/kernel/functions/Automatic.hpp>
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
#include <delassus/numerics/algebra/LUFactorization.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <functional>
#include <memory>
#include <support/PiecewiseLinear.hpp>
#include <support/RandomProblems.hpp>

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
  // y = x₀ + (1 + t) λ + e(t), r = (2 + sin t, −t) λ.
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

// Random passive systems: M = 1, A negative definite, B = Cᵀ, so that the complementarity problems are monotone and the
// solution is continuous. A source e(t) would need its own exponential, so it is a rotating pair of states.
struct PassiveSystem {
  PassiveSystem(unsigned seed, double feedthrough) {
    Generator generator(seed);
    const std::size_t n = 5;
    const std::size_t m = 2;
    A = randomMatrix(generator, n, n);
    Matrix damping = randomSemidefinite(generator, n, n, 0.3);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) A(i, j) = (i < j ? 1. : -1.) * A(std::min(i, j), std::max(i, j));
      A(i, i) = 0.;
    }
    A -= 0.3 * damping;
    // States 0 and 1 are the source: x₀ = sin 4t, x₁ = cos 4t.
    for (std::size_t j = 0; j < n; ++j) A(0, j) = A(1, j) = 0.;
    A(0, 1) = 4.;
    A(1, 0) = -4.;
    C = randomMatrix(generator, m, n);
    B = Matrix(n, m, 0.);
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t j = 2; j < n; ++j) B(j, i) = C(i, j);
    }
    D = feedthrough * randomPositiveDefinite(generator, m);
    if (feedthrough == 0.) {
      // Without feedthrough the outputs are states alone, since a source that pushes y below zero at once is a jump.
      for (std::size_t i = 0; i < m; ++i) C(i, 0) = C(i, 1) = 0.;
    }
    x0 = randomVector(generator, n);
    x0(0) = 0.;
    x0(1) = 1.;
    for (std::size_t round = 0; feedthrough == 0. && round < 200; ++round) {
      // Into the admissible states.
      Vector y = prod(C, x0);
      if (*std::min_element(y.begin(), y.end()) > 0.05) break;
      x0 = randomVector(generator, n);
      x0(0) = 0.;
      x0(1) = 1.;
    }
  }

  Matrix A, B, C, D;
  Vector x0;
};

// The modes of ẋ = A x + B λ, 0 ≤ C x + D λ ⟂ λ ≥ 0: in mode α (a bit a row) y_α = 0 and the other λ are zero, so that
// λ_α = −D_αα⁻¹ C_α x, or −(C_α B_α)⁻¹ C_α A x where D = 0. Where an output or a multiplier of a mode turns negative,
// its row changes sides. The margins keep rounding from changing it back.
PiecewiseLinear exactSolution(const PassiveSystem& p) {
  const std::size_t n = p.A.size1();
  const std::size_t m = p.C.size1();
  const bool degreeZero = normMax(p.D) > 0.;
  Matrix CA(m, n, 0.), CB(m, m, 0.);
  multiply(1., p.C, p.A, 0., CA);
  multiply(1., p.C, p.B, 0., CB);
  std::vector<PiecewiseLinear::Mode> modes;
  for (std::size_t mode = 0; mode < (std::size_t{1} << m); ++mode) {
    // Rows of the matrix E in λ = E x; regular on α, the identity elsewhere.
    Matrix pivot = identityMatrix(m), E(m, n, 0.);
    for (std::size_t i = 0; i < m; ++i) {
      if ((mode >> i & 1U) == 0) continue;
      for (std::size_t j = 0; j < n; ++j) E(i, j) = -(degreeZero ? p.C(i, j) : CA(i, j));
      for (std::size_t j = 0; j < m; ++j) {
        if ((mode >> j & 1U) != 0) pivot(i, j) = degreeZero ? p.D(i, j) : CB(i, j);
      }
    }
    LUFactorization factor;
    factor.factor(pivot, "mode");
    factor.solve(E);
    Matrix flow = p.A, output = p.C;
    multiply(1., p.B, E, 1., flow);
    multiply(1., p.D, E, 1., output);
    PiecewiseLinear::Mode& made = modes.emplace_back();
    made.A = flow;
    made.b = Vector(n, 0.);
    for (std::size_t i = 0; i < m; ++i) {
      const bool active = (mode >> i & 1U) != 0;
      Vector normal(n);
      for (std::size_t j = 0; j < n; ++j) normal(j) = active ? E(i, j) : output(i, j);
      made.guards.push_back({normal, 1e-12, mode ^ (std::size_t{1} << i), {}});
    }
  }
  return PiecewiseLinear(std::move(modes), 1. / 512., p.x0, 0);
}

// L1 error over time of a run with step h.
double errorOfRun(const PassiveSystem& p, PiecewiseLinear exact, const EulerMoreauOSI& integrator, double h,
                  double end) {
  NonSmoothDynamicalSystem model(0., end);
  const auto system = std::make_shared<FirstOrderLinearTIDS>(p.x0, p.A);
  FirstOrderLinearTIR relation(p.C, p.B);
  relation.setD(p.D);
  model.insert(system);
  model.link(std::make_shared<Interaction>(ComplementarityConditionNSL(2), relation), system);
  TimeStepping simulation(model, TimeDiscretisation(0., h), integrator, LCP());
  double sum = 0.;
  simulation.run([&] {
    exact.advanceTo(simulation.time());
    double worst = 0.;
    for (std::size_t i = 0; i < p.x0.size(); ++i) worst = std::max(worst, std::abs(exact.x()(i) - system->x()(i)));
    sum += h * worst;
  });
  return sum;
}

TEST(FirstOrderOrders, AcrossSwitchingsOfLinearComplementaritySystems) {
  const double end = 6.;
  for (const double feedthrough : {0.5, 0.}) {
    std::size_t switchings = 0;
    for (unsigned seed = 1; seed <= 4; ++seed) {
      const PassiveSystem p(seed, feedthrough);
      const PiecewiseLinear exact = exactSolution(p);
      PiecewiseLinear whole = exact;
      whole.advanceTo(end);
      switchings += whole.switchings();
      for (const auto& [name, integrator, expected] :
           {OrderCase{"theta = 1", EulerMoreauOSI(1.), 0.95}, OrderCase{"theta = 1/2", EulerMoreauOSI(0.5), 0.95}}) {
        std::vector<double> steps, errors;
        for (int k = 7; k <= 11; ++k) {
          steps.push_back(std::ldexp(1., -k));
          errors.push_back(errorOfRun(p, exact, integrator, steps.back(), end));
        }
        const std::string title = std::string(name) + ", relative degree " + (feedthrough > 0. ? "0" : "1") + ", " +
                                  std::to_string(whole.switchings()) + " switchings";
        EXPECT_GE(observedOrder(title.c_str(), steps, errors), expected) << title << ", seed " << seed;
      }
    }
    EXPECT_GE(switchings, 8U);
  }
}

}  // namespace
