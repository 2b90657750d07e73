// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <delassus/kernel/integrators/OneStepIntegrator.hpp>
#include <delassus/kernel/model/NonSmoothDynamicalSystem.hpp>
#include <delassus/kernel/problems/Accuracy.hpp>
#include <delassus/kernel/problems/OneStepNSProblem.hpp>
#include <delassus/kernel/simulation/ClockedSimulation.hpp>
#include <delassus/kernel/simulation/FailureAction.hpp>
#include <delassus/kernel/simulation/InteractionManager.hpp>
#include <delassus/kernel/simulation/MotionWatch.hpp>
#include <delassus/kernel/simulation/NewtonGuard.hpp>
#include <delassus/kernel/simulation/ProjectionOptions.hpp>
#include <delassus/kernel/simulation/SchemeBySystems.hpp>
#include <delassus/kernel/simulation/StepDivision.hpp>
#include <delassus/kernel/simulation/StepReport.hpp>
#include <delassus/numerics/algebra/MadeFrom.hpp>
#include <delassus/numerics/functions/Differentiation.hpp>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace delassus {

class ConstraintProjection;

/// What Newton's loop of a step compares with its tolerance (see StepResidual).
enum class NewtonTest {
  residualAndChange,  ///< the residual of the equations and, in mechanics, the last change of the velocities
  residual            ///< that of the equations alone, with the Jacobians G that the multipliers of the pass were found
                      ///< with. Linear forces and mass meet it in one pass, however much contacts and joints turn: they
                      ///< are then taken where the pass before has them, an error of order h in their directions
};

/// Options of TimeStepping.
struct TimeSteppingOptions {
  /// On what newtonTest says, or ten times the error of the certified one-step problem where that is more.
  double newtonTolerance = 1e-10;
  /// The tolerance of the one-step problem's solvers, where it has those that it takes by default. `normal` leaves
  /// solvers as they are.
  Accuracy accuracy = Accuracy::normal;
  /// Without a failure policy, an answer of the solver whose error is at most this times its tolerance, and at most
  /// 0.01, is accepted at a relaxed tolerance: the log warns the first time, and statistics and summary count it. So is
  /// a Newton loop that goes round or ends at its limit where the residual of its equations is at most a tenth of this
  /// times newtonTolerance; a loop whose answers are relaxed ends at ten times their error, up to that. A step whose
  /// loop does not settle, or whose problem is not solved, is made in halves first (mostHalvings). Where these do not
  /// help either it begins again with relations that stay where the velocities at its beginning lead, so that it is of
  /// order one; it is warned of and counted alike (`held`). The automatic choice spares itself what costs most once an
  /// error is a tenth of what is accepted (numerics::CertifiedSolver::setLeniency). 1: never.
  double relaxation = 1e5;
  /// Wall time in seconds that the solves of a step may take together; then the best answer so far is one that failed,
  /// with the status `timeLimit`, which SolverPolicy may accept. Answers that such a limit cuts off are not the same on
  /// another machine. Infinity: no limit.
  double solveTime = std::numeric_limits<double>::infinity();
  NewtonTest newtonTest = NewtonTest::residualAndChange;  ///< what the tolerance is compared with
  std::size_t newtonMaxIterations = 50;  ///< passes of the loop, each time that it begins in a step; at least 1
  /// How often a step is halved, without a failure policy, where Newton's loop does not settle or a problem of a
  /// nonlinear model is not solved: into up to 2 to this power pieces. 0: never.
  std::size_t mostHalvings = 6;
  bool checkJacobians = false;    ///< compare all Jacobians with differences when a model is bound: before the first
                                  ///< step, and after a change
  JacobianCheck jacobianCheck{};  ///< how they are compared
  /// First-order systems: refuse an initial state for which no multipliers satisfy the laws. If false, the first step
  /// jumps to a state that the laws allow, as far as the scheme can.
  bool requireConsistentStart = true;
  /// Refuse steps whose one-step problem has not exactly one solution for every free output (it may have several, or
  /// none: an ill-posed interconnection). Tested when its matrix changes, for up to 4000 rows, of them up to 20 with
  /// bounds unless the matrix is positive definite; Error if this cannot be decided. Stronger than unique states: see
  /// the user guide.
  bool requireUniqueSolution = false;
  ProjectionOptions projection{};                    ///< of configurations on constraints; none by default
  MotionAuditOptions audit{};                        ///< limits of a motion that is right
  FailureAction wrongMotion = FailureAction::relax;  ///< what is done where one is passed
};

