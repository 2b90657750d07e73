// SPDX-License-Identifier: Apache-2.0
//
// Nonlinear Lagrangian systems with sparse matrices: the motion of the same dense ones.
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/integrators/SchatzmanPaoliOSI.hpp>
#include <delassus/kernel/laws/NewtonImpactNSL.hpp>
#include <delassus/kernel/laws/SpringDamperLaw.hpp>
#include <delassus/kernel/problems/LCP.hpp>
#include <delassus/kernel/relations/LagrangianLinearTIR.hpp>
#include <delassus/kernel/simulation/CheckJacobians.hpp>
#include <delassus/kernel/simulation/EventDriven.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <delassus/kernel/systems/LagrangianDS.hpp>
#include <delassus/numerics/functions/Automatic.hpp>
#include <support/Matchers.hpp>
#include <support/Restart.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

// n masses in a row, the last one tied to the ground, with springs of the force s + 5 s³ and dampers of 0.02.
constexpr std::size_t n = 60;

void force(const Vector& q, const Vector& v, Vector& F) {
  for (std::size_t i = 0; i < n; ++i) {
    const double s = (i + 1 < n ? q(i + 1) : 0.) - q(i), r = (i + 1 < n ? v(i + 1) : 0.) - v(i);
    const double tension = 40. * (s + 5. * s * s * s) + 0.02 * r;
    F(i) -= tension;
    if (i + 1 < n) F(i + 1) += tension;
  }
}

template <class Add>
void addTangent(const Vector& q, bool byV, const Add& add) {
  for (std::size_t i = 0; i < n; ++i) {
    const double s = (i + 1 < n ? q(i + 1) : 0.) - q(i);
    const double k = byV ? 0.02 : 40. * (1. + 15. * s * s);
    add(i, i, k);
    if (i + 1 == n) continue;
    add(i + 1, i + 1, k);
    add(i, i + 1, -k);
    add(i + 1, i, -k);
  }
}

void fillSparse(const Vector& q, bool byV, SparseMatrix& J) {
  std::vector<Triplet> entries;
  addTangent(q, byV, [&](std::size_t i, std::size_t j, double k) { entries.push_back({i, j, k}); });
  J = sparseFromTriplets(n, n, entries);
}

enum class Storage { dense, sparse, sparseMass };

struct Row {
  NonSmoothDynamicalSystem model{0., 2.};
  std::shared_ptr<LagrangianDS> masses;

  explicit Row(Storage storage) {
    std::vector<Triplet> entries;
    for (std::size_t i = 0; i < n; ++i) entries.push_back({i, i, 0.1 + 0.01 * static_cast<double>(i % 4)});
    const SparseMatrix M = sparseFromTriplets(n, n, entries);
    Vector q(n, 0.), v(n, -1.);
    masses =
        std::make_shared<LagrangianDS>(q, v, storage == Storage::dense ? SquareMatrix(toDense(M)) : SquareMatrix(M));
    if (storage == Storage::sparse) {
      masses->setInternalForces(SparseForce{
          .f = [](double, const Vector& at, const Vector& rate, Vector& F) { force(at, rate, F); },
          .byQ = [](double, const Vector& at, const Vector&, SparseMatrix& J) { fillSparse(at, false, J); },
          .byV = [](double, const Vector& at, const Vector&, SparseMatrix& J) { fillSparse(at, true, J); }});
    } else {
      const auto tangent = [](bool byV) {
        return [byV](double, const Vector& at, const Vector&, Matrix& J) {
          addTangent(at, byV, [&](std::size_t i, std::size_t j, double k) { J(i, j) += k; });
        };
      };
      masses->setInternalForces(
          withJacobians([](double, const Vector& at, const Vector& rate, Vector& F) { force(at, rate, F); },
                        tangent(false), tangent(true)));
    }
    model.insert("masses", masses);
  }

  void addStop(double gap = 0.05) {
    model.link("stop", NewtonImpactNSL(0.3), LagrangianLinearTIR(makeMatrix({{1.}}), makeVector({gap})),
               SystemPart(masses, 0, 1));
  }
};

template <class Scheme>
Vector endOf(Storage storage, const Scheme& scheme, double h = 0.01) {
  Row row(storage);
  row.addStop();
  TimeStepping simulation(row.model, TimeDiscretisation(0., h), Scheme(scheme), LCP());
  simulation.run();
  Vector end = row.masses->q();
  append(row.masses->velocity(), end);
  return end;
}

double difference(const Vector& a, const Vector& b) {
  double worst = 0.;
  for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::abs(a(i) - b(i)));
  return worst;
}

