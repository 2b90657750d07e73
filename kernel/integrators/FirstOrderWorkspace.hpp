// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <delassus/kernel/integrators/CouplingBlocks.hpp>
#include <delassus/kernel/integrators/IterationNode.hpp>
#include <delassus/kernel/integrators/OneStepIntegrator.hpp>
#include <delassus/kernel/relations/FirstOrderR.hpp>
#include <delassus/kernel/systems/FirstOrderDS.hpp>
#include <delassus/numerics/algebra/MadeFrom.hpp>
#include <delassus/numerics/algebra/SquareMatrix.hpp>
#include <memory>
#include <string_view>
#include <vector>

namespace delassus {

/// Data of a model that schemes for first-order systems keep over a step: copies of states, inputs, outputs and
/// multipliers, so that the model itself changes only when a step is accepted. Sized once, by bind.
///
/// A relation whose input depends on the state (K = ∂g/∂x ≠ 0) puts K into the iteration matrix. Where it links several
/// systems it ties them together: they share one matrix. Such a group, or a system by itself, is a node; it is sparse
/// if one of its systems is.
struct FirstOrderWorkspace {
  FirstOrderWorkspace() = default;
  /// A copy is empty: the data belong to one model, to which a copied scheme is not bound.
  ///@{
  FirstOrderWorkspace(const FirstOrderWorkspace&) {}
  FirstOrderWorkspace& operator=(const FirstOrderWorkspace&) { return *this = FirstOrderWorkspace(); }
  ///@}
  /// Takes the other's data.
  ///@{
  FirstOrderWorkspace(FirstOrderWorkspace&&) = default;
  FirstOrderWorkspace& operator=(FirstOrderWorkspace&&) = default;
  ///@}
  ~FirstOrderWorkspace() = default;

  /// What a scheme keeps of one system.
  struct SystemWork {
    std::shared_ptr<DynamicalSystem> owner;  ///< keeps `system` alive
    FirstOrderDS* system = nullptr;          ///< the system itself
    std::size_t node = 0;                    ///< number of its node
    std::size_t offset = 0;                  ///< of its states in the node
    bool linear = false;                     ///< FirstOrderDS::isLinear
    bool timeInvariant = false;              ///< FirstOrderDS::isTimeInvariant
    bool autonomous = false;                 ///< FirstOrderDS::isAutonomous
    bool isAlgebraic = false;                ///< FirstOrderDS::hasAlgebraicPart
    MadeFrom<std::size_t> inputFrom;         ///< DynamicalSystem::stateResets, for FirstOrderDS::r
    MadeFrom<std::size_t> massFrom;          ///< DynamicalSystem::parameterChanges, for `mass` and the factor
    Vector x;                                ///< trial state
    Vector r;                                ///< trial input Σ g
    Vector xPlace;                           ///< state at which relations are taken within the step
    Vector xMass;                            ///< state at which M is taken
    Vector xDot;                             ///< (x⁺ − x)/h of the trial state, where F depends on ẋ
    Vector f;                                ///< F(t⁺, x⁺, ẋ) at the trial state, ẋ of the step
    Vector fBefore;                          ///< F(t, x, ẋ) at the beginning of the step, ẋ of the step
    Vector residual;                         ///< of the discrete equations, without the input
    Vector inputTerms;                       ///< Σ |B λ| + |K x|, component by component: the magnitudes of the terms
                                             ///< of the input
    Vector terms;                            ///< magnitudes of the terms of each row, the largest of the run so far
    Vector termsBefore;                      ///< the same without the present step
    Vector scales;                           ///< largest terms of each row at the trial state of the last pass
    Vector xLast;                            ///< trial state that the last pass started from
    Vector change;                           ///< what the pass did to it, where that is searched along
    Vector xFree;               ///< x_p of [Siconos 2017]: the part of the new state that does not depend on the new
                                ///< multipliers
    Vector xFreePlace;          ///< where a relation sees it
    SquareMatrix mass;          ///< M at xMass
    SquareMatrix byX;           ///< ∂F/∂x at the trial state
    SquareMatrix byRate;        ///< ∂F/∂ẋ at the trial state
    SquareMatrix byRateBefore;  ///< ∂F/∂ẋ at the beginning of the step, ẋ of the step
    Vector algebraic;           ///< what the projector of the algebraic equations is applied to, where there are some
    double inputScale = 0.;     ///< of the new multipliers' input in the equations: γh, see EulerMoreauOSI