/// Sums over all steps. Work done in a step that failed, or that was made again, counts too.
struct StepStatistics {
  std::size_t steps = 0;                 ///< that were accepted
  std::size_t newtonIterations = 0;      ///< passes of Newton's loop
  std::size_t solves = 0;                ///< of problems that were not empty
  std::size_t solverIterations = 0;      ///< of the solvers whose answers were taken
  std::size_t fallbacks = 0;             ///< solves that a further solver certified
  std::size_t relaxed = 0;               ///< solves and Newton loops accepted at a relaxed tolerance
  std::size_t divided = 0;               ///< steps made in pieces, in which loops settle
  std::size_t keptDepths = 0;            ///< steps made again without taking back depths of contacts
  std::size_t held = 0;                  ///< steps whose relations stayed, or asked for rest alone
  std::size_t acceptedFailures = 0;      ///< results without certificate that the policy accepted
  std::size_t repetitions = 0;           ///< see StepReport
  std::size_t rejectedSteps = 0;         ///< that ended with an Error of a failure
  double worstError = 0.;                ///< largest error of an accepted solve
  double worstResidual = 0.;             ///< largest Newton residual of an accepted step
  std::size_t projections = 0;           ///< steps that a projection changed
  std::size_t projectionIterations = 0;  ///< of accepted steps; see ProjectionReport
  std::size_t repeatedSteps = 0;         ///< see ProjectionReport
  double worstViolation = 0.;            ///< largest violation after a projection
  MotionAudit::Report motion;            ///< what positions, loads and energies did; zeros for first-order systems

  /// One or two sentences.
  std::string summary() const;
};

/// Time stepping on a fixed grid: each step loops over integrator – topology – one-step problem – solver – input –
/// Newton test.
///
///     TimeStepping simulation(model, 1e-3);
///     simulation.run([&] { std::cout << simulation.time() << ' ' << ball->q()(0) << '\n'; });
///
/// What is not given follows from the model, and summary() tells it: the scheme from the systems (SchemeBySystems), the
/// one-step problem from the laws (ProblemByLaws). The same in full:
///
///     TimeStepping simulation(model, TimeDiscretisation(0., 1e-3), MoreauJeanOSI(0.5), LCP());
///
/// Many contacts are faster where less is asked for:
///
///     TimeStepping simulation(model, 5e-3, {.accuracy = Accuracy::coarse});
///
/// With a projection, joints and contacts hold at the level of positions too, to a tolerance (Projection):
///
///     TimeStepping simulation(model, 1e-3, {.projection = {.kind = Projection::direct, .tolerance = 1e-10}});
///
/// Events at times of their own, off the grid too (ClockedSimulation), cut a step into pieces, each a step of the
/// scheme: multipliers are then those of the last piece, and statistics count pieces.
///
/// The model must outlive the simulation; it may change between two steps. An exception in a step (from a user's
/// function, or one of the failures above) leaves model and simulation as they were before it, or before the piece.
class TimeStepping final : public ClockedSimulation {
 public:
  /// Decides about a step that is not certified; the report is that of the step so far.
  using FailurePolicy = std::function<FailureAction(const StepReport&, const TimeStepping&)>;

  /// The discretisation may be a step h alone. Throws Error if it does not start at the model's t0 or goes beyond its
  /// T, if an option is out of range, or where the scheme has no configurations to project and that is asked for (also
  /// when a model is bound whose systems ask for another scheme); the log warns where h is longer than T − t0. The
  /// model is checked when a model is bound: before the first step, and after a change (or by initialise()).
  ///@{
  template <std::derived_from<OneStepIntegrator> Integrator, std::derived_from<OneStepNSProblem> Problem>
  TimeStepping(NonSmoothDynamicalSystem& model, TimeDiscretisation discretisation, Integrator integrator,
               Problem problem, TimeSteppingOptions options = {})
      : TimeStepping(model, std::move(discretisation), std::make_unique<Integrator>(std::move(integrator)),
                     std::make_unique<Problem>(std::move(problem)), options) {}

