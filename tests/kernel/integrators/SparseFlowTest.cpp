// SPDX-License-Identifier: Apache-2.0
//
// First-order systems with sparse matrices, linked as a whole and by parts: the motion of the same dense system.
#include <gtest/gtest.h>

#include <cmath>
#include <delassus/kernel/integrators/EulerMoreauOSI.hpp>
#include <delassus/kernel/integrators/MixedOSI.hpp>
#include <delassus/kernel/laws/EqualityConditionNSL.hpp>
#include <delassus/kernel/problems/LCP.hpp>
#include <delassus/kernel/problems/MLCP.hpp>
#include <delassus/kernel/relations/FirstOrderNonLinearR.hpp>
#include <delassus/kernel/simulation/EventDriven.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <delassus/kernel/systems/FirstOrderLinearTIDS.hpp>
#include <delassus/kernel/systems/FirstOrderNonLinearDS.hpp>
#include <delassus/numerics/functions/Automatic.hpp>
#include <support/DiodeLine.hpp>
#include <support/Matchers.hpp>
#include <support/Restart.hpp>

namespace {

using namespace delassus;
using namespace delassus::test;

// All states and multipliers of a run, step after step.
std::vector<double> historyOf(DiodeLine& model, const EulerMoreauOSI& scheme, double h = 0.004) {
  std::vector<double> history;
  TimeStepping simulation(model.model, TimeDiscretisation(0., h), EulerMoreauOSI(scheme), LCP());
  simulation.run([&] {
    for (const double x : model.line->x()) history.push_back(x);
    for (const auto& diode : model.diodes) history.push_back(diode->lambda(0)(0));
  });
  return history;
}

double largestDifference(const std::vector<double>& a, const std::vector<double>& b) {
  EXPECT_EQ(a.size(), b.size());
  double worst = 0.;
  for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k) worst = std::max(worst, std::abs(a[k] - b[k]));
  return worst;
}

TEST(SparseFlow, IsThatOfDenseMatricesHoweverItIsLinked) {
  const auto compare = [](const EulerMoreauOSI& scheme, bool hasAlgebraicNodes) {
    DiodeLine reference(Storage::dense, Links::whole, hasAlgebraicNodes);
    const std::vector<double> expected = historyOf(reference, scheme);
    double conducted = 0.;
    for (const double each : expected) conducted = std::max(conducted, each);
    EXPECT_GT(conducted, 0.1);
    for (const auto& [storage, links] :
         {std::pair(Storage::sparse, Links::whole), {Storage::sparse, Links::parts}, {Storage::dense, Links::parts}}) {
      DiodeLine line(storage, links, hasAlgebraicNodes);
      // 1e-12 of currents of 0.4 V by 1 Ω, over 100 steps of problems solved to 1e-8 of the largest term by pivots.
      EXPECT_LE(largestDifference(historyOf(line, scheme), expected), 1e-11);
    }
  };
  for (const bool hasAlgebraicNodes : {false, true}) {
    compare(EulerMoreauOSI(1.), hasAlgebraicNodes);
    compare(EulerMoreauOSI(0.5), hasAlgebraicNodes);
  }
  compare(EulerMoreauOSI(0.5, 0.5), false);
  compare(EulerMoreauOSI::fullThetaGamma(0.5, 0.7), false);
}

TEST(SparseFlow, StartsAgainToTheBit) {
  for (const Links links : {Links::whole, Links::parts}) {
    expectSameAfterRestart(links == Links::whole ? "sparse_whole" : "sparse_parts", [&] {
      const auto line = std::make_shared<DiodeLine>(Storage::sparse, links, true);
      return restartRun(
          line, std::make_shared<TimeStepping>(line->model, TimeDiscretisation(0., 0.004), EulerMoreauOSI(0.5), LCP()));
    });
  }
}

TEST(SparseFlow, HasPiecesOfStepsAsADenseOne) {
  std::vector<std::vector<double>> histories;
  for (const Storage storage : {Storage::dense, Storage::sparse}) {
    DiodeLine line(storage, Links::parts, true);
    TimeStepping simulation(line.model, TimeDiscretisation(0., 0.004), EulerMoreauOSI(0.5), LCP());
    simulation.addSampling("switch", TimeDiscretisation(0., 0.0077), [] {});
    histories.emplace_back();
    simulation.run(
        [&] { histories.back().insert(histories.back().end(), line.line->x().begin(), line.line->x().end()); });
  }
  EXPECT_LE(largestDifference(histories[0], histories[1]), 1e-11);
}

