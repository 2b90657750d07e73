// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <delassus/numerics/GaussSeidelSolver.hpp>
#include <delassus/numerics/algebra/MadeFrom.hpp>
#include <delassus/numerics/lcp/BasisSystem.hpp>
#include <delassus/numerics/mlcp/MlcpSolver.hpp>

namespace delassus::numerics {

/// Options of MlcpGaussSeidelSolver; the relaxation is that of the pairs.
using MlcpGaussSeidelOptions = GaussSeidelOptions;

/// Block projected Gauss–Seidel: in each sweep the equality rows are solved together for the free unknowns (one LU
/// factorisation, kept while M stays), then v_k ← max(0, v_k − ω w_k / M_kk) pair after pair. It needs a regular
/// equality block and M_kk > 0 on the pairs, and converges where M is symmetric positive definite, or the coupling of
/// the two parts is weak; electrical circuits, with zeros on the diagonal, need MlcpDirectSolver. Warm starts from z.
class MlcpGaussSeidelSolver final : public GaussSeidelSolver<MixedLinearComplementarityProblem> {
 public:
  /// Throws Error on options out of range.
  explicit MlcpGaussSeidelSolver(MlcpGaussSeidelOptions options = {});

  std::string_view name() const override { return "MlcpGaussSeidelSolver"; }

 private:
  Start begin(const MixedLinearComplementarityProblem& problem, Vector& z) override;
  Sweep sweep(const MixedLinearComplementarityProblem& problem, Vector& z) override;

  double energyWithoutPairs(const MixedLinearComplementarityProblem& problem);

  BasisSystem equalities_;
  MadeFrom<std::uint64_t> equalitiesFrom_;
  bool regular_ = false;
  Vector atZero_;
};

}  // namespace delassus::numerics
