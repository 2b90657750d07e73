// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/kernel/integrators/SecondOrderWorkspace.hpp>
#include <delassus/numerics/StateArchive.hpp>
#include <string>
#include <vector>

namespace delassus {

/// Limits of a MotionAudit, beyond which a motion is wrong. Lengths are relative to the size of a body, (tr I/(2m))^½:
/// half the edge of a cube, 0.77 of the radius of a ball. Depths are relative to half the least width of the thinner
/// shape where that is known and less (ContactGeometry::thickness): a board is passed through long before it is deep by
/// its radius of gyration. Systems in generalised coordinates have none, and are judged by energy alone.
struct MotionAuditOptions {
  double depth = 0.1;      ///< of a contact
  double lostLoad = 1e-2;  ///< that a contact moves deeper in a step in which it drops its load
  double drift = 1e-2;     ///< |y| of an equality
  double norm = 1e-2;      ///< | |p| − 1 | of the quaternion p of a body
  double energy = 0.05;    ///< that contacts and joints may give, relative to the energies of the run
};

/// The largest of some number over a run.
struct MotionExtreme {
  double value = 0.;     ///< m (or the unit of the output)
  double relative = 0.;  ///< to the size of the smaller body, or the thinner shape; 0 where there is none
  double time = 0.;      ///< at the end of the step
  std::string where;     ///< name of the interaction
};

/// Watches the motion that a simulation makes of certified steps: a step's certificate says that its velocities
/// satisfy the laws, and nothing of positions, which add up errors of all steps. After each step of time stepping, and
/// at each event and output of an event-driven simulation, for mechanical systems:
///
/// - depth: the largest −y of a contact;
/// - lost loads: a contact that carried an impulse in the step before, carries none in this one, and closes in it
///   (ẏ⁺ < 0) below where it was: something took it out of the problem, or its gap, though it was loaded;
/// - given energy: Σ max(p·(v⁺ + v)/2, 0), the work of all impulses p where it is positive, of models without a
///   relation that depends on time (it may drive), one that is compliant (it gives back) and a law of forces in an
///   interval (a motor). Other contacts and joints can only take energy; what a scheme lets them give is its error.
///   (For θ ≠ ½ this work is not all of the change of the kinetic energy. Bodies that sleep are not counted.)
///   Event-driven it is the work of impacts alone: nothing else of that motion can give.
/// - growth: how often in succession the energy grew fortyfold from one look at it to the next, 16 steps later. Motion
///   that a step resolves does so a few times at most. An explicit scheme beyond its stability does it for ever (on a
///   spring, semiExplicit(1) for ω h > 2, and semiExplicit(), whose amplitudes grow by (1 + (ω h)²/2)^½ a step, for
///   ω h ≥ 1), long before numbers overflow;
/// - drift: the largest |y| of an equality; of one that follows a motion in time, whose unit may be that of an angle,
///   by itself (lag).
///
/// - norm: the largest | |p| − 1 | of a quaternion. Schemes of time stepping keep it to rounding; an event-driven
///   simulation integrates p, so that it shows the tolerance.
///
/// What it cannot see is a contact whose first row is not its gap: that is a right motion, of another scene. A run in
/// which contacts were never loaded says so in its summary (time stepping).
///
/// An event-driven simulation projects what a mode holds. Depth and drift of these rows are those that the integration
/// had left before it: the states that a user sees fit, but they belong to another motion by that much.
///
/// It costs one or two percent of a step, and allocates nothing but names of new extremes.
class MotionAudit {
 public:
  /// The data of an interaction in the schemes that show the audit a motion.
  using InteractionWork = SecondOrderWorkspace::InteractionWork;

  /// Sums and extremes of a run.
  struct Report {
    MotionExtreme depth;        ///< of contacts
    MotionExtreme lostLoad;     ///< the deepest step of a contact that dropped its load
    MotionExtreme drift;        ///< of equalities, but for those that follow a motion in time
    MotionExtreme lag;          ///< of these: |y| of drives
    std::size_t lostLoads = 0;  ///< contacts and steps
    double givenEnergy = 0.;    ///< J
    double largestEnergy = 0.;  ///< J, of a step: kinetic, and the work of the forces along the size of each body;
                                ///< looked at in every 16th step, and where energy was given beyond the limit
    std::size_t growth = 0;     ///< times in succession that it grew fortyfold from look to look, at most
    MotionExtreme projection;   ///< the largest violation that a projection took out
    MotionExtreme norm;         ///< of quaternions
    bool unloaded = false;      ///< there were contacts, and no step has given one of them an impulse

