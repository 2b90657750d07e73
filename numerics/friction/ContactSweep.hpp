// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <delassus/numerics/friction/FrictionContactProblem.hpp>
#include <delassus/numerics/friction/OneContactSolver.hpp>
#include <delassus/numerics/friction/PackedContacts.hpp>
#include <memory>
#include <span>
#include <vector>

namespace delassus::numerics {

/// What a sweep of Gauss–Seidel over contacts does at each of them, in whatever order: it solves the contact with the
/// others held and moves its reaction by ω times the change, into its cone where ω > 1. The velocities come from the
/// matrix W or from its factors; in dimension 3 the matrix is packed for it (PackedContacts), unless the caller gave a
/// solver for one contact.
class ContactSweep {
 public:
  /// `local` solves one contact; where it is null, PackedContacts or HybridOneContactSolver.
  explicit ContactSweep(std::shared_ptr<const OneContactSolver> local);

  /// Whether it has the W of the problem.
  bool has(const FrictionContactProblem& problem) const;
  /// Takes W, which must outlive the sweeps.
  void prepare(const FrictionContactProblem& problem);
  /// Starts from r, which was changed by others than sweep().
  void begin(const FrictionContactProblem& problem, const Vector& r);
  /// Updates contacts, one after another; the square of the velocity that each change amounts to goes to
  /// squares[contact]. Several threads may update contacts that have no block of W in common.
  void sweep(const FrictionContactProblem& problem, std::span<const std::size_t> contacts, double relaxation, Vector& r,
             double* squares);

 private:
  double update(const FrictionContactProblem& problem, std::size_t contact, double relaxation, Vector& r);

  std::shared_ptr<const OneContactSolver> local_;
  bool mayPack_;
  bool isPacked_ = false;
  PackedContacts packed_;
  const DelassusOperator* operator_ = nullptr;  // the sweep refers to it, …
  const BlockSparseMatrix* matrix_ = nullptr;   // … and to this; copies of both have the same stamp elsewhere
  std::uint64_t stamp_ = 0;                     // of the problem, …
  std::uint64_t operatorStamp_ = 0;             // … and of its factors
  std::unique_ptr<DelassusSweep> sweep_;
  std::vector<double> blocks_;  // diagonal blocks of W
  std::vector<double> scales_;
};

}  // namespace delassus::numerics
