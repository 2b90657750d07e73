// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <delassus/kernel/laws/ComplementarityConditionNSL.hpp>
#include <delassus/kernel/relations/FirstOrderLinearR.hpp>
#include <delassus/numerics/algebra/LUFactorization.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <support/PassiveSystems.hpp>
#include <support/RandomProblems.hpp>

namespace delassus::test {

PassiveSystem::PassiveSystem(unsigned seed, double feedthrough, std::size_t rankOfD) : rank(rankOfD) {
  Generator generator(seed);
  const std::size_t n = 5;
  const std::size_t m = 2;
  A = randomMatrix(generator, n, n);
  const Matrix damping = randomSemidefinite(generator, n, n, 0.3);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) A(i, j) = (i < j ? 1. : -1.) * A(std::min(i, j), std::max(i, j));
    A(i, i) = 0.;
  }
  A -= 0.3 * damping;
  for (std::size_t j = 0; j < n; ++j) A(0, j) = A(1, j) = 0.;
  A(0, 1) = 4.;
  A(1, 0) = -4.;
  C = randomMatrix(generator, m, n);
  B = Matrix(n, m, 0.);
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 2; j < n; ++j) B(j, i) = C(i, j);
  }
  D = feedthrough * randomPositiveDefinite(generator, m);
  if (rank == 0) setZero(D);
  if (rank == 1) {
    D(1, 0) = D(0, 1);
    D(1, 1) = D(0, 1) * D(1, 0) / D(0, 0);
  }
  if (rank < 2) {
    for (std::size_t i = 0; i < m; ++i) C(i, 0) = C(i, 1) = 0.;
  }
  x0 = randomVector(generator, n);
  x0(0) = 0.;
  x0(1) = 1.;
  for (std::size_t round = 0; rank < 2 && round < 200; ++round) {
    // Into the admissible states.
    const Vector y = prod(C, x0);
    if (*std::min_element(y.begin(), y.end()) > 0.05) break;
    x0 = randomVector(generator, n);
    x0(0) = 0.;
    x0(1) = 1.;
  }
}

// In mode α (a bit a row) y_α = 0 and the other λ are zero, so that λ_α = −D_αα⁻¹ C_α x, or −(C_α B_α)⁻¹ C_α A x where
// D = 0. With D of rank 1 and both rows held, y₀ = 0 is one equation, and (ẏ₁ − ẏ₀ D₁₀/D₀₀) = 0 the other, in which D
// is not seen. Where an output or a multiplier of a mode turns negative, its row changes sides. The margins keep
// rounding from changing it back.
PiecewiseLinear PassiveSystem::exact() const {
  const std::size_t n = A.size1();
  const std::size_t m = C.size1();
  Matrix CA(m, n, 0.), CB(m, m, 0.);
  multiply(1., C, A, 0., CA);
  multiply(1., C, B, 0., CB);
  std::vector<PiecewiseLinear::Mode> modes;
  for (std::size_t mode = 0; mode < (std::size_t{1} << m); ++mode) {
    // Rows of the matrix E in λ = E x; regular on α, the identity elsewhere.
    Matrix pivot = identityMatrix(m), E(m, n, 0.);
    for (std::size_t i = 0; i < m; ++i) {
      if ((mode >> i & 1U) == 0) continue;
      for (std::size_t j = 0; j < n; ++j) E(i, j) = -(rank > 0 ? C(i, j) : CA(i, j));
      for (std::size_t j = 0; j < m; ++j) {
        if ((mode >> j & 1U) != 0) pivot(i, j) = rank > 0 ? D(i, j) : CB(i, j);
      }
    }
    if (rank == 1 && mode == 3) {
      const double weight = D(1, 0) / D(0, 0);
      for (std::size_t j = 0; j < n; ++j) E(1, j) = -(CA(1, j) - weight * CA(0, j));
      for (std::size_t j = 0; j < m; ++j) pivot(1, j) = CB(1, j) - weight * CB(0, j);
    }
    LUFactorization factor;
    factor.factor(pivot, "mode");
    factor.solve(E);
    Matrix flow = A, output = C;
    multiply(1., B, E, 1., flow);
    multiply(1., D, E, 1., output);
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
  return PiecewiseLinear(std::move(modes), 1. / 512., x0, 0);
}

PassiveModel::PassiveModel(const PassiveSystem& p, double end) : model(0., end) {
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
  system = std::make_shared<FirstOrderLinearTIDS>(x0, A);
  system->setB([from = p.A, n](double t, Vector& b) {
    for (std::size_t i = 0; i < n; ++i) b(i) = from(i + 2, 0) * std::sin(4. * t) + from(i + 2, 1) * std::cos(4. * t);
  });
  FirstOrderLinearR relation(C, B);
  relation.setD(p.D).setE([from = p.C, m](double t, Vector& e) {
    for (std::size_t i = 0; i < m; ++i) e(i) = from(i, 0) * std::sin(4. * t) + from(i, 1) * std::cos(4. * t);
  });
  interaction = std::make_shared<Interaction>(ComplementarityConditionNSL(2), relation);
  model.insert(system);
  model.link(interaction, system);
}

double PassiveModel::errorAgainst(const PiecewiseLinear& exact) const {
  double worst = 0.;
  for (std::size_t i = 0; i < system->dimension(); ++i) {
    worst = std::max(worst, std::abs(exact.x()(i + 2) - system->x()(i)));
  }
  return worst;
}

}  // namespace delassus::test