  TimeStepping(NonSmoothDynamicalSystem& model, TimeDiscretisation discretisation,
               std::unique_ptr<OneStepIntegrator> integrator, std::unique_ptr<OneStepNSProblem> problem,
               TimeSteppingOptions options = {});
  ///@}
  /// The one-step problem follows from the laws. Throws Error as above.
  ///@{
  template <std::derived_from<OneStepIntegrator> Integrator>
  TimeStepping(NonSmoothDynamicalSystem& model, TimeDiscretisation discretisation, Integrator integrator,
               TimeSteppingOptions options = {})
      : TimeStepping(model, std::move(discretisation), std::make_unique<Integrator>(std::move(integrator)), options) {}

  TimeStepping(NonSmoothDynamicalSystem& model, TimeDiscretisation discretisation,
               std::unique_ptr<OneStepIntegrator> integrator, TimeSteppingOptions options = {});
  ///@}
  /// The scheme follows from the systems. Throws Error as above.
  template <std::derived_from<OneStepNSProblem> Problem>
  TimeStepping(NonSmoothDynamicalSystem& model, TimeDiscretisation discretisation, Problem problem,
               TimeSteppingOptions options = {})
      : TimeStepping(model, std::make_unique<Problem>(std::move(problem)), std::move(discretisation), options) {}
  /// Scheme and problem follow from the model. Throws Error as above.
  TimeStepping(NonSmoothDynamicalSystem& model, TimeDiscretisation discretisation, TimeSteppingOptions options = {});

  ~TimeStepping() override;

  std::string_view className() const override { return "TimeStepping"; }

  /// Checks the model and computes the outputs of the initial state, so that they can be read before the first
  /// step; between first-order systems also its multipliers, as far as the laws determine them without a step. Called
  /// by the first step otherwise, and again after a change of the model. Throws Error naming what is wrong in the
  /// model.
  void initialise() override;

  /// The step to be made next (or that failed last), up to the next event within it. Throws Error past the end.
  TimeStep nextStep() const;

  /// Lets `manager` update the interactions before each step; null ends this.
  void setInteractionManager(std::shared_ptr<InteractionManager> manager) { manager_ = std::move(manager); }

  /// The check-solver policy of Siconos: asked about each failure of a step, which StepReport::failure names; of a
  /// solve, `relax` takes the answer as one that is solved, to the error that it has. It is also told of solves that a
  /// further solver has certified (Failure::none), where what it returns has no effect. It is not asked about the
  /// initial state, where TimeSteppingOptions::requireConsistentStart decides. An action is a policy that always
  /// returns it. Without a policy, failures beyond TimeSteppingOptions::relaxation throw.
  ///@{
  void setFailurePolicy(FailurePolicy policy) { policy_ = std::move(policy); }
  void setFailurePolicy(FailureAction action);
  ///@}

  /// As given to the constructor.
  const TimeSteppingOptions& options() const { return options_; }
  /// Report of the last step whose loop has begun, even if it failed.
  const StepReport& lastStep() const { return report_; }
  /// Sums over the run so far.
  const StepStatistics& statistics() const { return statistics_; }
  /// The one-step problem, as its last solve left it.
  ///@{
  const OneStepNSProblem& problem() const { return *problem_; }
  OneStepNSProblem& problem() { return *problem_; }
  ///@}
  /// The scheme, with the blocks of the last step.
  const OneStepIntegrator& scheme() const { return *integrator_; }
  std::string summary() const override { return method() + ": " + statistics_.summary(); }
  /// Scheme and problem; which of them follow from systems and laws.
  std::string method() const override;
  RunCounts counts() const override;
  std::string motionSummary() const override { return statistics_.motion.summary(); }
  std::string statusLine() const override;
  Settings settings() const override;
  void stepNumbers(std::vector<StepNumber>& numbers) const override;
  bool hasInstant(std::size_t index, double time) const override;
  std::vector<const Interaction*> managedInteractions() const override;

