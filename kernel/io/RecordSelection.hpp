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
  /// Units and column names left out are those that the object knows.
  ///@{
  RecordChoice(const char* quantity) : name(quantity) {}
  RecordChoice(std::string quantity, std::string unitOfIt = {}, std::vector<std::string> columnNames = {})
      : name(std::move(quantity)), unit(std::move(unitOfIt)), columns(std::move(columnNames)) {}
  ///@}

  std::string name;                  ///< as Recorder::record lists them
  std::string unit;                  ///< of all its numbers; may be empty
  std::vector<std::string> columns;  ///< a name for each of its numbers; may be empty
};

/// How contacts that come and go are recorded.
struct ContactChoice {
  std::size_t rows = 3;      ///< of a contact: normal first, then tangential; those of smaller laws are NaN
  bool inactiveToo = false;  ///< also contacts that are linked but could not act in the step
};

/// The quantities chosen for a recorder, in order. The functions of Recorder that choose them are described there.
class RecordSelection {
 public:
  /// Systems that are recorded together: they must be alike.
  using Systems = std::vector<std::shared_ptr<DynamicalSystem>>;

  /// Recorder::record and recordTogether. Throws Error for null pointers or an empty list of systems.
  ///@{
  void system(std::shared_ptr<DynamicalSystem> system, std::vector<RecordChoice> choices);
  void interaction(std::shared_ptr<Interaction> interaction, std::vector<RecordChoice> choices);
  void byName(std::string name, std::vector<RecordChoice> choices);
  void together(std::string name, Systems systems, std::vector<RecordChoice> choices);
  ///@}
  /// Recorder::recordAll.
  void everything();
  /// Recorder::record of a function, under "user/" and the path of the quantity. Throws Error if the function is empty
  /// or the quantity has no numbers.
  void function(RecordQuantity quantity, std::function<void(double*)> f);
  /// Recorder::recordEnergy.
  void energy(std::function<double()> potential);
  /// Recorder::recordSolver.
  void solver();
  /// Recorder::recordContacts. Throws Error if no rows of a contact are to be recorded.
  void contacts(ContactChoice choice);

  /// True if nothing was chosen.
  bool empty() const { return items_.empty(); }

  /// Adds the chosen quantities to `plan`. Throws Error naming a quantity that the model does not have. The simulation
  /// must outlive the plan.
  void plan(const Simulation& simulation, RecordPlan& plan) const;

 private:
  using Item = std::function<void(const Simulation&, RecordPlan&)>;
  std::vector<Item> items_;
};

}  // namespace delassus
