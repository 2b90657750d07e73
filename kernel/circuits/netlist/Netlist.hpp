// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/kernel/circuits/netlist/NetlistError.hpp>
#include <delassus/kernel/circuits/netlist/NetlistExpression.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace delassus {

/// The elements that a netlist has, by their letter in it.
enum class NetlistKind {
  resistor,                  ///< R: two nodes; value R, Ω
  capacitor,                 ///< C: two nodes; value C, F; "ic" a voltage
  inductor,                  ///< L: two nodes; value L, H; "ic" a current
  coupling,                  ///< K: two or more inductors; value k, in [−1, 1]
  voltageSource,             ///< V: two nodes; a waveform, V
  currentSource,             ///< I: two nodes; a waveform, A
  voltageControlledVoltage,  ///< E: two nodes, two of the control; value: gain
  voltageControlledCurrent,  ///< G: two nodes, two of the control; value: transconductance, S
  currentControlledVoltage,  ///< H: two nodes, a voltage source; value: transresistance, Ω
  currentControlledCurrent,  ///< F: two nodes, a voltage source; value: gain
  diode,                     ///< D: anode, cathode; "vfwd", "ron", "roff", "bv"
  voltageSwitch,    ///< S: two nodes, two of the control; "vt", "vh", "ron", "roff"; "on" where it starts closed
  mosfet,           ///< M: drain, gate, source; "vto", "ron", "vfwd"; "p" where its channel is of type p
  igbt,             ///< Z: collector, gate, emitter; "vto", "ron", "vfwd", "vd"
  thyristor,        ///< X … THYRISTOR: anode, cathode, two of the gate; "vt", "ron", "vfwd"
  opAmp,            ///< X … OPAMP: in+, in−, out; "vmin" and "vmax" where it saturates
  comparator,       ///< X … COMPARATOR: in+, in−, out; "low", "high", "vh"
  piecewiseLinear,  ///< G … TABLE: two nodes; i(v) as points v, i, v, i, … of the waveform
  transformer       ///< X … TRANSFORMER: two nodes, two nodes; "ratio": of the first winding to the second
};

/// A source's value over time, with the parameters of SPICE in their order and none left out.
struct NetlistWaveform {
  /// The functions of time that sources have.
  enum class Kind {
    constant,         ///< values: v
    sine,             ///< offset, amplitude, frequency, delay, damping, phase (degrees)
    pulse,            ///< v1, v2, delay, rise, fall, width, period (0: one pulse)
    piecewiseLinear,  ///< t, v, t, v, …, instants not decreasing: a pair at one instant is a jump
    exponential       ///< v1, v2, rise delay, rise τ, fall delay, fall τ
  };
  Kind kind = Kind::constant;  ///< which function
  std::vector<double> values;  ///< see Kind
};

/// One element of a flat netlist.
struct NetlistElement {
  NetlistKind kind = NetlistKind::resistor;  ///< what it is
  std::string name;                          ///< with the path of its subcircuit: "X1.R3"
  std::vector<std::string> nodes;            ///< the ground is "0"
  std::vector<std::string> references;       ///< other elements by name: inductors of K, the source of F and H
  double value = 0.;                         ///< see NetlistKind
  std::vector<std::pair<std::string, double>> parameters;  ///< what else it was given, or its model
  NetlistWaveform waveform;                                ///< of a source, or the points of a table
  NetlistPlace place;                                      ///< of its statement

  /// A parameter by its name in lower case, where it was given.
  std::optional<double> parameter(std::string_view wanted) const;
  /// The same with what stands for one that was not.
  double parameterOr(std::string_view wanted, double otherwise) const { return parameter(wanted).value_or(otherwise); }
};

/// `.tran`, in seconds.
struct NetlistTransient {
  double step = 0.;                    ///< of output
  double end = 0.;                     ///< of the run, which starts at 0
  double start = 0.;                   ///< of output
  double largestStep = 0.;             ///< of the integration; 0: not given
  bool usesInitialConditions = false;  ///< UIC
  NetlistPlace place;                  ///< of its statement
};

/// `.ic`: the voltage of a node or the current of an inductor at the start.
struct NetlistInitialValue {
  NetlistSignal signal;  ///< V(node) or I(inductor)
  double value = 0.;     ///< V or A
  NetlistPlace place;    ///< of its statement
};

/// `.meas`: a number from the run.
struct NetlistMeasure {
  /// What is taken of the expression from `from` to `to`.
  enum class Kind { average, rms, largest, smallest, peakToPeak, integral };
  Kind kind = Kind::average;     ///< what is taken
  std::string name;              ///< as it was written
  NetlistExpression expression;  ///< of signals
  std::optional<double> from;    ///< s; nothing: the start of the run
  std::optional<double> to;      ///< s; nothing: its end
  NetlistPlace place;            ///< of its statement
};

/// A netlist without subcircuits, parameters and models: what a circuit is made of.
struct Netlist {
  std::string title;                                       ///< the first line
  NetlistPlace place;                                      ///< of the title
  std::vector<std::pair<std::string, double>> parameters;  ///< of the whole netlist, in lower case, as `.param` says
                                                           ///< or as they were set
  std::vector<NetlistElement> elements;                    ///< in their order
  std::vector<NetlistInitialValue> initialValues;          ///< of `.ic`
  std::optional<NetlistTransient> transient;               ///< of `.tran`
  std::vector<NetlistMeasure> measures;                    ///< of `.meas`
  std::vector<NetlistSignal> outputs;  ///< of `.print`, `.plot`, `.save` and `.probe`; empty: everything
  std::vector<std::string> notes;      ///< what was read and is not used, in sentences

  /// The value of a parameter of `.param` by its name in lower case, where there is one.
  std::optional<double> parameter(std::string_view wanted) const;
};

}  // namespace delassus
