// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/distributed/GranularRecorder.hpp>

#include <petscvec.h>
#ifdef DELASSUS_PETSC_HDF5
#include <petscviewerhdf5.h>
#endif

#include <cstdio>
#include <delassus/numerics/distributed/PetscObjects.hpp>
#include <fstream>
#include <string>
#include <system_error>

namespace delassus::distributed {

#ifdef DELASSUS_PETSC_HDF5
namespace {

using PetscVector = PetscOwner<Vec, VecDestroy>;
using Viewer = PetscOwner<PetscViewer, PetscViewerDestroy>;

std::string groupOf(std::size_t step) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "/steps/%06zu", step);
  return digits;
}

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

// What PETSc would tell on every rank. True if there is a file to which steps are added.
bool prepared(const std::filesystem::path& path) {
  const std::string label = "Recording '" + path.string() + "'";
  std::error_code failure;
  if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path(), failure);
  if (failure) throw Error(label, "its folder cannot be created: " + failure.message() + ".");
  const bool exists = std::filesystem::exists(path) && std::filesystem::file_size(path) > 0;
  if (!std::ofstream(path, std::ios::app)) throw Error(label, "it cannot be written.");
  if (!exists) return false;
  std::string begin(8, ' ');
  std::ifstream(path, std::ios::binary).read(begin.data(), 8);
  if (begin == "\x89HDF\r\n\x1a\n") return true;
  throw Error(label, "it is no HDF5 file; take another name, or remove it.");
}

}  // namespace

void GranularRecorder::record(const GranularSimulation& simulation) {
  const Ranks& ranks = simulation.ranks();
  const std::vector<Grain> own = simulation.own();
  const std::size_t all = simulation.totals().grains;
  requireNumbersInOrder(ranks, own, all);
  bool exists = false;
  ranks.onFirst([&] { exists = prepared(file_); });
  exists = ranks.any(exists);
  Viewer viewer;
  require(PetscViewerHDF5Open(ranks.communicator(), file_.c_str(), exists ? FILE_MODE_APPEND : FILE_MODE_WRITE,
                              viewer.put()));
  const double time = simulation.time();
  require(PetscViewerHDF5PushGroup(viewer.get(), groupOf(simulation.stepIndex()).c_str()));
  write(ranks, viewer, "q", own, all, &Grain::q);
  write(ranks, viewer, "v", own, all, &Grain::v);
  require(PetscViewerHDF5WriteAttribute(viewer.get(), nullptr, "time", PETSC_DOUBLE, &time));
  require(PetscViewerHDF5PopGroup(viewer.get()));
  // The disk may be full only now.
  require(PetscViewerDestroy(viewer.put()));
}

#else

void GranularRecorder::record(const GranularSimulation&) {
  throw AgreedError("GranularRecorder: this build has no parallel HDF5: PETSc was built without it.");
}

#endif

}  // namespace delassus::distributed
