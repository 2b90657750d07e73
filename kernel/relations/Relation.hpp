// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/kernel/systems/Membership.hpp>
#include <delassus/numerics/Settings.hpp>
#include <delassus/numerics/StateArchive.hpp>
#include <string_view>

namespace delassus {

class FirstOrderR;
class SecondOrderR;

/// A relation: the outputs y of an interaction as a function of the states of the systems that it links, and how its
/// multipliers λ act on them. The interface that a scheme needs follows from its order: FirstOrderR for first-order
/// systems, SecondOrderR for motion.
class Relation {
 public:
  virtual ~Relation() = default;

  /// Name of the class; for messages, recordings and checkpoints.
  virtual std::string_view className() const = 0;

  /// Number of outputs.
  virtual std::size_t size() const = 0;

  /// This relation as one between systems of first or second order, or null if it is not one.
  ///@{
  virtual FirstOrderR* firstOrder() { return nullptr; }
  virtual SecondOrderR* secondOrder() { return nullptr; }
  ///@}

  /// Parameters that do not change.
  virtual Settings settings() const { return {}; }
  /// Saves or restores what is kept from step to step. A derived class with its own memory overrides this and calls the
  /// base class first.
  virtual void serializeState(StateArchive& archive) { archive.value("parameterChanges", parameterChanges_); }

  /// True if outputs depend on what the relation has been asked before, as where an angle counts its turns. Such a
  /// relation belongs to one interaction; a derived class with a memory of its own overrides this.
  virtual bool hasMemory() const { return false; }
  /// True if its functions may be called while those of other relations and systems run on other threads: they write
  /// to nothing that these use, and the relation belongs to one interaction. User functions promise none of that, so
  /// false by default. Asked again where the model or a parameter has changed (parametersChanged()).
  virtual bool isSelfContained() const { return false; }
  /// Of a relation with a memory: the model that its interaction is linked in. A copy is in none.
  virtual Membership& membership() { return membership_; }

  /// Counts changes of parameters, so that a scheme knows that it must compute outputs again. Call parametersChanged()
  /// after a change of what a user's function has captured.
  ///@{
  virtual std::size_t parameterChanges() const { return parameterChanges_; }
  void parametersChanged() { ++parameterChanges_; }
  ///@}

 protected:
  Relation() = default;
  Relation(const Relation&) = default;
  Relation(Relation&&) = default;
  Relation& operator=(const Relation&) = default;
  Relation& operator=(Relation&&) = default;

 private:
  std::size_t parameterChanges_ = 0;
  Membership membership_;
};

}  // namespace delassus