    /// One clause: "deepest penetration 2e-9 (1e-8 of its size) of 'a - b' at t = 0.3, …"; empty if there is none of
    /// it.
    std::string summary() const;
  };

  /// Throws Error unless all limits are positive.
  explicit MotionAudit(const MotionAuditOptions& options);

  /// The present instant, or the last one: for recordings.
  struct Instant {
    double depth = 0.;          ///< m, of the deepest contact
    double drift = 0.;          ///< |y| of the equality that is farthest off
    std::size_t lostLoads = 0;  ///< contacts that dropped theirs
    double givenEnergy = 0.;    ///< J, that contacts and joints gave
    double norm = 0.;           ///< | |p| − 1 | of the quaternion that is farthest off
    double projection = 0.;     ///< the violation that a projection took out
  };

  /// As given to the constructor.
  const MotionAuditOptions& options() const { return options_; }
  /// Begins a step that ends at t, or an instant. What it observes follows, from each scheme, before it is accepted.
  void begin(double t);
  /// Takes in the outputs y, ẏ at the end of a step.
  void observePositions(const SecondOrderWorkspace& step);
  /// Takes in a row whose output was y before a projection took that out: of a contact its depth, of an equality its
  /// drift.
  void observeViolation(const SecondOrderWorkspace& step, const InteractionWork& work, double y);
  /// Takes in configurations (q at the end of a step, say): their quaternions.
  void observeNorms(const SecondOrderWorkspace& step, const Vector SecondOrderWorkspace::SystemWork::*q);
  /// Takes in the impulses p of an instant that found the systems with these velocities: energy.
  void observeImpacts(const SecondOrderWorkspace& step, const std::vector<Vector>& before);
  /// Takes in a step of size h whose multipliers are impulses: loads and energy.
  void observeImpulses(const SecondOrderWorkspace& step, double h);
  /// Takes in the violation that a projection took out in this step.
  void observeProjection(double violation);
  /// Ends the step. Returns what is wrong with the motion: a sentence, where this step is the first one beyond a limit,
  /// or else nothing.
  std::string end();
  /// The run so far.
  const Report& report() const { return report_; }
  /// Whether the last instant has changed the report.
  bool hasChanged() const { return hasChanged_; }
  /// The numbers of the instant that the last begin() began; they are complete after end().
  const Instant& instant() const { return instant_; }

  /// Saves or restores the report and the last instant.
  void serializeState(StateArchive& archive);

 private:
  void takeDepth(const SecondOrderWorkspace& step, const InteractionWork& work, double depth);
  void takeDrift(const SecondOrderWorkspace& step, const InteractionWork& work, double drift);
  void take(MotionExtreme& extreme, double value, double length, const std::string& name);
  void observeEnergy(const SecondOrderWorkspace& step, double h);
  void observeLoads(const SecondOrderWorkspace& step, const InteractionWork& work, double h);
  void observeGrowth();

  MotionAuditOptions options_;
  Report report_;
  Instant instant_;
  // These are of the present step:
  double t_ = 0.;
  double work_ = 0., energy_ = 0.;  // J, of all impulses, and the scale that their work is measured by
  std::size_t instants_ = 0;        // so far
  double shortest_ = 0.;            // length of a body that has one
  double noExtreme_ = 0.;           // depths up to this
  bool drives_ = false;             // something may give energy
  bool hasChanged_ = false;
  bool isRegular_ = false;  // energies are looked at since it is time …
  bool looks_ = false;      // … or since the last instant wanted it
  bool wantsLook_ = false;
  double mark_ = 0.;       // J, the energy at the last look, …
  std::size_t marks_ = 0;  // … and how many in succession had grown
  bool hasWarned_ = false;
  bool seesContacts_ = false;  // rigid ones, and their loads …
  bool hasLoads_ = false;      // … of which some step had one
};

}  // namespace delassus
