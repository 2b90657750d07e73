// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/distributed/PartOfRanks.hpp>

#include <algorithm>

namespace delassus::distributed {

PartOfRanks::~PartOfRanks() {
  int isOver = 0;
  MPI_Finalized(&isOver);
  if (isOver == 0) release();
}

void PartOfRanks::release() {
  ranks_.reset();
  if (communicator_ != MPI_COMM_NULL) MPI_Comm_free(&communicator_);
}

void PartOfRanks::choose(const std::vector<char>& takesPart) {
  if (takesPart == takesPart_) return;
  release();
  takesPart_ = takesPart;
  if (std::find(takesPart.begin(), takesPart.end(), 0) == takesPart.end()) {
    ranks_ = whole_;
    return;
  }
  const bool doesThis = takesPart[whole_.rank()] != 0;
  MPI_Comm_split(whole_.communicator(), doesThis ? 0 : MPI_UNDEFINED, static_cast<int>(whole_.rank()), &communicator_);
  if (doesThis) ranks_.emplace(communicator_);
}

}  // namespace delassus::distributed
