// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <delassus/numerics/algebra/BlockSparseMatrix.hpp>
#include <delassus/numerics/algebra/MadeFrom.hpp>
#include <delassus/numerics/algebra/PenalisedMatrix.hpp>
#include <vector>

namespace delassus::numerics {

class FactoredDelassus;

/// Systems with W + R for W = Hᵀ M⁻¹ H, in the unknowns of the bodies (Woodbury's identity):
///
///     (W + R)⁻¹ = R⁻¹ − R⁻¹ Hᵀ (M + H R⁻¹ Hᵀ)⁻¹ H R⁻¹.
///
/// The matrix in the middle has as many rows as the bodies have coordinates, and a block where two bodies touch,
/// however many contacts they have with each other: a pyramid of 210 boxes has 4,800 rows of contacts and 1,260 of
/// bodies. Its symbolic analysis is kept while the pattern stays the same.
class PenalisedFactors final : public PenalisedOperator {
 public:
  /// Takes W, by its address.
  void refer(const FactoredDelassus& W) { W_ = &W; }

  bool factor(const std::vector<double>& penalties) override;
  void solve(double* x) override;
  double work() const override;

 private:
  void describe(std::vector<std::size_t>& pattern) const;
  void makePattern();
  double* blockAt(std::size_t row, std::size_t column);
  void addContact(std::size_t contact);

  const FactoredDelassus* W_ = nullptr;
  MadeFrom<std::uint64_t> factorFrom_;  // with penalties_
  std::vector<double> penalties_, none_;
  std::vector<std::vector<std::size_t>> columns_;  // of each body, the bodies from itself on that it touches
  std::vector<std::size_t> pattern_, next_;        // sizes of bodies, and the bodies of each contact
  BlockSparseMatrix mass_;                         // M + H R⁻¹ Hᵀ, of which the upper blocks are stored
  PenalisedMatrix factor_;
  std::vector<double> impulses_;  // on the bodies
};

}  // namespace delassus::numerics
