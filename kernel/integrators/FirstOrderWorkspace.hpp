// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <delassus/kernel/integrators/FactorsByStep.hpp>
#include <delassus/kernel/integrators/OneStepIntegrator.hpp>
#include <delassus/kernel/relations/FirstOrderR.hpp>
#include <delassus/kernel/systems/FirstOrderDS.hpp>
#include <delassus/numerics/algebra/LUFactorization.hpp>
#include <memory>
#include <string_view>
#include <vector>

namespace delassus {

/// Data of a model that schemes for first-order systems keep over a step: copies of states, inputs, outputs and
/// multipliers, so that the model itself changes only when a step is accepted. Sized once, by bind.
///
/// A relation whose input depends on the state (K = ∂g/∂x ≠ 0) puts K into the iteration matrix. Where it links several
/// systems it ties them together: they share one matrix. Such a group, or a system by itself, is a node.
struct FirstOrderWorkspace {
  /// A version that no object has.
  static constexpr std::uint64_t never = static_cast<std::uint64_t>(-1);

  /// What a scheme keeps of one system.
  struct SystemWork {
    std::shared_ptr<DynamicalSystem> owner;  ///< keeps `system` alive
    FirstOrderDS* system = nullptr;          ///< the system itself
    std::size_t node = 0;                    ///< number of its node
    std::size_t offset = 0;                  ///< of its states in the node
    bool linear = false;                     ///< FirstOrderDS::isLinear
    bool timeInvariant = false;              ///< FirstOrderDS::isTimeInvariant
    bool autonomous = false;                 ///< FirstOrderDS::isAutonomous
    std::size_t stateResets = 0;             ///< DynamicalSystem::stateResets that `FirstOrderDS::r` holds for
    std::size_t parameterChanges = 0;        ///< FirstOrderDS::parameterChanges that `mass` and the factor hold for
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
    Vector xLast;                            ///< trial state that the last pass started from
    Vector xFree;         ///< x_p of [Siconos 2017]: the part of the new state that does not depend on the new
                          ///< multipliers
    Vector xFreePlace;    ///< where a relation sees it
    Matrix mass;          ///< M at xMass
    Matrix byX;           ///< ∂F/∂x at the trial state
    Matrix byRate;        ///< ∂F/∂ẋ at the trial state
    Matrix byRateBefore;  ///< ∂F/∂ẋ at the beginning of the step, ẋ of the step
  };

  /// The systems of one iteration matrix.
  struct Node {
    std::vector<std::size_t> systems;                ///< their numbers, ascending
    std::size_t size = 0;                            ///< number of states, rows of W
    bool hasInputJacobian = false;                   ///< K of a relation is in W
    double factoredStep = -1.;                       ///< h for which the factor holds; negative: none
    bool factored = false;                           ///< in this pass
    std::uint64_t factorVersion = 0;                 ///< changes with the factor
    Matrix W;                                        ///< of the last pass
    LUFactorization factor;                          ///< of W
    FactorsByStep<Matrix, LUFactorization> factors;  ///< of other steps, where W depends on the step alone
    Vector stack;                                    ///< states of several systems, one after the other
  };

  /// One system of an interaction.
  struct Link {
    std::size_t system = 0;    ///< its number
    std::size_t column = 0;    ///< of its states in the interaction
    std::size_t coupling = 0;  ///< number among the couplings (interaction, node)
  };

  /// What a scheme keeps of one interaction.
  struct InteractionWork {
    std::shared_ptr<Interaction> interaction;  ///< keeps `relation` alive
    FirstOrderR* relation = nullptr;           ///< that of the interaction
    std::vector<Link> links;                   ///< its systems, in the order of their states in it
    std::size_t couplingBegin = 0;             ///< its couplings: couplingBegin .. couplingEnd − 1
    std::size_t couplingEnd = 0;               ///< past the last of them
    std::size_t states = 0;                    ///< of all its systems: columns of C
    bool linear = false;                       ///< FirstOrderR::isLinear
    std::size_t parameterChanges = 0;          ///< Relation::parameterChanges that the blocks hold for
    std::uint64_t blocksFactors = never;       ///< sum of factor versions that the blocks hold for
    Vector y;                                  ///< output at the trial state
    Vector freeOutput;                         ///< output without the new multipliers
    Vector multiplier;                         ///< trial λ
    Vector noMultiplier;                       ///< zeros
    Vector yLinear;                            ///< output of the linearised relation for the new multipliers
    Vector input;                              ///< g at the linearisation, then at the new state
    Vector stack;                              ///< states of several systems, one after the other
    Matrix C;                                  ///< ∂h/∂x, outputs x states
    Matrix D;                                  ///< ∂h/∂λ, outputs x outputs; zero without feedthrough
    Matrix B;                                  ///< ∂g/∂λ, states x outputs
    Matrix K;  ///< ∂g/∂x, states x states; computed only where the input depends on the state
  };

  std::vector<SystemWork> systems;  ///< in the order of the topology
  std::vector<Node> nodes;          ///< in the order of their first systems
  /// The blocks of one coupling of the equations.
  struct Blocks {
    Matrix left;   ///< γC of the scheme in use, outputs x states of the node
    Matrix right;  ///< hγW⁻¹B, states of the node x outputs
  };

  std::vector<InteractionWork> interactions;  ///< in the order of the topology
  std::vector<Blocks> blocks;                 ///< of the couplings of the equations, in their order
  StepEquations equations;                    ///< of the step
  bool linear = true;                         ///< all systems and relations

  /// Makes the copies, equations and their blocks for the model as it is. Throws Error naming `scheme` and a system,
  /// relation or law that is not one of first order, or an M that is singular at t.
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
  /// Adds factor · v to a member of the systems of an interaction.
  void addToSystems(const InteractionWork& work, double factor, const Vector& v, Vector SystemWork::*member);

  /// The node of the first system of an interaction; with K ≠ 0, that of all its systems.
  Node& nodeOf(const InteractionWork& work) { return nodes[systems[work.links.front().system].node]; }
  /// W −= factor K in the node of the interaction's systems.
  void subtractInputJacobian(const InteractionWork& work, double factor);
  /// Multiplies a member of the systems of a node by W⁻¹.
  void solve(Node& node, Vector SystemWork::*member);

  /// Adds A v to a member of the systems of a node.
  void addToNode(Node& node, const Matrix& A, const Vector& v, Vector SystemWork::*member);

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
  void makeBlocks();
  void makeEquations(std::string_view scheme);
};

}  // namespace delassus
