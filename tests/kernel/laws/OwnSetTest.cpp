// SPDX-License-Identifier: Apache-2.0
//
// A law with a set that the library does not have, made outside of it: friction with another coefficient along each
// axis of the contact. Its cone is Coulomb's of μ = 1 in other units, which says what every answer has to be.
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/delassus.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/choice/AutomaticMechanicalSolver.hpp>
#include <delassus/numerics/methods/AcceleratedGradientSolver.hpp>
#include <delassus/numerics/methods/AdmmSolver.hpp>
#include <delassus/numerics/methods/BlockGaussSeidelSolver.hpp>
#include <delassus/numerics/methods/EliminationSolver.hpp>
#include <delassus/numerics/methods/NewtonSolver.hpp>
#include <delassus/numerics/problem/Infeasibility.hpp>
#include <delassus/numerics/problem/NaturalMapError.hpp>
#include <delassus/numerics/sets/Ball.hpp>
#include <delassus/numerics/sets/ContactCone.hpp>
#include <delassus/numerics/sets/ConvexSet.hpp>
#include <delassus/numerics/sets/CoulombCone.hpp>
#include <support/Matchers.hpp>
#include <support/RandomProblems.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;
using namespace delassus::numerics;

// { (λ₁/μ₁)² + (λ₂/μ₂)² ≤ λ_N² }: with c = (1, μ₁, μ₂), λ_i / c_i and c_i w_i obey Coulomb's law with μ = 1.
class EllipticCone final : public ConvexSet {
 public:
  EllipticCone(double mu1, double mu2) : ConvexSet({.couplesRows = true, .isContact = true}), c_{1., mu1, mu2} {}
  std::string_view name() const override { return "elliptic"; }
  void validate(std::size_t part, std::size_t rows, const double*, const double*) const override {
    if (rows != 3 || !(c_[1] > 0. && c_[2] > 0. && std::isfinite(c_[1] + c_[2])))
      failPart(part, "expected 3 rows and positive coefficients.");
  }
  void scales(const double* block, std::size_t, double* d, double* c) const override {
    double sum = 0.;
    for (std::size_t i = 0; i < 3; ++i) sum += block != nullptr ? c_[i] * c_[i] * block[4 * i] : 0.;
    for (std::size_t i = 0; i < 3; ++i) {
      d[i] = sum > 0. ? sum / 3. : 1.;
      c[i] = c_[i];
    }
  }
  void addResidual(const ResidualRows<double>& rows, ResidualSums<double>& sums) const override { add(rows, sums); }
  void addResidual(const ResidualRows<long double>& rows, ResidualSums<long double>& sums) const override {
    add(rows, sums);
  }
  double roundingSquared(const ResidualRows<double>& rows, const double* bounds) const override {
    const Scaled<double> scaled(rows, c_);
    const std::array<double, 3> ofScaled{c_[0] * bounds[0], c_[1] * bounds[1], c_[2] * bounds[2]};
    return unit_.roundingSquared(scaled.rows(), ofScaled.data());
  }
  bool implies(const double* y, std::size_t rows, const double* lower, const double* upper) const override {
    return unit_.implies(y, rows, lower, upper);
  }
  bool addLargest(const ProofSum* g, std::size_t rows, const double* lower, const double* upper, double rounding,
                  ProofSum& sum) const override {
    std::array<ProofSum, 3> scaled{};
    for (std::size_t i = 0; i < 3; ++i) scaled[i] = {c_[i] * g[i].value, c_[i] * g[i].size};
    return unit_.addLargest(scaled.data(), rows, lower, upper, rounding, sum);
  }
  void naturalMap(const Rows& rows, const double* w, const double* lambda, double* value, double* A,
                  double* B) const override {
    std::array<double, 3> u{}, r{};
    for (std::size_t i = 0; i < 3; ++i) {
      u[i] = rows.c[i] * w[i];
      r[i] = rows.d[i] * lambda[i] / rows.c[i];
    }
    ContactCone(ContactShape::coulomb(3, 1.)).naturalMap(u.data(), r.data(), value, A, B);
    for (std::size_t j = 0; j < 3; ++j) {
      for (std::size_t i = 0; i < 3; ++i) {
        A[i + 3 * j] *= rows.c[j];
        B[i + 3 * j] *= rows.d[j] / rows.c[j];
      }
    }
  }
  void project(const Rows&, double* x) const override {
    for (std::size_t i = 0; i < 3; ++i) x[i] /= c_[i];
    ContactCone(ContactShape::coulomb(3, 1.)).project(x);
    for (std::size_t i = 0; i < 3; ++i) x[i] *= c_[i];
  }
  void addShift(std::size_t rows, const double* w, double* target) const override {
    const std::array<double, 3> scaled{c_[0] * w[0], c_[1] * w[1], c_[2] * w[2]};
    unit_.addShift(rows, scaled.data(), target);
  }
  bool shiftGradient(std::size_t rows, const double* w, double* gradient) const override {
    const std::array<double, 3> scaled{c_[0] * w[0], c_[1] * w[1], c_[2] * w[2]};
    unit_.shiftGradient(rows, scaled.data(), gradient);
    for (std::size_t i = 0; i < 3; ++i) gradient[i] *= c_[i];
    return true;
  }
  void solveLocal(const Rows& rows, const double* block, const RankRevealingLU& factor, double* w,
                  double* lambda) const override {
    const std::array<double, 9> W = scaledBlock(block);
    std::array<double, 3> u{}, r{};
    for (std::size_t i = 0; i < 3; ++i) {
      u[i] = c_[i] * w[i];
      r[i] = lambda[i] / c_[i];
    }
    unit_.solveLocal(rows, block != nullptr ? W.data() : nullptr, factor, u.data(), r.data());
    for (std::size_t i = 0; i < 3; ++i) lambda[i] = c_[i] * r[i];
  }
  void draw(const Rows& rows, double energy, numerics::RandomGenerator& generator, double* lambda) const override {
    unit_.draw(rows, energy, generator, lambda);
    for (std::size_t i = 0; i < 3; ++i) lambda[i] *= c_[i];
  }

