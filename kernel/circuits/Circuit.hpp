// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/kernel/circuits/CircuitElements.hpp>
#include <delassus/kernel/circuits/CircuitInstance.hpp>
#include <delassus/kernel/circuits/Gate.hpp>
#include <delassus/kernel/circuits/Waveform.hpp>
#include <delassus/kernel/model/NonSmoothDynamicalSystem.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace delassus {

class CircuitNet;

/// An electric circuit: elements by name between named nodes, out of which insertInto() makes first-order systems and
/// an interaction of what switches.
///
///     Circuit circuit;
///     circuit.source("V1", "in", "0", sine(325., 50.));
///     circuit.diode("D1", "in", "out");
///     circuit.capacitor("C1", "out", "0", 1e-3);
///     circuit.resistor("R1", "out", "0", 100.);
///     NonSmoothDynamicalSystem model(0., 0.1);
///     CircuitInstance rectifier = circuit.insertInto(model, "rectifier");
///     TimeStepping simulation(model, 1e-5, EulerMoreauOSI(1.));
///     rectifier.attach(simulation);
///     simulation.run([&] { std::cout << rectifier.voltage("out") << ' ' << rectifier.current("D1") << '\n'; });
///
/// Nodes "0" and "gnd" are ground, any other name makes a node where it first occurs. The voltage of an element is that
/// of its first terminal against its second one, its current flows through it from the first to the second: power
/// v i > 0 is taken up. So a source that feeds a circuit has a negative current, as in SPICE. Units are SI.
///
/// Each element method throws Error naming the element if its name is empty or taken, a value is out of its range or
/// not finite; elements that it names (coupled inductors) must have been given before, nodes and elements that a
/// controlled source looks at are found by insertInto().
///
/// How equations are made is told in docs/circuits.md: a normal tree (voltage sources, then capacitors, resistors and
/// switching elements, inductors, and current sources last) makes voltages of capacitors in it and currents of
/// inductors outside of it the states, and gives each diode its multiplier. (Bryant, Proc. IEE C 106, 1959; Kuh,
/// Rohrer, Proc. IEEE 53, 1965; Acary, Bonnefon, Brogliato, Nonsmooth Modeling and Simulation for Switched Circuits,
/// 2011.)
class Circuit {
 public:
  /// Without elements; a copy is a circuit by itself.
  ///@{
  Circuit();
  Circuit(const Circuit& other);
  Circuit(Circuit&&) noexcept;
  Circuit& operator=(const Circuit& other);
  Circuit& operator=(Circuit&&) noexcept;
  ///@}
  ~Circuit();

  // Linear elements.

  /// v = resistance · i; not zero, may be negative. SPICE: R.
  void resistor(std::string name, std::string a, std::string b, double resistance);
  /// i = capacitance · v̇, capacitance > 0. SPICE: C.
  void capacitor(std::string name, std::string a, std::string b, double capacitance);
  /// The same with v(t₀) = initialVoltage; without one, and without startAt() of a node of it, it is 0.
  void capacitor(std::string name, std::string a, std::string b, double capacitance, double initialVoltage);
  /// v = inductance · di/dt (and what coupled inductors add), inductance > 0. SPICE: L.
  void inductor(std::string name, std::string a, std::string b, double inductance);
  /// The same with i(t₀) = initialCurrent; without one it is what the current sources in series with it make of it, and
  /// else 0.
  void inductor(std::string name, std::string a, std::string b, double inductance, double initialCurrent);
  /// Mutual inductances M = k √(L L′) between each two of these inductors, |k| < 1; the first terminals are the dotted
  /// ones; two inductors are coupled once. SPICE: K.
  void coupling(std::string name, const std::vector<std::string>& inductors, double k);
  /// An ideal transformer: v₁ = ratio · v₂, i₂ = −ratio · i₁, with winding 1 from a1 to b1 and winding 2 from a2 to b2.
  /// Its windings are elements name.1 and name.2 of the instance.
  void transformer(std::string name, std::string a1, std::string b1, std::string a2, std::string b2, double ratio);

  // Sources.