 private:
  TimeStepping(NonSmoothDynamicalSystem& model, std::unique_ptr<OneStepNSProblem> problem,
               TimeDiscretisation discretisation, TimeSteppingOptions options);

  void serializeLinks(StateArchive& archive) override;
  void serializeOwnState(StateArchive& archive) override;
  bool hasStarted() const override { return clocksBegun_; }
  void computeStep() override;
  void computePiece();
  void fireTimeEvents();
  double resolution() const;
  double gridEnd() const;
  double shortest() const;
  bool isAt(double instant) const;
  double known(double size) const;
  bool isAtStart() const { return stepIndex_ == 0 && !isInside_; }
  void lookAtStart();
  void findInitialMultipliers();
  bool findTrial(const TimeStep& timeStep);
  bool iterate(const TimeStep& timeStep);
  void requireUnchangedModel() const;
  void requireConfigurations() const;
  void dropDemands();
  bool project(const TimeStep& timeStep);
  void projectOnce(const TimeStep& timeStep);
  numerics::SolveReport solveProblem();
  std::size_t stateResets() const;
  std::string describeOutputs() const;
  void checkUniqueness(const TimeStep& timeStep);
  void handleFailure(Failure failure, const TimeStep& timeStep, const std::string& what);
  void handle(FailureAction action, const TimeStep& timeStep, const std::string& what);
  std::string describeFailure(const TimeStep& timeStep, const std::string& what) const;
  void updateStatistics();
  void auditMotion(const TimeStep& timeStep);
  double relaxed(double tolerance, double share = 1.) const;
  double judgeSolve(const numerics::SolveReport& report);
  std::string describeDoubt() const;
  void acceptRelaxed();
  void dropMultipliers();
  bool keepDepths(const TimeStep& timeStep, const std::string& doubt);
  void acceptDepths();
  bool divide(const TimeStep& timeStep, Failure failure, const std::string& why);
  void acceptDivision(const TimeStep& timeStep);
  bool holdRelations(const TimeStep& timeStep, Failure failure, const std::string& why);
  bool meetsRelaxed(double residual) const;
  double reachableResidual() const;
  void acceptLoop(const TimeStep& timeStep, const std::string& why);
  void tellRelaxed(double time, const std::string& what, double bound) const;
  void tellOnce(double time, const std::string& what, std::size_t before) const;

  void serializeReport(StateArchive& archive);

  TimeDiscretisation discretisation_;
  std::optional<SchemeBySystems> schemeBySystems_;  // where no scheme was given
  std::unique_ptr<OneStepIntegrator> integrator_;
  std::unique_ptr<OneStepNSProblem> problem_;
  TimeSteppingOptions options_;
  std::unique_ptr<ConstraintProjection> projection_;  // null without
  FailurePolicy policy_;
  std::shared_ptr<InteractionManager> manager_;
  std::array<double, 4> sizes_{};  // of steps and pieces, different ones, the last first
  bool clocksBegun_ = false;
  Event fired_;            // the last time event, which keeps its storage
  bool isInside_ = false;  // time() is within a step, where an event or the division has cut it
  StepDivision division_;
  std::string whyDivided_;                 // the present piece
  bool keepsDepths_ = false;               // of contacts, in the present piece, which was made again for it
  bool isRelaxed_ = false;                 // the present piece, as it was made last
  std::string whyRelaxed_;                 // the last solve
  Pause relaxedDepths_;                    // relaxed pieces that are not made again with depths kept
  double timeOfSolves_ = 0.;               // in this step, s, where it is limited
  MadeFrom<std::uint64_t> boundTo_;        // Topology::version
  MadeFrom<std::size_t> multipliersFrom_;  // stateResets(), for the initial ones
  bool failureAccepted_ = false;
  FailureAction solveAction_ = FailureAction::raise;  // about the last solve
  bool findsStart_ = false;                           // in the step of size zero
  NewtonGuard guard_;
  MotionWatch watch_;
  bool hasCheckedStart_ = false;
  StepReport report_;
  StepStatistics statistics_;
};

}  // namespace delassus
