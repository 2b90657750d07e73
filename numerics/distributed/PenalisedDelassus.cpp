// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/distributed/PenalisedDelassus.hpp>

#include <petscksp.h>

#include <algorithm>
#include <delassus/numerics/distributed/PetscObjects.hpp>
#include <limits>

namespace delassus::distributed {
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