  /// v(a) − v(b) = u(t). SPICE: V.
  void source(std::string name, std::string a, std::string b, Waveform voltage);
  /// A current u(t) through the source from a to b. SPICE: I.
  void currentSource(std::string name, std::string a, std::string b, Waveform current);
  /// v = gain · (voltage between two nodes); SPICE: E. Or v = gain · (current of an element), in Ω; SPICE: H.
  ///@{
  void controlledSource(std::string name, std::string a, std::string b, VoltageBetween control, double gain);
  void controlledSource(std::string name, std::string a, std::string b, CurrentOf control, double gain);
  ///@}
  /// i = gain · (voltage between two nodes), in S; SPICE: G. Or i = gain · (current of an element); SPICE: F.
  ///@{
  void controlledCurrentSource(std::string name, std::string a, std::string b, VoltageBetween control, double gain);
  void controlledCurrentSource(std::string name, std::string a, std::string b, CurrentOf control, double gain);
  ///@}

  // Elements that switch.

  /// Conducts from anode to cathode. SPICE: D.
  void diode(std::string name, std::string anode, std::string cathode, const DiodeOptions& options = {});
  /// Current counts from anode to cathode, as in a diode.
  void zener(std::string name, std::string anode, std::string cathode, const ZenerOptions& options);
  /// SPICE: S with a `Gate::voltage`.
  void idealSwitch(std::string name, std::string a, std::string b, Gate gate, const SwitchOptions& options = {});
  /// A diode that blocks forward voltage until its gate is on, and then conducts until its current ends with the gate
  /// off.
  void thyristor(std::string name, std::string anode, std::string cathode, Gate gate, const DiodeOptions& options = {});
  /// A switch while its gate is on, with the body diode from source to drain.
  void mosfet(std::string name, std::string drain, std::string source, Gate gate,
              const TransistorOptions& options = {});
  /// A diode from collector to emitter while its gate is on, with a diode against it.
  void igbt(std::string name, std::string collector, std::string emitter, Gate gate,
            const TransistorOptions& options = {});
  /// An ideal operational amplifier: no input current, v_plus = v_minus while the output, against ground, is between
  /// its limits. The output is the element `name`.
  void opAmp(std::string name, std::string plus, std::string minus, std::string out,
             const AmplifierOptions& options = {});
  /// The output, against ground, is high where v_plus > v_minus and low below. Without hysteresis it takes a value
  /// between where it slides.
  void comparator(std::string name, std::string plus, std::string minus, std::string out,
                  const ComparatorOptions& options = {});
  /// i(v) by straight lines.
  void piecewiseLinear(std::string name, std::string a, std::string b, const PiecewiseLinearCurve& curve);

  /// The voltage of a node against ground at t₀ (SPICE: .ic V(node)=…): capacitors without an initial voltage of their
  /// own start with the difference of those of their nodes, of which one that is not told counts as 0. Throws Error if
  /// it is not finite, the node was told another one, or ground is to be at another voltage than 0. A node that no
  /// element has, and a capacitor whose own initial voltage is another one than the difference of two that are told,
  /// are refused by insertInto().
  void startAt(std::string node, double voltage);

  /// What a circuit has.
  ///@{
  bool hasElement(std::string_view name) const;
  bool hasNode(std::string_view name) const;
  std::vector<std::string> elementNames() const;
  std::vector<std::string> nodeNames() const;
  ///@}

  /// Makes the equations at the model's t0, inserts systems and links interactions: a system and an interaction of that
  /// name for a circuit that hangs together, name.1, name.2, … for parts that are independent of each other. The
  /// circuit may be inserted again, and changed after that. Throws Error, and leaves the model as it was, with the
  /// names of the elements: loops of voltage sources, cut sets of current sources, nodes at one element, control inputs
  /// at nodes that nothing connects, resistive parts without a unique solution, initial values that contradict
  /// Kirchhoff's laws (docs/circuits.md).
  CircuitInstance insertInto(NonSmoothDynamicalSystem& model, std::string name) const;

 private:
  std::unique_ptr<CircuitNet> net_;
};

}  // namespace delassus