 private:
  template <class Real>
  struct Scaled {
    std::array<double, 3> q{};
    std::array<Real, 3> lambda{}, w{};
    std::array<double, 9> block{};
    bool hasBlock, countEnergy;

    Scaled(const ResidualRows<Real>& from, const std::array<double, 3>& c)
        : hasBlock(from.block != nullptr), countEnergy(from.countEnergy) {
      for (std::size_t i = 0; i < 3; ++i) {
        lambda[i] = from.lambda[i] / c[i];
        w[i] = c[i] * from.w[i];
        q[i] = c[i] * from.q[i];
        for (std::size_t j = 0; hasBlock && j < 3; ++j) block[i + 3 * j] = c[i] * c[j] * from.block[i + 3 * j];
      }
    }
    ResidualRows<Real> rows() const {
      return {3, lambda.data(), w.data(), q.data(), hasBlock ? block.data() : nullptr, nullptr, nullptr, countEnergy};
    }
  };

  template <class Real>
  void add(const ResidualRows<Real>& rows, ResidualSums<Real>& sums) const {
    const Scaled<Real> scaled(rows, c_);
    unit_.addResidual(scaled.rows(), sums);
    // The rounding of w depends on λ itself, and is multiplied by c.
    const double largest = std::max({1., c_[1], c_[2]});
    for (std::size_t i = 0; i < 3; ++i) sums.sum += static_cast<double>(std::abs(rows.lambda[i]));
    sums.weigh(4. * largest * largest * rows.weight(scaled.rows().mean(0, 3)));
  }

  std::array<double, 9> scaledBlock(const double* block) const {
    std::array<double, 9> W{};
    for (std::size_t k = 0; block != nullptr && k < 9; ++k) W[k] = c_[k % 3] * c_[k / 3] * block[k];
    return W;
  }

  std::array<double, 3> c_;
  CoulombCone unit_{1.};
};

class EllipticFrictionNSL final : public NonSmoothLaw {
 public:
  EllipticFrictionNSL(double mu1, double mu2) : NonSmoothLaw(std::make_shared<EllipticCone>(mu1, mu2)) {}
  std::string_view className() const override { return "EllipticFrictionNSL"; }
  std::size_t size() const override { return 3; }
  bool actsOnVelocities() const override { return true; }
};

