// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/distributed/GranularRecorder.hpp>

#include <petscvec.h>
#include <petscviewerhdf5.h>

#include <delassus/numerics/distributed/PetscObjects.hpp>
#include <fstream>
#include <string>
#include <system_error>

namespace delassus::distributed {

namespace {

using PetscVector = PetscOwner<Vec, VecDestroy>;
using Viewer = PetscOwner<PetscViewer, PetscViewerDestroy>;

// `width` numbers of each grain, in the order of the numbers of grains.
void write(const Ranks& ranks, const Viewer& viewer, const char* name, const std::vector<Grain>& own, std::size_t all,
           Vector Grain::*values) {
  const auto width = static_cast<PetscInt>((Grain().*values).size());
  PetscVector rows;
  require(VecCreate(ranks.communicator(), rows.put()));
  require(VecSetSizes(rows.get(), PETSC_DECIDE, width * static_cast<PetscInt>(all)));
  require(VecSetBlockSize(rows.get(), width));
  require(VecSetType(rows.get(), VECMPI));
  for (const Grain& grain : own) {
    const auto row = static_cast<PetscInt>(grain.number);
    require(VecSetValuesBlocked(rows.get(), 1, &row, data(grain.*values), INSERT_VALUES));
  }
  require(VecAssemblyBegin(rows.get()));
  require(VecAssemblyEnd(rows.get()));
  require(PetscObjectSetName(reinterpret_cast<PetscObject>(rows.get()), name));
  require(VecView(rows.get(), viewer.get()));
}

void requireNumbersInOrder(const Ranks& ranks, const std::vector<Grain>& own, std::size_t all) {
  requireDistinctNumbers(ranks, own);
  ranks.agree([&] {
    if (own.empty() || own.back().number < all) return;
    throw Error("GranularRecorder", "there are " + std::to_string(all) + " grains, and one has the number " +
                                        std::to_string(own.back().number) + "; number them 0, 1, ….");
  });
}

// What a step has, in a file of its own.
void writeStep(const GranularSimulation& simulation, const std::vector<Grain>& own, std::size_t all,
               const std::filesystem::path& part) {
  Viewer viewer;
  require(PetscViewerHDF5Open(simulation.ranks().communicator(), part.c_str(), FILE_MODE_WRITE, viewer.put()));
  const double time = simulation.time();
  require(PetscViewerHDF5PushGroup(viewer.get(), "/"));
  write(simulation.ranks(), viewer, "q", own, all, &Grain::q);
  write(simulation.ranks(), viewer, "v", own, all, &Grain::v);
  require(PetscViewerHDF5WriteAttribute(viewer.get(), nullptr, "time", PETSC_DOUBLE, &time));
  require(PetscViewerHDF5PopGroup(viewer.get()));
  // The disk may be full only now.
  require(PetscViewerDestroy(viewer.put()));
}

}  // namespace

// What PETSc would tell on every rank.
void GranularRecorder::prepare(const GranularSimulation& simulation, const std::filesystem::path& part) {
  const std::string label = "Recording '" + part.string() + "'";
  if (!hasList_) simulation.isRestored() ? list_.goOnAfter(simulation.restoredStep()) : list_.begin();
  hasList_ = true;
  std::error_code failure;
  std::filesystem::create_directories(part.parent_path(), failure);
  if (failure) throw Error(label, "its folder cannot be created: " + failure.message() + ".");
  if (!std::ofstream(part)) throw Error(label, "it cannot be written.");
}

void GranularRecorder::record(const GranularSimulation& simulation) {
  const Ranks& ranks = simulation.ranks();
  const std::vector<Grain> own = simulation.own();
  const std::size_t all = simulation.totals().grains, step = simulation.stepIndex();
  requireNumbersInOrder(ranks, own, all);
  const std::filesystem::path file = list_.fileOf(step);
  std::filesystem::path part = file;
  part += ".part";
  ranks.onFirst([&] { prepare(simulation, part); });
  writeStep(simulation, own, all, part);
  ranks.onFirst([&] {
    std::error_code failure;
    std::filesystem::rename(part, file, failure);
    if (failure)
      throw Error("Recording '" + file.string() + "'", "cannot be put in its place: " + failure.message() + ".");
    list_.add(step);
  });
}

}  // namespace delassus::distributed
