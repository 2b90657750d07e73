// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/circuits/Circuit.hpp>

#include "Rectifier.hpp"

/// The rectifier of Rectifier by its elements: the source between nodes s and b, L and r to node a, the bridge from a
/// and b to out and ground.
inline delassus::Circuit makeRectifierCircuit(const RectifierParameters& p) {
  delassus::Circuit circuit;
  circuit.source("V", "s", "b", delassus::sine(p.amplitude, p.frequency));
  circuit.inductor("L", "s", "m", p.inductance);
  if (p.resistance > 0.) circuit.resistor("r", "m", "a", p.resistance);
  const std::string a = p.resistance > 0. ? "a" : "m";
  circuit.diode("D1", a, "out");
  circuit.diode("D2", "0", a);
  circuit.diode("D3", "b", "out");
  circuit.diode("D4", "0", "b");
  circuit.capacitor("C", "out", "0", p.capacitance);
  circuit.resistor("R", "out", "0", p.load);
  return circuit;
}