constexpr double mu1 = 0.2, mu2 = 0.7, g = 10.;

// A mechanism of a joint, a limit and two elliptic contacts, and the same in units in which they are Coulomb's.
struct Twins {
  GenericMechanicalProblem elliptic, coulomb;
  Vector c = Vector(10);
};

Twins twins(std::uint64_t seed) {
  Generator generator(seed);
  const Matrix W = randomSemidefinite(generator, 10, 10, 0.1);
  const Vector q = randomVector(generator, 10);
  Twins both;
  for (double& entry : both.c.data()) entry = 1.;
  for (const std::size_t first : {4U, 7U}) {
    both.c(first + 1) = mu1;
    both.c(first + 2) = mu2;
  }
  Matrix scaledW = W;
  Vector scaledQ = q;
  for (std::size_t j = 0; j < 10; ++j) {
    scaledQ(j) *= both.c(j);
    for (std::size_t i = 0; i < 10; ++i) scaledW(i, j) *= both.c(i) * both.c(j);
  }
  const Part contact{std::make_shared<EllipticCone>(mu1, mu2), 3}, unit = Part::coulomb(3, 1.);
  const auto joint = Part::equality(2), limit = Part::box(2);
  both.elliptic = GenericMechanicalProblem(W, q, {joint, limit, contact, contact}, Vector(10));
  both.coulomb = GenericMechanicalProblem(scaledW, scaledQ, {joint, limit, unit, unit}, Vector(10));
  return both;
}

template <class Method>
void expectSolvesAll(Method method) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Twins both = twins(seed);
    Vector lambda, w;
    const SolveReport report = method.solve(both.elliptic, lambda, w);
    ASSERT_TRUE(report.converged()) << seed << ": " << report.summary();
    Vector scaled = lambda, u;
    for (std::size_t i = 0; i < 10; ++i) scaled(i) /= both.c(i);
    EXPECT_LE(errorOf(both.coulomb, ErrorMeasure::scaled, scaled, u), 1.01e-8) << seed;
  }
}

TEST(OwnSet, IsSolvedBySweepsEliminationAndTheAutomaticChoice) {
  MechanicalGaussSeidelOptions sweeps;
  sweeps.maxIterations = 100000;
  sweeps.momentum = true;
  expectSolvesAll(MechanicalGaussSeidelSolver(sweeps));
  expectSolvesAll(MechanicalEliminationSolver());
  expectSolvesAll(AutomaticMechanicalSolver());
}

TEST(OwnSet, IsSolvedByMethodsThatProject) {
  expectSolvesAll(AdmmSolver());
  expectSolvesAll(AcceleratedGradientSolver({.maxIterations = 100000}));
}

TEST(OwnSet, HasTheJacobianOfItsNaturalMap) {
  Generator generator(3);
  const EllipticCone set(mu1, mu2);
  for (int sample = 0; sample < 200; ++sample) {
    const Matrix W = randomSemidefinite(generator, 3, 3, 0.1);
    const Vector w = randomVector(generator, 3), lambda = randomVector(generator, 3);
    std::array<double, 3> d{}, c{}, value{}, moved{};
    std::array<double, 9> A{}, B{}, unused{};
    set.scales(data(W), 3, d.data(), c.data());
    const ConvexSet::Rows rows{3, nullptr, nullptr, d.data(), c.data()};
    set.naturalMap(rows, data(w), data(lambda), value.data(), A.data(), B.data());
    constexpr double step = 1e-7;
    for (std::size_t j = 0; j < 3; ++j) {
      for (const bool byW : {true, false}) {
        Vector x = byW ? w : lambda;
        x(j) += step;
        set.naturalMap(rows, byW ? data(x) : data(w), byW ? data(lambda) : data(x), moved.data(), unused.data(),
                       unused.data());
        for (std::size_t i = 0; i < 3; ++i) {
          // Differences see a kink in between with a chance of some 1e-6.
          EXPECT_NEAR((moved[i] - value[i]) / step, (byW ? A : B)[i + 3 * j], 2e-5) << sample;
        }
      }
    }
  }
}

