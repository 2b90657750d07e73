// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/distributed/Distribution.hpp>

#include <petscmat.h>

#include <algorithm>
#include <cstdlib>
#include <delassus/numerics/algebra/BlockPatterns.hpp>
#include <delassus/numerics/algebra/BlockSparseMatrix.hpp>
#include <delassus/numerics/distributed/PetscObjects.hpp>
#include <numeric>
#include <string>
#include <utility>

namespace delassus::distributed {

using numerics::FrictionContactProblem;
using numerics::GlobalFrictionContactProblem;

// What the first rank knows, and W over the ranks.
struct Distribution::Data {
  std::size_t dimension = 0, contacts = 0;
  const double *q = nullptr, *mu = nullptr;  // on the first rank
  PetscMatrix W;
};

namespace {

// dimension, contacts and rows of M (or 0) of the first rank's problem, on all.
template <class Problem>
std::vector<std::size_t> sizesOf(const Ranks& ranks, const Problem* whole, std::size_t freedoms) {
  std::vector<std::size_t> sizes(3, 0);
  ranks.onFirst([&] {
    if (whole == nullptr) throw Error("Distribution", "the first rank has no problem.");
    whole->validate();
    if (whole->contacts() < ranks.size()) {
      throw Error("Distribution", "there are " + std::to_string(whole->contacts()) + " contacts for " +
                                      std::to_string(ranks.size()) + " ranks. Take fewer ranks.");
    }
    sizes = {whole->dimension(), whole->contacts(), freedoms};
  });
  ranks.share(sizes);
  return sizes;
}

// Contacts of a rank before they are parted: slices of about the same size.
std::size_t sliceOf(const Ranks& ranks, std::size_t contacts) {
  return contacts / ranks.size() + (ranks.rank() < contacts % ranks.size() ? 1 : 0);
}

// Sets the entries of the first rank, twice: to count and to keep.
template <class Visit>
PetscMatrix filled(const Ranks& ranks, PetscInt ownRows, PetscInt ownColumns, const Visit& visitEntries) {
  PetscMatrix counting(ranks, ownRows, ownColumns, MATPREALLOCATOR), A(ranks, ownRows, ownColumns, MATAIJ);
  for (Mat matrix : {counting.get(), A.get()}) {
    if (matrix == A.get()) require(MatPreallocatorPreallocate(counting.get(), PETSC_TRUE, matrix));
    if (ranks.isFirst()) {
      visitEntries([matrix](std::size_t i, std::size_t j, double value) {
        require(MatSetValue(matrix, static_cast<PetscInt>(i), static_cast<PetscInt>(j), value, INSERT_VALUES));
      });
    }
    require(MatAssemblyBegin(matrix, MAT_FINAL_ASSEMBLY));
    require(MatAssemblyEnd(matrix, MAT_FINAL_ASSEMBLY));
  }
  return A;
}

std::vector<Matrix> inverseBlocks(const SparseMatrix& M, std::size_t largest) {
  if (const std::size_t size = largestDiagonalBlock(M); size > largest) {
    throw Error("Distribution", "M has a block of " + std::to_string(size) +
                                    " coupled degrees of freedom, and blocks of at most " + std::to_string(largest) +
                                    " are taken, as rigid bodies have. Solve the problem in one process, or reduce it "
                                    "to the local form.");
  }
  std::vector<Matrix> inverses;
  if (!invertDiagonalBlocks(M, inverses)) throw Error("Distribution", "M is not positive definite.");
  return inverses;
}

template <class Visit>
void visitBlocks(const std::vector<Matrix>& blocks, const Visit& entry) {
  std::size_t first = 0;
  for (const Matrix& block : blocks) {
    for (std::size_t j = 0; j < block.size2(); ++j) {
      for (std::size_t i = 0; i < block.size1(); ++i) entry(first + i, first + j, block(i, j));
    }
    first += block.size1();
  }
}

template <class Visit>
void visitSparse(const SparseMatrix& A, const Visit& entry) {
  for (std::size_t j = 0; j < A.size2(); ++j) {
    for (std::size_t k = columnStart(A, j); k < columnStart(A, j + 1); ++k) entry(rowOf(A, k), j, valueOf(A, k));
  }
}

// The block rows of contacts of this rank.
std::vector<DistributedDelassus::Row> blockRows(const PetscMatrix& W, std::size_t d) {
  PetscInt begin = 0, end = 0;
  require(MatGetOwnershipRange(W.get(), &begin, &end));
  std::vector<DistributedDelassus::Row> rows(static_cast<std::size_t>(end - begin) / d);
  for (std::size_t contact = 0; contact < rows.size(); ++contact) {
    DistributedDelassus::Row& row = rows[contact];
    for (const bool fills : {false, true}) {
      for (std::size_t i = 0; i < d; ++i) {
        const PetscInt number = begin + static_cast<PetscInt>(d * contact + i);
        PetscInt count = 0;
        const PetscInt* columns = nullptr;
        const PetscScalar* values = nullptr;
        require(MatGetRow(W.get(), number, &count, &columns, &values));
        for (PetscInt k = 0; k < count; ++k) {
          const auto column = static_cast<std::size_t>(columns[k]);
          if (!fills) {
            row.columns.push_back(column / d);
            continue;
          }
          const auto place = static_cast<std::size_t>(
              std::lower_bound(row.columns.begin(), row.columns.end(), column / d) - row.columns.begin());
          row.blocks[d * d * place + d * (column % d) + i] = values[k];
        }
        require(MatRestoreRow(W.get(), number, &count, &columns, &values));
      }
      if (fills) break;
      std::sort(row.columns.begin(), row.columns.end());
      row.columns.erase(std::unique(row.columns.begin(), row.columns.end()), row.columns.end());
      row.blocks.assign(d * d * row.columns.size(), 0.);
    }
  }
  return rows;
}

// The lists of all ranks, one after another, on the first.
std::vector<PetscInt> gathered(const Ranks& ranks, const std::vector<PetscInt>& own) {
  const auto count = static_cast<int>(own.size());
  std::vector<int> counts(ranks.size()), starts(ranks.size() + 1, 0);
  MPI_Gather(&count, 1, MPI_INT, counts.data(), 1, MPI_INT, 0, ranks.communicator());
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) starts[rank + 1] = starts[rank] + counts[rank];
  std::vector<PetscInt> all(static_cast<std::size_t>(starts.back()));
  MPI_Gatherv(own.data(), count, MPIU_INT, all.data(), counts.data(), starts.data(), MPIU_INT, 0, ranks.communicator());
  return all;
}

template <class Number>
Number* copiedForPetsc(const std::vector<Number>& values) {
  Number* copy = nullptr;
  require(PetscMalloc1(values.size(), &copy));
  std::copy(values.begin(), values.end(), copy);
  return copy;
}

// A graph in compressed rows, with each edge in both directions.
void symmetrise(const std::vector<PetscInt>& counts, const std::vector<PetscInt>& columns,
                std::vector<PetscInt>& starts, std::vector<PetscInt>& bothWays) {
  std::vector<std::pair<PetscInt, PetscInt>> edges;
  auto column = columns.begin();
  for (std::size_t row = 0; row < counts.size(); ++row) {
    for (PetscInt k = 0; k < counts[row]; ++k, ++column) {
      edges.emplace_back(row, *column);
      edges.emplace_back(*column, row);
    }
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  starts.assign(counts.size() + 1, 0);
  for (const auto& [row, neighbour] : edges) {
    ++starts[static_cast<std::size_t>(row) + 1];
    bothWays.push_back(neighbour);
  }
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
}

// The contacts that this rank shall have. The first rank parts the graph, and Scotch on one thread: on several ranks or
// threads it gives another answer each time.
std::vector<std::size_t> partition(const Ranks& ranks, const std::vector<DistributedDelassus::Row>& rows,
                                   std::size_t first, std::size_t contacts) {
  std::vector<PetscInt> counts, columns;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const std::size_t before = columns.size();
    for (const std::size_t column : rows[k].columns) {
      if (column != first + k) columns.push_back(static_cast<PetscInt>(column));
    }
    counts.push_back(static_cast<PetscInt>(columns.size() - before));
  }
  const std::vector<PetscInt> allCounts = gathered(ranks, counts), neighbours = gathered(ranks, columns);
  std::vector<std::size_t> rankOf;
  ranks.onFirst([&] {
    ::setenv("SCOTCH_PTHREAD_NUMBER", "1", 0);
    std::vector<PetscInt> starts, bothWays;
    symmetrise(allCounts, neighbours, starts, bothWays);
    PetscMatrix graph;
    const auto n = static_cast<PetscInt>(contacts);
    require(
        MatCreateMPIAdj(PETSC_COMM_SELF, n, n, copiedForPetsc(starts), copiedForPetsc(bothWays), nullptr, graph.put()));
    MatPartitioning partitioning = nullptr;
    require(MatPartitioningCreate(PETSC_COMM_SELF, &partitioning));
    require(MatPartitioningSetAdjacency(partitioning, graph.get()));
    require(MatPartitioningSetNParts(partitioning, static_cast<PetscInt>(ranks.size())));
#if defined(PETSC_HAVE_PTSCOTCH)
    require(MatPartitioningSetType(partitioning, MATPARTITIONINGPTSCOTCH));
#elif defined(PETSC_HAVE_PARMETIS)
    require(MatPartitioningSetType(partitioning, MATPARTITIONINGPARMETIS));
#endif
    require(MatPartitioningSetFromOptions(partitioning));
    IndexSet parts;
    require(MatPartitioningApply(partitioning, parts.put()));
    require(MatPartitioningDestroy(&partitioning));
    const PetscInt* numbers = nullptr;
    require(ISGetIndices(parts.get(), &numbers));
    rankOf.assign(numbers, numbers + contacts);
    require(ISRestoreIndices(parts.get(), &numbers));
  });
  ranks.share(rankOf);
  std::vector<std::size_t> own;
  for (std::size_t contact = 0; contact < contacts; ++contact) {
    if (rankOf[contact] == ranks.rank()) own.push_back(contact);
  }
  return own;
}

}  // namespace

