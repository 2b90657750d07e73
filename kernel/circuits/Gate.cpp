// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/circuits/Gate.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <utility>

namespace delassus {

Gate::Gate(bool closed) : initially_(closed) {
}

Gate Gate::pulses(const Pulses& pulses) {
  constexpr double never = std::numeric_limits<double>::infinity();
  const auto [period, width, delay] = pulses;
  const double closed = std::min(width, period);
  if (!(period > 0.) || !(width >= 0.) || !std::isfinite(delay) || (std::isfinite(width) && width > period)) {
    throw Error("Gate::pulses",
                "the period must be positive, the width between 0 and the period, and the delay "
                "finite, got " +
                    toText(period) + " s, " + toText(width) + " s and " + toText(delay) + " s.");
  }
  if (closed == 0.) return Gate(false);
  Gate gate;
  gate.kind_ = Kind::pulses;
  gate.instant_ = [period = period, closed, delay = delay](std::size_t k) {
    const bool once = !std::isfinite(period) || closed == period;
    if (once && k > (std::isfinite(closed) && closed < period ? 1U : 0U)) return never;
    const std::size_t pulse = k / 2;
    const double begin = pulse == 0 ? delay : delay + static_cast<double>(pulse) * period;
    return k % 2 == 0 ? begin : begin + closed;
  };
  return gate;
}

Gate Gate::switching(std::function<double(std::size_t k)> instant, bool initially) {
  if (!instant) throw Error("Gate::switching", "the function of instants is empty.");
  Gate gate(initially);
  gate.kind_ = Kind::instants;
  gate.instant_ = std::move(instant);
  return gate;
}

Gate Gate::where(std::function<double(double t)> f) {
  if (!f) throw Error("Gate::where", "the function of time is empty.");
  Gate gate;
  gate.kind_ = Kind::function;
  gate.f_ = std::move(f);
  return gate;
}

Gate Gate::voltage(std::string plus, std::string minus, const Thresholds& thresholds) {
  if (!std::isfinite(thresholds.closes) || !std::isfinite(thresholds.opens)) {
    throw Error("Gate::voltage", "the thresholds must be finite, got " + toText(thresholds.closes) + " V and " +
                                     toText(thresholds.opens) + " V.");
  }
  if (plus.empty() || minus.empty()) throw Error("Gate::voltage", "the name of a node is empty.");
  Gate gate(thresholds.initially);
  gate.kind_ = Kind::voltage;
  gate.plus_ = std::move(plus);
  gate.minus_ = std::move(minus);
  gate.thresholds_ = thresholds;
  return gate;
}

}  // namespace delassus
