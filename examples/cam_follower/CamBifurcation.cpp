// SPDX-License-Identifier: Apache-2.0
#include "CamBifurcation.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <delassus/numerics/Error.hpp>
#include <exception>
#include <fstream>
#include <mutex>
#include <sstream>
#include <thread>
#include <utility>

using delassus::Error;
using delassus::toText;
namespace fs = std::filesystem;

namespace {

std::string contentOf(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

// Writes a file under a temporary name and renames it when it is complete.
void replaceFile(const fs::path& path, const std::function<void(std::ostream&)>& write) {
  const fs::path part = path.string() + ".part";
  std::ofstream out(part, std::ios::binary);
  write(out);
  out.close();
  if (!out) throw Error("CamBifurcation", "cannot write '" + part.string() + "': " + std::strerror(errno) + ".");
  fs::rename(part, path);
}

// All that a run depends on, except its speed.
std::string describe(const CamDiagramOptions& options) {
  const CamFollowerParameters& p = options.parameters;
  const CamRunOptions& run = options.run;
  const bool stepped = run.method == CamMethod::timeStepping;
  std::ostringstream text;
  text << "method = " << (stepped ? "time-stepping" : "event-driven") << '\n';
  text << "formulation = " << (run.formulation == CamFormulation::translated ? "translated" : "rheonomous") << '\n';
  if (stepped) {
    text << "step = " << toText(run.step) << '\n' << "theta = " << toText(run.theta) << '\n';
  } else {
    text << "tolerance = " << toText(run.tolerance) << '\n';
  }
  const std::pair<const char*, double> numbers[] = {{"angle", p.initialAngle},
                                                    {"position", p.position},
                                                    {"velocity", p.velocity},
                                                    {"restitution", p.restitution},
                                                    {"mass", p.mass},
                                                    {"stiffness", p.stiffness},
                                                    {"damping", p.damping},
                                                    {"force", p.force},
                                                    {"transient", static_cast<double>(options.transient)},
                                                    {"turns", static_cast<double>(options.turns)}};
  for (const auto& [name, value] : numbers) text << name << " = " << toText(value) << '\n';
  return text.str();
}

// The first line of `mine` that `theirs` does not have in its place.
std::string firstDifference(const std::string& mine, const std::string& theirs) {
  std::istringstream first(mine), second(theirs);
  std::string line, other;
  while (std::getline(first, line)) {
    other.clear();
    std::getline(second, other);
    if (line != other) return "'" + line + "' is asked for, but there '" + other + "'";
  }
  return "its parameters go on after those asked for";
}

}  // namespace

std::vector<double> speedsOf(double from, double to, double step) {
  if (!(0. < from && from <= to && 0. < step)) {
    throw Error("CamBifurcation", "the speeds must be 0 < from <= to with a step > 0, but " + toText(from) + ", " +
                                      toText(to) + " and " + toText(step) + " came.");
  }
  std::vector<double> speeds;
  const double last = std::floor((to - from) / step + 1e-9);
  constexpr double most = 1e6;
  if (last >= most) {
    throw Error("CamBifurcation", "expected at most " + toText(most) + " speeds, but from " + toText(from) + " to " +
                                      toText(to) + " in steps of " + toText(step) + " there are more.");
  }
  for (double k = 0.; k <= last; k += 1.) speeds.push_back(std::round((from + k * step) * 1e9) / 1e9);
  return speeds;
}

CamBifurcation::CamBifurcation(fs::path folder, const CamDiagramOptions& options)
    : folder_(std::move(folder)), options_(options) {
  fs::create_directories(folder_);
  const fs::path path = folder_ / "parameters.txt";
  const std::string description = describe(options_);
  if (!fs::exists(path)) {
    replaceFile(path, [&](std::ostream& out) { out << description; });
  } else if (const std::string there = contentOf(path); there != description) {
    throw Error("CamBifurcation", "the folder '" + folder_.string() + "' holds runs of other parameters: " +
                                      firstDifference(description, there) + ". Give another folder, or remove it.");
  }
}

fs::path CamBifurcation::folderOf(double rpm) const {
  return folder_ / ("rpm_" + toText(rpm));
}

std::vector<double> CamBifurcation::missing(const std::vector<double>& speeds) const {
  std::vector<double> rest;
  std::copy_if(speeds.begin(), speeds.end(), std::back_inserter(rest),
               [&](double rpm) { return !fs::exists(folderOf(rpm)); });
  return rest;
}

void CamBifurcation::run(const std::vector<double>& speeds, const std::function<void(std::size_t)>& afterRun) const {
  std::atomic<std::size_t> next{0};
  std::size_t done = 0;
  std::string failures;
  std::mutex mutex;
  const auto work = [&] {
    for (std::size_t k = next++; k < speeds.size(); k = next++) {
      std::string failure;
      try {
        runOne(speeds[k]);
      } catch (const std::exception& error) {
        failure = "at " + toText(speeds[k]) + " rpm: " + error.what();
      }
      const std::lock_guard<std::mutex> lock(mutex);
      if (failures.empty()) failures = failure;
      ++done;
      if (afterRun) afterRun(done);
    }
  };
  std::size_t threads = options_.threads > 0 ? options_.threads : std::thread::hardware_concurrency();
  threads = std::clamp<std::size_t>(threads, 1, std::max<std::size_t>(1, speeds.size()));
  std::vector<std::jthread> pool;
  for (std::size_t k = 0; k < threads; ++k) pool.emplace_back(work);
  pool.clear();
  if (!failures.empty()) throw Error("CamBifurcation", failures);
}

void CamBifurcation::runOne(double rpm) const {
  CamFollowerParameters parameters = options_.parameters;
  parameters.rpm = rpm;
  const fs::path part = folderOf(rpm).string() + ".part";
  fs::remove_all(part);
  writeMaps(computeMaps(parameters, options_.run, options_.transient, options_.turns), part);
  fs::rename(part, folderOf(rpm));
}

void CamBifurcation::collect(const std::vector<double>& speeds) const {
  collect(speeds, "impacts.csv");
  collect(speeds, "stroboscope.csv");
}

void CamBifurcation::collect(const std::vector<double>& speeds, const std::string& name) const {
  replaceFile(folder_ / name, [&](std::ostream& out) {
    bool first = true;
    for (const double rpm : speeds) {
      std::ifstream in(folderOf(rpm) / name);
      std::string line;
      if (!std::getline(in, line)) {
        throw Error("CamBifurcation", "cannot read '" + (folderOf(rpm) / name).string() + "'.");
      }
      if (std::exchange(first, false)) out << "rpm [1/min]," << line << '\n';
      while (std::getline(in, line)) out << toText(rpm) << ',' << line << '\n';
    }
  });
}
