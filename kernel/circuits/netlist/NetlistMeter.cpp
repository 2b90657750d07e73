// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <delassus/kernel/circuits/netlist/NetlistMeter.hpp>
#include <limits>

namespace delassus {

NetlistMeter::NetlistMeter(const std::vector<NetlistMeasure>& measures, double start, double end,
                           const std::function<Probe(const NetlistSignal&)>& probeOf)
    : previous_(start) {
  const double rounding = 1e-9 * (end - start);
  for (const NetlistMeasure& measure : measures) {
    Track track;
    track.measure = &measure;
    track.from = measure.from.value_or(start);
    track.to = measure.to.value_or(end);
    if (!(track.from >= start - rounding && track.to <= end + rounding && track.from < track.to)) {
      throw NetlistError(NetlistFault::badValue, measure.place, ".meas " + measure.name,
                         "expected FROM before TO in the run from " + toText(start) + " s to " + toText(end) +
                             " s, got " + toText(track.from) + " s and " + toText(track.to) + " s.");
    }
    for (const NetlistSignal& signal : measure.expression.signals()) track.probes.push_back(probeOf(signal));
    track.signals.resize(track.probes.size());
    tracks_.push_back(std::move(track));
  }
}

void NetlistMeter::setImpulses(const std::function<Probe(const NetlistSignal&)>& impulseOf) {
  for (Track& track : tracks_) {
    track.impulses.clear();
    for (const NetlistSignal& signal : track.measure->expression.signals()) track.impulses.push_back(impulseOf(signal));
    track.before.resize(track.impulses.size());
    track.carried.resize(track.impulses.size());
  }
}

void NetlistMeter::look(double t) {
  if (isCut_ && t <= previous_) return;
  for (Track& track : tracks_) add(track, t);
  previous_ = t;
  isCut_ = false;
}

void NetlistMeter::cut(double t) {
  look(t);
  isCut_ = true;
}

void NetlistMeter::goOn(double t) {
  previous_ = t;
  isCut_ = false;
  for (Track& track : tracks_) {
    if (!track.impulses.empty()) track.before = track.signals;
    add(track, t);
    addImpulse(track, t);
  }
}

void NetlistMeter::add(Track& track, double t) {
  for (std::size_t k = 0; k < track.probes.size(); ++k) track.signals[k] = track.probes[k]();
  const double now = track.measure->expression.evaluate(track.signals);
  const Line line{previous_, t, track.hasLast && !isCut_ ? track.last : now, now};
  track.last = now;
  track.hasLast = true;
  if (!(t > previous_)) return;
  release(track, isCut_ ? std::nullopt : std::optional(now));
  if (track.isSecond) {
    track.held = line;
  } else {
    count(track, line);
  }
  track.isSecond = isCut_;
}

// Counts the second step after a cut, when the value of the next one is known, or that there is none.
void NetlistMeter::release(Track& track, std::optional<double> next) {
  constexpr double most = 3.;  // changes of one step that count as those of a line
  Line line = track.held;
  track.held = {};
  if (!(line.end > line.begin)) return;
  if (!next || std::abs(line.last - line.first) > most * std::abs(*next - line.last)) line.first = line.last;
  count(track, line);
}

void NetlistMeter::count(Track& track, const Line& line) {
  const double begin = std::max(line.begin, track.from), end = std::min(line.end, track.to);
  if (!(end > begin)) return;
  const double slope = (line.last - line.first) / (line.end - line.begin);
  const double a = line.first + slope * (begin - line.begin), b = line.first + slope * (end - line.begin);
  const bool isFirst = track.duration == 0.;
  track.smallest = isFirst ? std::min(a, b) : std::min({track.smallest, a, b});
  track.largest = isFirst ? std::max(a, b) : std::max({track.largest, a, b});
  track.integral += (end - begin) * (a + b) / 2.;
  track.square += (end - begin) * (a * a + a * b + b * b) / 3.;
  track.duration += end - begin;
}

void NetlistMeter::addImpulse(Track& track, double t) {
  if (!(t >= track.from && t < track.to)) return;
  constexpr double many = 1e6;  // beside it the other signals are nothing
  double largest = 0., scale = 0.;
  for (std::size_t k = 0; k < track.impulses.size(); ++k) {
    track.carried[k] = track.impulses[k]();
    track.before[k] = 0.5 * (track.before[k] + track.signals[k]);
    largest = std::max(largest, std::abs(track.carried[k]));
    scale = std::max(scale, std::abs(track.before[k]));
  }
  if (largest == 0.) return;
  const double ratio = std::max(1., many * scale / largest);
  const double without = track.measure->expression.evaluate(track.before);
  for (std::size_t k = 0; k < track.impulses.size(); ++k) track.before[k] += ratio * track.carried[k];
  track.integral += (track.measure->expression.evaluate(track.before) - without) / ratio;
}

double NetlistMeter::value(std::size_t measure) const {
  Track track = tracks_.at(measure);
  release(track, std::nullopt);
  if (!(track.duration > 0.)) return std::numeric_limits<double>::quiet_NaN();
  switch (track.measure->kind) {
    case NetlistMeasure::Kind::average:
      return track.integral / track.duration;
    case NetlistMeasure::Kind::rms:
      return std::sqrt(track.square / track.duration);
    case NetlistMeasure::Kind::largest:
      return track.largest;
    case NetlistMeasure::Kind::smallest:
      return track.smallest;
    case NetlistMeasure::Kind::peakToPeak:
      return track.largest - track.smallest;
    case NetlistMeasure::Kind::integral:
      break;
  }
  return track.integral;
}

}  // namespace delassus