Distribution::Distribution(const Ranks& ranks, const FrictionContactProblem* whole) : ranks_(ranks) {
  const std::vector<std::size_t> sizes = sizesOf(ranks, whole, 0);
  Data data;
  data.dimension = sizes[0];
  data.contacts = sizes[1];
  BlockSparseMatrix W;
  ranks.onFirst([&] { whole->W().assemble(W); });
  if (ranks.isFirst()) {
    data.q = delassus::data(whole->q());
    data.mu = delassus::data(whole->mu());
  }
  const auto own = static_cast<PetscInt>(data.dimension * sliceOf(ranks, data.contacts));
  data.W = filled(ranks, own, own, [&](const auto& entry) {
    for (std::size_t row = 0; row < W.blockRows(); ++row) {
      for (std::size_t k = W.rowBegin(row); k < W.rowEnd(row); ++k) {
        const std::size_t m = W.blockSize(row), n = W.blockSize(W.column(k));
        for (std::size_t j = 0; j < n; ++j) {
          for (std::size_t i = 0; i < m; ++i)
            entry(W.offset(row) + i, W.offset(W.column(k)) + j, W.block(k)[i + m * j]);
        }
      }
    }
  });
  distribute(data);
}

Distribution::Distribution(const Ranks& ranks, const GlobalFrictionContactProblem* whole) : ranks_(ranks) {
  const std::vector<std::size_t> sizes = sizesOf(ranks, whole, whole != nullptr ? whole->degreesOfFreedom() : 0);
  Data data;
  data.dimension = sizes[0];
  data.contacts = sizes[1];
  std::vector<Matrix> inverses;
  ranks.onFirst([&] {
    inverses = inverseBlocks(whole->M(), largestBlock);
    data.q = delassus::data(whole->q());
    data.mu = delassus::data(whole->mu());
  });
  const auto ownContacts = static_cast<PetscInt>(data.dimension * sliceOf(ranks, data.contacts));
  const auto ownFreedoms = static_cast<PetscInt>(sliceOf(ranks, sizes[2]));
  const PetscMatrix M =
      filled(ranks, ownFreedoms, ownFreedoms, [&](const auto& entry) { visitBlocks(inverses, entry); });
  const PetscMatrix H =
      filled(ranks, ownFreedoms, ownContacts, [&](const auto& entry) { visitSparse(whole->H(), entry); });
  require(MatPtAP(M.get(), H.get(), MAT_INITIAL_MATRIX, PETSC_DEFAULT, data.W.put()));
  distribute(data);
}