// Two lines that a resistor 1/g(v) ties, r = ±g(v1 − v2), which puts K of a relation into the matrix of both.
TEST(SparseFlow, IsTiedByRelationsWithInputsOfTheState) {
  const auto run = [](Storage storage) {
    NonSmoothDynamicalSystem model(0., 0.2);
    std::vector<std::shared_ptr<FirstOrderLinearTIDS>> lines;
    for (std::size_t k = 0; k < 2; ++k) {
      Matrix A(20, 20);
      setZero(A);
      for (std::size_t i = 0; i < 20; ++i) {
        A(i, i) = -20.;
        if (i + 1 < 20) A(i, i + 1) = A(i + 1, i) = 10.;
      }
      const Vector start(20, k == 0 ? 1. : -0.5);
      lines.push_back(storage == Storage::sparse && k == 0
                          ? std::make_shared<FirstOrderLinearTIDS>(start, sparseFromDense(A))
                          : std::make_shared<FirstOrderLinearTIDS>(start, A));
      model.insert("line " + std::to_string(k), lines.back());
    }
    // λ = y = v1 − v2 by the law y = 0 with y = v1 − v2 − λ.
    const auto resistor = std::make_shared<FirstOrderNonLinearR>(
        1, automatic([](auto, const auto& x, const auto& lambda, auto& y) { y(0) = x(0) - x(1) - lambda(0); }),
        automatic([](auto, const auto& x, const auto& lambda, auto& r) {
          r(0) = -4. * lambda(0) - x(0) * x(0) * x(0);
          r(1) = 4. * lambda(0) + x(0) * x(1);
        }));
    model.link("resistor", EqualityConditionNSL(1), resistor, SystemPart(lines[0], 12, 1), SystemPart(lines[1], 3, 1));
    TimeStepping simulation(model, TimeDiscretisation(0., 0.01), EulerMoreauOSI(0.5), MLCP());
    std::vector<double> history;
    simulation.run([&] {
      for (const auto& line : lines) history.insert(history.end(), line->x().begin(), line->x().end());
    });
    return history;
  };
  EXPECT_LE(largestDifference(run(Storage::sparse), run(Storage::dense)), 1e-9) << "Newton's tolerance";
}

// A(t) as a function that fills a sparse matrix, with the entries where they were, against the dense one.
TEST(SparseFlow, MayHaveMatricesThatDependOnTime) {
  const auto run = [](Storage storage) {
    NonSmoothDynamicalSystem model(0., 1.);
    const auto system = std::make_shared<FirstOrderLinearDS>(Vector(30, 1.));
    const auto entry = [](double t, std::size_t i) { return -2. - std::sin(t + 0.1 * static_cast<double>(i)); };
    if (storage == Storage::sparse) {
      system->setA([&](double t, SparseMatrix& A) {
        std::vector<Triplet> entries;
        for (std::size_t i = 0; i < 30; ++i) {
          entries.push_back({i, i, entry(t, i)});
          if (i > 0) entries.push_back({i, i - 1, 1.});
        }
        A = sparseFromTriplets(30, 30, entries);
      });
      EXPECT_TRUE(system->isSparse());
    } else {
      system->setA([&](double t, Matrix& A) {
        for (std::size_t i = 0; i < 30; ++i) {
          A(i, i) = entry(t, i);
          if (i > 0) A(i, i - 1) = 1.;
        }
      });
    }
    model.insert(system);
    TimeStepping simulation(model, TimeDiscretisation(0., 0.05), EulerMoreauOSI(0.5), LCP());
    simulation.run();
    return system->x();
  };
  const Vector sparse = run(Storage::sparse), dense = run(Storage::dense);
  for (std::size_t i = 0; i < 30; ++i) EXPECT_NEAR(sparse(i), dense(i), 1e-14);
}

