// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <delassus/kernel/circuits/Circuit.hpp>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace delassus::test {

/// A circuit whose elements are remembered with their own laws, such that a run can be checked against these:
/// Tellegen's sum is zero even where an element does not obey its law. Capacitors and inductors are not checked: their
/// states follow from integration.
class LawfulCircuit {
 public:
  Circuit circuit;  ///< with the elements; more may be added, unchecked

  void resistor(const std::string& name, const std::string& a, const std::string& b, double resistance) {
    circuit.resistor(name, a, b, resistance);
    add(name, [=](const CircuitInstance& c, double) {
      return Residual{c.elementVoltage(name) - resistance * c.current(name), Unit::volt};
    });
  }
  void source(const std::string& name, const std::string& a, const std::string& b, const Waveform& wave) {
    circuit.source(name, a, b, wave);
    add(name, [=](const CircuitInstance& c, double t) {
      return Residual{c.elementVoltage(name) - wave.value(t), Unit::volt};
    });
  }
  void currentSource(const std::string& name, const std::string& a, const std::string& b, const Waveform& wave) {
    circuit.currentSource(name, a, b, wave);
    add(name, [=](const CircuitInstance& c, double t) {
      return Residual{c.current(name) - wave.value(t), Unit::ampere};
    });
  }
  /// 0 ≤ i ⟂ u ≥ 0 with u = threshold + resistance · i − v, as min(i, u).
  void diode(const std::string& name, const std::string& a, const std::string& b, const DiodeOptions& options) {
    circuit.diode(name, a, b, options);
    add(name, [=](const CircuitInstance& c, double) {
      const double i = c.current(name), u = options.threshold + options.resistance * i - c.elementVoltage(name);
      return i < u ? Residual{i, Unit::ampere} : Residual{u, Unit::volt};
    });
  }
  /// Closed or open, whichever fits: at an edge an output shows what was before it.
  void idealSwitch(const std::string& name, const std::string& a, const std::string& b, const Gate& gate,
                   const SwitchOptions& options) {
    circuit.idealSwitch(name, a, b, gate, options);
    add(name, [=](const CircuitInstance& c, double) {
      const double i = c.current(name), v = c.elementVoltage(name) - options.onResistance * i;
      return std::abs(i) < std::abs(v) ? Residual{i, Unit::ampere} : Residual{v, Unit::volt};
    });
  }
  /// v₁ = ratio v₂ and i₂ = −ratio i₁.
  void transformer(const std::string& name, const std::string& a1, const std::string& b1, const std::string& a2,
                   const std::string& b2, double ratio) {
    circuit.transformer(name, a1, b1, a2, b2, ratio);
    const std::string first = name + ".1", second = name + ".2";
    add(first, [=](const CircuitInstance& c, double) {
      return Residual{c.elementVoltage(first) - ratio * c.elementVoltage(second), Unit::volt};
    });
    add(second, [=](const CircuitInstance& c, double) {
      return Residual{c.current(second) + ratio * c.current(first), Unit::ampere};
    });
  }

  /// Each law holds to `tolerance` of the largest voltage or current of the elements.
  void expectLaws(const CircuitInstance& instance, double t, double tolerance) const {
    double voltage = 1e-6, current = 1e-6;
    for (const auto& [name, residual] : laws_) {
      voltage = std::max(voltage, std::abs(instance.elementVoltage(name)));
      current = std::max(current, std::abs(instance.current(name)));
    }
    for (const auto& [name, residual] : laws_) {
      const auto [value, unit] = residual(instance, t);
      EXPECT_LE(std::abs(value), tolerance * (unit == Unit::volt ? voltage : current)) << name << " at t = " << t;
    }
  }

 private:
  enum class Unit { volt, ampere };
  struct Residual {
    double value;
    Unit unit;
  };
  using Law = std::function<Residual(const CircuitInstance& circuit, double t)>;

  void add(const std::string& name, Law law) { laws_.emplace_back(name, std::move(law)); }

  std::vector<std::pair<std::string, Law>> laws_;
};

}  // namespace delassus::test
