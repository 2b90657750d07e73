// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <delassus/numerics/friction/FrictionContactProblem.hpp>
#include <delassus/numerics/friction/HybridOneContactSolver.hpp>
#include <span>
#include <vector>

namespace delassus::numerics {

/// Contacts in dimension 3 whose W is laid out as a matrix for sweeps: rows of blocks one after another without the
/// diagonal ones. A column of a block is read with the number behind it, as four numbers of which the last does not
/// count, by which a row is a chain of products of vectors.
///
/// A contact is solved with the others held, exactly where its block of W is diag(a, c, c) (spheres of one density),
/// else up to the error of a Newton step from the last sliding direction, which vanishes as sweeps converge. Where that
/// finds nothing, by HybridOneContactSolver.
class PackedContacts {
 public:
  /// Takes W of a problem, in its pattern; `scales` are those of contactScales(). The layout is for
  /// sweeps in this order of all contacts.
  void pack(const FrictionContactProblem& problem, const ContactPattern& pattern, const std::vector<double>& scales,
            const std::vector<std::size_t>& order);
  /// Starts from r, with the free velocity and the coefficients of the problem.
  void begin(const FrictionContactProblem& problem, const Vector& r);
  /// Solves contacts, one after another: moves each to its solution, or by ω towards it and beyond, then into its cone.
  /// Writes the reactions to r too, and the square of the velocity that each change amounts to into squares[contact].
  /// Several threads may sweep over contacts that have no block of W in common.
  void sweep(std::span<const std::size_t> contacts, double relaxation, double* r, double* squares);
  /// The next sweep takes x + β (x − before) for the reaction x of a contact, with β = factors[contact]; x itself is
  /// left in r, and copied to `before`.
  void extrapolate(std::span<const std::size_t> contacts, const double* factors, const double* r, double* before);

 private:
  // The diagonal block of a contact, and its law.
  struct Own {
    double mu = 0.;
    double scale = 1.;                        // of contactScales()
    std::array<double, 3> inverseDiagonal{};  // of W = diag(a, c, c)
    std::uint32_t full = notFull;             // place in full_, unless W is of that kind
  };
  // A diagonal block that is not diag(a, c, c).
  struct Full {
    std::array<double, 9> W{}, inverse{};
    bool isRegular = false;  // the inverse is known
  };
  static constexpr std::uint32_t notFull = static_cast<std::uint32_t>(-1);
  // What a pass over contacts reads and writes.
  struct View;

  void packRow(const FrictionContactProblem& problem, std::span<const std::uint32_t> columns, std::size_t row);
  void placeFull();
  static void pass(const View& view, std::span<const std::size_t> contacts, double relaxation, double* r,
                   double* squares);
  void solve(const Own& own, const double* free, const double* old, double* solved) const;

  std::vector<std::uint32_t> place_;             // of a contact: where the following have it
  std::vector<std::uint32_t> starts_, columns_;  // of blocks; columns are places
  std::vector<double> blocks_;                   // 9 a block, and one behind the last
  std::vector<Own> own_;
  std::vector<Full> full_;
  std::vector<double> q_, r_;  // 4 a contact
  HybridOneContactSolver hard_;
};

}  // namespace delassus::numerics
