// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/kernel/simulation/Simulation.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "CamFollower.hpp"

enum class CamMethod { timeStepping, eventDriven };

/// How a cam follower is simulated.
struct CamRunOptions {
  CamMethod method = CamMethod::timeStepping;
  CamFormulation formulation = CamFormulation::translated;
  double step = 1e-4;        ///< time stepping: h at most, s
  double theta = 0.5;        ///< time stepping: θ of the Moreau–Jean scheme
  double tolerance = 1e-10;  ///< event-driven: relative, and absolute in m and m/s
};

/// An event of the run, with velocities of the follower (absolute) just before and just after.
///
/// An impact of time stepping is a step that brings an impulse, after one that brought none, and that begins with an
/// approach v − ċ < −1e-6 m/s: t and u are those of its end, vBefore is of its beginning, vAfter of its end. The steps
/// of a lasting contact bring impulses too, but follow each other.
struct CamEvent {
  double t;          ///< s
  std::string kind;  ///< "impact"; event-driven also "junction", and the other kinds of delassus::EventKind
  double u;          ///< m
  double vBefore;    ///< m/s
  double vAfter;     ///< m/s
};

/// A run of the cam follower from 0 to its end by one of the methods, seen at instants of output: multiples of an
/// interval, and the end.
class CamRun {
 public:
  virtual ~CamRun() = default;
  CamRun(const CamRun&) = delete;
  CamRun& operator=(const CamRun&) = delete;

  /// All instants of output that are left, with `afterOutput` called at each.
  void run(const std::function<void()>& afterOutput);
  /// Goes to the next instant of output. False if the end was reached before.
  bool advance();

  /// The simulation behind it, for observers and checkpoints.
  virtual delassus::Simulation& simulation() = 0;
  /// Saves or restores what a checkpoint of the simulation must contain too.
  virtual void serializeState(delassus::StateArchive& archive);

  double time() const { return time_; }  ///< s
  double u() const { return u_; }        ///< m
  double v() const { return v_; }        ///< m/s
  const Cam& cam() const { return follower_->cam(); }
  /// Impulse of the contact since the last output, N s. Event-driven: of impacts, and what a lasting contact would
  /// bring with the force that it has now.
  double impulse() const { return impulse_; }
  const std::vector<CamEvent>& events() const { return events_; }  ///< since the output before, in order
  std::size_t outputs() const { return outputs_; }                 ///< in all, without the initial state

 protected:
  CamRun(std::unique_ptr<CamFollower> follower, double end, double interval);

  /// After each step of the simulation: adds to impulse_ and events_.
  virtual void takeStep() = 0;
  /// Sets u_ and v_ to those at t, if the simulation has come so far.
  virtual bool hasReached(double t) = 0;

  std::unique_ptr<CamFollower> follower_;
  double u_, v_;
  double impulse_ = 0.;
  std::vector<CamEvent> events_;

 private:
  bool outputReached();
  void beginOutput();

  double end_, interval_;
  std::size_t outputs_;
  std::size_t done_ = 0;
  double time_ = 0.;
};

/// A run with output at multiples of `interval` (s). If that is not a whole number of steps, the output of time
/// stepping lies within a step and is interpolated; the impulse and the impact of the step belong to it. Throws Error
/// for invalid parameters and options.
std::unique_ptr<CamRun> makeCamRun(const CamFollowerParameters& parameters, const CamRunOptions& options,
                                   double interval);
