// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <delassus/kernel/integrators/IterationNode.hpp>
#include <delassus/kernel/integrators/StepEquations.hpp>
#include <delassus/numerics/algebra/Vector.hpp>
#include <vector>

namespace delassus {

/// Adds Σ W⁻¹ inputᵀ λ to a vector of a node, coupling by coupling: at once, or where the node has an interface by one
/// solution with Σ inputᵀ λ in the end.
class StateSum {
 public:
  /// To x, a vector of the node.
  StateSum(const IterationNode& node, Vector& x) : node_(node), x_(x) {}
  /// Adds the part of a coupling of the node.
  void add(const StepEquations::Coupling& coupling, const double* lambda) {
    if (node_.interface == nullptr) return coupling.addState(lambda, data(x_));
    addInput(coupling, lambda);
  }
  /// After the last one.
  void finish() {
    if (hasInput_) solve();
  }

 private:
  void addInput(const StepEquations::Coupling& coupling, const double* lambda);
  void solve();

  const IterationNode& node_;
  Vector& x_;
  bool hasInput_ = false;
};

/// The unknowns of a node that interactions see.
class SeenUnknowns {
 public:
  /// Adds some of all unknowns.
  void add(std::size_t first, std::size_t count, std::size_t all);
  /// Whether an interaction sees all of them at once.
  bool isSeenWhole() const { return isSeenWhole_; }
  /// Their numbers, ascending.
  std::vector<std::uint32_t> numbers() const;

 private:
  std::vector<char> marks_;
  bool isSeenWhole_ = false;
};

/// Gives a node an interface of the unknowns that are seen, or none where it is dense, nothing is seen, or an
/// interaction sees it as a whole.
void setInterface(IterationNode& node, bool isSparse, const SeenUnknowns& seen);

/// Writes the right blocks of the couplings of one interaction, W⁻¹ Σ inputᵀ of each node; those have then changed.
/// `nodeOf` gives the IterationNode of a coupling.
template <class NodeOf>
void solveForRight(StepEquations& equations, std::size_t interaction, const NodeOf& nodeOf) {
  const std::size_t end = equations.couplingEnd(interaction);
  for (std::size_t c = equations.couplingBegin(interaction); c < end; ++c) {
    const StepEquations::Coupling& leading = equations.couplings()[c];
    if (leading.right == nullptr) continue;
    double* const right = equations.rightOf(c);
    const std::size_t m = leading.rows, n = leading.unknowns;
    if (leading.columns < n) std::fill_n(right, m * n, 0.);
    for (std::size_t d = c; d < end; ++d) {
      const StepEquations::Coupling& coupling = equations.couplings()[d];
      if (coupling.node != leading.node) continue;
      const double* input = coupling.input;
      for (std::size_t j = coupling.first; j < coupling.first + coupling.columns; ++j) {
        for (std::size_t i = 0; i < m; ++i) right[j + i * n] = *input++;
      }
    }
    nodeOf(leading).respond(right, m);
  }
  equations.touchBlocks();
}

}  // namespace delassus
