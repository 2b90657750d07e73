// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <delassus/numerics/StateArchive.hpp>
#include <delassus/numerics/algebra/Matrix.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/algebra/SquareMatrix.hpp>
#include <delassus/numerics/algebra/Vector.hpp>
#include <span>
#include <string_view>
#include <vector>

namespace delassus {

class DynamicalSystem;
class InterfaceCompliance;

/// A matrix that a scheme inverts, with its systems.
struct IterationMatrix {
  std::vector<const DynamicalSystem*> systems;  ///< in the order of the rows of W
  Matrix W;                                     ///< all entries, also of a sparse one
};

/// The equations of one step (or of the impact at an instant) as a one-step problem reads them, and the place for its
/// answer: what a scheme writes and a problem reads is here, in flat arrays, and nothing else passes between them. With
/// the interactions α in the order of the topology and the nodes i, each the unknowns of one iteration matrix W,
///
///     y_α = freeOutput_α + Σ_β (Σ_i left(α, i) right(β, i)) λ_β + feedthrough_α λ_α,
///
/// where the sums are over the active blocks of the laws, and right(β, i) = W_i⁻¹ input(β, i)ᵀ, with input = left in
/// mechanics. Of a large sparse node right would be as many numbers as it has unknowns, for each multiplier; it has an
/// interface instead, W_i⁻¹ for the unknowns that interactions see.
class StepEquations {
 public:
  /// Without interactions.
  StepEquations() = default;
  /// A copy is empty: the blocks belong to one model, to which a copied scheme is not bound.
  ///@{
  StepEquations(const StepEquations&) {}
  StepEquations& operator=(const StepEquations&) { return *this = StepEquations(); }
  ///@}
  /// Takes the other's equations.
  ///@{
  StepEquations(StepEquations&&) = default;
  StepEquations& operator=(StepEquations&&) = default;
  ///@}
  ~StepEquations() = default;

  /// The unknowns of a node that an interaction sees by one of its systems, or by a part of it.
  struct Columns {
    std::size_t first = 0;                     ///< number of the first of them in the node
    std::size_t count = 0;                     ///< how many
    std::size_t all = 0;                       ///< unknowns of the node
    InterfaceCompliance* interface = nullptr;  ///< of the node, if it has one
  };

  /// An interaction and what it sees of a node: a system, or one of several that forces or a relation tie together. The
  /// blocks stay where they are until the next bind: left and input belong to the scheme; right does, too, or it
  /// belongs to these equations, where the right blocks of a node lie together.
  struct Coupling {
    std::size_t interaction = 0;    ///< α, its number in the topology
    std::size_t node = 0;           ///< i, its number in the scheme
    std::size_t rows = 0;           ///< m, outputs of the interaction
    std::size_t columns = 0;        ///< n, unknowns of the node that the output depends on
    std::size_t first = 0;          ///< number of the first of these in the node
    std::size_t unknowns = 0;       ///< N ≥ n, of the node
    const double* left = nullptr;   ///< m x n: how the output follows the state, G or C
    const double* input = nullptr;  ///< m x n: how the multiplier acts, G or h Bᵀ
    /// N x m: how the state follows the multiplier, W⁻¹ inputᵀ. Null where an earlier coupling of the same
    /// interaction and node has it, or the node has an interface.
    const double* right = nullptr;
    InterfaceCompliance* interface = nullptr;  ///< W⁻¹ of what is seen of the node, in the place of right blocks
    std::size_t place = 0;                     ///< there, of the unknown `first`; the next ones follow

    /// x := x + W⁻¹ inputᵀ, row `row` of input, for what the coupling `other`, of the same node, sees of x; only of
    /// nodes with an interface.
    void addResponse(const Coupling& other, std::size_t row, double* x) const;
    /// Whether any row of input has a response there that is not zero.
    bool reaches(const Coupling& other) const;

    /// y := y + left x, with the N numbers x of the node.
    void addOutput(const double* x, double* y) const {
      if (rows == 1) {  // most of a small model, where a call costs more than the sum
        for (std::size_t j = 0; j < columns; ++j) *y += left[j] * x[first + j];
        return;
      }
      detail::multiplySmall(1., left, rows, columns, x + first, true, y);
    }
    /// x := x + right λ, with the N numbers x of a node without an interface.
    void addState(const double* lambda, double* x) const {
      if (right == nullptr) return;
      if (rows == 1) {
        for (std::size_t i = 0; i < unknowns; ++i) x[i] += right[i] * *lambda;
        return;
      }
      detail::multiplySmall(1., right, unknowns, rows, lambda, true, x);
    }
    /// p := p + inputᵀ λ, with the N numbers p of the node.
    void addInput(const double* lambda, double* p) const {
      const double* column = input;
      for (std::size_t j = first; j < first + columns; ++j, column += rows) {
        double sum = 0.;
        for (std::size_t i = 0; i < rows; ++i) sum += column[i] * lambda[i];
        p[j] += sum;
      }
    }
    /// What it sees of a vector of the node.
    std::span<const double> of(const Vector& all) const { return {data(all) + first, columns}; }
  };

