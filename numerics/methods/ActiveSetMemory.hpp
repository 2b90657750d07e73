// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <delassus/numerics/Solver.hpp>
#include <delassus/numerics/methods/BoxBasis.hpp>
#include <vector>

namespace delassus::numerics {

/// The last active sets of a simulation, which meets the same few repeatedly, each with the LU factor of its basis,
/// kept while M is unchanged. They are tried on the next problem, the last used first: a step in a known configuration
/// costs one pair of triangular solves and one error measure.
///
/// An answer is taken only if it is exact to rounding: its signs hold and its error meets the tolerance, or its error
/// is below 10⁻¹² (and 10⁻⁴ of the tolerance); a neighbouring set that only meets the tolerance is rejected.
///
/// After a change of M each factor is computed again when its set is tried; with more than 16 rows only for the set
/// used last, since a method that finds a new set then costs less than many factors. An entry of the memory allocates
/// when it is first filled at a larger size than before; nothing else does.
class ActiveSetMemory {
 public:
  /// Decides which answers are accepted, for one problem.
  struct Judge {
    const ProblemOverSets& problem;  ///< of which errorOf is asked
    const BoxView& view;             ///< of the same problem
    ErrorMeasure measure;            ///< of the certificate
    double tolerance;                ///< of the certificate
  };

  /// `capacity`: sets remembered at most.
  explicit ActiveSetMemory(std::size_t capacity);

  /// Sets z and returns true if one of the sets gives a solution; error() and dual() are then those of errorOf.
  bool recall(const Judge& judge, Vector& z);
  /// Remembers the set of a solution z in place of the least recently used one, and makes z exact by it; does nothing
  /// if z has no regular basis.
  void learn(const Judge& judge, Vector& z);

  /// Saves or restores the sets and their order; factors are computed again when needed.
  void serializeState(StateArchive& archive);

  /// Sets tried in the last recall.
  std::size_t tried() const { return tried_; }
  /// Error measure and w of the answer of a recall() that gave one, until the next recall() or learn().
  ///@{
  double error() const { return error_; }
  const Vector& dual() const { return w_; }
  ///@}

 private:
  struct Entry {
    BoxBasis basis;
    std::uint64_t stamp = 0;
    bool regular = false;
    bool factored = false;  // not after restoring
  };

  bool isUsable(const Judge& judge, Entry& entry, bool mayFactor);
  bool solves(const Judge& judge, BoxBasis& basis);
  void promote(std::size_t place);

  std::vector<Entry> entries_;      // never moved: a set is many small arrays
  std::vector<std::size_t> order_;  // the filled ones, the last used first
  std::size_t tried_ = 0;
  double error_ = 0.;
  Vector trial_, w_;
};

}  // namespace delassus::numerics
