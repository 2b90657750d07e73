// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <vector>

#include "CamRun.hpp"

/// An impact, as a point of the impact map.
struct CamImpact {
  double turn;      ///< t over the duration of a turn
  double phase;     ///< of the cam, rad, in [0, 2π); 0 where the flank begins
  double u;         ///< m
  double vBefore;   ///< of the follower, m/s
  double vAfter;    ///< m/s
  double approach;  ///< ċ − v before, m/s
};

/// The state after a whole number of turns: a point of the stroboscopic map.
struct CamPoint {
  double turn;
  double u;  ///< m
  double v;  ///< m/s
};

/// The maps of a run, without its transient.
struct CamMaps {
  std::size_t firstTurn = 0;  ///< the first one that is recorded
  std::size_t turns = 0;      ///< how many are
  std::vector<CamImpact> impacts;
  std::vector<CamPoint> points;
};

/// A run for `transient + turns` turns of the cam, of which the last `turns` are recorded (parameters.end is not used).
///
/// Time stepping has a grid that does not fit a turn: n + 0.618… steps, so that over the turns the grid meets the cam
/// at every phase. With n steps impacts and jumps of c̈ are misplaced in the same way every turn, which shifts the
/// statistics; worse, between changes of the steps in which the impacts fall a turn is then a contraction (the instant
/// of an impact does not move with the state), so that orbits end in long cycles that the motion does not have.
class CamMapsRun {
 public:
  /// Throws Error for a cam that stands.
  CamMapsRun(const CamFollowerParameters& parameters, const CamRunOptions& options, std::size_t transient,
             std::size_t turns);

  /// The turns that are left, or as many as there are until the simulation is stopped.
  void toTheEnd();

  const CamMaps& maps() const { return maps_; }
  /// The simulation behind it, for observers and checkpoints.
  delassus::Simulation& simulation() { return run_->simulation(); }
  /// Saves or restores what a checkpoint of the simulation must contain too.
  void serializeState(delassus::StateArchive& archive);

 private:
  void record();

  double turn_;  // s
  CamMaps maps_;
  std::size_t done_ = 0;
  std::unique_ptr<CamRun> run_;
};

/// The maps of a whole run.
CamMaps computeMaps(const CamFollowerParameters& parameters, const CamRunOptions& options, std::size_t transient,
                    std::size_t turns);

/// Writes impacts.csv and stroboscope.csv.
void writeMaps(const CamMaps& maps, const std::filesystem::path& folder);
