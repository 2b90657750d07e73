// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <delassus/numerics/OptionFields.hpp>
#include <delassus/numerics/lcp/BasisSystem.hpp>
#include <delassus/numerics/mlcp/MlcpSolver.hpp>

namespace delassus::numerics {

/// Options of MlcpGaussSeidelSolver.
struct MlcpGaussSeidelOptions {
  double tolerance = 1e-8;            ///< for the certificate
  std::size_t maxIterations = 10000;  ///< sweeps
  std::size_t errorInterval = 5;      ///< sweeps between two computations of the error
  double relaxation = 1.;             ///< ω in (0, 2) on the pairs

  /// Names, ranges and meanings of all members.
  OptionFields fields() {
    return {{"tolerance", &tolerance, range::positive, "for the certificate"},
            {"maxIterations", &maxIterations, range::positive, "sweeps"},
            {"errorInterval", &errorInterval, range::positive, "sweeps between two computations of the error"},
            {"relaxation", &relaxation, range::between(0., 2.), "factor of a step of the pairs"}};
  }
};

/// Block projected Gauss–Seidel: in each sweep the equality rows are solved together for the free unknowns (one LU
/// factorisation, kept while M stays), then v_k ← max(0, v_k − ω w_k / M_kk) pair after pair. It needs a regular
/// equality block and M_kk > 0 on the pairs, and converges where M is symmetric positive definite, or the coupling of
/// the two parts is weak; electrical circuits, with zeros on the diagonal, need MlcpDirectSolver. Warm starts from z.
class MlcpGaussSeidelSolver final : public WithOptions<MlcpSolver, MlcpGaussSeidelOptions> {
 public:
  /// Throws Error on options out of range.
  explicit MlcpGaussSeidelSolver(MlcpGaussSeidelOptions options = {});

  std::string_view name() const override { return "MlcpGaussSeidelSolver"; }

 private:
  Outcome compute(const MixedLinearComplementarityProblem& problem, Vector& z) override;

  BasisSystem equalities_;
  std::uint64_t stamp_ = 0;
  bool regular_ = false;
};

}  // namespace delassus::numerics
