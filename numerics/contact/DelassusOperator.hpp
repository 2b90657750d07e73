// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <delassus/numerics/algebra/BlockSparseMatrix.hpp>
#include <delassus/numerics/algebra/PenalisedMatrix.hpp>
#include <delassus/numerics/contact/ContactPattern.hpp>
#include <memory>
#include <span>
#include <vector>

namespace delassus::numerics {

/// A sweep over the contacts of u = W r that changes one reaction at a time, as Gauss–Seidel needs it.
class DelassusSweep {
 public:
  virtual ~DelassusSweep() = default;
  /// Starts from the reaction r (size d · contacts).
  virtual void begin(const double* r) = 0;
  /// u := (W r)_contact at the present reactions; d components.
  virtual void velocity(std::size_t contact, double* u) const = 0;
  /// r_contact := r_contact + change.
  virtual void add(std::size_t contact, const double* change) = 0;
};

/// The operator W of contacts in dimension d, reaction to relative velocity. W is symmetric positive semidefinite in
/// mechanics.
class DelassusOperator {
 public:
  virtual ~DelassusOperator() = default;

  virtual std::size_t dimension() const = 0;  ///< d
  virtual std::size_t size() const = 0;       ///< d · contacts
  /// u := W r
  virtual void multiply(const double* r, double* u) const = 0;
  /// For certificates: u := u + W r in extended precision, and bound := bound + what rounding may change in multiply().
  ///@{
  virtual void addExtended(const double* r, long double* u) const = 0;
  virtual void addRounding(const double* r, double* bound) const = 0;
  ///@}
  /// d x d block of a contact, column-major; asked from several threads at once.
  virtual void diagonalBlock(std::size_t contact, double* block) const = 0;
  /// The matrix, one block row a contact; null where it has not been built.
  virtual const BlockSparseMatrix* matrix() const = 0;
  /// The same; builds it where it has not been, and keeps it; null where it would be too large. Not from several
  /// threads at once.
  virtual const BlockSparseMatrix* build() const = 0;
  /// Whether products are those with matrix(), entry by entry.
  virtual bool isMatrixProduct() const = 0;
  /// Builds the matrix for the caller, whatever its size.
  virtual void assemble(BlockSparseMatrix& W) const = 0;
  /// For methods that keep W in a layout of their own: the pattern of the matrix, and the blocks of a row of it, d x d
  /// each, one after another. Neither builds the matrix. The pattern is not found, and false the answer, where the
  /// matrix would be too large, and by default.
  ///@{
  virtual bool findPattern(ContactPattern&) const { return false; }
  virtual void rowBlocks(std::size_t, std::span<const std::uint32_t>, double*) const { assert(false); }
  ///@}
  /// Numbers the groups of contacts that no chain of bodies joins, by contacts; gives how many there are.
  virtual std::size_t independentGroups(std::vector<std::size_t>& group) const = 0;
  /// Makes `sweep` one over this operator, which must outlive it, to be started by its begin(). It is kept where it is
  /// one already, also where the values have changed.
  virtual void renew(std::unique_ptr<DelassusSweep>& sweep) const = 0;
  /// ProblemOverSets::renew of the problems that it belongs to.
  virtual void renew(std::unique_ptr<PenalisedOperator>& kept) const { kept.reset(); }
  /// Whether renew() has one.
  virtual bool hasPenalised() const { return false; }
  /// A bound of the rank of W, as far as it is known without a factorisation.
  virtual std::size_t rankBound() const { return size(); }
  /// ProblemOverSets::isPart of the problems that it belongs to.
  virtual bool isPart() const { return false; }
  /// ProblemOverSets::sum of the problems that it belongs to.
  virtual void sum(std::span<double>) const {}
  /// Identifies the values.
  virtual std::uint64_t stamp() const = 0;
  /// Throws Error if an entry is not finite.
  virtual void validate() const = 0;
};

}  // namespace delassus::numerics
