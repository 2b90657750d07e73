// SPDX-License-Identifier: Apache-2.0
//
// After warm-up recording a step allocates nothing, until a chunk is full or a commit is due.
#include <gtest/gtest.h>

#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/io/Recorder.hpp>
#include <delassus/kernel/problems/LCP.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <filesystem>
#include <support/Models.hpp>

#include "CountAllocations.hpp"

namespace {

using namespace delassus;
using namespace delassus::test;

TEST(RecorderAllocations, AreNoneBetweenChunks) {
  const auto path = std::filesystem::temp_directory_path() / "delassus_recorder_allocations.h5";
  {
    ColumnOfBeads column(5, 0.15, 0.3, 0.8, 20.);
    TimeStepping simulation(column.model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(0.5), LCP());
    const auto recorder =
        std::make_shared<Recorder>(path, RecordFileOptions{.chunkBytes = 1 << 22, .replaceInterrupted = true});
    recorder->recordAll();
    recorder->recordContacts({.rows = 1});
    recorder->recordEnergy();
    recorder->recordSolver();
    recorder->setFlushSeconds(1e6);
    simulation.addObserver(recorder);
    for (std::size_t k = 0; k < 1000; ++k) simulation.step();
    const std::size_t before = allocationCount();
    for (std::size_t k = 0; k < 600; ++k) simulation.step();
    EXPECT_EQ(allocationCount(), before);
    EXPECT_EQ(recorder->rows(), 1601U);
  }
  std::filesystem::remove(path);
}

}  // namespace
