// SPDX-License-Identifier: Apache-2.0
#include "CircuitReport.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <utility>

namespace delassus::tools {
namespace {

bool switchesByItself(NetlistKind kind) {
  switch (kind) {
    case NetlistKind::diode:
    case NetlistKind::voltageSwitch:
    case NetlistKind::mosfet:
    case NetlistKind::igbt:
    case NetlistKind::thyristor:
      return true;
    default:
      return false;
  }
}

bool isSource(NetlistKind kind) {
  switch (kind) {
    case NetlistKind::voltageSource:
    case NetlistKind::currentSource:
    case NetlistKind::voltageControlledVoltage:
    case NetlistKind::voltageControlledCurrent:
    case NetlistKind::currentControlledVoltage:
    case NetlistKind::currentControlledCurrent:
    case NetlistKind::opAmp:
    case NetlistKind::comparator:
      return true;
    default:
      return false;
  }
}

bool storesEnergy(NetlistKind kind) {
  return kind == NetlistKind::capacitor || kind == NetlistKind::inductor;
}

template <class... Values>
std::string formattedLine(const char* format, Values... values) {
  std::array<char, 256> text{};
  std::snprintf(text.data(), text.size(), format, values...);
  return text.data();
}

}  // namespace

CircuitReport::CircuitReport(const Netlist& netlist, const CircuitInstance& circuit) : circuit_(circuit) {
  const auto add = [&](const std::string& name, const NetlistElement& e) {
    elements_.push_back({name, e.kind, switchesByItself(e.kind), circuit.probe("p(" + name + ")"),
                         circuit.probe("i(" + name + ")"), 0., 0., 0.});
  };
  for (const NetlistElement& e : netlist.elements) {
    if (e.kind == NetlistKind::coupling) continue;
    if (e.kind == NetlistKind::transformer) {
      add(e.name + ".1", e);
      add(e.name + ".2", e);
    } else {
      add(e.name, e);
    }
  }
  mode_.resize(elements_.size());
}

void CircuitReport::cut(double t) {
  look(t);
  for (Element& element : elements_) {
    element.voltage = circuit_.elementVoltage(element.name);
    element.currentThere = element.current();
  }
}

void CircuitReport::goOn() {
  for (Element& element : elements_) {
    element.last = element.power();
    const double charge = circuit_.currentImpulse(element.name), flux = circuit_.voltageImpulse(element.name);
    if (charge == 0. && flux == 0.) continue;
    element.energy += charge * (element.voltage + circuit_.elementVoltage(element.name)) / 2. +
                      flux * (element.currentThere + element.current()) / 2.;
  }
}

void CircuitReport::look(double t) {
  const double length = t - time_;
  if (!(length > 0.)) return;
  constexpr double smallestPart = 1e-9;  // of the largest current so far, above which an element conducts
  for (std::size_t k = 0; k < elements_.size(); ++k) {
    Element& element = elements_[k];
    const double power = element.power();
    element.energy += length * (hasLast_ ? (power + element.last) / 2. : power);
    element.last = power;
    if (!element.switches) continue;
    const double current = std::abs(element.current());
    mode_[k] = current > smallestPart * element.largestCurrent;
    element.largestCurrent = std::max(element.largestCurrent, current);
  }
  modes_[mode_] += length;
  const CircuitInstance::Tellegen balance = circuit_.tellegen();
  if (balance.scale > 0.) worstSum_ = std::max(worstSum_, std::abs(balance.sum) / balance.scale);
  hasLast_ = true;
  time_ = t;
}

std::string CircuitReport::text() const {
  return modesText() + energiesText() + balanceText() + circuit_.report();
}

std::string CircuitReport::modesText() const {
  constexpr std::size_t mostModes = 20;
  std::vector<std::pair<double, std::string>> modes;
  double total = 0.;
  for (const auto& [conducting, duration] : modes_) {
    std::string names;
    for (std::size_t k = 0; k < conducting.size(); ++k) {
      if (conducting[k]) names += (names.empty() ? "" : " ") + elements_[k].name;
    }
    modes.emplace_back(duration, names.empty() ? "none" : names);
    total += duration;
  }
  std::stable_sort(modes.begin(), modes.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::string text = "modes: " + std::to_string(modes.size()) + ", by the switching elements that conduct\n";
  for (std::size_t k = 0; k < std::min(modes.size(), mostModes); ++k) {
    text += formattedLine("  %6.2f %%  ", 100. * modes[k].first / total) + modes[k].second + "\n";
  }
  if (modes.size() > mostModes) text += "  and " + std::to_string(modes.size() - mostModes) + " more\n";
  return text;
}

std::string CircuitReport::energiesText() const {
  std::string text = "energy taken up to t = " + toText(time_) + " s\n";
  for (const Element& element : elements_) {
    text += formattedLine("  %13.6g J  %13.6g W  ", element.energy, element.energy / time_) + element.name + "\n";
  }
  return text;
}

double CircuitReport::energyOf(const std::function<bool(NetlistKind)>& isIt) const {
  double sum = 0.;
  for (const Element& element : elements_) {
    if (isIt(element.kind)) sum += element.energy;
  }
  return sum;
}

std::string CircuitReport::balanceText() const {
  const double supplied = -energyOf(isSource), stored = energyOf(storesEnergy);
  const double lost = energyOf([](NetlistKind kind) { return !isSource(kind) && !storesEnergy(kind); });
  return formattedLine("balance: %.6g J supplied by sources = %.6g J lost + %.6g J into capacitors and inductors, ",
                       supplied, lost, stored) +
         formattedLine("difference %.2g J\n", supplied - lost - stored) +
         formattedLine("Tellegen: at most |sum v i| = %.2g sum |v i| after a step\n", worstSum_);
}

}  // namespace delassus::tools