  /// For problems in global form: W (x − x_free) = Σ leftᵀ λ.
  struct Node {
    const SquareMatrix* matrix = nullptr;          ///< W
    const SquareFactorization* factors = nullptr;  ///< of W
    Vector* freeState = nullptr;                   ///< x_free, the state without multipliers
  };

  // What a problem reads.

  /// Name of the scheme, for messages.
  std::string_view scheme() const { return scheme_; }
  /// Number of interactions.
  std::size_t interactions() const { return places_.size() - 1; }
  /// All couplings, interaction after interaction.
  const std::vector<Coupling>& couplings() const { return couplings_; }
  /// Couplings of an interaction: couplingBegin(k) .. couplingEnd(k) − 1.
  ///@{
  std::size_t couplingBegin(std::size_t interaction) const { return places_[interaction].coupling; }
  std::size_t couplingEnd(std::size_t interaction) const { return places_[interaction + 1].coupling; }
  ///@}
  /// Numbers of the couplings of a node, ascending; of a node without any, nothing.
  std::span<const std::uint32_t> couplingsAt(std::size_t node) const {
    if (node >= coupledNodes()) return {};
    return {couplingsOfNodes_.data() + nodeStarts_[node], couplingsOfNodes_.data() + nodeStarts_[node + 1]};
  }
  /// Number of nodes up to the last one that has a coupling.
  std::size_t coupledNodes() const { return nodeStarts_.size() - 1; }
  /// The nodes; empty if a scheme's blocks are not right = W⁻¹ leftᵀ, with input = left.
  const std::vector<Node>& nodes() const { return nodes_; }
  /// Number of outputs of an interaction.
  std::size_t size(std::size_t interaction) const { return places_[interaction + 1].row - places_[interaction].row; }
  /// Number of times that the law of an interaction is applied.
  std::size_t blocks(std::size_t interaction) const {
    return places_[interaction + 1].block - places_[interaction].block;
  }
  /// Outputs at the level of the law without multipliers; only of interactions with an active block.
  const double* freeOutput(std::size_t interaction) const { return freeOutputs_.data() + places_[interaction].row; }
  /// Outputs at the level of the law at the beginning of the step; only of interactions with an active block.
  const double* outputBefore(std::size_t interaction) const { return outputsBefore_.data() + places_[interaction].row; }
  /// ∂y/∂λ of the relation itself (compliance, or D); null if there is none.
  const Matrix* feedthrough(std::size_t interaction) const { return feedthroughs_[interaction]; }
  /// Ratio of the problem's multipliers to those of a law with bounds: h if the scheme works with impulses and the law
  /// with forces.
  double multiplierScale(std::size_t interaction) const { return scales_[interaction]; }
  /// Whether that block of the law (one contact of several) is part of the problem.
  bool isActive(std::size_t interaction, std::size_t block) const {
    return active_[places_[interaction].block + block] != 0;
  }
  /// Whether any block of the law is.
  bool isActive(std::size_t interaction) const {
    for (std::size_t k = places_[interaction].block; k < places_[interaction + 1].block; ++k) {
      if (active_[k] != 0) return true;
    }
    return false;
  }
  /// Changes when a block, right or left, or a feedthrough changes.
  std::uint64_t blocksVersion() const { return blocksVersion_; }
  /// Changes when a block of a law becomes active or inactive, or the model changes.
  std::uint64_t indexSetVersion() const { return indexSetVersion_; }

  /// Multipliers of an interaction: where the problem reads its start and writes its answer.
  ///@{
  double* multiplier(std::size_t interaction) { return multipliers_.data() + places_[interaction].row; }
  const double* multiplier(std::size_t interaction) const { return multipliers_.data() + places_[interaction].row; }
  ///@}
  /// Those of all interactions, one after another.
  ///@{
  std::vector<double>& multipliers() { return multipliers_; }
  const std::vector<double>& multipliers() const { return multipliers_; }
  ///@}
  /// x_free := x_free + x of a node, for multipliers that a problem knows of and the model does not have: those of
  /// another process. The free outputs stay as they are. Only where there are nodes(), and in steps that are not made
  /// again: these may keep what was added.
  void addToFreeState(std::size_t node, const double* x) {
    Vector& state = *nodes_[node].freeState;
    for (std::size_t i = 0; i < state.size(); ++i) state(i) += x[i];
  }

