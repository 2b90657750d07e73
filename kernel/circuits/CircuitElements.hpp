// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace delassus {

/// An ideal diode in series with a threshold voltage and a resistance: it carries i ≥ 0 at v = threshold + resistance·i
/// and blocks below. A leak is a resistance in parallel with all that: the diode's current is the sum of both.
struct DiodeOptions {
  double threshold = 0.;                                  ///< V, not negative
  double resistance = 0.;                                 ///< Ω, not negative
  double leak = std::numeric_limits<double>::infinity();  ///< Ω, positive; infinite: it does not leak
};

/// A Zener diode: conducts forward as a diode, and backwards where v ≤ −breakdown.
struct ZenerOptions {
  double breakdown = 5.;                                  ///< V, positive
  double threshold = 0.;                                  ///< V, of the forward direction, not negative
  double resistance = 0.;                                 ///< Ω, of both directions
  double leak = std::numeric_limits<double>::infinity();  ///< Ω, in parallel, positive; infinite: it does not leak
};

/// A switch is ideal with the defaults: v = 0 or i = 0.
struct SwitchOptions {
  double onResistance = 0.;                                        ///< Ω, not negative
  double offResistance = std::numeric_limits<double>::infinity();  ///< Ω, above that; infinite: it does not leak
};

/// A transistor that conducts both ways while its gate is on (MOSFET), or forward (IGBT), with a diode against it.
struct TransistorOptions {
  double threshold = 0.;        ///< V, forward, of an IGBT while on
  double onResistance = 0.;     ///< Ω
  double diodeThreshold = 0.;   ///< V, of the diode that conducts backwards
  double diodeResistance = 0.;  ///< Ω
  bool diode = true;            ///< whether there is one
};

/// Limits of the output voltage of an operational amplifier; infinite: it does not saturate.
struct AmplifierOptions {
  double lowest = -std::numeric_limits<double>::infinity();  ///< V
  double highest = std::numeric_limits<double>::infinity();  ///< V
};

/// Output voltages of a comparator, and its hysteresis: the output rises where v_plus − v_minus gets above
/// +hysteresis/2 and falls below −hysteresis/2.
struct ComparatorOptions {
  double low = 0.;         ///< V
  double high = 5.;        ///< V
  double hysteresis = 0.;  ///< V, not negative
};

/// A piecewise linear element i(v): points (v, i) of ascending v, straight lines between them, and the conductances
/// beyond the first and the last point. Any conductance may be zero or negative.
struct PiecewiseLinearCurve {
  std::vector<std::pair<double, double>> points = {};  ///< (V, A), at least one
  double firstConductance = 0.;                        ///< S, below the first point
  double lastConductance = 0.;                         ///< S, above the last
};

/// What a controlled source looks at: the voltage between two nodes.
struct VoltageBetween {
  std::string plus;         ///< node
  std::string minus = "0";  ///< node
};
/// What a controlled source looks at: the current of an element.
struct CurrentOf {
  std::string element;  ///< an element of two terminals; its current counts from its first to its second terminal
};

}  // namespace delassus