TEST(SparseLagrangianDS, MovesAsADenseOne) {
  const auto compare = [](const auto& scheme) {
    const Vector expected = endOf(Storage::dense, scheme);
    double fastest = 0.;
    for (std::size_t i = n; i < 2 * n; ++i) fastest = std::max(fastest, std::abs(expected(i)));
    EXPECT_GT(fastest, 0.1) << "nothing moves";
    for (const Storage storage : {Storage::sparse, Storage::sparseMass}) {
      // Newton's method ends at 1e-10 or so of the largest term, in 200 steps.
      EXPECT_LE(difference(endOf(storage, scheme), expected), 1e-8);
    }
  };
  compare(MoreauJeanOSI(0.5));
  compare(MoreauJeanOSI(1.));
  compare(MoreauJeanOSI::semiExplicit());
  compare(SchatzmanPaoliOSI(0.5));
}

TEST(SparseLagrangianDS, MovesByEventsAsADenseOne) {
  std::vector<Vector> ends;
  for (const Storage storage : {Storage::dense, Storage::sparse}) {
    Row row(storage);
    row.addStop();
    EventDriven simulation(row.model, TimeDiscretisation(0., 0.1));
    while (simulation.time() < 0.45) simulation.step();
    ends.push_back(row.masses->q());
  }
  EXPECT_LE(difference(ends[0], ends[1]), 1e-9);
}

TEST(SparseLagrangianDS, StartsAgainToTheBit) {
  expectSameAfterRestart("masses", [] {
    const auto row = std::make_shared<Row>(Storage::sparse);
    row->addStop();
    return restartRun(row, std::make_shared<TimeStepping>(row->model, TimeDiscretisation(0., 0.04)));
  });
}

TEST(SparseLagrangianDS, IsTiedByForceElements) {
  std::vector<Vector> ends;
  for (const Storage storage : {Storage::dense, Storage::sparse}) {
    Row row(storage);
    row.model.link("spring", SpringDamperLaw(30., 0.1), LagrangianLinearTIR(makeMatrix({{1., -1.}})),
                   SystemPart(row.masses, 3, 1), SystemPart(row.masses, 40, 1));
    TimeStepping simulation(row.model, TimeDiscretisation(0., 0.01), MoreauJeanOSI(), LCP());
    simulation.run();
    ends.push_back(row.masses->q());
  }
  EXPECT_LE(difference(ends[0], ends[1]), 1e-8);
}

// The Jacobian has an entry only where it is not zero: places that come later are taken in.
TEST(SparseLagrangianDS, TakesEntriesThatComeLater) {
  const auto run = [](bool isSparse) {
    NonSmoothDynamicalSystem model(0., 1.);
    const Matrix M = identityMatrix(2);
    const auto system = std::make_shared<LagrangianDS>(makeVector({-0.5, 0.3}), makeVector({1., 0.}),
                                                       isSparse ? SquareMatrix(sparseFromDense(M)) : SquareMatrix(M));
    // A spring between both that acts where q₀ > 0.
    const auto f = [](double, const Vector& q, const Vector&, Vector& F) {
      if (q(0) > 0.) F(0) += q(0) * q(1) * q(1), F(1) += q(0) * q(0) * q(1);
    };
    const auto byQ = [](double, const Vector& q, const Vector&, Matrix& J) {
      J = q(0) > 0. ? makeMatrix({{q(1) * q(1), 2. * q(0) * q(1)}, {2. * q(0) * q(1), q(0) * q(0)}}) : Matrix(2, 2, 0.);
    };
    if (isSparse) {
      system->setInternalForces(
          SparseForce{.f = f, .byQ = [=](double t, const Vector& q, const Vector& v, SparseMatrix& J) {
                        Matrix dense(2, 2);
                        byQ(t, q, v, dense);
                        J = sparseFromDense(dense);
                      }});
    } else {
      system->setInternalForces(withJacobians(f, byQ, [](double, const Vector&, const Vector&, Matrix&) {}));
    }
    model.insert(system);
    TimeStepping simulation(model, TimeDiscretisation(0., 0.02), MoreauJeanOSI(), LCP());
    simulation.run();
    return system->q();
  };
  EXPECT_LE(difference(run(true), run(false)), 1e-12);
}

// The same tied to others, where the matrices of all have one pattern: cubic springs, which have no stiffness at rest.
struct Cubic {
  static constexpr std::size_t masses = 45;
  NonSmoothDynamicalSystem model{0., 2.};
  std::shared_ptr<LagrangianDS> row;

