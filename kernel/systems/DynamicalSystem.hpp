// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/kernel/systems/Membership.hpp>
#include <delassus/numerics/Settings.hpp>
#include <delassus/numerics/StateArchive.hpp>
#include <string>
#include <string_view>

namespace delassus {

class FirstOrderDS;
class SecondOrderDS;

/// A dynamical system: smooth dynamics with a state, to which interactions add an input. The interface that a scheme
/// needs follows from its order: FirstOrderDS or, for motion, SecondOrderDS.
///
/// The state that users read is the accepted one: a scheme works on copies and sets it when a step has succeeded, so
/// that an error in mid-step leaves it as it was.
class DynamicalSystem {
 public:
  virtual ~DynamicalSystem() = default;
  DynamicalSystem(const DynamicalSystem&) = delete;
  DynamicalSystem& operator=(const DynamicalSystem&) = delete;

  /// Used in messages. A system without a name gets one made of its class and number when it is inserted into a model.
  ///@{
  const std::string& name() const { return name_; }
  void setName(std::string name) { name_ = std::move(name); }
  ///@}
  /// The name in quotes, or the class if there is no name yet; for messages.
  std::string label() const { return name_.empty() ? std::string(className()) : "'" + name_ + "'"; }

  /// Name of the class; for messages, recordings and checkpoints.
  virtual std::string_view className() const = 0;

  /// This system as one of first or second order, or null if it is not of that order. (Schemes ask this once, when they
  /// are bound to a model, and refuse systems of another order by name.)
  ///@{
  virtual FirstOrderDS* firstOrder() { return nullptr; }
  virtual SecondOrderDS* secondOrder() { return nullptr; }
  ///@}

  /// Parameters that do not change. A system refuses a checkpoint with other values.
  virtual Settings settings() const { return {}; }
  /// Saves or restores what is kept from step to step. A derived class with its own memory overrides this and calls the
  /// base class first.
  virtual void serializeState(StateArchive& archive) {
    archive.value("resets", stateResets_);
    archive.value("parameterChanges", parameterChanges_);
  }

  /// Counts the resets of the state by the user, so that a scheme knows that it must compute outputs again.
  std::size_t stateResets() const { return stateResets_; }

  /// Counts changes of parameters, forces and other coefficients, as all setters make them, so that a scheme takes them
  /// in. A user's function whose captured parameters change between steps is to be followed by parametersChanged().
  ///@{
  std::size_t parameterChanges() const { return parameterChanges_; }
  void parametersChanged() { ++parameterChanges_; }
  ///@}

  /// The model that it is inserted in.
  Membership& membership() { return membership_; }

 protected:
  DynamicalSystem() = default;

  /// For derived classes that change the state between two steps.
  void stateWasReset() { ++stateResets_; }

 private:
  std::string name_;
  std::size_t stateResets_ = 0;
  std::size_t parameterChanges_ = 0;
  Membership membership_;
};

}  // namespace delassus
