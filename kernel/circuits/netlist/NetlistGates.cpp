// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <delassus/kernel/circuits/netlist/NetlistGates.hpp>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

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
  // What closes at a low voltage does so at a high one of the other sign.
  if (thresholds.closes < thresholds.opens) {
    return gateOfWave(wave, -sign, {-thresholds.closes, -thresholds.opens, thresholds.initially});
  }
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
  struct End {
    std::string node;
    const NetlistWaveform* wave;
    double sign;  // of the voltage from the end to the node
  };
  std::unordered_map<std::string, std::vector<End>> ends;
  for (const NetlistElement& e : netlist.elements) {
    if (e.kind != NetlistKind::voltageSource) continue;
    ends[e.nodes[1]].push_back({e.nodes[0], &e.waveform, 1.});
    ends[e.nodes[0]].push_back({e.nodes[1], &e.waveform, -1.});
  }
  for (const NetlistElement& e : netlist.elements) {
    if (e.kind != NetlistKind::voltageSource || !places_.try_emplace(e.nodes[1]).second) continue;
    std::vector<std::string> reached{e.nodes[1]};
    while (!reached.empty()) {
      const std::string node = reached.back();
      reached.pop_back();
      const std::size_t depth = places_.at(node).depth + 1;
      for (const End& end : ends.at(node)) {
        if (places_.try_emplace(end.node, Place{node, end.wave, end.sign, depth}).second) reached.push_back(end.node);
      }
    }
  }
}

// The voltage between two nodes by the sources on the way, if at most one of them varies.
std::optional<NetlistGates::Sum> NetlistGates::sumOf(std::string plus, std::string minus) const {
  Sum sum;
  while (plus != minus) {
    const auto a = places_.find(plus), b = places_.find(minus);
    if (a == places_.end() || b == places_.end()) return std::nullopt;
    // The deeper one of both goes up; at the end of one tree the nodes are of two.
    const bool isFirst = a->second.depth >= b->second.depth;
    const Place& place = isFirst ? a->second : b->second;
    if (place.wave == nullptr) return std::nullopt;
    const double sign = isFirst ? place.sign : -place.sign;
    if (place.wave->kind == NetlistWaveform::Kind::constant) {
      sum.constant += sign * place.wave->values[0];
    } else if (sum.wave == nullptr) {
      sum.wave = place.wave;
      sum.sign = sign;
    } else {
      return std::nullopt;
    }
    (isFirst ? plus : minus) = place.above;
  }
  return sum;
}

Gate NetlistGates::gate(const std::string& plus, const std::string& minus, const Gate::Thresholds& thresholds) const {
  if (const std::optional<Sum> sum = sumOf(plus, minus)) {
    const double closes = thresholds.closes - sum->constant, opens = thresholds.opens - sum->constant;
    const NetlistWaveform none{NetlistWaveform::Kind::constant, {0.}};
    const std::optional<Gate> known =
        gateOfWave(sum->wave != nullptr ? *sum->wave : none, sum->sign, {closes, opens, thresholds.initially});
    if (known) return *known;
  }
  return Gate::voltage(plus, minus, thresholds);
}

}  // namespace delassus