    /// The user has set the state since the last step.
    bool isReset() const { return !inputFrom.isCurrent(system->stateResets()); }
  };

  /// The systems of one iteration matrix.
  struct Node : IterationNode {
    std::vector<std::size_t> systems;  ///< their numbers, ascending
    std::vector<std::size_t> ties;     ///< numbers of the interactions whose K is in W
    std::size_t size = 0;              ///< number of states, rows of W
    bool isSparse = false;             ///< as one of its systems
    bool factored = false;             ///< in this pass
    SparseMatrix algebraicPart;        ///< of its systems, the projectors on their algebraic equations
    Vector stack;                      ///< states of several systems, one after the other
  };

  /// What an interaction sees of one system; a coupling of the equations.
  struct Link {
    std::size_t system = 0;  ///< its number
    std::size_t first = 0;   ///< number of the first state that it sees
    std::size_t count = 0;   ///< how many
    std::size_t column = 0;  ///< of the first of them in the interaction
  };

  /// What a scheme keeps of one interaction.
  struct InteractionWork {
    std::shared_ptr<Interaction> interaction;  ///< keeps `relation` alive
    FirstOrderR* relation = nullptr;           ///< that of the interaction
    std::vector<Link> links;                   ///< its systems, in the order of their states in it
    std::size_t begin = 0;                     ///< the coupling of its first link; the next ones follow
    std::size_t states = 0;                    ///< that it sees of all its systems: columns of C
    bool linear = false;                       ///< FirstOrderR::isLinear
    MadeFrom<std::size_t> linearFrom;          ///< Relation::parameterChanges, for `linear` and sizes
    MadeFrom<std::uint64_t> blocksFrom;        ///< sum of factor versions of the nodes, for the blocks
    Vector y;                                  ///< output at the trial state
    Vector freeOutput;                         ///< output without the new multipliers
    Vector multiplier;                         ///< trial λ
    Vector noMultiplier;                       ///< zeros
    Vector yLinear;                            ///< output of the linearised relation for the new multipliers
    Vector input;                              ///< g at the linearisation, then at the new state
    Vector stack;                              ///< states of several systems, one after the other
    Matrix left;                               ///< γC of the scheme in use: the left blocks of its couplings
    Matrix inputs;                             ///< hγBᵀ: how its multipliers act, coupling by coupling
    Matrix C;                                  ///< ∂h/∂x, outputs x states
    Matrix D;                                  ///< ∂h/∂λ, outputs x outputs; zero without feedthrough
    Matrix B;                                  ///< ∂g/∂λ, states x outputs
    Matrix K;  ///< ∂g/∂x, states x states; computed only where the input depends on the state
  };

  std::vector<SystemWork> systems;            ///< in the order of the topology
  std::vector<Node> nodes;                    ///< in the order of their first systems
  std::vector<InteractionWork> interactions;  ///< in the order of the topology
  StepEquations equations;                    ///< of the step
  bool linear = true;                         ///< all systems and relations
  bool anyAlgebraic = false;                  ///< system has algebraic equations

  /// Makes the copies, equations and their blocks for the model as it is. Throws Error naming `scheme` and a system,
  /// relation or law that is not one of first order, or a function for M that is singular at t.
  void bind(const NonSmoothDynamicalSystem& model, double t, std::string_view scheme);

  /// Saves or restores all data for the same model; factors are computed again from the same matrices.
  void serializeState(StateArchive& archive);

  /// Gives the equations D of an interaction, if its relation has one.
  void setFeedthrough(std::size_t interaction);

