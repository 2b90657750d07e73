// SPDX-License-Identifier: Apache-2.0
//
// A build without HDF5 says so, and which option brings it.
#include <gtest/gtest.h>

#include <delassus/numerics/io/ProblemFile.hpp>

#include "../../support/Matchers.hpp"
#include "SampleProblems.hpp"

namespace {

using namespace delassus;
using namespace delassus::numerics;

TEST(FclibAbsent, ReadingNamesTheOption) {
  test::expectError([] { parseProblem("\x89HDF\r\n\x1a\n", "contact.hdf5"); },
                    {"contact.hdf5: this build of Delassus has no HDF5", "DELASSUS_WITH_HDF5=ON"});
}

TEST(FclibAbsent, WritingNamesTheOption) {
  for (const auto& sample : test::sampleProblems()) {
    if (sample.name != "friction2d" && sample.name != "globalFriction3d" && sample.name != "globalRolling") continue;
    test::expectError([&] { writeProblem("contact.hdf5", sample.problem, FileFormat::fclib); },
                      {"contact.hdf5: this build of Delassus has no HDF5", "DELASSUS_WITH_HDF5=ON"});
  }
}

}  // namespace
