// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/algebra/SparseLUFactorization.hpp>

#include <suitesparse/umfpack.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <delassus/numerics/Error.hpp>
#include <string>
#include <vector>

namespace delassus {

struct SparseLUFactorization::Workspace {
  Workspace() { umfpack_di_defaults(control.data()); }
  ~Workspace() {
    umfpack_di_free_symbolic(&symbolic);
    umfpack_di_free_numeric(&numeric);
  }
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  bool takeValues(const SparseMatrix& A);

  std::array<double, UMFPACK_CONTROL> control{};
  std::array<double, UMFPACK_INFO> info{};
  void* symbolic = nullptr;
  void* numeric = nullptr;
  double reciprocalCondition = 0.;
  double work = 0.;
  std::vector<int> starts, rows, integerSpace;
  std::vector<double> values, right, space;
};

bool SparseLUFactorization::Workspace::takeValues(const SparseMatrix& A) {
  values.resize(entryCount(A));
  double sum = 0.;
  for (std::size_t k = 0; k < values.size(); ++k) {
    values[k] = valueOf(A, k);
    sum += 0. * values[k];
  }
  return sum == 0.;
}

SparseLUFactorization::SparseLUFactorization() = default;
SparseLUFactorization::~SparseLUFactorization() = default;
SparseLUFactorization::SparseLUFactorization(SparseLUFactorization&&) noexcept = default;
SparseLUFactorization& SparseLUFactorization::operator=(SparseLUFactorization&&) noexcept = default;

std::size_t SparseLUFactorization::size() const {
  return workspace_ && workspace_->numeric != nullptr ? workspace_->starts.size() - 1 : 0;
}

double SparseLUFactorization::reciprocalCondition() const {
  return workspace_ ? workspace_->reciprocalCondition : 0.;
}

bool SparseLUFactorization::tryFactor(const SparseMatrix& A) {
  if (!workspace_) workspace_ = std::make_unique<Workspace>();
  Workspace& w = *workspace_;
  umfpack_di_free_numeric(&w.numeric);
  w.reciprocalCondition = 0.;
  if (A.size1() != A.size2()) return false;
  const bool analysed = copyPattern(A, w.starts, w.rows) && w.symbolic != nullptr;
  const bool finite = w.takeValues(A);
  if (!analysed) {
    umfpack_di_free_symbolic(&w.symbolic);
    const int n = static_cast<int>(A.size1());
    // Without values: the analysis then serves all matrices of the pattern, whatever zeros the first one has.
    const int status = umfpack_di_symbolic(n, n, w.starts.data(), w.rows.data(), nullptr, &w.symbolic, w.control.data(),
                                           w.info.data());
    if (status != UMFPACK_OK) {
      umfpack_di_free_symbolic(&w.symbolic);
      if (status == UMFPACK_ERROR_out_of_memory) throw Error("SparseLUFactorization", "out of memory.");
      return false;
    }
  }
  if (!finite) return false;
  const int status = umfpack_di_numeric(w.starts.data(), w.rows.data(), w.values.data(), w.symbolic, &w.numeric,
                                        w.control.data(), w.info.data());
  if (status != UMFPACK_OK || !(w.info[UMFPACK_RCOND] > 1e-300)) {
    umfpack_di_free_numeric(&w.numeric);
    return false;
  }
  w.reciprocalCondition = w.info[UMFPACK_RCOND];
  w.work = w.info[UMFPACK_FLOPS];
  return true;
}

double SparseLUFactorization::work() const {
  return workspace_ ? workspace_->work : 0.;
}

void SparseLUFactorization::factor(const SparseMatrix& A, std::string_view name) {
  requireSize(A, A.size1(), A.size1(), name);
  requireFinite(A, name);
  if (!tryFactor(A)) throw Error(std::string(name), "the matrix is singular to working precision.");
}

void SparseLUFactorization::solveWith(int system, double* x) {
  assert(workspace_ && workspace_->numeric != nullptr);
  Workspace& w = *workspace_;
  const std::size_t n = w.starts.size() - 1;
  w.integerSpace.resize(n);
  w.space.resize(5 * n);
  w.right.assign(x, x + n);
  umfpack_di_wsolve(system, w.starts.data(), w.rows.data(), w.values.data(), x, w.right.data(), w.numeric,
                    w.control.data(), w.info.data(), w.integerSpace.data(), w.space.data());
}

void SparseLUFactorization::solve(double* x) {
  solveWith(UMFPACK_A, x);
}

void SparseLUFactorization::solveTransposed(double* x) {
  solveWith(UMFPACK_At, x);
}

void SparseLUFactorization::solve(Vector& x) {
  assert(x.size() == size());
  solve(data(x));
}

}  // namespace delassus
