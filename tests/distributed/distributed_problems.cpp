// SPDX-License-Identifier: Apache-2.0
//
// Writes problem files for the test of delassus-solve-mpi into a folder: a lattice of spheres in local form, and random
// contacts in global form.
#include <cstdio>
#include <delassus/numerics/io/ProblemFile.hpp>
#include <filesystem>
#include <support/RandomContacts.hpp>
#include <support/RandomGlobalFriction.hpp>
#include <support/RandomProblems.hpp>

int main(int argc, char** argv) {
  using namespace delassus;
  if (argc != 2) {
    std::fprintf(stderr, "distributed_problems FOLDER\n");
    return 1;
  }
  const std::filesystem::path folder = argv[1];
  std::filesystem::create_directories(folder);
  const auto write = [&](const char* name, const numerics::AnyProblem& problem) {
    numerics::writeProblem(folder / name, problem, numerics::formatFor(folder / name), numerics::TextStorage::natural);
  };
  write("lattice.dat", test::assembled(test::sphereLattice(6, 6, 4, 0.5)));
  test::Generator generator(21);
  write("global.dat", test::randomGlobalFriction(generator, {.contacts = 12, .bodies = 8}).problem);
  return 0;
}