// ẋ = −x³ + Δx of a chain: the Jacobian of a nonlinear system with a sparse M is stored sparse, whoever computes it.
TEST(SparseFlow, MayBeNonlinear) {
  const auto run = [](Storage storage) {
    NonSmoothDynamicalSystem model(0., 0.5);
    const auto chain = std::make_shared<FirstOrderNonLinearDS>(makeVector({1., 2., -1., 0.5}),
                                                               automatic([](auto, const auto& x, auto& f) {
                                                                 for (std::size_t i = 0; i < 4; ++i) {
                                                                   f(i) = -x(i) * x(i) * x(i) - 2. * x(i);
                                                                   if (i > 0) f(i) += x(i - 1);
                                                                   if (i < 3) f(i) += x(i + 1);
                                                                 }
                                                               }));
    const Matrix M = makeMatrix({{1., 0., 0., 0.}, {0., 2., 0., 0.}, {0., 0., 1., 0.}, {0., 0., 0., 3.}});
    if (storage == Storage::sparse) {
      chain->setM(sparseFromDense(M));
    } else {
      chain->setM(M);
    }
    model.insert(chain);
    TimeStepping simulation(model, TimeDiscretisation(0., 0.02), EulerMoreauOSI(0.5), LCP());
    simulation.run();
    return chain->x();
  };
  const Vector sparse = run(Storage::sparse), dense = run(Storage::dense);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(sparse(i), dense(i), 1e-12);
}

TEST(SparseFlow, MovesByEventsAsADenseOne) {
  std::vector<Vector> ends;
  for (const auto& [storage, links] : {std::pair(Storage::dense, Links::whole), {Storage::sparse, Links::parts}}) {
    DiodeLine line(storage, links, false);
    EventDriven simulation(line.model, TimeDiscretisation(0., 0.05));
    simulation.run();
    ends.push_back(line.line->x());
  }
  for (std::size_t i = 0; i < DiodeLine::shortest; ++i)
    EXPECT_NEAR(ends[0](i), ends[1](i), 1e-8) << "tolerance of integration";
}

TEST(SparseFlow, IsAGroupBesideOthers) {
  DiodeLine alone(Storage::sparse, Links::parts, true), grouped(Storage::sparse, Links::parts, true);
  const auto other = std::make_shared<FirstOrderLinearTIDS>(makeVector({1.}), makeMatrix({{-1.}}));
  grouped.model.insert("other", other);
  MixedOSI mixed;
  mixed.add(EulerMoreauOSI(0.5), {grouped.line});
  mixed.add(EulerMoreauOSI(1.), {other});
  TimeStepping first(alone.model, TimeDiscretisation(0., 0.004), EulerMoreauOSI(0.5), LCP());
  TimeStepping second(grouped.model, TimeDiscretisation(0., 0.004), std::move(mixed), LCP());
  first.run();
  second.run();
  for (std::size_t i = 0; i < DiodeLine::shortest; ++i) EXPECT_NEAR(alone.line->x()(i), grouped.line->x()(i), 1e-13);
}

TEST(SparseFlow, NamesWhatDoesNotFit) {
  const SparseMatrix A = sparseFromDense(makeMatrix({{-1., 0.}, {0., -1.}}));
  FirstOrderLinearDS system(makeVector({1., 2.}), A);
  const auto control = automatic([](double, const auto& x, auto& u) { u(0) = -x(0); });
  expectError(
      [&] {
        system.setControl(makeMatrix({{1.}, {0.}}), control);
      },
      {"FirstOrderLinearDS", "sparse", "control"});
  expectError([&] { FirstOrderLinearDS(makeVector({1.}), A); }, {"A", "2", "1"});
  FirstOrderLinearDS controlled(makeVector({1., 2.}));
  controlled.setControl(makeMatrix({{1.}, {0.}}), control);
  expectError([&] { controlled.setA(A); }, {"sparse", "control"});
  expectError([&] { controlled.setM(A); }, {"sparse", "control"});
  EXPECT_FALSE(controlled.isSparse());
  SparseMatrix broken = A;
  broken.value_data()[0] = std::nan("");
  expectError([&] { system.setM(broken); }, {"M", "finite"});
}

TEST(SparseFlow, KeepsItsStorageWhileItRuns) {
  DiodeLine line(Storage::dense, Links::whole, false);
  TimeStepping simulation(line.model, TimeDiscretisation(0., 0.004), EulerMoreauOSI(1.), LCP());
  simulation.step();
  SparseMatrix A = sparseFromDense(-1. * identityMatrix(DiodeLine::shortest));
  line.line->setA(A);
  expectError([&] { simulation.step(); }, {"'line'", "sparse", "initialised"});
}

}  // namespace
