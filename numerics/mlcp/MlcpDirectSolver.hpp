// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/OptionFields.hpp>
#include <delassus/numerics/lcp/DirectSolver.hpp>
#include <delassus/numerics/mlcp/MlcpEnumerationSolver.hpp>
#include <delassus/numerics/mlcp/MlcpReductionSolver.hpp>
#include <delassus/numerics/mlcp/MlcpSolver.hpp>

namespace delassus::numerics {

/// Options of MlcpDirectSolver.
struct MlcpDirectOptions {
  double tolerance = 1e-8;    ///< for the certificate
  std::size_t memory = 8;     ///< active sets remembered
  std::size_t maxPairs = 14;  ///< up to which all bases are tried if pivoting finds no answer

  /// Names, ranges and meanings of all members.
  OptionFields fields() {
    return {{"tolerance", &tolerance, range::positive, "for the certificate"},
            {"memory", &memory, range::positive, "active sets remembered"},
            {"maxPairs", &maxPairs, range::fromTo(0., 30.),
             "pairs up to which all bases are tried where pivoting finds no answer"}};
  }
};

/// DirectSolver for MLCPs: MlcpReductionSolver finds a new set by pivoting, and MlcpEnumerationSolver if that does not.
/// The start z is not used.
class MlcpDirectSolver final : public WithOptions<DirectSolver<MixedLinearComplementarityProblem>, MlcpDirectOptions> {
 public:
  /// Throws Error on options out of range.
  explicit MlcpDirectSolver(MlcpDirectOptions options = {});

  std::string_view name() const override { return "MlcpDirectSolver"; }
  void serializeState(StateArchive& archive) override;

 private:
  MlcpSolver* method(std::size_t earlier, const MixedLinearComplementarityProblem& problem) override;

  MlcpReductionSolver reduction_;
  MlcpEnumerationSolver enumeration_;
};

}  // namespace delassus::numerics