  /// W of each node.
  std::vector<IterationMatrix> iterationMatrices() const;
  /// True if W of the node depends on the step alone.
  bool isTimeInvariant(const Node& node) const;
  /// Adds to `inputTerms` of the systems of an interaction.
  void addInputTerms(InteractionWork& work);
  /// One member (x, xPlace, …) of the systems of an interaction, stacked; valid until the next call for it.
  const Vector& stacked(InteractionWork& work, Vector SystemWork::*member) const;
  /// y += factor C (to − from), with two members of the systems of an interaction.
  void addOutputChange(const InteractionWork& work, double factor, Vector SystemWork::*from, Vector SystemWork::*to,
                       Vector& y) const;
  /// Adds v, of the states of an interaction, to a member of its systems.
  void addToSystems(const InteractionWork& work, const Vector& v, Vector SystemWork::*member);

  /// Lets inputs act on the algebraic equations of a node alone, or on all again (IterationNode::inputFilter).
  void filterInput(Node& node, bool isFiltered);
  /// The node of the first system of an interaction; with K ≠ 0, that of all its systems.
  Node& nodeOf(const InteractionWork& work) { return nodes[systems[work.links.front().system].node]; }
  /// Makes W of a node the matrix `ofSystem` of its only system, or those of its systems and − `place` inputScale K of
  /// the relations that tie them. `ofSystem(system, W)` fills a SquareMatrix.
  template <class OfSystem>
  void makeMatrix(Node& node, double place, const OfSystem& ofSystem);
  /// Multiplies a member of the systems of a node by W⁻¹.
  void solve(Node& node, Vector SystemWork::*member);
  /// Adds what the multipliers of all interactions make of a member of the systems of a node.
  void addMultipliers(std::size_t node, Vector SystemWork::*member);
  /// The blocks of an interaction, with C, B and the factors as they are; `place` scales C.
  void makeBlocks(InteractionWork& work, double place);

  /// Functions of a relation at t and the stacked states x: h into y; ∂h/∂t into yDot, false if the
  /// relation does not know it; g into `input` of the step; C, B, and D and K
  /// where the relation has them, into those of the step. Each throws Error naming the interaction, the function and t
  /// if the result has another size than it should or is not finite.
  ///@{
  static void computeOutput(InteractionWork& work, double t, const Vector& x, const Vector& lambda, Vector& y);
  static bool computeOutputRate(InteractionWork& work, double t, const Vector& x, const Vector& lambda, Vector& yDot);
  static void computeInput(InteractionWork& work, double t, const Vector& x, const Vector& lambda);
  static void computeJacobians(InteractionWork& work, double t, const Vector& x, const Vector& lambda);
  ///@}

 private:
  void bindSystems(const Topology& topology, double t, std::string_view scheme);
  void bindInteractions(const Topology& topology, std::string_view scheme);
  void findNodes();
  void findInterfaces();
  void makeEquations(std::string_view scheme);
  void addCouplings(const InteractionWork& work);
  void addTies(Node& node, double place);
  void addInputEntry(Node& node, std::size_t row, std::size_t column, double value);
  void addEntry(Node& node, std::size_t row, std::size_t column, double value) {
    if (node.isSparse) {
      entries_.push_back({row, column, value});
    } else {
      node.W.dense()(row, column) += value;
    }
  }

  std::vector<Triplet> entries_;  // of a sparse W that is made
  SquareMatrix ofSystem_;         // the same of one system
};

template <class OfSystem>
void FirstOrderWorkspace::makeMatrix(Node& node, double place, const OfSystem& ofSystem) {
  if (node.systems.size() == 1 && node.ties.empty()) return ofSystem(systems[node.systems.front()], node.W);
  entries_.clear();
  if (!node.isSparse) node.W.makeDense(node.size);
  for (const std::size_t i : node.systems) {
    ofSystem(systems[i], ofSystem_);
    const std::size_t offset = systems[i].offset;
    forEachEntry(ofSystem_, [&](std::size_t row, std::size_t column, double value) {
      addEntry(node, offset + row, offset + column, value);
    });
  }
  addTies(node, place);
  if (node.isSparse) node.W = sparseFromTriplets(node.size, node.size, entries_);
}

}  // namespace delassus
