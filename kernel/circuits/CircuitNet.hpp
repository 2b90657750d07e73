// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/kernel/circuits/Gate.hpp>
#include <delassus/kernel/circuits/Waveform.hpp>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace delassus {

/// A branch of a circuit's graph, out of which elements are made: a diode with a resistance is a source, a resistor and
/// an ideal diode in series.
struct CircuitBranch {
  /// What it is, in the order in which branches are taken into the normal tree.
  enum class Kind {
    source,            ///< v = u(t)
    amplifier,         ///< v = λ, steered by the voltage of `control`
    dependentVoltage,  ///< v = gain · control
    capacitor,         ///< i = value · v̇
    resistor,          ///< v = value · i
    port,              ///< an ideal switching element
    inductor,          ///< v = value · di/dt
    curve,             ///< i = Σ cₖ max(v − vₖ, 0)
    dependentCurrent,  ///< i = gain · control
    currentSource,     ///< i = u(t)
    open               ///< i = 0: a control input
  };
  /// How a port switches.
  enum class Port {
    diode,        ///< i ≥ 0, v ≤ 0
    onOff,        ///< v = 0 while on, i = 0 while off
    gatedDiode,   ///< a diode while on, i = 0 while off
    reverseDiode  ///< v = 0 while on, a diode from b to a while off
  };

  static constexpr std::size_t none = static_cast<std::size_t>(-1);  ///< no number

  Kind kind = Kind::resistor;                           ///< what it is
  std::size_t a = 0;                                    ///< node
  std::size_t b = 0;                                    ///< node
  std::size_t element = 0;                              ///< number of its element
  double value = 0.;                                    ///< ohms, farads, henries, or gain
  std::optional<double> initial = {};                   ///< voltage or current at t₀
  std::size_t number = none;                            ///< of its waveform
  Port port = Port::diode;                              ///< of a port
  std::size_t gate = none;                              ///< number of its gate
  bool isSeries = false;                                ///< of a resistor in series with a port
  std::size_t control = none;                           ///< branch that it looks at …
  bool byCurrent = false;                               ///< … at its current, not its voltage
  std::string controlElement = {};                      ///< or the element whose current it looks at
  double lower = 0.;                                    ///< bounds of an amplifier's voltage
  double upper = 0.;                                    ///< bounds of an amplifier's voltage
  std::vector<std::pair<double, double>> corners = {};  ///< (vₖ, cₖ) of a curve
  std::size_t partner = none;                           ///< the other winding of a transformer
};

/// Elements, nodes and branches of a circuit, as its user gave them.
class CircuitNet {
 public:
  /// An element by its terminals; its current is the sum of those of some branches.
  struct Element {
    std::string name;                                          ///< of the user
    std::size_t a = 0;                                         ///< first terminal
    std::size_t b = 0;                                         ///< second terminal
    std::vector<std::pair<std::size_t, double>> current = {};  ///< (branch, sign)
    std::size_t gate = CircuitBranch::none;                    ///< number of its gate
    std::size_t source = CircuitBranch::none;                  ///< number of its waveform
    std::size_t state = CircuitBranch::none;                   ///< branch of a capacitor or inductor
  };
  /// A gate and what its element does with it.
  struct GateEntry {
    std::string element;                        ///< its name
    Gate gate;                                  ///< as given
    bool latches = false;                       ///< a thyristor
    std::size_t control = CircuitBranch::none;  ///< branch that a voltage gate looks at
    std::size_t source = CircuitBranch::none;   ///< of a comparator: the waveform that it sets …
    double low = 0.;                            ///< … to this while off
    double high = 0.;                           ///< … and to this while on
  };
  /// Mutual inductance between two branches.
  struct Mutual {
    std::size_t first = 0;   ///< branch
    std::size_t second = 0;  ///< branch
    double value = 0.;       ///< H
  };

  CircuitNet();  ///< with ground alone

  /// The number of a node, which is made if there is none of this name.
  std::size_t node(const std::string& name);
  /// The number of a node, or none.
  std::size_t findNode(std::string_view name) const;
  std::size_t internalNode();  ///< a node without a name
  /// Throws Error if the name is empty, or that of an element or a coupling.
  void requireFree(const std::string& name) const;
  void reserve(const std::string& name) { reserved_.insert(name); }  ///< of what is no element itself
  /// Begins an element. Throws Error if the name is empty or taken.
  std::size_t begin(const std::string& name, const std::string& a, const std::string& b);
  std::size_t findElement(std::string_view name) const;  ///< its number, or none
  /// Appends a branch to the element that was begun last, between two nodes.
  std::size_t add(CircuitBranch branch, std::size_t a, std::size_t b);
  std::size_t unitSource() const { return 0; }           ///< the waveform 1
  std::size_t addWave(Waveform wave);                    ///< gives its number
  std::size_t addGate(GateEntry entry);                  ///< gives its number
  std::size_t addControl(std::size_t a, std::size_t b);  ///< an open branch between two nodes
  /// Lets a gate set a source: a comparator.
  void setLevels(std::size_t gate, std::size_t source, double low, double high);
  void addMutual(const Mutual& mutual) { mutual_.push_back(mutual); }  ///< between two inductors
  bool areCoupled(std::size_t branch, std::size_t otherBranch) const;  ///< two inductors, in any order
  /// See Circuit::startAt.
  void startAt(const std::string& node, double voltage);

  const std::vector<CircuitBranch>& branches() const { return branches_; }          ///< in the order in which they came
  std::vector<CircuitBranch>& branches() { return branches_; }                      ///< in the order in which they came
  const std::vector<Element>& elements() const { return elements_; }                ///< in the order in which they came
  Element& element(std::size_t number) { return elements_[number]; }                ///< of this number
  const std::vector<Waveform>& waves() const { return waves_; }                     ///< of sources
  const std::vector<GateEntry>& gates() const { return gates_; }                    ///< of switching elements
  const std::vector<Mutual>& mutual() const { return mutual_; }                     ///< of coupled inductors
  std::size_t nodes() const { return nodeNames_.size(); }                           ///< how many, ground first
  const std::string& nodeName(std::size_t node) const { return nodeNames_[node]; }  ///< empty of an internal one
  const std::map<std::size_t, double>& starts() const { return starts_; }           ///< voltages of nodes at t₀
  /// "D1" of the element that a branch belongs to.
  const std::string& nameOf(std::size_t branch) const { return elements_[branches_[branch].element].name; }

 private:
  std::vector<CircuitBranch> branches_;
  std::vector<Element> elements_;
  std::vector<Waveform> waves_;
  std::vector<GateEntry> gates_;
  std::vector<Mutual> mutual_;
  std::vector<std::string> nodeNames_;
  std::map<std::string, std::size_t, std::less<>> nodeNumbers_, elementNumbers_;
  std::set<std::string, std::less<>> reserved_;
  std::map<std::size_t, double> starts_;
};

}  // namespace delassus
