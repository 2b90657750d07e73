// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/circuits/Circuit.hpp>

#include "ParallelCircuit.hpp"

/// An LC oscillator that starts with these values. Its current counts as that of ParallelCircuit does: out of the
/// capacitor's first terminal, a, through the inductor.
inline delassus::Circuit makeOscillator(const ParallelCircuit& lc, double voltage, double current) {
  delassus::Circuit circuit;
  circuit.capacitor("C", "a", "0", lc.capacitance, voltage);
  circuit.inductor("L", "a", "0", lc.inductance, current);
  return circuit;
}

/// The oscillator with a bridge of four diodes to a load between p and n.
inline delassus::Circuit makeBridgeCircuit(const ParallelCircuit& lc, double resistance, double voltage,
                                           double current) {
  delassus::Circuit circuit = makeOscillator(lc, voltage, current);
  circuit.diode("D1", "a", "p");
  circuit.diode("D2", "0", "p");
  circuit.diode("D3", "n", "a");
  circuit.diode("D4", "n", "0");
  circuit.resistor("R", "p", "n", resistance);
  return circuit;
}
