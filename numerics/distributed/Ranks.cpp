// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/distributed/Ranks.hpp>

#include <petscsys.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <exception>

namespace delassus::distributed {
namespace {

std::size_t numberOf(int (*ask)(MPI_Comm, int*), MPI_Comm communicator) {
  int number = 0;
  ask(communicator, &number);
  return static_cast<std::size_t>(number);
}

// Chunks of what may be larger than an int counts.
void broadcast(void* bytes, std::uint64_t size, MPI_Comm communicator) {
  constexpr std::uint64_t most = std::uint64_t{1} << 30;
  auto* next = static_cast<char*>(bytes);
  for (std::uint64_t done = 0; done < size; done += most) {
    MPI_Bcast(next + done, static_cast<int>(std::min(most, size - done)), MPI_BYTE, 0, communicator);
  }
}

template <class Container>
void shareAll(Container& values, MPI_Comm communicator) {
  std::uint64_t size = values.size();
  MPI_Bcast(&size, 1, MPI_UINT64_T, 0, communicator);
  values.resize(size);
  broadcast(values.data(), size * sizeof(typename Container::value_type), communicator);
}

}  // namespace

Ranks::Ranks(MPI_Comm communicator)
    : communicator_(communicator),
      rank_(numberOf(MPI_Comm_rank, communicator)),
      size_(numberOf(MPI_Comm_size, communicator)) {
}

std::span<const double> Ranks::gather(std::span<const double> own) const {
  const auto count = static_cast<int>(own.size());
  gathered_.resize(size_ * own.size());
  MPI_Allgather(own.data(), count, MPI_DOUBLE, gathered_.data(), count, MPI_DOUBLE, communicator_);
  return gathered_;
}

// A reduction of MPI may add in any order.
void Ranks::sum(std::span<double> values) const {
  if (size_ == 1) return;
  gather(values);
  std::fill(values.begin(), values.end(), 0.);
  for (std::size_t rank = 0; rank < size_; ++rank) {
    for (std::size_t k = 0; k < values.size(); ++k) values[k] += gathered_[rank * values.size() + k];
  }
}

bool Ranks::any(bool isSo) const {
  int all = isSo ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MAX, communicator_);
  return all != 0;
}

void Ranks::share(std::string& text) const {
  shareAll(text, communicator_);
}

void Ranks::share(std::vector<std::size_t>& numbers) const {
  shareAll(numbers, communicator_);
}

void Ranks::agree(const std::function<void()>& work) const {
  std::string said;
  auto failed = static_cast<int>(size_);
  try {
    work();
  } catch (const std::exception& error) {
    failed = static_cast<int>(rank_);
    said = error.what();
  }
  int lowest = failed;
  MPI_Allreduce(MPI_IN_PLACE, &lowest, 1, MPI_INT, MPI_MIN, communicator_);
  if (lowest == static_cast<int>(size_)) return;
  std::uint64_t length = said.size();
  MPI_Bcast(&length, 1, MPI_UINT64_T, lowest, communicator_);
  said.resize(length);
  MPI_Bcast(said.data(), static_cast<int>(length), MPI_CHAR, lowest, communicator_);
  throw AgreedError(said);
}

void Ranks::onFirst(const std::function<void()>& work) const {
  agree([&] {
    if (isFirst()) work();
  });
}

int runOnRanks(const std::string& program, const std::function<int(const Ranks&)>& work) {
  // The command line is the program's; PETSc takes the environment variable PETSC_OPTIONS.
  if (PetscInitializeNoArguments() != 0) {
    std::fprintf(stderr, "%s: MPI and PETSc could not be started.\n", program.c_str());
    return 1;
  }
  const Ranks ranks;
  int result = 1;
  try {
    result = work(ranks);
  } catch (const AgreedError& error) {
    if (ranks.isFirst()) std::fprintf(stderr, "%s: %s\n", program.c_str(), error.what());
  } catch (const std::exception& error) {
    if (ranks.size() == 1) {
      std::fprintf(stderr, "%s: %s\n", program.c_str(), error.what());
      PetscFinalize();
      return 1;
    }
    std::fprintf(stderr, "%s, rank %zu of %zu: %s\n", program.c_str(), ranks.rank(), ranks.size(), error.what());
    std::fflush(stderr);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  PetscFinalize();
  return result;
}

Traffic traffic() {
  return {petsc_isend_ct + petsc_send_ct, petsc_isend_len + petsc_send_len, petsc_allreduce_ct + petsc_gather_ct};
}

Traffic mean(const Ranks& ranks, const Traffic& own) {
  double sums[] = {own.messages, own.bytes, own.collectives};
  ranks.sum(sums);
  const auto count = static_cast<double>(ranks.size());
  return {sums[0] / count, sums[1] / count, sums[2] / count};
}

Traffic largest(const Ranks& ranks, const Traffic& own) {
  const double numbers[] = {own.messages, own.bytes, own.collectives};
  const std::span<const double> all = ranks.gather(numbers);
  Traffic most;
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    most.messages = std::max(most.messages, all[3 * rank]);
    most.bytes = std::max(most.bytes, all[3 * rank + 1]);
    most.collectives = std::max(most.collectives, all[3 * rank + 2]);
  }
  return most;
}

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
