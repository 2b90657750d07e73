// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/model/Interaction.hpp>
#include <delassus/kernel/simulation/EventDriven.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <delassus/kernel/systems/FirstOrderLinearTIDS.hpp>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace delassus {

class CircuitState;

/// A circuit in a model (Circuit::insertInto): answers for voltages and currents at the present state, tells switching
/// elements what to do, and reports. A handle; copies are the same circuit.
class CircuitInstance {
 public:
  /// For Circuit::insertInto.
  explicit CircuitInstance(std::shared_ptr<CircuitState> state);

  /// Lets the circuit act in a simulation of its model: edges of gates and breaks of waveforms become its events,
  /// switches that a voltage controls and thyristors are watched, and gates come into its checkpoints. Before its first
  /// step, once. Without it voltage() and the like know no time. Throws Error if the simulation is of another model or
  /// has begun; event-driven, naming a gate whose voltage does not follow from states alone.
  ///@{
  void attach(TimeStepping& simulation);
  void attach(EventDriven& simulation);
  ///@}

  // Present values, after a step. Each throws Error if there is no such node or element, or if the value depends on
  // sources that vary in time and no simulation is attached.

  /// Voltage of a node against ground; of an element where there is no node of this name.
  double voltage(std::string_view nodeOrElement) const;
  /// Voltage between two nodes.
  double voltage(std::string_view plus, std::string_view minus) const;
  /// From the first to the second terminal of an element.
  ///@{
  double elementVoltage(std::string_view element) const;
  double current(std::string_view element) const;
  ///@}
  /// v i that an element takes up, W.
  double power(std::string_view element) const;
  /// Σ v i over all elements, W, and Σ |v i| to compare it with. Voltages follow from those of a tree and currents from
  /// those of its links, so that Kirchhoff's laws, and with them the sum, hold whatever the elements do: this checks
  /// the equations of the circuit's graph, not that elements obey their own laws.
  struct Tellegen {
    double sum = 0.;    ///< zero to rounding
    double scale = 0.;  ///< Σ |v i|
  };
  Tellegen tellegen() const;  ///< see there

  /// The same as functions that cost no search for a name, for recordings: "v(out)", "v(a,b)", "v(D1)", "i(D1)",
  /// "p(D1)". Throws Error as above.
  std::function<double()> probe(std::string_view expression) const;
  /// Of "v(…)" and "i(…)" likewise: what a jump of the state at the last event of an event-driven run has carried at
  /// once, the integral over the instant, in V·s and C (a charge that flows where a switch closes on a capacitor). Zero
  /// where nothing has jumped, and in time stepping, where λ is the mean of a step.
  ///@{
  std::function<double()> impulse(std::string_view expression) const;
  double voltageImpulse(std::string_view element) const;
  double currentImpulse(std::string_view element) const;
  ///@}

  // Gates.

  /// Tells a switch, thyristor or transistor with a constant gate; from now on. Throws Error naming an element that has
  /// no gate or whose gate is not constant.
  void setGate(std::string_view element, bool closed);
  /// Whether its gate is on; of a thyristor, whether it is latched or its gate is on.
  bool isOn(std::string_view element) const;
  /// Replaces the value of a source by a constant, from now on; gates whose voltage jumps with it follow. Throws Error
  /// if there is no such source, or if it is in a loop of capacitors and voltage sources or a cut set of inductors and
  /// current sources, where the jump would take an infinite current or voltage.
  void setSource(std::string_view element, double value);

  // States.

  /// All states in the order of stateNames(), those of capacitors and inductors alone.
  Vector state() const;
  /// Sets them, between two steps. Throws Error if there are not as many, or one is not finite.
  void setState(const Vector& state);

  // What it is made of.

  /// Systems, one an island that has states.
  const std::vector<std::shared_ptr<FirstOrderLinearTIDS>>& systems() const;
  /// Interactions of what switches.
  const std::vector<std::shared_ptr<Interaction>>& interactions() const;
  /// What each state is, "v(C1)" or "i(L1)", system by system.
  std::vector<std::string> stateNames() const;
  /// What each row is, "i(D1)" or "-v(D1)" as multiplier, interaction by interaction.
  std::vector<std::string> multiplierNames() const;
  /// The relative degree of each row and what it means, in words of the circuit; a text of several lines.
  std::string report() const;

 private:
  std::shared_ptr<CircuitState> state_;
};

}  // namespace delassus