  // What a scheme writes. bind(): clear, the nodes, then each interaction with its couplings, and finish.

  /// Without interactions and nodes; `scheme` is a literal.
  void clear(std::string_view scheme);
  /// Appends a node, whose matrix, factors and free state stay where they are.
  void addNode(const Node& node) { nodes_.push_back(node); }
  /// Appends an interaction of `rows` outputs, to whose law they are `blocks` blocks.
  void addInteraction(std::size_t rows, std::size_t blocks);
  /// Appends a coupling of the last interaction, with some or all unknowns of a node; input is left where none is
  /// given. The scheme has the right block elsewhere.
  ///@{
  void addCoupling(std::size_t node, const Columns& columns, const double* left, const double* right,
                   const double* input = nullptr);
  void addCoupling(std::size_t node, std::size_t columns, const double* left, const double* right) {
    addCoupling(node, {0, columns, columns, nullptr}, left, right);
  }
  ///@}
  /// The same where these equations have the right block, which is zero until the scheme writes it to rightOf(), after
  /// finish(). Couplings of one scheme are all of this kind or none: else finish() throws Error.
  void addPlacedCoupling(std::size_t node, const Columns& columns, const double* left, const double* input = nullptr);
  /// Sizes the arrays: all multipliers and right blocks zero, nothing active. Both versions change.
  void finish();
  /// Where the right block of a coupling is written; only where the coupling has one here.
  double* rightOf(std::size_t coupling) { return rights_.data() + (couplings_[coupling].right - rights_.data()); }

  /// For writing in place.
  ///@{
  double* freeOutput(std::size_t interaction) { return freeOutputs_.data() + places_[interaction].row; }
  double* outputBefore(std::size_t interaction) { return outputsBefore_.data() + places_[interaction].row; }
  void setFeedthrough(std::size_t interaction, const Matrix* block) { feedthroughs_[interaction] = block; }
  ///@}
  /// Sets the factor by which multipliers are scaled, of all interactions or of one.
  ///@{
  void setMultiplierScale(double scale) {
    for (double& each : scales_) each = scale;
  }
  void setMultiplierScale(std::size_t interaction, double scale) { scales_[interaction] = scale; }
  ///@}
  /// Includes a block of a law in the problem, or removes it; for different interactions from several threads at once.
  void setActive(std::size_t interaction, std::size_t block, bool active) {
    char& flag = active_[places_[interaction].block + block];
    if ((flag != 0) == active) return;
    flag = active ? 1 : 0;
    std::atomic_ref(indexSetVersion_).fetch_add(1, std::memory_order_relaxed);
  }
  /// Says that blocks have changed; from several threads at once, too.
  void touchBlocks() { std::atomic_ref(blocksVersion_).fetch_add(1, std::memory_order_relaxed); }

  /// Saves or restores versions, activity, rows and right blocks that are here, for the same
  /// couplings; other blocks are their owner's.
  void serializeState(StateArchive& archive);
  /// Versions of blocks and active rows, set aside while steps are repeated.
  struct Versions {
    std::uint64_t blocks = 0;    ///< blocksVersion()
    std::uint64_t indexSet = 0;  ///< indexSetVersion()
  };
  /// Swaps the present ones with `others`.
  void exchangeVersions(Versions& others);

 private:
  // Where the data of an interaction begin; the entry after the last ends it.
  struct Place {
    std::size_t row = 0;
    std::size_t block = 0;
    std::size_t coupling = 0;
  };

  void sortByNodes();
  void placeRights();
  bool leads(std::size_t coupling) const;

  std::string_view scheme_;
  std::vector<Place> places_ = std::vector<Place>(1);
  std::vector<Coupling> couplings_;
  std::vector<std::uint32_t> couplingsOfNodes_, nodeStarts_ = {0};  // node after node
  std::vector<Node> nodes_;
  std::vector<double> rights_;  // node after node
  std::size_t placed_ = 0;      // couplings that have theirs there
  std::vector<double> freeOutputs_, outputsBefore_, multipliers_, scales_;
  std::vector<const Matrix*> feedthroughs_;
  std::vector<char> active_;
  std::uint64_t blocksVersion_ = 0;
  std::uint64_t indexSetVersion_ = 0;
};

}  // namespace delassus
