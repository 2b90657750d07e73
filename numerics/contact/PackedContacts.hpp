// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <delassus/numerics/contact/DelassusOperator.hpp>
#include <delassus/numerics/contact/OneContact.hpp>
#include <delassus/numerics/contact/OneContactSolver.hpp>
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
  /// Takes W, in its pattern; `scales` are those of contactScales(). Contact order[k] has place k: the layout is for
  /// sweeps over ascending places.
  void pack(const DelassusOperator& W, const ContactPattern& pattern, const std::vector<double>& scales,
            const std::vector<std::size_t>& order);
  /// Starts from r, with this free velocity and these coefficients.
  void begin(const Vector& q, const Vector& mu, const Vector& r);
  /// Solves the contacts at these places, one after another: moves each to its solution, or by ω towards it and beyond,
  /// then into its cone. Writes the square of the velocity that each change amounts to into squares[place]. Several
  /// threads may sweep over contacts that have no block of W in common.
  void sweep(std::span<const std::uint32_t> places, double relaxation, double* squares);
  /// The next sweep takes x + β (x − before) for the reactions x at the places begin .. end − 1, where `before` is what
  /// they were at the last call, or at the beginning.
  void extrapolate(std::size_t begin, std::size_t end, double factor);
  /// The reactions at present, contact after contact.
  void read(Vector& r) const;

 private:
  // What a contact has of its own, in the order in which a sweep reads it.
  struct Own {
    std::uint32_t firstBlock = 0;             // of its row of W; the next contact's ends it
    std::uint32_t full = notFull;             // place of its diagonal block in full_, unless it is diag(a, c, c) …
    std::array<double, 4> q{};                // free velocity; the last number is 0
    std::array<double, 3> inverseDiagonal{};  // … of which this is the inverse
    double mu = 0.;
    double scale = 1.;  // of contactScales()
  };
  // A diagonal block that is not diag(a, c, c).
  struct Full {
    std::array<double, 9> W{}, inverse{};
    bool isRegular = false;  // the inverse is known
  };
  static constexpr std::uint32_t notFull = static_cast<std::uint32_t>(-1);
  // What a pass over contacts reads and writes.
  struct View;

  void packRow(const DelassusOperator& W, std::span<const std::uint32_t> columns, std::size_t row);
  void placeFull();
  static void pass(const View& view, std::span<const std::uint32_t> places, double relaxation, double* squares);
  OneContact<3>::Reaction solve(const Own& own, const OneContact<3>::Reaction& free, const double* old) const;

  std::vector<std::uint32_t> place_;    // of a contact
  std::vector<Own> own_;                // by places, and one that ends the last row
  std::vector<std::uint32_t> columns_;  // places, block after block
  std::vector<double> blocks_;          // 9 a block, and one behind the last
  std::vector<Full> full_;
  std::vector<double> r_, before_;  // 4 a contact, the last one 0
  HybridOneContactSolver hard_;
};

}  // namespace delassus::numerics
