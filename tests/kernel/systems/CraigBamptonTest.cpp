// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/laws/NewtonImpactNSL.hpp>
#include <delassus/kernel/problems/LCP.hpp>
#include <delassus/kernel/relations/LagrangianLinearTIR.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <delassus/kernel/systems/CraigBampton.hpp>
#include <delassus/kernel/systems/LagrangianLinearTIDS.hpp>
#include <delassus/kernel/systems/RayleighDamping.hpp>
#include <delassus/numerics/algebra/LeastSquares.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <support/Matchers.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

// A bar of 1 m and 1 kg, EA = 1 N, of n linear elements with consistent masses.
struct Bar {
  SparseMatrix M, K;

  explicit Bar(std::size_t n) {
    const double l = 1. / static_cast<double>(n);
    std::vector<Triplet> mass, stiffness;
    for (std::size_t e = 0; e < n; ++e) {
      for (const std::size_t i : {e, e + 1}) {
        for (const std::size_t j : {e, e + 1}) {
          mass.push_back({i, j, l * (i == j ? 1. : 0.5) / 3.});
          stiffness.push_back({i, j, (i == j ? 1. : -1.) / l});
        }
      }
    }
    M = sparseFromTriplets(n + 1, n + 1, mass);
    K = sparseFromTriplets(n + 1, n + 1, stiffness);
  }
};

// ω² of a free structure, by K + M, whose modes are those of 1 + ω².
Vector squaresOf(const SquareMatrix& K, const SquareMatrix& M, std::size_t count) {
  SquareMatrix shifted;
  shifted.setDifference(K, -1., M, 0., M);
  Vector squares = lowestModes(shifted, M, count, "free").squares;
  for (double& square : squares) square -= 1.;
  return squares;
}

double errorOf(std::size_t modes) {
  const Bar bar(200);
  const CraigBampton reduced = craigBampton(bar.M, bar.K, {0}, modes);
  const Vector exact = squaresOf(bar.K, bar.M, 6), found = squaresOf(reduced.K, reduced.M, 6);
  double worst = 0.;
  for (std::size_t k = 1; k < 6; ++k) {
    EXPECT_GE(found(k), exact(k) * (1. - 1e-8)) << "a Rayleigh quotient";
    worst = std::max(worst, found(k) / exact(k) - 1.);
  }
  EXPECT_NEAR(found(0), 0., 1e-7) << "the bar is free";
  return worst;
}

TEST(CraigBampton, HasTheFrequenciesOfTheMeshTheBetterTheMoreModes) {
  const double few = errorOf(8), more = errorOf(16), many = errorOf(32);
  EXPECT_LT(few, 0.03);
  // The frequencies of a bar that is reduced to one node and its fixed modes converge with order 3 in their number.
  EXPECT_GT(few / more, 6.);
  EXPECT_GT(more / many, 6.);
}

TEST(CraigBampton, IsExactAtRest) {
  const std::size_t n = 120;
  const Bar bar(n);
  // Held at its first node, pulled at node 70 and at its end.
  const CraigBampton reduced = craigBampton(bar.M, bar.K, {0, 70, n}, 3);
  Matrix held(2, 2);
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t j = 0; j < 2; ++j) held(i, j) = reduced.K(i + 1, j + 1);
  }
  LUFactorization factor;
  factor.factor(held, "K");
  Vector u = makeVector({2., 3.});
  factor.solve(u);
  // N = 5 up to node 70, 3 beyond: u = ∫ N.
  EXPECT_NEAR(u(0), 5. * 70. / 120., 1e-10);
  EXPECT_NEAR(u(1), 5. * 70. / 120. + 3. * 50. / 120., 1e-10);
  const Vector all = reduced.expanded(makeVector({0., u(0), u(1), 0., 0., 0.}));
  for (std::size_t i = 0; i <= n; ++i) {
    const double x = static_cast<double>(i) / 120.;
    EXPECT_NEAR(all(i), i <= 70 ? 5. * x : u(0) + 3. * (x - 70. / 120.), 1e-10);
  }
}

TEST(CraigBampton, SaysWhatItLeavesOut) {
  const Bar bar(100);
  const CraigBampton reduced = craigBampton(bar.M, bar.K, {0}, 4);
  ASSERT_EQ(reduced.frequencies.size(), 4U);
  // Held at one end, (k − ½) π: of linear elements above by (ωl)²/24.
  for (std::size_t k = 0; k < 5; ++k) {
    const double exact = (static_cast<double>(k) + 0.5) * std::numbers::pi;
    const double found = k < 4 ? reduced.frequencies(k) : reduced.omitted;
    EXPECT_NEAR(found / exact - 1., exact * exact * 1e-4 / 24., 1e-6);
    if (k == 4) break;
    EXPECT_NEAR(reduced.K(1 + k, 1 + k), found * found, 1e-8 * found * found);
  }
  EXPECT_EQ(craigBampton(toDense(bar.M), toDense(bar.K), {0}, 100).omitted, 0.);
  EXPECT_EQ(craigBampton(makeMatrix({{2.}}), makeMatrix({{3.}}), {0}, 0).K(0, 0), 3.);
}

