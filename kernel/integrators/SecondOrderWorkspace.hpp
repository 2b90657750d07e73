// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <delassus/kernel/integrators/CouplingBlocks.hpp>
#include <delassus/kernel/integrators/FlowRelation.hpp>
#include <delassus/kernel/integrators/IterationNode.hpp>
#include <delassus/kernel/integrators/StepEquations.hpp>
#include <delassus/kernel/integrators/SystemNodes.hpp>
#include <delassus/kernel/integrators/SystemRoles.hpp>
#include <delassus/kernel/integrators/WorkList.hpp>
#include <delassus/kernel/model/NonSmoothDynamicalSystem.hpp>
#include <delassus/kernel/relations/SecondOrderR.hpp>
#include <delassus/kernel/systems/SecondOrderDS.hpp>
#include <delassus/numerics/Pause.hpp>
#include <delassus/numerics/algebra/MadeFrom.hpp>
#include <delassus/numerics/algebra/SquareMatrix.hpp>
#include <limits>
#include <memory>
#include <string_view>
#include <vector>

namespace delassus {

/// Data of a model that schemes for mechanical systems keep over a step: copies of states, forces and outputs, and the
/// equations of the step, so that the model itself changes only when a step is accepted. Sized once, by bind.
struct SecondOrderWorkspace {
  /// Where a function of a nonlinear system was evaluated last: no function of a user runs twice at one point of a
  /// step. (It does at the end of one and the beginning of the next: what it captures may have changed between them.)
  class Evaluated {
   public:
    /// Whether it was at (t, q, v), with these parameters.
    bool isAt(double t, const Vector& q, const Vector& v, std::size_t changes) const {
      return t == t_ && changes == changes_ && std::equal(q.begin(), q.end(), q_.begin(), q_.end()) &&
             std::equal(v.begin(), v.end(), v_.begin(), v_.end());
    }
    /// Sets the point.
    void take(double t, const Vector& q, const Vector& v, std::size_t changes) {
      assign(q, q_);
      assign(v, v_);
      changes_ = changes;
      t_ = t;
    }
    /// Forgets the point: isAt() is false for every one.
    void forget() { t_ = std::numeric_limits<double>::quiet_NaN(); }

   private:
    double t_ = std::numeric_limits<double>::quiet_NaN();
    std::size_t changes_ = 0;
    Vector q_, v_;
  };
  /// The places where the functions of a system were evaluated last.
  struct EvaluatedFunctions {
    Evaluated forces;  ///< of which SystemWork::forces is the value
    Evaluated mass;    ///< of which SystemWork::mass is the value
    /// Neither is known.
    void forget() {
      forces.forget();
      mass.forget();
    }
  };

  /// What a scheme keeps of a node: of a system, or of several that force elements tie together (TiedSystems).
  struct SystemWork : IterationNode, TrialState, NodeEquations, NodeMagnitudes, DisplacementWeight, SleepState {
    std::shared_ptr<DynamicalSystem> owner;         ///< keeps `system` alive
    SecondOrderDS* system = nullptr;                ///< the system itself
    std::size_t number = 0;                         ///< of the node
    bool linear = false;                            ///< needs no iteration of the scheme
    MadeFrom<std::size_t> outputsFrom;              ///< DynamicalSystem::stateResets, for outputs of interactions
    MadeFrom<std::size_t> linearFrom;               ///< DynamicalSystem::parameterChanges, for `linear`
    std::unique_ptr<EvaluatedFunctions> evaluated;  ///< made for systems that are not linear

    /// The user has set the state since markFresh.
    bool isReset() const { return !outputsFrom.isCurrent(system->stateResets()); }
    /// It has had other parameters since.
    bool hasChanged() const { return !linearFrom.isCurrent(system->parameterChanges()); }

    /// Saves or restores it, where the system is the same.
    void serializeState(StateArchive& archive);
  };

  /// What a law makes of an interaction, for those who look at positions and energies.
  enum class Role : char {
    contact,   ///< a gap that closes
    equality,  ///< a joint
    motor,     ///< a force in an interval, which may give energy
    other      ///< none of these
  };

