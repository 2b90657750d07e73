// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/io/ProblemFile.hpp>
#include <string>
#include <vector>

// Small problems of every class, for tests of reading and writing.
namespace delassus::test {

struct SampleProblem {
  std::string name;
  numerics::AnyProblem problem;
};

/// Every class, dense and in blocks, 2D and 3D, with entries of all magnitudes.
std::vector<SampleProblem> sampleProblems();

/// Texts in the layouts of other programs that are read but not written: an MLCP with more rows than its q, parts with
/// type numbers, and points of plasticity.
std::vector<std::string> otherLayouts();

/// True if all numbers of both problems are the same, to the bit.
bool same(const numerics::AnyProblem& a, const numerics::AnyProblem& b);

}  // namespace delassus::test