TEST(OwnSet, ProvesThatThereIsNoSolution) {
  // The first row of w is −1 whatever λ is.
  Matrix W(3, 3);
  W(1, 1) = W(2, 2) = 1.;
  const GenericMechanicalProblem problem(W, makeVector({-1., 0., 0.}), {{std::make_shared<EllipticCone>(mu1, mu2), 3}});
  EXPECT_TRUE(provesInfeasible(problem, makeVector({1., 0., 0.})));
  EXPECT_FALSE(provesInfeasible(problem, makeVector({1., 1., 0.})));
}

// A mass on a plane: position (x₁, x₂, z), outputs (z, x₁, x₂).
std::shared_ptr<LagrangianLinearTIDS> massOnPlane(const Vector& v) {
  auto mass = std::make_shared<LagrangianLinearTIDS>(Vector(3), v, diagonalMatrix({2., 2., 2.}));
  mass->setExternalForces(makeVector({0., 0., -2. * g}));
  return mass;
}

Vector velocityAfter(double t, const Vector& v0) {
  const auto mass = massOnPlane(v0);
  NonSmoothDynamicalSystem model(0., t);
  model.insert(mass);
  model.link(
      std::make_shared<Interaction>(
          EllipticFrictionNSL(mu1, mu2),
          LagrangianContactR(3, LagrangianContactR::Function(automatic([](const auto& q, auto& h) { h(0) = q(2); })),
                             [](double, const Vector&, Matrix& T) {
                               T(0, 0) = 1.;
                               T(1, 1) = 1.;
                             })),
      mass);
  TimeStepping simulation(model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(), GenericMechanical());
  simulation.run();
  return mass->velocity();
}

TEST(OwnSet, SlowsAMassDownByTheCoefficientOfEachAxis) {
  const double t = 0.1;
  EXPECT_NEAR(velocityAfter(t, makeVector({1., 0., 0.}))(0), 1. - mu1 * g * t, 1e-9);
  EXPECT_NEAR(velocityAfter(t, makeVector({0., -1., 0.}))(1), -1. + mu2 * g * t, 1e-9);
  // At rest at last, and it stays there.
  EXPECT_NEAR(norm2(velocityAfter(1., makeVector({0.5, 1., 0.}))), 0., 1e-9);
}

// The direction of most dissipation: v̇ = −g (μ₁² v₁, μ₂² v₂) / (μ₁² v₁² + μ₂² v₂²)^½.
TEST(OwnSet, TurnsAMassThatSlidesAcrossTheAxes) {
  const double t = 0.02;
  const Vector v0 = makeVector({3., 2., 0.});
  const auto rate = [](const Vector& v) {
    const double s = std::hypot(mu1 * v(0), mu2 * v(1));
    return makeVector({-g * mu1 * mu1 * v(0) / s, -g * mu2 * mu2 * v(1) / s, 0.});
  };
  // The middle rule with 2000 steps, exact to 1e-12 here.
  Vector v = v0;
  const double h = t / 2000.;
  for (int k = 0; k < 2000; ++k) {
    Vector middle = v;
    addScaled(0.5 * h, rate(v), middle);
    addScaled(h, rate(middle), v);
  }
  const Vector reached = velocityAfter(t, v0);
  for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(reached(i), v(i), 1e-4) << i;  // implicit Euler in v, h = 1e-3
}

TEST(OwnSet, IsThatOfTheLibraryForTheLibrarysLaws) {
  EXPECT_EQ(EqualityConditionNSL(2).set()->name(), "equality");
  EXPECT_EQ(NewtonImpactNSL(0.5).set()->name(), "box");
  EXPECT_EQ(NewtonImpactFrictionNSL(0., 0., mu1).set()->coulombFriction(), mu1);
  EXPECT_EQ(NewtonImpactRollingFrictionNSL(0., 0., mu1, mu2).set()->coefficients()[1], mu2);
}

TEST(OwnSet, IsNeeded) {
  class SetlessNSL final : public NonSmoothLaw {
   public:
    SetlessNSL() : NonSmoothLaw(nullptr) {}
    std::string_view className() const override { return "SetlessNSL"; }
    std::size_t size() const override { return 1; }
  };
  expectError([] { SetlessNSL(); }, {"NonSmoothLaw", "expected a set"});
}

