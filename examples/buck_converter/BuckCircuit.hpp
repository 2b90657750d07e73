// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <delassus/kernel/circuits/Circuit.hpp>

#include "BuckConverter.hpp"

/// Power stage and controller of BuckConverter by their elements. The controller's integral and filtered error are
/// voltages of capacitors of 1 F and of τ; the open switch is a source of V_b in series with a diode.
inline delassus::Circuit makeBuckCircuit(const BuckConverterParameters& p) {
  using delassus::VoltageBetween;
  delassus::Circuit circuit;
  // 1. The power stage. s is the comparator's output, 1 while the switch is closed.
  circuit.source("Vin", "in", "0", p.supply);
  circuit.source("Vb", "in", "o", p.blockingVoltage);
  circuit.controlledSource("Es", "c", "o", VoltageBetween{"s"}, p.blockingVoltage);
  circuit.diode("S", "c", "x", {.resistance = p.switchResistance});
  circuit.diode("D", "0", "x", {.threshold = p.diodeDrop, .resistance = p.diodeResistance});
  circuit.inductor("L", "x", "l", p.inductance);
  circuit.resistor("rL", "l", "out", p.inductorResistance);
  circuit.resistor("rho", "out", "k", p.capacitorResistance);
  circuit.capacitor("C", "k", "0", p.capacitance);
  circuit.resistor("R", "out", "0", p.load);
  // 2. The controller: the error, its integral z1 and its filtered value z2, and their sum v_c.
  circuit.source("Vref", "ref", "0", p.reference);
  circuit.controlledCurrentSource("G1", "0", "z1", VoltageBetween{"ref", "out"}, 1.);
  circuit.capacitor("Z1", "z1", "0", 1.);
  circuit.controlledSource("E1", "e", "0", VoltageBetween{"ref", "out"}, 1.);
  circuit.resistor("R2", "e", "z2", 1.);
  circuit.capacitor("Z2", "z2", "0", p.derivativeTime);
  circuit.controlledSource("Ep", "p", "0", VoltageBetween{"e"}, p.proportionalGain);
  circuit.controlledSource("Ei", "i", "p", VoltageBetween{"z1"}, p.integralGain);
  circuit.controlledSource("Ed", "vc", "i", VoltageBetween{"e", "z2"}, p.derivativeGain / p.derivativeTime);
  // 3. Pulse-width modulation. A phase that differs from a whole period by rounding counts as that.
  circuit.source("Vsaw", "saw", "0", delassus::Waveform([f = p.frequency](double t) {
                   const double periods = t * f, phase = periods - std::floor(periods);
                   return phase > 1. - 1e-12 * (1. + std::abs(periods)) ? 0. : phase;
                 }));
  circuit.comparator("K", "vc", "saw", "s", {.low = 0., .high = 1.});
  return circuit;
}