void Distribution::distribute(Data& data) {
  const std::size_t d = data.dimension;
  std::vector<DistributedDelassus::Row> rows = blockRows(data.W, d);
  if (ranks_.size() > 1) {
    PetscInt begin = 0;
    require(MatGetOwnershipRange(data.W.get(), &begin, nullptr));
    contacts_ = partition(ranks_, rows, static_cast<std::size_t>(begin) / d, data.contacts);
    const std::vector<PetscInt> numbers(contacts_.begin(), contacts_.end());
    IndexSet scalars;
    require(ISCreateBlock(ranks_.communicator(), static_cast<PetscInt>(d), static_cast<PetscInt>(numbers.size()),
                          numbers.data(), PETSC_COPY_VALUES, scalars.put()));
    PetscMatrix parted;
    require(MatCreateSubMatrix(data.W.get(), scalars.get(), scalars.get(), MAT_INITIAL_MATRIX, parted.put()));
    rows = blockRows(parted, d);
  } else {
    for (std::size_t k = 0; k < data.contacts; ++k) contacts_.push_back(k);
  }
  data.W = {};
  W_ = std::make_shared<DistributedDelassus>(ranks_, d, rows);

  // Where each contact has gone, for the vectors.
  const auto mine = static_cast<int>(contacts_.size());
  std::vector<int> counts(ranks_.size()), starts(ranks_.size() + 1, 0);
  MPI_Gather(&mine, 1, MPI_INT, counts.data(), 1, MPI_INT, 0, ranks_.communicator());
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank) starts[rank + 1] = starts[rank] + counts[rank];
  starts_.assign(starts.begin(), starts.end());
  order_.resize(ranks_.isFirst() ? data.contacts : 0);
  MPI_Gatherv(contacts_.data(), mine, MPI_UNSIGNED_LONG, order_.data(), counts.data(), starts.data(), MPI_UNSIGNED_LONG,
              0, ranks_.communicator());
  const std::vector<double> q = scatter(data.q, d), mu = scatter(data.mu, 1);
  Vector ownQ(q.size()), ownMu(mu.size());
  std::copy(q.begin(), q.end(), ownQ.begin());
  std::copy(mu.begin(), mu.end(), ownMu.begin());
  problem_ = FrictionContactProblem(d, W_, ownQ, ownMu);
}

