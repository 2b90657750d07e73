// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/circuits/Circuit.hpp>

#include "Colpitts.hpp"

/// The oscillator of Colpitts by its elements: base at ground, C₁ between collector c and emitter e, C₂ between base
/// and emitter. The junction from base to emitter has a threshold and a resistance, the collector's current is β times
/// its.
inline delassus::Circuit makeColpittsCircuit(const ColpittsParameters& p) {
  delassus::Circuit circuit;
  circuit.source("VCC", "cc", "0", p.collectorSupply);
  circuit.inductor("L", "cc", "l", p.inductance);
  if (p.resistance > 0.) circuit.resistor("R", "l", "c", p.resistance);
  const std::string collector = p.resistance > 0. ? "c" : "l";
  circuit.capacitor("C1", collector, "e", p.capacitance1);
  circuit.capacitor("C2", "0", "e", p.capacitance2);
  circuit.diode("J", "0", "e", {.threshold = p.threshold, .resistance = p.baseResistance});
  circuit.controlledCurrentSource("Q", collector, "e", delassus::CurrentOf{"J"}, p.gain);
  circuit.resistor("REE", "e", "ee", p.emitterResistance);
  circuit.source("VEE", "0", "ee", p.emitterSupply);
  return circuit;
}
