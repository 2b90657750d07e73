// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/algebra/BlockSparseMatrix.hpp>
#include <delassus/numerics/algebra/PenalisedMatrix.hpp>
#include <delassus/numerics/contact/DelassusOperator.hpp>
#include <delassus/numerics/distributed/GhostExchange.hpp>
#include <delassus/numerics/distributed/Ranks.hpp>
#include <memory>
#include <vector>

namespace delassus::distributed {

/// The operator W of contacts that are spread over ranks: each rank has the block rows of its own contacts, and takes
/// the reactions of others that these couple with (ghosts) from their owners. A FrictionContactProblem with this
/// operator, q and μ of the rank's own contacts is that rank's part of one problem: sums are over all ranks, so that
/// its certificate, methods that need products alone (AcceleratedGradientSolver) and those that solve with W + R
/// (AdmmSolver, see PenalisedDelassus) are those of the whole problem. Methods that need a matrix end as `unsupported`.
///
/// Products and sums are collective: all ranks solve at the same time, by the same method.
class DistributedDelassus final : public numerics::DelassusOperator {
 public:
  /// A block row of W, with the numbers of contacts over all ranks; blocks are d x d, column-major.
  struct Row {
    std::vector<std::size_t> columns;  ///< in any order, each once
    std::vector<double> blocks;        ///< d² a column
  };

  /// Collective. `rows`: of this rank's contacts, whose numbers are those after the contacts of the lower ranks. Throws
  /// AgreedError if a rank has none, a number is out of range, or a row has not as many blocks as columns.
  DistributedDelassus(const Ranks& ranks, std::size_t dimension, const std::vector<Row>& rows);

  std::size_t dimension() const override { return dimension_; }
  std::size_t size() const override { return dimension_ * contacts_; }
  void multiply(const double* r, double* u) const override;
  void addExtended(const double* r, long double* u) const override;
  void addRounding(const double* r, double* bound) const override;
  void diagonalBlock(std::size_t contact, double* block) const override;
  const BlockSparseMatrix* matrix() const override { return nullptr; }
  const BlockSparseMatrix* build() const override { return nullptr; }
  bool isMatrixProduct() const override { return false; }
  /// Throws Error: no rank has it.
  void assemble(BlockSparseMatrix& W) const override;
  /// One group.
  std::size_t independentGroups(std::vector<std::size_t>& group) const override;
  /// Throws Error: sweeps over ranks are those of DistributedGaussSeidelSolver.
  void renew(std::unique_ptr<numerics::DelassusSweep>& sweep) const override;
  std::uint64_t stamp() const override { return local_.stamp(); }
  void renew(std::unique_ptr<numerics::PenalisedOperator>& kept) const override;
  bool isPart() const override { return ranks_.size() > 1; }
  void sum(std::span<double> values) const override { ranks_.sum(values); }
  void validate() const override;

  const Ranks& ranks() const { return ranks_; }                 ///< over which it is spread
  std::size_t contacts() const { return contacts_; }            ///< of this rank
  std::size_t contactsOfAll() const { return contactsOfAll_; }  ///< of all ranks
  std::size_t firstContact() const { return firstContact_; }    ///< over all ranks, of this rank's first one
  /// Numbers over all ranks of the ghosts, in their order.
  const std::vector<std::size_t>& ghostNumbers() const { return ghostNumbers_; }
  /// The rows of own contacts; columns are own contacts, then ghosts, which have no rows.
  const BlockSparseMatrix& local() const { return local_; }
  /// Where the ghosts come from.
  const GhostExchange& ghosts() const { return *ghosts_; }

 private:
  const double* withGhosts(const double* r) const;

  Ranks ranks_;
  std::size_t dimension_, contacts_;
  std::size_t firstContact_ = 0, contactsOfAll_ = 0;
  std::vector<std::size_t> ghostNumbers_;
  std::unique_ptr<GhostExchange> ghosts_;
  BlockSparseMatrix local_;
  mutable std::vector<double> reactions_, products_;  // own, then ghosts
  mutable std::vector<long double> extended_;
};

/// Systems with W + R over ranks, by PETSc: conjugate gradients with the inverse blocks of contacts as preconditioner,
/// to a residual of `accuracy` times that of zero. Options of PETSc with the prefix `delassus_` choose something else,
/// as the factors of MUMPS: -delassus_ksp_type preonly -delassus_pc_type cholesky -delassus_pc_factor_mat_solver_type
/// mumps.
///
/// All functions are collective.
class PenalisedDelassus final : public numerics::PenalisedOperator {
 public:
  static constexpr double accuracy = 1e-3;  ///< enough for the alternating directions, which correct what is left

  /// W must outlive it.
  explicit PenalisedDelassus(const DistributedDelassus& W);
  ~PenalisedDelassus() override;

  bool factor(const std::vector<double>& penalties) override;
  void solve(double* x) override;
  double work() const override;

 private:
  struct System;

  const DistributedDelassus& W_;
  std::unique_ptr<System> system_;
};

}  // namespace delassus::distributed
