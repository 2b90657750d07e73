// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace delassus {

class SecondOrderDS;

/// A dynamical system: smooth dynamics with a state, to which interactions add an input. What a scheme
/// needs of it is said by its order: SecondOrderDS for motion.
class DynamicalSystem {
 public:
  virtual ~DynamicalSystem() = default;
  DynamicalSystem(const DynamicalSystem&) = delete;
  DynamicalSystem& operator=(const DynamicalSystem&) = delete;

  /// Used in messages. A system without a name gets one of its class and number when it is inserted
  /// into a model.
  const std::string& name() const { return name_; }
  void setName(std::string name) { name_ = std::move(name); }

  virtual std::string_view className() const = 0;

  /// This system as one of second order, or null if it is none. (Schemes ask this once, when they are
  /// bound to a model, and refuse systems of another order by name.)
  virtual SecondOrderDS* secondOrder() { return nullptr; }

 protected:
  DynamicalSystem() = default;

  /// Name, or class where there is no name yet; for messages.
  std::string label() const { return name_.empty() ? std::string(className()) : "'" + name_ + "'"; }

 private:
  std::string name_;
};

}  // namespace delassus