// Sends so many numbers of each contact to the rank that has it.
std::vector<double> Distribution::scatter(const double* whole, std::size_t numbers) const {
  std::vector<double> ordered, part(numbers * contacts_.size());
  std::vector<int> counts(ranks_.size()), starts(ranks_.size());
  if (ranks_.isFirst()) {
    for (const std::size_t contact : order_) {
      ordered.insert(ordered.end(), whole + numbers * contact, whole + numbers * (contact + 1));
    }
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
      starts[rank] = static_cast<int>(numbers * starts_[rank]);
      counts[rank] = static_cast<int>(numbers * (starts_[rank + 1] - starts_[rank]));
    }
  }
  MPI_Scatterv(ordered.data(), counts.data(), starts.data(), MPI_DOUBLE, part.data(), static_cast<int>(part.size()),
               MPI_DOUBLE, 0, ranks_.communicator());
  return part;
}

Vector Distribution::gather(const Vector& part) const {
  const std::size_t d = W_->dimension();
  std::vector<double> ordered(ranks_.isFirst() ? d * order_.size() : 0);
  std::vector<int> counts(ranks_.size()), starts(ranks_.size());
  for (std::size_t rank = 0; ranks_.isFirst() && rank < ranks_.size(); ++rank) {
    starts[rank] = static_cast<int>(d * starts_[rank]);
    counts[rank] = static_cast<int>(d * (starts_[rank + 1] - starts_[rank]));
  }
  MPI_Gatherv(data(part), static_cast<int>(part.size()), MPI_DOUBLE, ordered.data(), counts.data(), starts.data(),
              MPI_DOUBLE, 0, ranks_.communicator());
  Vector whole(ordered.size());
  for (std::size_t k = 0; k < order_.size(); ++k) {
    for (std::size_t i = 0; i < d; ++i) whole(d * order_[k] + i) = ordered[d * k + i];
  }
  return whole;
}

}  // namespace delassus::distributed