// Dense as sparse, and damping and loads reduced as M and K are.
TEST(CraigBampton, ReducesWhatElseThereIs) {
  const Bar bar(30);
  const CraigBampton sparse = craigBampton(bar.M, bar.K, {0, 30}, 6);
  const CraigBampton dense = craigBampton(toDense(bar.M), toDense(bar.K), {0, 30}, 6);
  for (std::size_t k = 0; k < 6; ++k)
    EXPECT_NEAR(sparse.frequencies(k), dense.frequencies(k), 1e-9 * sparse.frequencies(k));
  const Matrix C = sparse.reduced(rayleigh(bar.M, bar.K, 0.3, 1e-3));
  for (std::size_t j = 0; j < 8; ++j) {
    for (std::size_t i = 0; i < 8; ++i) EXPECT_NEAR(C(i, j), 0.3 * sparse.M(i, j) + 1e-3 * sparse.K(i, j), 1e-10);
  }
  // A load on the boundary alone is itself.
  Vector f(31, 0.);
  f(30) = 7.;
  const Vector reduced = sparse.reduced(f);
  EXPECT_NEAR(reduced(0), 0., 1e-13);
  EXPECT_NEAR(reduced(1), 7., 1e-13);
  for (std::size_t k = 2; k < 8; ++k) EXPECT_NEAR(reduced(k), 0., 1e-13);
}

// The bar that hits a wall with 1 m/s presses with 1 N for 2 s: 2 N s. Reduced to its first node and some modes it has
// as much of that as the mesh of as many unknowns, or more.
TEST(CraigBampton, HitsAWallAsTheMesh) {
  const auto impulseOf = [](std::size_t modes) {
    const Bar bar(300);
    const CraigBampton reduced = craigBampton(bar.M, bar.K, {0}, modes);
    NonSmoothDynamicalSystem model(0., 2.5);
    // All points have −1 m/s: the node, and η = Φᵀ M (u − Ψ) = 0 where u = Ψ u_b.
    Vector v(1 + modes, 0.);
    v(0) = -1.;
    const Vector u = reduced.expanded(v);
    for (const double each : u) EXPECT_NEAR(each, -1., 1e-9);
    const auto system = std::make_shared<LagrangianLinearTIDS>(
        Vector(1 + modes, 0.), v, LagrangianLinearTIDS::Matrices{.M = reduced.M, .K = reduced.K});
    model.insert(system);
    const auto wall =
        model.link("wall", NewtonImpactNSL(0.), LagrangianLinearTIR(makeMatrix({{1.}})), SystemPart(system, 0, 1));
    TimeStepping simulation(model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(), LCP());
    double impulse = 0.;
    simulation.run([&] { impulse += wall->lambda(1)(0); });
    return impulse;
  };
  EXPECT_NEAR(impulseOf(10), 2., 0.1);
  EXPECT_NEAR(impulseOf(40), 2., 0.02);
}

TEST(CraigBampton, NamesWhatIsWrong) {
  const Bar bar(10);
  expectError([&] { craigBampton(bar.M, bar.K, {}, 1); }, {"craigBampton", "empty"});
  expectError([&] { craigBampton(bar.M, bar.K, {11}, 1); }, {"11"});
  expectError([&] { craigBampton(bar.M, bar.K, {3, 4, 3}, 1); }, {"3", "twice"});
  expectError([&] { craigBampton(bar.M, bar.K, {0}, 11); }, {"10", "11"});
  expectError([&] { craigBampton(Bar(9).M, bar.K, {0}, 1); }, {"M", "11 x 11", "10 x 10"});
  // Beside what lies within, too, and where nothing does.
  Matrix skew = toDense(bar.K), mass = toDense(bar.M);
  skew(0, 1) += 0.1;
  expectError([&] { craigBampton(bar.M, skew, {0}, 1); }, {"craigBampton: K", "symmetric"});
  expectError([&] { craigBampton(bar.M, sparseFromDense(skew), {0}, 1); }, {"craigBampton: K", "symmetric"});
  mass(0, 0) = -1.;
  expectError([&] { craigBampton(mass, bar.K, {0}, 1); }, {"craigBampton: M", "positive definite"});
  expectError([] { craigBampton(makeMatrix({{-2.}}), makeMatrix({{3.}}), {0}, 0); }, {"craigBampton: M"});
  // A second bar that nothing holds.
  std::vector<Triplet> stiffness{{0, 0, 1.}, {1, 1, 1.}, {0, 1, -1.}, {1, 0, -1.},
                                 {2, 2, 1.}, {3, 3, 1.}, {2, 3, -1.}, {3, 2, -1.}};
  std::vector<Triplet> masses{{0, 0, 1.}, {1, 1, 1.}, {2, 2, 1.}, {3, 3, 1.}};
  expectError([&] { craigBampton(sparseFromTriplets(4, 4, masses), sparseFromTriplets(4, 4, stiffness), {0}, 1); },
              {"craigBampton", "boundary", "held"});
  const CraigBampton reduced = craigBampton(bar.M, bar.K, {0}, 2);
  expectError([&] { reduced.expanded(Vector(4)); }, {"size 3", "size 4"});
  expectError([&] { reduced.reduced(Vector(4)); }, {"load", "size 11", "size 4"});
  expectError([&] { reduced.reduced(SquareMatrix(Matrix(4, 4))); }, {"matrix", "11 x 11", "4 x 4"});
}

}  // namespace
