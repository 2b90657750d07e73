// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <delassus/kernel/simulation/Simulation.hpp>
#include <delassus/kernel/systems/FirstOrderDS.hpp>
#include <delassus/kernel/systems/SecondOrderDS.hpp>
#include <functional>
#include <memory>
#include <support/PartialArchive.hpp>
#include <utility>
#include <vector>

// Runs that are saved and restored.
namespace delassus::test {

/// A simulation, and what keeps its model.
struct RestartableRun {
  std::shared_ptr<void> owner;
  std::shared_ptr<Simulation> simulation;
  /// Changes the model as the run had changed it by output k, before restoring.
  std::function<void(std::size_t k)> prepare = [](std::size_t) {};
};

/// The bytes of a checkpoint, and the states of the systems.
struct Saved {
  MemoryArchive::Bytes bytes;
  MemoryArchive::Bytes compared;  // without versions: they count evaluations, and only what is equal of them matters
  std::vector<Vector> states;

  bool operator==(const Saved& other) const {
    if (compared != other.compared || states.size() != other.states.size()) return false;
    for (std::size_t i = 0; i < states.size(); ++i) {
      // As bits: 0 is not −0.
      const Vector& a = states[i];
      const Vector& b = other.states[i];
      if (a.size() != b.size() || std::memcmp(data(a), data(b), a.size() * sizeof(double)) != 0) return false;
    }
    return true;
  }
};

inline void serialize(Simulation& simulation, StateArchive& archive) {
  simulation.serializeState(archive);
  for (const Simulation::UserState& state : simulation.states()) state.serialize(archive);
}

inline Saved save(Simulation& simulation) {
  Saved saved;
  MemoryArchive archive;
  serialize(simulation, archive);
  saved.bytes = archive.bytes();
  PartialArchive compared({"blocksVersion", "indexSetVersion", "stampFrom"});
  serialize(simulation, compared);
  saved.compared = compared.bytes();
  for (const auto& system : simulation.model().topology().systems()) {
    if (const SecondOrderDS* const motion = system->secondOrder()) {
      saved.states.push_back(motion->q());
      saved.states.push_back(motion->velocity());
    } else {
      saved.states.push_back(system->firstOrder()->x());
    }
  }
  return saved;
}

inline void restore(Simulation& simulation, const Saved& saved) {
  std::size_t k = 0;
  for (const auto& system : simulation.model().topology().systems()) {
    if (SecondOrderDS* const motion = system->secondOrder()) {
      motion->setState(saved.states[k], saved.states[k + 1]);
      k += 2;
    } else {
      system->firstOrder()->setState(saved.states[k++]);
    }
  }
  MemoryArchive archive(saved.bytes);
  serialize(simulation, archive);
  EXPECT_TRUE(archive.isAtEnd());
}

/// Saves the run before its first step and after each, restores it into new runs at every `every`-th place, and
/// continues these: everything saved later must have the same bits, which is the whole state, events and statistics.
/// Also, saving must disturb nothing, and a run at its end can be restored to an earlier state.
inline void expectRestarts(const std::function<RestartableRun()>& make, std::size_t every) {
  std::vector<Saved> saved;
  const RestartableRun whole = make();
  saved.push_back(save(*whole.simulation));
  while (whole.simulation->hasNextStep()) {
    whole.simulation->step();
    saved.push_back(save(*whole.simulation));
  }
  const RestartableRun unsaved = make();
  unsaved.simulation->run();
  EXPECT_TRUE(save(*unsaved.simulation) == saved.back()) << "saving has changed the run";
  const auto goOn = [&](const RestartableRun& run, std::size_t k) {
    restore(*run.simulation, saved[k]);
    EXPECT_TRUE(save(*run.simulation) == saved[k]) << "restored at output " << k;
    while (run.simulation->hasNextStep()) {
      run.simulation->step();
      ASSERT_TRUE(save(*run.simulation) == saved[++k]) << "output " << k;
    }
  };
  for (std::size_t k = 0; k + 1 < saved.size(); k += every) {
    SCOPED_TRACE("restored from output " + std::to_string(k));
    const RestartableRun again = make();
    again.prepare(k);
    goOn(again, k);
    if (testing::Test::HasFailure()) return;
  }
  const std::size_t last = (saved.size() - 2) / every * every;
  SCOPED_TRACE("taken back from the end to output " + std::to_string(last));
  goOn(unsaved, last);
}

}  // namespace delassus::test
