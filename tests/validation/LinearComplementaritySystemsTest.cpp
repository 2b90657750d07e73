// SPDX-License-Identifier: Apache-2.0
//
// Random linear complementarity systems of relative degree 0 and 1 against matrix exponentials, mode by mode.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <delassus/kernel/integrators/EulerMoreauOSI.hpp>
#include <delassus/kernel/laws/ComplementarityConditionNSL.hpp>
#include <delassus/kernel/problems/LCP.hpp>
#include <delassus/kernel/relations/FirstOrderLinearR.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <delassus/kernel/systems/FirstOrderLinearTIDS.hpp>
#include <delassus/numerics/algebra/LUFactorization.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <memory>
#include <string>
#include <support/PiecewiseLinear.hpp>
#include <support/RandomProblems.hpp>

#include "Convergence.hpp"

namespace {

using namespace delassus;
using namespace delassus::test;

// Random passive systems: M = 1, A negative definite, B = Cᵀ, so that the complementarity problems are monotone and the
// solution is continuous. For the exponentials the source is a rotating pair of states.
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

// L1 error over time of a run with step h. The model has the driven states alone, with the source in b(t) and e(t), so
// that the error is theirs and not that of a source integrated in time.
double errorOfRun(const PassiveSystem& p, PiecewiseLinear exact, const EulerMoreauOSI& integrator, double h,
                  double end) {
  const std::size_t n = p.A.size1() - 2;
  const std::size_t m = p.C.size1();
  Matrix A(n, n), C(m, n), B(n, m);
  Vector x0(n);
  for (std::size_t i = 0; i < n; ++i) {
    x0(i) = p.x0(i + 2);
    for (std::size_t j = 0; j < n; ++j) A(i, j) = p.A(i + 2, j + 2);
    for (std::size_t j = 0; j < m; ++j) {
      C(j, i) = p.C(j, i + 2);
      B(i, j) = p.B(i + 2, j);
    }
  }
  NonSmoothDynamicalSystem model(0., end);
  const auto system = std::make_shared<FirstOrderLinearTIDS>(x0, A);
  system->setB([&p, n](double t, Vector& b) {
    for (std::size_t i = 0; i < n; ++i) b(i) = p.A(i + 2, 0) * std::sin(4. * t) + p.A(i + 2, 1) * std::cos(4. * t);
  });
  FirstOrderLinearR relation(C, B);
  relation.setD(p.D).setE([&p, m](double t, Vector& e) {
    for (std::size_t i = 0; i < m; ++i) e(i) = p.C(i, 0) * std::sin(4. * t) + p.C(i, 1) * std::cos(4. * t);
  });
  model.insert(system);
  model.link(std::make_shared<Interaction>(ComplementarityConditionNSL(2), relation), system);
  TimeStepping simulation(model, TimeDiscretisation(0., h), integrator, LCP());
  double sum = 0.;
  simulation.run([&] {
    exact.advanceTo(simulation.time());
    double worst = 0.;
    for (std::size_t i = 0; i < n; ++i) worst = std::max(worst, std::abs(exact.x()(i + 2) - system->x()(i)));
    sum += h * worst;
  });
  return sum;
}

TEST(LinearComplementaritySystems, AreOfFirstOrderAcrossSwitchings) {
  const double end = 6.;
  for (const double feedthrough : {0.5, 0.}) {
    std::size_t switchings = 0;
    for (unsigned seed = 1; seed <= 4; ++seed) {
      const PassiveSystem p(seed, feedthrough);
      const PiecewiseLinear exact = exactSolution(p);
      PiecewiseLinear whole = exact;
      whole.advanceTo(end);
      switchings += whole.switchings();
      for (const double theta : {1., 0.5}) {
        std::vector<double> steps, errors;
        for (int k = 7; k <= 11; ++k) {
          steps.push_back(std::ldexp(1., -k));
          errors.push_back(errorOfRun(p, exact, EulerMoreauOSI(theta), steps.back(), end));
        }
        const std::string title = "theta = " + std::to_string(theta) + ", relative degree " +
                                  (feedthrough > 0. ? "0" : "1") + ", " + std::to_string(whole.switchings()) +
                                  " switchings";
        EXPECT_GE(observedOrder(title.c_str(), steps, errors), 0.95) << title << ", seed " << seed;
      }
    }
    EXPECT_GE(switchings, 8U);
  }
}

}  // namespace