  explicit Cubic(bool isSparse) {
    const Matrix M = identityMatrix(masses);
    row = std::make_shared<LagrangianDS>(Vector(masses, 0.), Vector(masses, 0.),
                                         isSparse ? SquareMatrix(sparseFromDense(M)) : SquareMatrix(M));
    row->setInternalForces(automatic([](auto, const auto& q, const auto&, auto& F) {
      for (std::size_t i = 0; i + 1 < masses; ++i) {
        const auto s = q(i + 1) - q(i);
        F(i) -= 500. * s * s * s;
        F(i + 1) += 500. * s * s * s;
      }
    }));
    const auto shaker = std::make_shared<LagrangianDS>(makeVector({0.}), makeVector({2.}), makeMatrix({{3.}}));
    model.insert("row", row);
    model.insert("shaker", shaker);
    model.link("spring", SpringDamperLaw(80., 0.5), LagrangianLinearTIR(makeMatrix({{1., -1.}})), shaker,
               SystemPart(row, 0, 1));
  }
};

TEST(SparseLagrangianDS, TakesEntriesThatComeLaterWhereItIsTied) {
  std::vector<Vector> ends;
  for (const bool isSparse : {false, true}) {
    Cubic cubic(isSparse);
    TimeStepping simulation(cubic.model, TimeDiscretisation(0., 0.01), MoreauJeanOSI(), LCP());
    simulation.run();
    ends.push_back(cubic.row->q());
  }
  EXPECT_GT(std::abs(ends[0](4)), 1e-3) << "the wave has come to the fifth mass";
  EXPECT_LE(difference(ends[0], ends[1]), 1e-8);
  expectSameAfterRestart("cubic", [] {
    const auto cubic = std::make_shared<Cubic>(true);
    return restartRun(cubic, std::make_shared<TimeStepping>(cubic->model, TimeDiscretisation(0., 0.05)));
  });
}

// Masses that only their surroundings act on.
TEST(SparseLagrangianDS, NeedsNoInternalForces) {
  const SparseMatrix M = sparseFromTriplets(50, 50, [] {
    std::vector<Triplet> entries;
    for (std::size_t i = 0; i < 50; ++i) entries.push_back({i, i, 2.});
    return entries;
  }());
  LagrangianDS masses(Vector(50, 0.), Vector(50, 1.), M);
  SquareMatrix byQ, byV;
  masses.forceJacobians(0., masses.q(), masses.velocity(), byQ, byV);
  ASSERT_TRUE(byQ.isSparse() && byV.isSparse());
  EXPECT_LE(entryCount(byQ.sparse()) + entryCount(byV.sparse()), 100U);
  EXPECT_EQ(normMax(byQ) + normMax(byV), 0.);
}

class Overriding : public LagrangianDS {
 public:
  Overriding() : LagrangianDS(Vector(2, 0.1), Vector(2, 0.), sparseFromDense(identityMatrix(2))) {}

 protected:
  void computeFInt(double, const Vector& q, const Vector&, Vector& force) override { force(0) = q(0); }
};

TEST(SparseLagrangianDS, RefusesTermsWhoseJacobiansWouldBeDense) {
  NonSmoothDynamicalSystem model(0., 1.);
  model.insert("mesh", std::make_shared<Overriding>());
  expectError([&] { TimeStepping(model, TimeDiscretisation(0., 0.01), MoreauJeanOSI(), LCP()).step(); },
              {"'mesh'", "sparse", "SparseForce"});
}

TEST(SparseLagrangianDS, ChecksItsJacobians) {
  Row row(Storage::sparse);
  EXPECT_NO_THROW(checkJacobians(row.model, 0.));
  row.masses->setInternalForces(
      SparseForce{.f = [](double, const Vector& q, const Vector& v, Vector& F) { force(q, v, F); },
                  .byQ = [](double, const Vector& q, const Vector&, SparseMatrix& J) { fillSparse(q, false, J); }});
  expectError([&] { checkJacobians(row.model, 0.); }, {"'masses'", "F_int with respect to v"});
}

TEST(SparseLagrangianDS, NamesWhatDoesNotFit) {
  Row row(Storage::sparse);
  expectError([&] { row.masses->setNNL(automatic([](const auto&, const auto& v, auto& N) { N(0) = v(0) * v(0); })); },
              {"'masses'", "NNL", "SparseForce"});
  expectError([&] { row.masses->setInternalForces(SparseForce{}); }, {"'masses'", "internal forces", "empty"});
  expectError([&] { row.masses->setMass(sparseFromTriplets(n, n, {{0, 0, 1.}})); }, {"'masses'", "mass M"});
  expectError([&] { row.masses->setMass(sparseFromTriplets(n + 1, n, {})); }, {"'masses'", "mass M", "60"});
  row.masses->setInternalForces(
      SparseForce{.f = [](double, const Vector& q, const Vector& v, Vector& F) { force(q, v, F); },
                  .byQ = [](double, const Vector&, const Vector&, SparseMatrix& J) { J = SparseMatrix(3, 3); }});
  expectError([&] { TimeStepping(row.model, TimeDiscretisation(0., 0.01), MoreauJeanOSI(), LCP()).step(); },
              {"'masses'", "Jacobian", "60 x 60", "3 x 3"});
}

}  // namespace
