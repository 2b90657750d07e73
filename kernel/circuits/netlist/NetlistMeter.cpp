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
  for (Track& track : tracks_) add(track, t);
}

void NetlistMeter::add(Track& track, double t) {
  for (std::size_t k = 0; k < track.probes.size(); ++k) track.signals[k] = track.probes[k]();
  const double now = track.measure->expression.evaluate(track.signals);
  const double before = track.hasLast && !isCut_ ? track.last : now;
  track.last = now;
  track.hasLast = true;
  const double begin = std::max(previous_, track.from), end = std::min(t, track.to);
  if (!(end > begin)) return;
  const double slope = (now - before) / (t - previous_);
  const double a = before + slope * (begin - previous_), b = before + slope * (end - previous_);
  const bool isFirst = track.duration == 0.;
  track.smallest = isFirst ? std::min(a, b) : std::min({track.smallest, a, b});
  track.largest = isFirst ? std::max(a, b) : std::max({track.largest, a, b});
  track.integral += (end - begin) * (a + b) / 2.;
  track.square += (end - begin) * (a * a + a * b + b * b) / 3.;
  track.duration += end - begin;
}

double NetlistMeter::value(std::size_t measure) const {
  const Track& track = tracks_.at(measure);
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
