// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <delassus/numerics/algebra/MadeFrom.hpp>
#include <delassus/numerics/contact/ContactSlabs.hpp>
#include <delassus/numerics/contact/OneContactSolver.hpp>
#include <delassus/numerics/contact/PackedContacts.hpp>
#include <delassus/numerics/problem/FrictionContactProblem.hpp>
#include <memory>
#include <span>
#include <vector>

namespace delassus::numerics {

/// What a sweep of Gauss–Seidel over contacts does at each of them: it solves the contact with the others held and
/// moves its reaction by ω times the change, into its cone where ω > 1. The velocities come from the matrix W or from
/// its factors; in dimension 3 the matrix is packed for it (PackedContacts), unless the caller gave a solver for one
/// contact. Many packed contacts are swept in slabs, on all threads of the library.
class ContactSweep {
 public:
  /// `local` solves one contact; where it is null, PackedContacts or HybridOneContactSolver.
  explicit ContactSweep(std::shared_ptr<const OneContactSolver> local);

  /// Whether it has the W of the problem.
  bool has(const FrictionContactProblem& problem) const;
  /// Takes W, which must outlive the sweeps: packed where it is a matrix, else as its factors.
  void prepare(const FrictionContactProblem& problem);
  /// Packs W, which need not have been built for it; false where that does not pay or cannot be done.
  bool pack(const FrictionContactProblem& problem);
  /// Whether it has been packed.
  bool isPacked() const { return isPacked_; }
  /// Starts from r.
  void begin(const FrictionContactProblem& problem, const Vector& r);
  /// All contacts, in the order of a sweep: that of number order()[k] has place k.
  const std::vector<std::size_t>& order() const { return slabs_.order(); }
  /// Says which contacts the next sweeps update, by their places, which ascend.
  void choose(std::span<const std::uint32_t> places) { slabs_.cut(places); }
  /// Updates the contacts of the last choose(); the square of the velocity that each change amounts to goes to
  /// squares[place].
  void sweep(const FrictionContactProblem& problem, std::span<const std::uint32_t> places, double relaxation,
             double* squares);
  /// Lets the next sweep start beyond, at x + β (x − before) for the reactions x at the places begin .. end − 1, where
  /// `before` is what they were at the last call, or at the beginning.
  void extrapolate(const FrictionContactProblem& problem, std::size_t begin, std::size_t end, double factor);
  /// The reactions at present: after a sweep where it has led, after extrapolate() where the next one starts.
  void read(Vector& r) const;

 private:
  void take(const FrictionContactProblem& problem);
  double update(const FrictionContactProblem& problem, std::size_t contact, double relaxation);

  std::shared_ptr<const OneContactSolver> local_;
  bool mayPack_;
  bool isPacked_ = false;
  ContactPattern pattern_;
  ContactSlabs slabs_;
  PackedContacts packed_;
  // The sweep refers to both; copies of them have the same stamps elsewhere.
  MadeFrom<const DelassusOperator*, std::uint64_t> operatorFrom_;
  MadeFrom<const BlockSparseMatrix*, std::uint64_t> matrixFrom_;
  std::unique_ptr<DelassusSweep> sweep_;
  std::vector<double> scales_;
  // The following where W is not packed: then place and contact are the same.
  std::vector<double> blocks_;      // diagonal blocks of W
  std::vector<double> r_, before_;  // reactions, and those of which extrapolate() speaks
};

}  // namespace delassus::numerics
