// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/kernel/io/RecordPlan.hpp>
#include <delassus/kernel/simulation/Simulation.hpp>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace delassus {

/// A quantity of a system or an interaction that is to be recorded: { "q", "m" } or { "q", "m", { "x", "y" } }.
struct RecordChoice {
  RecordChoice(const char* quantity) : name(quantity) {}
  RecordChoice(std::string quantity, std::string unitOfIt = {}, std::vector<std::string> columnNames = {})
      : name(std::move(quantity)), unit(std::move(unitOfIt)), columns(std::move(columnNames)) {}

  std::string name;
  std::string unit;
  std::vector<std::string> columns;
};

/// How contacts that come and go are recorded.
struct ContactChoice {
  std::size_t rows = 3;      ///< of a contact: normal first, then tangential; those of smaller laws are NaN
  bool inactiveToo = false;  ///< also those that are linked, but could not act in the step
};

/// What a recorder was asked to record, in its order. The functions of Recorder that choose are these, and described
/// there.
class RecordSelection {
 public:
  using Systems = std::vector<std::shared_ptr<DynamicalSystem>>;

  void system(std::shared_ptr<DynamicalSystem> system, std::vector<RecordChoice> choices);
  void interaction(std::shared_ptr<Interaction> interaction, std::vector<RecordChoice> choices);
  void byName(std::string name, std::vector<RecordChoice> choices);
  void together(std::string name, Systems systems, std::vector<RecordChoice> choices);
  void everything();
  void function(RecordQuantity quantity, std::function<void(double*)> f);
  void energy(std::function<double()> potential);
  void solver();
  void contacts(ContactChoice choice);

  bool empty() const { return items_.empty(); }

  /// Adds to `plan` what was chosen. Throws Error naming what the model does not have. The simulation must outlive the
  /// plan.
  void plan(const Simulation& simulation, RecordPlan& plan) const;

 private:
  using Item = std::function<void(const Simulation&, RecordPlan&)>;
  std::vector<Item> items_;
};

}  // namespace delassus
