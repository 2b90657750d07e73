// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/distributed/DistributedDelassus.hpp>

#include <petscksp.h>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/algebra/Rounding.hpp>
#include <delassus/numerics/distributed/PetscObjects.hpp>
#include <limits>
#include <string>

namespace delassus::distributed {
namespace {

// First contact of each rank, and the number of all.
std::vector<std::size_t> startsOf(const Ranks& ranks, std::size_t contacts) {
  const auto own = static_cast<double>(contacts);
  std::vector<std::size_t> starts{0};
  for (const double count : ranks.gather({&own, 1})) starts.push_back(starts.back() + static_cast<std::size_t>(count));
  return starts;
}

}  // namespace

DistributedDelassus::DistributedDelassus(const Ranks& ranks, std::size_t dimension, const std::vector<Row>& rows)
    : ranks_(ranks), dimension_(dimension), contacts_(rows.size()) {
  const std::vector<std::size_t> starts = startsOf(ranks, contacts_);
  firstContact_ = starts[ranks.rank()];
  contactsOfAll_ = starts.back();
  const std::size_t last = firstContact_ + contacts_;
  std::vector<std::size_t>& ghosts = ghostNumbers_;
  ranks.agree([&] {
    if (rows.empty()) {
      throw Error("DistributedDelassus", "rank " + std::to_string(ranks.rank()) + " has no contact; there are " +
                                             std::to_string(contactsOfAll_) + " for " + std::to_string(ranks.size()) +
                                             " ranks. Take fewer ranks.");
    }
    for (const Row& row : rows) {
      if (row.blocks.size() != dimension * dimension * row.columns.size()) {
        throw Error("DistributedDelassus", "a row has " + std::to_string(row.columns.size()) + " columns of " +
                                               std::to_string(dimension * dimension) + " numbers, but " +
                                               std::to_string(row.blocks.size()) + " numbers.");
      }
      for (const std::size_t column : row.columns) {
        if (column >= contactsOfAll_) {
          throw Error("DistributedDelassus", "column " + std::to_string(column) + " is given, but there are " +
                                                 std::to_string(contactsOfAll_) + " contacts.");
        }
        if (column < firstContact_ || column >= last) ghosts.push_back(column);
      }
    }
  });
  std::sort(ghosts.begin(), ghosts.end());
  ghosts.erase(std::unique(ghosts.begin(), ghosts.end()), ghosts.end());
  std::vector<GhostExchange::Ghost> owners;
  for (const std::size_t ghost : ghosts) {
    const auto rank =
        static_cast<std::size_t>(std::upper_bound(starts.begin(), starts.end(), ghost) - starts.begin()) - 1;
    owners.push_back({rank, ghost - starts[rank]});
  }
  ghosts_ = std::make_unique<GhostExchange>(ranks, contacts_, owners, dimension_);

  const auto numberOf = [&](std::size_t column) {
    if (column >= firstContact_ && column < last) return column - firstContact_;
    return contacts_ +
           static_cast<std::size_t>(std::lower_bound(ghosts.begin(), ghosts.end(), column) - ghosts.begin());
  };
  std::vector<std::pair<std::size_t, std::size_t>> order;  // number here, place in the row
  const std::size_t entries = dimension_ * dimension_;
  local_.clear();
  for (const bool fills : {false, true}) {
    std::size_t block = 0;
    for (const Row& row : rows) {
      order.clear();
      for (std::size_t k = 0; k < row.columns.size(); ++k) order.emplace_back(numberOf(row.columns[k]), k);
      std::sort(order.begin(), order.end());
      if (!fills) local_.beginRow(dimension_);
      for (const auto& [number, place] : order) {
        if (fills) {
          std::copy_n(row.blocks.data() + entries * place, entries, local_.block(block++));
        } else {
          local_.addBlock(number);
        }
      }
    }
    if (fills) break;
    for (std::size_t ghost = 0; ghost < ghosts.size(); ++ghost) local_.beginRow(dimension_);
    local_.finish();
  }
  local_.touch();
  reactions_.resize(local_.size());
  products_.resize(local_.size());
}

const double* DistributedDelassus::withGhosts(const double* r) const {
  std::copy_n(r, size(), reactions_.data());
  ghosts_->bring(reactions_.data(), reactions_.data() + size());
  return reactions_.data();
}

void DistributedDelassus::multiply(const double* r, double* u) const {
  local_.multiply(withGhosts(r), products_.data());
  std::copy_n(products_.data(), size(), u);
}

void DistributedDelassus::addExtended(const double* r, long double* u) const {
  extended_.assign(local_.size(), 0.L);
  delassus::addExtended(local_, withGhosts(r), extended_.data());
  for (std::size_t i = 0; i < size(); ++i) u[i] += extended_[i];
}

void DistributedDelassus::addRounding(const double* r, double* bound) const {
  std::fill(products_.begin(), products_.end(), 0.);
  delassus::addRounding(local_, withGhosts(r), products_.data());
  for (std::size_t i = 0; i < size(); ++i) bound[i] += products_[i];
}

void DistributedDelassus::diagonalBlock(std::size_t contact, double* block) const {
  const double* const stored = local_.diagonalBlock(contact);
  std::fill_n(block, dimension_ * dimension_, 0.);
  if (stored != nullptr) std::copy_n(stored, dimension_ * dimension_, block);
}

void DistributedDelassus::assemble(BlockSparseMatrix&) const {
  throw Error("DistributedDelassus", "no rank has W as a whole.");
}

std::size_t DistributedDelassus::independentGroups(std::vector<std::size_t>& group) const {
  group.assign(contacts_, 0);
  return 1;
}

void DistributedDelassus::renew(std::unique_ptr<numerics::DelassusSweep>&) const {
  throw Error("DistributedDelassus", "sweeps over ranks are those of DistributedGaussSeidelSolver.");
}

void DistributedDelassus::renew(std::unique_ptr<numerics::PenalisedOperator>& kept) const {
  kept = std::make_unique<PenalisedDelassus>(*this);
}

void DistributedDelassus::validate() const {
  requireFinite(local_, "DistributedDelassus: W");
}

namespace {

using PetscVector = PetscOwner<Vec, VecDestroy>;
using LinearSolver = PetscOwner<KSP, KSPDestroy>;

constexpr PetscInt mostIterations = 1000;

// Numbers of ours as a vector of PETSc, for one call.
class Lent {
 public:
  Lent(const PetscVector& vector, const double* values) : vector_(vector) {
    require(VecPlaceArray(vector_.get(), values));
  }
  Lent(const Lent&) = delete;
  Lent& operator=(const Lent&) = delete;
  ~Lent() { VecResetArray(vector_.get()); }