  /// What a scheme keeps of an interaction and a new one begins with again: all that is no array.
  struct InteractionValues {
    std::shared_ptr<Interaction> interaction;  ///< keeps `relation` alive
    SecondOrderR* relation = nullptr;          ///< that of the interaction, or `flow`
    std::shared_ptr<FlowRelation> flow;        ///< of an interaction between systems of first order; null for others
    std::size_t number = 0;                    ///< in the topology
    std::size_t begin = 0;                     ///< its couplings: begin .. end − 1
    std::size_t end = 0;                       ///< past the last of them
    std::size_t velocities = 0;                ///< columns of G
    std::size_t blockRows = 0;                 ///< of one application of the law
    Role role = Role::other;                   ///< by the law
    MadeFrom<std::size_t> outputsFrom;         ///< Relation::parameterChanges, for the outputs
    MadeFrom<std::uint64_t> blocksFrom;        ///< sum of factor versions of the nodes, for the blocks
    MadeFrom<std::size_t> yFrom;               ///< attempt of a scheme, for y at the trial state
    bool isReset = true;                       ///< no step was accepted since the last change by the user
    bool holdsJacobian = false;                ///< G is that of the accepted state, where the next step takes it
    bool linear = false;                       ///< Relation::isLinear
    bool timeDependent = false;                ///< SecondOrderR::isTimeDependent
    bool compliant = false;                    ///< SecondOrderR::isCompliant
    double thickness = 0.;                     ///< SecondOrderR::thickness
    bool resolved = false;             ///< compliant, and soft enough for the step to follow it (see MoreauJeanOSI)
    bool anyActive = false;            ///< any block of the law
    bool kept = false;                 ///< contacts whose positions the scheme watches (see ContactForecast)
    bool impacts = false;              ///< a contact of it closes faster than forces make it (see ContactForecast)
    bool raises = false;               ///< it has a depth to take back in the step (see ContactForecast)
    Pause keptDepth;                   ///< the steps in which that depth stays
    bool knowsReach = false;           ///< `reach` is set
    MadeFrom<std::size_t> leversFrom;  ///< parameterChanges of relation and systems, where `levers` are constant
    double restitution = 0.;           ///< NonSmoothLaw::restitution
    bool isAsleep = false;             ///< see Sleep
  };

  /// What a scheme keeps of an interaction.
  struct InteractionWork : InteractionValues {
    std::vector<char> demanded;  ///< blocks that must be active whatever the forecast of their gap
    std::vector<char> missed;    ///< blocks that the trial motion closed while they were not active
    std::vector<char> expected;  ///< blocks that are active for what others may do, see ContactForecast
    std::vector<double> reach;   ///< of each block, see ContactBegin
    std::vector<double> levers;  ///< of each coupling and block, what a pull of 1 makes of it
    std::vector<double> least;   ///< of each block, see ContactForecast::leastRate
    Vector y;                    ///< output at the end of the step
    Vector yDot;                 ///< its rate there
    Vector force;                ///< mean force of the step, which compliant relations depend on
    Matrix G;                    ///< Jacobian of the relation, outputs x velocities: the left blocks of its couplings
    Matrix input;                ///< how multipliers act, where it is not as G: of a FlowRelation
    Matrix compliance;  ///< ∂y/∂λ of a compliant relation, or D of a FlowRelation, as the scheme scales it
  };

  /// The part of the configuration of a node that an interaction sees by a coupling. (The part of the velocities is in
  /// StepEquations::Coupling.)
  struct Place {
    std::size_t firstQ = 0;  ///< number of the first coordinate in the node
    std::size_t count = 0;   ///< coordinates
    double length = 0.;      ///< SecondOrderDS::length of the system
  };

  SystemNodes nodes;                       ///< of the model
  std::vector<Place> places;               ///< one a coupling
  WorkList<SystemWork> systems;            ///< in the order of the nodes; those that sleep take no part
  WorkList<InteractionWork> interactions;  ///< in the order of the topology; those that sleep take no part
  StepEquations equations;                 ///< of the step; their nodes are the systems
  bool linearSystems = true;               ///< all of them
  bool anyCompliant = false;               ///< relation
  bool anyEquality = false;                ///< interaction
  bool anyFlow = false;                    ///< interaction between systems of first order
  /// A contact whose gap y and change h ẏ are both smaller than this is at rest, and active.
  double restTolerance = 0.;

