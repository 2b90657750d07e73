// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/distributed/GhostExchange.hpp>

#include <petscsf.h>

#include <delassus/numerics/distributed/PetscCalls.hpp>

namespace delassus::distributed {

struct GhostExchange::Forest {
  PetscSF tree = nullptr;
  MPI_Datatype unit = MPI_DATATYPE_NULL;

  ~Forest() {
    PetscSFDestroy(&tree);
    if (unit != MPI_DATATYPE_NULL) MPI_Type_free(&unit);
  }
};

GhostExchange::GhostExchange(const Ranks& ranks, std::size_t own, const std::vector<Ghost>& ghosts, std::size_t numbers)
    : ghosts_(ghosts), forest_(std::make_unique<Forest>()) {
  std::vector<PetscSFNode> roots(ghosts.size());
  for (std::size_t k = 0; k < ghosts.size(); ++k) {
    roots[k] = {static_cast<PetscInt>(ghosts[k].rank), static_cast<PetscInt>(ghosts[k].number)};
  }
  require(PetscSFCreate(ranks.communicator(), &forest_->tree));
  require(PetscSFSetGraph(forest_->tree, static_cast<PetscInt>(own), static_cast<PetscInt>(ghosts.size()), nullptr,
                          PETSC_COPY_VALUES, roots.data(), PETSC_COPY_VALUES));
  require(PetscSFSetUp(forest_->tree));
  MPI_Type_contiguous(static_cast<int>(numbers), MPI_DOUBLE, &forest_->unit);
  MPI_Type_commit(&forest_->unit);
}

GhostExchange::~GhostExchange() = default;

void GhostExchange::bring(const double* own, double* ghosts) const {
  require(PetscSFBcastBegin(forest_->tree, forest_->unit, own, ghosts, MPI_REPLACE));
  require(PetscSFBcastEnd(forest_->tree, forest_->unit, own, ghosts, MPI_REPLACE));
}

}  // namespace delassus::distributed
