// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/studies/Workers.hpp>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace delassus {

/// The same work at many points: speeds of a motor, seeds of random initial states. Each point has a folder of its own,
/// which gets its final name when its work is complete. So a study that was interrupted, or one of whose processes was
/// killed, goes on where it was and loses only the points in progress; and points can be added later.
///
///     ThreadWorkers workers;
///     Study study("results/speeds", "rpm", "mass = 1\n", workers);
///     study.run(points, [](double rpm, const std::filesystem::path& folder) {
///       TableWriter table(folder / "impacts.csv", {"t [s]", "y [m]"});
///       …
///     });
///     study.collect(points, "impacts.csv");       // one table, with a column for the point
///
/// With distributed::MpiWorkers the same lines run on all ranks of a program; the folder is one that all of them see.
class Study {
 public:
  /// What is done at a point: writes its files into the folder. Calls at several points run at the same time.
  using Work = std::function<void(double point, const std::filesystem::path& folder)>;

  /// Opens the folder, or creates it. `parameter`: what the points are; the folder of a point is named after it
  /// ("rpm_660"). `description`: all that the work depends on besides, in lines; kept in parameters.txt. Throws Error
  /// if the folder holds work of another description, naming the line, or cannot be written.
  Study(std::filesystem::path folder, std::string parameter, const std::string& description, Workers& workers);

  /// The points without a folder, in their order.
  std::vector<double> missing(const std::vector<double>& points) const;

  /// Does the work at the points that are missing. `afterPoint` is called with the number that are done, in one process
  /// and one call at a time. Work that fails does not affect other points; in the end throws Error naming the first
  /// point of those where it did, and what was said.
  void run(const std::vector<double>& points, const Work& work,
           const std::function<void(std::size_t)>& afterPoint = {}) const;

  /// Writes a table of this name into the folder of the study: the rows of the tables of that name at all points, in
  /// their order, with the point in a column before them, whose head is `column` (the parameter, if it is empty).
  /// Throws Error if there is none at a point.
  void collect(const std::vector<double>& points, const std::string& table, const std::string& column = {}) const;

  /// The folder of a point, whether it is there or not.
  std::filesystem::path folderOf(double point) const;

 private:
  void writeTable(const std::vector<double>& points, const std::string& table, const std::string& column) const;

  std::filesystem::path folder_;
  std::string parameter_;
  Workers& workers_;
};

}  // namespace delassus