  /// Whether relations between systems of first order are taken, where force elements tie these to mechanical ones.
  enum class FlowRelations { refused, taken };
  /// Updates the copies to the present model; data of systems and interactions that remain are kept. The model must be
  /// the one bound before. Throws Error naming `scheme` and a system or relation that is not one of mechanics, or a
  /// mass that is not symmetric positive definite at t. True if ties between systems may have changed: nothing is then
  /// kept of nodes.
  bool bind(const NonSmoothDynamicalSystem& model, double t, std::string_view scheme,
            FlowRelations flows = FlowRelations::refused);
  /// Gives the equations their nodes, W and vFree of each system, after bind; none where multipliers act otherwise than
  /// by Gᵀ.
  void bindNodes();

  /// Saves or restores all data for the same model: the kept values may differ from recomputed ones. (Factors are
  /// computed again from the same matrices.)
  void serializeState(StateArchive& archive);

  /// W of each system.
  std::vector<IterationMatrix> iterationMatrices() const;

  /// Takes in what users have set since markFresh, in systems and relations; true if there is anything.
  bool takeChanges();
  /// Whether the outputs of an interaction are not those of its present systems and relation, as of takeChanges: new,
  /// reset, or changed.
  bool isStale(const InteractionWork& work) const;
  /// Says that all outputs are those of the present systems and relations.
  void markFresh();

  /// Reads what the relation of an interaction says of itself, which its parameters may change.
  static void takeRelation(InteractionWork& work);

  /// Sets the unknown x (velocity, or displacement) of each system to x_free + Σ W⁻¹ Gᵀ λ, and p to Σ Gᵀ λ; λ of
  /// interactions that are not active to zero. With `measures`, also vChange to the change of x, and the magnitudes
  /// against which impulses and velocities are measured (pReach, vReach): where contacts press on a body from two
  /// sides, their sums may be only rounding.
  void applyMultipliers(Vector SystemWork::*x, bool measures);

  /// The node of a coupling.
  SystemWork& systemOf(std::size_t coupling) const { return systems[equations.couplings()[coupling].node]; }
  /// SystemWork::pull, of the part that an interaction sees by a coupling.
  double pullOf(std::size_t coupling) const {
    const SystemWork& node = systemOf(coupling);
    return node.pulls.empty() ? node.pull : pullOfPart(node, equations.couplings()[coupling]);
  }
  /// Σ m_ii v_i² of a node.
  static double squareInMass(const SystemWork& work, const Vector& v);
  /// Sets the pull of a node, and of its unknowns, from an acceleration times a duration.
  void setPull(SystemWork& work, const Vector& change, double duration) const;
  /// Of a member in velocities (v, vChange, …), what an interaction sees by a coupling.
  std::span<const double> partOf(std::size_t coupling, const Vector SystemWork::*member) const {
    return equations.couplings()[coupling].of(systemOf(coupling).*member);
  }
  /// Of a member in coordinates (q, qStar), the same.
  std::span<const double> configurationOf(std::size_t coupling, const Vector SystemWork::*member) const {
    return {data(systemOf(coupling).*member) + places[coupling].firstQ, places[coupling].count};
  }
  /// One member of the systems of an interaction, stacked: in coordinates (q, qStar), or in velocities (v, …); valid
  /// until the next call of one of these on this thread.
  ///@{
  const Vector& configurations(const InteractionWork& work, const Vector SystemWork::*member) const;
  const Vector& velocities(const InteractionWork& work, const Vector SystemWork::*member) const;
  ///@}
  /// y := y + G v, with the Jacobian in the blocks and one member of the systems for v.
  void addRate(const InteractionWork& work, const Vector SystemWork::*v, double* y) const;
  /// Σ |W⁻¹Gᵀ| over the outputs of an interaction, added to vReach of its nodes. Of a node with an interface only what
  /// interactions see of it.
  void addMagnitudes(const InteractionWork& work) const;
  /// The right blocks from G and the factors of the systems, of those without an interface; the blocks have then
  /// changed.
  void solveForRight(const InteractionWork& work);