// A law of one row, as an LCP takes.
class OwnIntervalNSL final : public NonSmoothLaw {
 public:
  OwnIntervalNSL() : NonSmoothLaw(std::make_shared<EllipticCone>(mu1, mu2)) {}
  std::string_view className() const override { return "OwnIntervalNSL"; }
  std::size_t size() const override { return 1; }
  bool actsOnVelocities() const override { return true; }
};

TEST(OwnSet, IsRefusedByProblemsThatGoByTheKindOfRows) {
  const auto ball = std::make_shared<LagrangianLinearTIDS>(Vector(1), Vector(1), identityMatrix(1));
  NonSmoothDynamicalSystem model(0., 1.);
  model.insert(ball);
  model.link(std::make_shared<Interaction>(OwnIntervalNSL(), LagrangianLinearTIR(identityMatrix(1))), ball);
  const TimeDiscretisation steps(0., 1e-3);
  expectError([&] { TimeStepping(model, steps, MoreauJeanOSI(), LCP()).step(); },
              {"OwnIntervalNSL", "the set 'elliptic'", "GenericMechanical"});
  expectError([&] { TimeStepping(model, steps, MoreauJeanOSI(), MLCP()).step(); },
              {"OwnIntervalNSL", "the set 'elliptic'", "GenericMechanical"});
  expectError([&] { TimeStepping(model, steps, MoreauJeanOSI(), Relay()).step(); },
              {"OwnIntervalNSL", "the set 'elliptic'", "GenericMechanical"});
  expectError([&] { EventDriven(model, steps, LCP()).step(); }, {"OwnIntervalNSL", "the set 'elliptic'"});
}

// Dry friction in a plane by its force: a scheme would have to make a set of impulses of its set.
class PlaneFrictionNSL final : public NonSmoothLaw {
 public:
  PlaneFrictionNSL() : NonSmoothLaw(std::make_shared<Ball>(1.)) {}
  std::string_view className() const override { return "PlaneFrictionNSL"; }
  std::size_t size() const override { return 2; }
  bool relatesRates() const override { return true; }
};

TEST(OwnSet, IsRefusedOfForcesThatAreNotInIntervals) {
  const auto mass = std::make_shared<LagrangianLinearTIDS>(Vector(2), Vector(2), identityMatrix(2));
  NonSmoothDynamicalSystem model(0., 1.);
  model.insert(mass);
  model.link(std::make_shared<Interaction>(PlaneFrictionNSL(), LagrangianLinearTIR(identityMatrix(2))), mass);
  const TimeDiscretisation steps(0., 1e-3);
  expectError([&] { TimeStepping(model, steps, MoreauJeanOSI(), GenericMechanical()).step(); },
              {"MoreauJeanOSI", "PlaneFrictionNSL", "multipliers in a ball"});
  expectError([&] { EventDriven(model, steps, LCP()).step(); }, {"PlaneFrictionNSL", "multipliers in a ball"});
}

TEST(OwnSet, IsRefusedWhereMethodsKnowCoulombsConeAlone) {
  const auto mass = massOnPlane(Vector(3));
  NonSmoothDynamicalSystem model(0., 1.);
  model.insert(mass);
  model.link(std::make_shared<Interaction>(EllipticFrictionNSL(mu1, mu2),
                                           LagrangianLinearTIR(makeMatrix({{0., 0., 1.}, {1., 0., 0.}, {0., 1., 0.}}))),
             mass);
  expectError([&] { TimeStepping(model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(), FrictionContact(3)).step(); },
              {"FrictionContact", "EllipticFrictionNSL", "GenericMechanical"});
  expectError(
      [&] { TimeStepping(model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(), GlobalFrictionContact(3)).step(); },
      {"GlobalFrictionContact", "EllipticFrictionNSL"});
  expectError([&] { EventDriven(model, TimeDiscretisation(0., 1e-3), FrictionContact(3)).step(); },
              {"EllipticFrictionNSL"});
}

}  // namespace
