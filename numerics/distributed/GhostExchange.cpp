// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/distributed/GhostExchange.hpp>

#include <petscsf.h>
#include <petscsys.h>

#include <cmath>
#include <cstdint>
#include <delassus/numerics/distributed/PetscObjects.hpp>

namespace delassus::distributed {

Packets sendPackets(const Ranks& ranks, const Packets& packets) {
  std::vector<PetscMPIInt> to;
  std::vector<std::int64_t> sizes;
  for (const auto& [rank, packet] : packets) {
    if (packet.empty()) continue;
    to.push_back(static_cast<PetscMPIInt>(rank));
    sizes.push_back(static_cast<std::int64_t>(packet.size()));
  }
  PetscMPIInt count = 0;
  PetscMPIInt* from = nullptr;
  std::int64_t* lengths = nullptr;
  require(PetscCommBuildTwoSided(ranks.communicator(), 1, MPI_INT64_T, static_cast<PetscMPIInt>(to.size()), to.data(),
                                 sizes.data(), &count, &from, &lengths));
  Packets received;
  std::vector<MPI_Request> requests;
  constexpr int tag = 7;
  for (PetscMPIInt k = 0; k < count; ++k) {
    Packet& packet = received[static_cast<std::size_t>(from[k])];
    packet.resize(static_cast<std::size_t>(lengths[k]));
    requests.emplace_back();
    MPI_Irecv(packet.data(), static_cast<int>(packet.size()), MPI_DOUBLE, from[k], tag, ranks.communicator(),
              &requests.back());
  }
  for (std::size_t k = 0; k < to.size(); ++k) {
    const Packet& packet = packets.at(static_cast<std::size_t>(to[k]));
    requests.emplace_back();
    MPI_Isend(packet.data(), static_cast<int>(packet.size()), MPI_DOUBLE, to[k], tag, ranks.communicator(),
              &requests.back());
  }
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  require(PetscFree(from));
  require(PetscFree(lengths));
  return received;
}

std::size_t PacketReader::count() {
  const double next = number();
  if (next >= 0. && next < static_cast<double>(mostCount) && next == std::floor(next)) {
    return static_cast<std::size_t>(next);
  }
  throw Error("PacketReader", "a count was expected, but " + toText(next) + " came.");
}

const double* PacketReader::numbers(std::size_t n) {
  if (n > rest_.size()) {
    throw Error("PacketReader",
                std::to_string(n) + " numbers were expected, but " + std::to_string(rest_.size()) + " are left.");
  }
  const double* const first = rest_.data();
  rest_ = rest_.subspan(n);
  return first;
}

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