  /// Functions of a relation at t, one configuration (q, qStar) of its systems, and `force`: y; ∂h/∂t, zero where it
  /// does not depend on time; G and the compliance, into those of the step. Each throws Error naming the interaction,
  /// the function and t if the result has another size than it should or is not finite.
  ///@{
  void computeOutput(const InteractionWork& work, double t, const Vector SystemWork::*q, Vector& y) const;
  void computeDrift(const InteractionWork& work, double t, const Vector SystemWork::*q, Vector& drift) const;
  void computeJacobian(const InteractionWork& work, double t, const Vector SystemWork::*q, Matrix& G) const;
  /// y, and G as jacobianAt gives it.
  const Matrix& computeOutputAndJacobian(const InteractionWork& work, double t, const Vector SystemWork::*q,
                                         Vector& y) const;
  void computeCompliance(InteractionWork& work, double t, const Vector SystemWork::*q) const;
  ///@}
  /// Of a FlowRelation, for multipliers h λ: B into `input`, D/h into `compliance`. Throws Error likewise.
  static void computeFlow(InteractionWork& work, double t, double h);
  /// y := y + D λ, with λ in `force`. Throws Error likewise.
  static void addFeedthrough(const InteractionWork& work, double t, Vector& y);
  /// G at any configuration, which leaves the blocks as they are; valid until the next call on this thread.
  const Matrix& jacobianAt(const InteractionWork& work, double t, const Vector SystemWork::*q) const;
  /// G := that one, whose blocks stay where they are.
  static void take(const Matrix& jacobian, Matrix& G);
  /// y := y + G v, with that G.
  void addRateAt(const InteractionWork& work, double t, const Vector SystemWork::*q, const Vector SystemWork::*v,
                 Vector& y) const;
  /// SystemWork::forces := F(t, q, v)
  static void computeForces(SystemWork& work, double t, const Vector& q, const Vector& v);
  /// SystemWork::mass := M(q); t is for messages.
  static void computeMass(SystemWork& work, double t, const Vector& q);
  /// ∂F/∂q (along displacements) and ∂F/∂v of a system, into byQ and byV, which are valid until the next call.
  void forceJacobians(const SystemWork& work, double t, const Vector& q, const Vector& v) {
    work.system->forceJacobians(t, q, v, byQ, byV);
  }
  SquareMatrix byQ;  ///< see forceJacobians
  SquareMatrix byV;  ///< see forceJacobians

 private:
  void bindInteractions(const Topology& topology, std::string_view scheme, FlowRelations flows);
  StepEquations::Columns columnsOf(const Coupling& coupling, const Topology& topology) const;
  Place placeOf(const Coupling& coupling, const Topology& topology) const;
  static double pullOfPart(const SystemWork& node, const StepEquations::Coupling& part);
  void findInterfaces(const Topology& topology);
  void addCouplings(const Topology& topology, InteractionWork& work);
  template <class PartOf>
  const Vector& stacked(const InteractionWork& work, const Vector SystemWork::*member, const PartOf& partOf) const;
  static Role roleOf(const NonSmoothLaw& law);
  static std::unique_ptr<SystemWork> makeWork(const std::shared_ptr<DynamicalSystem>& system, double t,
                                              std::string_view scheme);
  static void findRelation(InteractionWork& work, std::string_view scheme, FlowRelations flows);
  std::unique_ptr<InteractionWork> makeWork(const Topology& topology, std::size_t interaction, std::string_view scheme,
                                            FlowRelations flows, std::unique_ptr<InteractionWork> spare) const;
  static void addReach(const StepEquations::Coupling& coupling, const double* multiplier, SystemWork& system);
  static void findReach(SystemWork& node);
  void findSelfContained();

  bool anyReset_ = true;             // system, when takeChanges looked
  bool areOthers_ = false;           // nodes, since the last bind that succeeded
  bool knowsSelfContained_ = false;  // of the lists, for these objects and their parameters
};

}  // namespace delassus
