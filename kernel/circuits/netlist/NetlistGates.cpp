// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <delassus/kernel/circuits/netlist/NetlistGates.hpp>
#include <limits>
#include <memory>

namespace delassus {
namespace {

constexpr double neverInstant = std::numeric_limits<double>::infinity();

// What a voltage of this value makes of a gate; nothing between the thresholds.
std::optional<bool> stateAt(double v, const Gate::Thresholds& thresholds) {
  if (v >= thresholds.closes && v != thresholds.opens) return true;
  if (v <= thresholds.opens) return false;
  return std::nullopt;
}

// Two edges a period: at `first` and at `second` of it, from `delay` on.
Gate trainOf(double delay, double first, double second, double period, bool initially) {
  return Gate::switching(
      [=](std::size_t k) {
        const std::size_t number = k / 2;
        const auto pulse = static_cast<double>(number);
        if (period == 0. && k > 1) return neverInstant;
        return delay + pulse * period + (k % 2 == 0 ? first : second);
      },
      initially);
}

std::optional<Gate> gateOfPulse(const std::vector<double>& v, double sign, const Gate::Thresholds& thresholds) {
  const double low = sign * v[0], high = sign * v[1], rise = v[3], fall = v[4], width = v[5], period = v[6];
  const std::optional<bool> before = stateAt(low, thresholds), pulsed = stateAt(high, thresholds);
  if (!before || !pulsed) return std::nullopt;
  if (*before == *pulsed) return Gate(*before);
  const double there = *pulsed ? thresholds.closes : thresholds.opens;
  const double back = *pulsed ? thresholds.opens : thresholds.closes;
  const double first = rise * (there - low) / (high - low);
  const double second = rise + width + fall * (high - back) / (high - low);
  if (!(second > first) || (period > 0. && !(first + period > second))) return std::nullopt;
  return trainOf(v[2], first, second, period, *before);
}

std::optional<Gate> gateOfLines(const std::vector<double>& v, double sign, const Gate::Thresholds& thresholds) {
  const bool initially = stateAt(sign * v[1], thresholds).value_or(thresholds.initially);
  bool state = initially;
  const auto instants = std::make_shared<std::vector<double>>();
  for (std::size_t k = 2; k + 1 < v.size(); k += 2) {
    const double from = sign * v[k - 1], to = sign * v[k + 1];
    const bool next = stateAt(to, thresholds).value_or(state);
    if (next == state) continue;
    const double threshold = next ? thresholds.closes : thresholds.opens;
    const double part = from == to ? 1. : std::fmin(1., std::fmax(0., (threshold - from) / (to - from)));
    const double instant = v[k - 2] + part * (v[k] - v[k - 2]);
    state = next;
    if (!instants->empty() && !(instant > instants->back())) {
      instants->pop_back();
    } else {
      instants->push_back(instant);
    }
  }
  if (instants->empty()) return Gate(initially);
  return Gate::switching([instants](std::size_t k) { return k < instants->size() ? (*instants)[k] : neverInstant; },
                         initially);
}

std::optional<Gate> gateOfWave(const NetlistWaveform& wave, double sign, const Gate::Thresholds& thresholds) {
  // Thresholds that are swapped would close at a low voltage; they stay with the circuit.
  if (thresholds.closes < thresholds.opens) return std::nullopt;
  switch (wave.kind) {
    case NetlistWaveform::Kind::constant:
      return Gate(stateAt(sign * wave.values[0], thresholds).value_or(thresholds.initially));
    case NetlistWaveform::Kind::pulse:
      return gateOfPulse(wave.values, sign, thresholds);
    case NetlistWaveform::Kind::piecewiseLinear:
      return gateOfLines(wave.values, sign, thresholds);
    default:
      return std::nullopt;
  }
}

}  // namespace

NetlistGates::NetlistGates(const Netlist& netlist) {
  for (const NetlistElement& e : netlist.elements) {
    if (e.kind == NetlistKind::voltageSource) sources_.emplace(e.nodes[0] + "\n" + e.nodes[1], &e.waveform);
  }
}

Gate NetlistGates::gate(const std::string& plus, const std::string& minus, const Gate::Thresholds& thresholds) const {
  std::optional<Gate> known;
  if (const auto found = sources_.find(plus + "\n" + minus); found != sources_.end()) {
    known = gateOfWave(*found->second, 1., thresholds);
  } else if (const auto turned = sources_.find(minus + "\n" + plus); turned != sources_.end()) {
    known = gateOfWave(*turned->second, -1., thresholds);
  }
  return known ? *known : Gate::voltage(plus, minus, thresholds);
}

}  // namespace delassus
