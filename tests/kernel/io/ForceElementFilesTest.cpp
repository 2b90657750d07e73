// SPDX-License-Identifier: Apache-2.0
//
// Force elements in recordings, descriptions, reports of Jacobians, and checkpoints.
#include <delassus/kernel/diagnostics/EnergyBalance.hpp>
#include <delassus/kernel/diagnostics/JacobianReport.hpp>
#include <delassus/kernel/diagnostics/ModelDescription.hpp>
#include <delassus/kernel/io/Checkpoint.hpp>
#include <delassus/kernel/io/RecordReader.hpp>
#include <delassus/kernel/laws/SmoothLaw.hpp>
#include <delassus/numerics/Error.hpp>
#include <memory>
#include <support/SpringChain.hpp>
#include <vector>

#include "RecorderFixture.hpp"

namespace {

using namespace delassus;
using namespace delassus::test;

using ForceElementFiles = RecorderFixture;

TEST_F(ForceElementFiles, HaveTheirOutputsForcesAndEnergies) {
  SpringChain chain(3, 50., 2., true, 0.5, 0.);
  chain.masses[0]->setState(Vector(1, 0.2), Vector(1, 1.));
  TimeStepping simulation(chain.model, 0.01);
  const auto recorder = std::make_shared<Recorder>(file());
  recorder->record("spring 0", {{"y0", "m"}, {"y1"}, {"lambda0", "N"}, {"energy"}});
  recorder->record("spring 1");
  recorder->recordEnergy();
  simulation.addObserver(recorder);
  std::vector<double> forces{chain.springs[0]->force(0.)(0)}, totals;
  const auto total = [&] {
    double sum = 0.;
    for (const auto& mass : chain.masses) sum += mass->kineticEnergy();
    for (const auto& spring : chain.springs) sum += spring->energy(simulation.time());
    totals.push_back(sum);
  };
  total();
  simulation.run([&] {
    forces.push_back(chain.springs[0]->force(simulation.time())(0));
    total();
  });
  const RecordReader reader(file());
  const Vector y = reader.column("elements/spring 0/y0"), rate = reader.column("elements/spring 0/y1"),
               force = reader.column("elements/spring 0/lambda0"), energy = reader.column("elements/spring 0/energy"),
               sum = reader.column("energy/total");
  ASSERT_EQ(reader.rows(), forces.size());
  for (std::size_t k = 0; k < forces.size(); ++k) {
    EXPECT_EQ(force(k), forces[k]);
    EXPECT_NEAR(force(k), -50. * y(k) - 2. * rate(k), 1e-13);
    EXPECT_NEAR(energy(k), 25. * y(k) * y(k), 1e-14);
    EXPECT_NEAR(sum(k), totals[k], 1e-14);
  }
  EXPECT_EQ(reader.column("elements/spring 1/lambda0").size(), forces.size());
}

TEST_F(ForceElementFiles, AreRefusedByNameWhereTheyAreNotThere) {
  SpringChain chain(2, 50., 2., true, 0.1);
  TimeStepping simulation(chain.model, 0.01);
  const auto recorder = std::make_shared<Recorder>(file());
  recorder->record("spring 7");
  simulation.addObserver(recorder);
  EXPECT_THROW(simulation.run(), Error);
}

TEST_F(ForceElementFiles, StandInDescriptionsAndReports) {
  SpringChain chain(2, 50., 2., true, 0.1);
  const auto wrong =
      SmoothLaw(1, withJacobians([](double, const Vector& y, const Vector&, Vector& f) { f(0) = -3. * y(0); },
                                 [](double, const Vector&, const Vector&, Matrix& byY) { byY(0, 0) = -4.; },
                                 [](double, const Vector&, const Vector&, Matrix&) {}));
  chain.model.link("wrong", wrong, LagrangianLinearTIR(Matrix(1, 1, 1.)), chain.masses[0]);
  const std::string description = describe(chain.model, 20), graph = graphvizOf(chain.model);
  for (const char* const part : {"force elements", "'spring 0' SpringDamperLaw", "stiffness", "'mass 1'", "'wrong'"}) {
    EXPECT_NE(description.find(part), std::string::npos) << part;
  }
  EXPECT_NE(graph.find("e0 -- s1"), std::string::npos);
  EXPECT_NE(graph.find("e1 -- s0"), std::string::npos);
  const JacobianReport report = jacobianReport(chain.model, 0.);
  std::size_t failed = 0;
  for (const auto& check : report.checks) {
    if (check.wrong.empty()) continue;
    ++failed;
    EXPECT_NE(check.what.find("'wrong'"), std::string::npos) << check.what;
  }
  EXPECT_EQ(failed, 1U);
}

// A checkpoint of other springs does not fit, by settings; nor one of another function of the user, by its force.
TEST_F(ForceElementFiles, RefuseACheckpointOfOtherElements) {
  const auto save = [&](double k, std::size_t n) {
    SpringChain chain(n, k, 2., true, 1., 0.1);
    TimeStepping simulation(chain.model, 0.01);
    for (int step = 0; step < 5; ++step) simulation.step();
    saveCheckpoint(simulation, file("run.checkpoint"));
  };
  SpringChain chain(3, 50., 2., true, 1., 0.1);
  TimeStepping simulation(chain.model, 0.01);
  save(60., 3);
  EXPECT_THROW(restoreCheckpoint(simulation, file("run.checkpoint")), Error);
  save(50., 4);
  EXPECT_THROW(restoreCheckpoint(simulation, file("run.checkpoint")), Error);
  save(50., 3);
  EXPECT_NO_THROW(restoreCheckpoint(simulation, file("run.checkpoint")));
  EXPECT_NEAR(simulation.time(), 0.05, 1e-15);
}

TEST_F(ForceElementFiles, AndBalancesGoOnAfterACheckpoint) {
  const auto make = [](SpringChain& chain, std::shared_ptr<EnergyBalance>& balance) {
    chain.masses[0]->setState(Vector(1, 0.3), Vector(1));
    auto simulation = std::make_unique<TimeStepping>(chain.model, 0.01);
    balance = std::make_shared<EnergyBalance>();
    simulation->addObserver(balance);
    return simulation;
  };
  SpringChain whole(3, 50., 2., true, 1., 0.), again(3, 50., 2., true, 1., 0.);
  std::shared_ptr<EnergyBalance> ofWhole, ofAgain;
  const auto first = make(whole, ofWhole);
  for (int step = 0; step < 30; ++step) first->step();
  saveCheckpoint(*first, file("run.checkpoint"));
  first->run();
  const auto second = make(again, ofAgain);
  restoreCheckpoint(*second, file("run.checkpoint"));
  second->run();
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_EQ(ofAgain->byElement()[k].work, ofWhole->byElement()[k].work);
    EXPECT_EQ(ofAgain->byElement()[k].dissipated(), ofWhole->byElement()[k].dissipated());
    EXPECT_GT(ofWhole->byElement()[k].dissipated(), 0.01);
  }
}

}  // namespace
