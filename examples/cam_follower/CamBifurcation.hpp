// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/kernel/studies/Study.hpp>
#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

#include "CamMaps.hpp"

/// Options of a bifurcation diagram over the speed of the cam. All runs start from the same state.
struct CamDiagramOptions {
  CamFollowerParameters parameters;  ///< rpm and end are not used
  CamRunOptions run;
  std::size_t transient = 200;  ///< turns that are left out, a speed
  std::size_t turns = 100;      ///< turns that are recorded
  std::size_t threads = 0;      ///< runs at a time; 0: as many as there are cores
};

/// The speeds from … to at distances `step`, rounded to 1e-9. Throws Error unless 0 < from ≤ to and 0 < step.
std::vector<double> speedsOf(double from, double to, double step);

/// A study of the maps of runs over a range of speeds, one folder a speed ("rpm_660"): an interrupted diagram continues
/// where it was, losing only the runs in progress, and more speeds can be added later.
class CamBifurcation {
 public:
  /// Opens the folder, or creates it; without workers, the runs are spread over threads. Throws Error if it holds runs
  /// of other parameters (parameters.txt says which).
  CamBifurcation(const std::filesystem::path& folder, const CamDiagramOptions& options,
                 std::shared_ptr<delassus::Workers> workers = nullptr);

  /// The speeds that have no folder yet.
  std::vector<double> missing(const std::vector<double>& speeds) const { return study_.missing(speeds); }

  /// Does the runs at these speeds that are missing. `afterRun` is called with the number of runs done, one call at a
  /// time. A run that fails does not affect the others; at the end throws Error naming the first one.
  void run(const std::vector<double>& speeds, const std::function<void(std::size_t)>& afterRun = {}) const;

  /// Writes the tables impacts.csv and stroboscope.csv of all these speeds, with a column for the speed. All must be
  /// there.
  void collect(const std::vector<double>& speeds) const;

 private:
  CamDiagramOptions options_;
  std::shared_ptr<delassus::Workers> workers_;
  delassus::Study study_;
};
