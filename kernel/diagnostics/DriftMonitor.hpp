// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <delassus/kernel/simulation/SimulationObserver.hpp>
#include <delassus/numerics/algebra/MadeFrom.hpp>
#include <delassus/numerics/algebra/Vector.hpp>
#include <string>
#include <vector>

namespace delassus {

class Interaction;
class SecondOrderDS;
class Topology;

/// Monitors how far a run violates its constraints, over all steps:
///
/// - equalities: the largest |y|, which drifts where only ẏ = 0 is solved, and the largest |ẏ|;
/// - contacts and other rows with λ ≥ 0: the largest penetration −y of a gap;
/// - systems with a constraint of their own: | |p| − 1 | of quaternions.
///
///     const auto drift = std::make_shared<DriftMonitor>();
///     simulation.addObserver(drift);
///     simulation.run();
///     std::cout << drift->text();
///
/// Rows of relays and the tangential ones of friction do not constrain outputs and are left out; if a law relates ẏ and
/// λ (a motor's limit), ẏ is monitored. Costs some additions a row and step. A checkpoint contains its data; if they
/// are missing, the monitor begins with the restored state.
class DriftMonitor final : public SimulationObserver {
 public:
  /// The largest violation of the equalities or contacts of one interaction, or of one system's own constraint.
  struct Drift {
    std::string name;         ///< of the interaction, or of the system for its own constraint
    bool equality = false;    ///< or a constraint of one side
    double largest = 0.;      ///< |y|, or penetration
    double at = 0.;           ///< its time
    double largestRate = 0.;  ///< |ẏ|, of equalities between mechanical systems
    double present = 0.;      ///< at the last step
  };

  /// `mostKept`: number of drifts of removed interactions to keep, the largest ones; the others are dropped once there
  /// are more than twice as many.
  explicit DriftMonitor(std::size_t mostKept = 1000) : mostKept_(mostKept) {}

  std::string_view name() const override { return "drift"; }
  bool isOptional() const override { return true; }
  /// Forgets what it has seen before.
  void wasAdded(Simulation& simulation) override;
  void begin(Simulation& simulation) override;
  void afterStep(Simulation& simulation) override;
  /// Throws Error if the restored data belong to another model.
  void serializeState(StateArchive& archive) override;

  /// In the order of the model, followed by those no longer in it.
  std::vector<Drift> drifts() const;
  double largestEquality() const;     ///< |y| of all equalities
  double largestPenetration() const;  ///< of all contacts

  /// A table, the worst first; `most` lines of each kind.
  std::string text(std::size_t most = 20) const;

 private:
  // A row that is watched.
  struct Row {
    std::size_t index;
    bool equality;
  };
  struct Watched {
    std::uint64_t serial = 0;
    const Interaction* interaction = nullptr;
    std::size_t level = 0;  // of the outputs that the rows are bounded at
    std::vector<Row> rows;
    Drift equalities, inequalities;
  };
  struct Body {
    std::uint64_t serial = 0;
    const SecondOrderDS* system = nullptr;
    Drift drift;
  };

  void bind(const Simulation& simulation);
  void bindInteractions(const Topology& topology);
  void bindBodies(const Topology& topology);
  void watch(Watched& watched, double t) const;
  void retire(const Watched& watched);
  void retire(const Drift& drift);
  void forgetSmallest();
  void serializeWatched(StateArchive& archive);
  void serializeBodies(StateArchive& archive);

  const Simulation* simulation_ = nullptr;
  bool begun_ = false;
  std::size_t lastStep_ = 0;  // of which it was notified
  std::size_t mostKept_;
  MadeFrom<std::uint64_t> boundTo_;  // Topology::version
  std::vector<Watched> watched_;
  std::vector<Body> bodies_;
  std::vector<Drift> retired_;
  Vector gradient_;
};

}  // namespace delassus
