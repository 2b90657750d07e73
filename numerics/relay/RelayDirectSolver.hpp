// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/OptionFields.hpp>
#include <delassus/numerics/lcp/DirectSolver.hpp>
#include <delassus/numerics/relay/RelayEnumerationSolver.hpp>
#include <delassus/numerics/relay/RelayLemkeSolver.hpp>
#include <delassus/numerics/relay/RelayPivotingSolver.hpp>
#include <delassus/numerics/relay/RelaySolver.hpp>

namespace delassus::numerics {

/// Options of RelayDirectSolver.
struct RelayDirectOptions {
  double tolerance = 1e-8;        ///< for the certificate
  std::size_t memory = 8;         ///< active sets remembered
  std::size_t rememberSize = 60;  ///< for larger problems no set is remembered
  std::size_t enumerateSize = 8;  ///< up to which all bases are tried where pivoting finds no answer
  std::size_t maxIterations = 0;  ///< exchanges of RelayPivotingSolver; 0: its own default

  /// Names, ranges and meanings of all members.
  OptionFields fields() {
    return {
        {"tolerance", &tolerance, range::positive, "for the certificate"},
        {"memory", &memory, range::notNegative, "active sets remembered"},
        {"rememberSize", &rememberSize, range::notNegative, "for larger problems no set is remembered"},
        {"enumerateSize", &enumerateSize, range::fromTo(0., 19.),
         "up to this size all bases are tried where pivoting finds no answer"},
        {"maxIterations", &maxIterations, range::notNegative, "exchanges of RelayPivotingSolver; 0: its own default"}};
  }
};

/// DirectSolver for relays, diodes and equations, M symmetric or not, singular or not. A new set is found by
/// RelayPivotingSolver from z, by RelayLemkeSolver where that meets a singular basis, or by RelayEnumerationSolver
/// where n is small. For large n take RelayPivotingSolver.
class RelayDirectSolver final : public WithOptions<DirectSolver<RelayProblem>, RelayDirectOptions> {
 public:
  /// Throws Error on options out of range.
  explicit RelayDirectSolver(RelayDirectOptions options = {});

  std::string_view name() const override { return "RelayDirectSolver"; }
  void serializeState(StateArchive& archive) override;

 private:
  RelaySolver* method(std::size_t earlier, const RelayProblem& problem) override;

  RelayPivotingSolver pivoting_;
  RelayLemkeSolver lemke_;
  RelayEnumerationSolver enumeration_;
};

}  // namespace delassus::numerics