 private:
  const PetscVector& vector_;
};

}  // namespace

struct PenalisedDelassus::System {
  explicit System(const DistributedDelassus& W);
  void fill(const DistributedDelassus& W);

  PetscMatrix matrix;       // W + R
  PetscVector left, right;  // without numbers of their own
  LinearSolver solver;
  PC preconditioner = nullptr;                     // of the solver
  std::vector<double> diagonal, penalised, given;  // of W, of W + R; the right side
  PetscInt iterations = 0;                         // of the last solve
};

PenalisedDelassus::PenalisedDelassus(const DistributedDelassus& W) : W_(W) {
}

PenalisedDelassus::~PenalisedDelassus() = default;

PenalisedDelassus::System::System(const DistributedDelassus& W)
    : diagonal(W.size()), penalised(W.size()), given(W.size()) {
  fill(W);
  for (PetscVector* const vector : {&left, &right}) {
    require(VecCreateMPIWithArray(W.ranks().communicator(), static_cast<PetscInt>(W.dimension()),
                                  static_cast<PetscInt>(W.size()), PETSC_DETERMINE, nullptr, vector->put()));
  }
  {
    const Lent numbers(left, diagonal.data());
    require(MatGetDiagonal(matrix.get(), left.get()));
  }
  require(KSPCreate(W.ranks().communicator(), solver.put()));
  require(KSPSetOptionsPrefix(solver.get(), "delassus_"));
  require(KSPSetOperators(solver.get(), matrix.get(), matrix.get()));
  require(KSPSetType(solver.get(), KSPCG));
  require(KSPSetTolerances(solver.get(), accuracy, 0., PETSC_DEFAULT, mostIterations));
  require(KSPGetPC(solver.get(), &preconditioner));
  require(PCSetType(preconditioner, PCPBJACOBI));
  require(KSPSetFromOptions(solver.get()));
}

// The entries of W; on the diagonal also where a contact moves nothing.
void PenalisedDelassus::System::fill(const DistributedDelassus& W) {
  const BlockSparseMatrix& local = W.local();
  const std::size_t n = W.contacts();
  const auto d = static_cast<PetscInt>(W.dimension()), own = static_cast<PetscInt>(W.size());
  std::vector<PetscInt> inside(n, 1), ghosts(n, 0);
  for (std::size_t row = 0; row < n; ++row) {
    for (std::size_t k = local.rowBegin(row); k < local.rowEnd(row); ++k) {
      const std::size_t column = local.column(k);
      if (column != row) ++(column < n ? inside : ghosts)[row];
    }
  }
  require(MatCreate(W.ranks().communicator(), matrix.put()));
  const Mat A = matrix.get();
  require(MatSetSizes(A, own, own, PETSC_DETERMINE, PETSC_DETERMINE));
  require(MatSetType(A, MATAIJ));
  require(MatSetBlockSize(A, d));
  require(MatXAIJSetPreallocation(A, d, inside.data(), ghosts.data(), nullptr, nullptr));
  require(MatSetOption(A, MAT_ROW_ORIENTED, PETSC_FALSE));
  require(MatSetOption(A, MAT_SPD, PETSC_TRUE));
  const std::vector<double> zeros(W.dimension() * W.dimension(), 0.);
  const auto insert = [&](std::size_t row, std::size_t column, const double* block) {
    const auto i = static_cast<PetscInt>(row), j = static_cast<PetscInt>(column);
    require(MatSetValuesBlocked(A, 1, &i, 1, &j, block, INSERT_VALUES));
  };
  for (std::size_t row = 0; row < n; ++row) {
    const std::size_t number = W.firstContact() + row;
    insert(number, number, zeros.data());
    for (std::size_t k = local.rowBegin(row); k < local.rowEnd(row); ++k) {
      const std::size_t column = local.column(k);
      insert(number, column < n ? W.firstContact() + column : W.ghostNumbers()[column - n], local.block(k));
    }
  }
  require(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
  require(MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
}

bool PenalisedDelassus::factor(const std::vector<double>& penalties) {
  if (!system_) system_ = std::make_unique<System>(W_);
  System& system = *system_;
  std::transform(system.diagonal.begin(), system.diagonal.end(), penalties.begin(), system.penalised.begin(),
                 std::plus<>());
  {
    const Lent diagonal(system.left, system.penalised.data());
    require(MatDiagonalSet(system.matrix.get(), system.left.get(), INSERT_VALUES));
  }
  require(KSPSetUp(system.solver.get()));
  PCFailedReason failure = PC_NOERROR;
  require(PCGetFailedReason(system.preconditioner, &failure));
  return !W_.ranks().any(failure != PC_NOERROR);
}

void PenalisedDelassus::solve(double* x) {
  System& system = *system_;
  std::copy_n(x, W_.size(), system.given.data());
  const Lent right(system.right, system.given.data()), left(system.left, x);
  require(KSPSolve(system.solver.get(), system.right.get(), system.left.get()));
  require(KSPGetIterationNumber(system.solver.get(), &system.iterations));
  KSPConvergedReason reason = KSP_CONVERGED_ITERATING;
  require(KSPGetConvergedReason(system.solver.get(), &reason));
  // An inexact answer serves, too; no other does.
  if (reason < 0 && reason != KSP_DIVERGED_ITS) std::fill_n(x, W_.size(), std::numeric_limits<double>::quiet_NaN());
}

double PenalisedDelassus::work() const {
  return 2. * static_cast<double>(W_.local().storedEntries()) * (1. + static_cast<double>(system_->iterations));
}

}  // namespace delassus::distributed
