// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/circuits/Waveform.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <numbers>

namespace delassus {

struct Waveform::Form {
  std::function<double(double)> value;
  std::function<double(double)> derivative;
  std::function<double(double)> nextBreak;
  bool isConstant = false;
  bool hasJumps = false;
};

namespace {

constexpr double noBreak = std::numeric_limits<double>::infinity();

void requireNumber(double x, const char* wave, const char* what) {
  if (!std::isfinite(x)) throw Error(wave, std::string(what) + " must be finite, got " + toText(x) + '.');
}

void requireTime(double x, const char* wave, const char* what) {
  if (!(x >= 0.)) throw Error(wave, std::string(what) + " must not be negative, got " + toText(x) + '.');
}

// The first of ascending instants after t.
double firstAfter(const std::vector<double>& instants, double t) {
  const auto next = std::upper_bound(instants.begin(), instants.end(), t);
  return next == instants.end() ? noBreak : *next;
}

// A line of straight pieces: points by ascending time, two of one time at a jump.
class Polyline {
 public:
  explicit Polyline(std::vector<std::pair<double, double>> points) : points_(std::move(points)) {}

  double value(double t) const {
    const std::size_t next = after(t);
    if (next == 0) return points_.front().second;
    const auto& [t0, u0] = points_[next - 1];
    return next == points_.size() ? u0 : u0 + slopeTo(next) * (t - t0);
  }
  double slope(double t) const {
    const std::size_t next = after(t);
    return next == 0 || next == points_.size() ? 0. : slopeTo(next);
  }
  double nextBreak(double t) const {
    const std::size_t next = after(t);
    return next == points_.size() ? noBreak : points_[next].first;
  }
  // The last of the points that follow t by rounding, or t.
  double snapped(double t, double rounding) const {
    for (std::size_t next = after(t); next < points_.size() && points_[next].first - t <= rounding; ++next) {
      t = points_[next].first;
    }
    return t;
  }
  bool hasJumps() const {
    for (std::size_t k = 1; k < points_.size(); ++k) {
      if (points_[k].first == points_[k - 1].first && points_[k].second != points_[k - 1].second) return true;
    }
    return false;
  }
  double begin() const { return points_.front().first; }
  double last() const { return points_.back().second; }
  double first() const { return points_.front().second; }

 private:
  // The number of the first point whose time is after t.
  std::size_t after(double t) const {
    const auto next =
        std::upper_bound(points_.begin(), points_.end(), t, [](double time, const auto& p) { return time < p.first; });
    return static_cast<std::size_t>(next - points_.begin());
  }
  double slopeTo(std::size_t next) const {
    const auto& [t0, u0] = points_[next - 1];
    const auto& [t1, u1] = points_[next];
    return (u1 - u0) / (t1 - t0);
  }

  std::vector<std::pair<double, double>> points_;
};

std::shared_ptr<const Waveform::Form> formOf(const Polyline& line) {
  auto form = std::make_shared<Waveform::Form>();
  form->value = [line](double t) { return line.value(t); };
  form->derivative = [line](double t) { return line.slope(t); };
  form->nextBreak = [line](double t) { return line.nextBreak(t); };
  form->hasJumps = line.hasJumps();
  return form;
}

// The line repeated with a period from its first point on. An instant that comes before a point of it, or before the
// end of a period, by rounding is at that one, so that a break is past when its own instant has come.
std::shared_ptr<const Waveform::Form> formOf(const Polyline& line, double period) {
  struct Place {
    double periods;
    double time;  // in the first period
  };
  const double begin = line.begin();
  const auto place = [line, begin, period](double t) {
    const double rounding = 4. * std::numeric_limits<double>::epsilon() * std::max(std::abs(t), period);
    const double periods = std::floor((t - begin) / period);
    const double phase = (t - begin) - periods * period;
    if (period - phase <= rounding) return Place{periods + 1., begin};
    return Place{periods, line.snapped(begin + std::max(phase, 0.), rounding)};
  };
  auto form = std::make_shared<Waveform::Form>();
  form->value = [line, place, begin](double t) { return line.value(t < begin ? t : place(t).time); };
  form->derivative = [line, place, begin](double t) { return line.slope(t < begin ? t : place(t).time); };
  form->nextBreak = [line, place, begin, period](double t) {
    if (t < begin) return begin;
    const Place now = place(t);
    const double next = std::min(line.nextBreak(now.time), begin + period) + now.periods * period;
    return next > t ? next : std::nextafter(t, noBreak);
  };
  form->hasJumps = line.hasJumps() || line.first() != line.last();
  return form;
}

std::shared_ptr<const Waveform::Form> formOf(const SineWave& w) {
  constexpr const char* name = "SineWave";
  for (const double x : {w.amplitude, w.frequency, w.offset, w.damping, w.phase}) requireNumber(x, name, "each number");
  requireTime(w.delay, name, "the delay");
  const double omega = 2. * std::numbers::pi * w.frequency;
  const double first = w.offset + w.amplitude * std::sin(w.phase);
  const bool isPlain = w.delay == 0. && w.damping == 0.;
  auto form = std::make_shared<Waveform::Form>();
  form->isConstant = w.amplitude == 0. || (w.frequency == 0. && w.damping == 0.);
  form->nextBreak = [delay = w.delay](double t) { return delay > 0. && t < delay ? delay : noBreak; };
  if (isPlain) {
    form->value = [w, omega](double t) { return w.offset + w.amplitude * std::sin(omega * t + w.phase); };
    form->derivative = [w, omega](double t) { return w.amplitude * omega * std::cos(omega * t + w.phase); };
    return form;
  }
  form->value = [w, omega, first](double t) {
    const double s = t - w.delay;
    return s < 0. ? first : w.offset + w.amplitude * std::exp(-w.damping * s) * std::sin(omega * s + w.phase);
  };
  form->derivative = [w, omega](double t) {
    const double s = t - w.delay, angle = omega * s + w.phase;
    if (s < 0.) return 0.;
    return w.amplitude * std::exp(-w.damping * s) * (omega * std::cos(angle) - w.damping * std::sin(angle));
  };
  return form;
}

std::shared_ptr<const Waveform::Form> formOf(const PulseWave& w) {
  constexpr const char* name = "PulseWave";
  requireNumber(w.low, name, "the low value");
  requireNumber(w.high, name, "the high value");
  for (const double x : {w.delay, w.rise, w.fall, w.width}) requireTime(x, name, "a time");
  requireNumber(w.delay, name, "the delay");
  requireNumber(w.rise, name, "the rise time");
  requireNumber(w.fall, name, "the fall time");
  if (!(w.period > 0.) || w.rise + w.fall + (std::isfinite(w.width) ? w.width : 0.) > w.period * (1. + 1e-12)) {
    throw Error(name, "the period must be positive and hold rise, width and fall, got " + toText(w.period) + " s.");
  }
  const double up = w.delay + w.rise;
  std::vector<std::pair<double, double>> points{{w.delay, w.low}, {up, w.high}};
  const bool isEndless = !std::isfinite(w.width);
  if (!isEndless) {
    points.emplace_back(up + w.width, w.high);
    points.emplace_back(up + w.width + w.fall, w.low);
  }
  const Polyline line(std::move(points));
  return std::isfinite(w.period) && !isEndless ? formOf(line, w.period) : formOf(line);
}

std::shared_ptr<const Waveform::Form> formOf(const ExponentialWave& w) {
  constexpr const char* name = "ExponentialWave";
  requireNumber(w.low, name, "the low value");
  requireNumber(w.high, name, "the high value");
  requireTime(w.riseDelay, name, "the delay of the rise");
  if (!(w.riseTime > 0. && w.fallTime > 0.) || !(w.fallDelay >= w.riseDelay)) {
    throw Error(name, "time constants must be positive and the fall not before the rise, got " + toText(w.riseTime) +
                          " s, " + toText(w.fallTime) + " s and " + toText(w.fallDelay) + " s.");
  }
  const auto part = [](double t, double delay, double time) {
    return t < delay ? 0. : -std::expm1((delay - t) / time);
  };
  const auto slope = [](double t, double delay, double time) {
    return t < delay ? 0. : std::exp((delay - t) / time) / time;
  };
  const double height = w.high - w.low;
  auto form = std::make_shared<Waveform::Form>();
  form->value = [w, height, part](double t) {
    return w.low + height * (part(t, w.riseDelay, w.riseTime) - part(t, w.fallDelay, w.fallTime));
  };
  form->derivative = [w, height, slope](double t) {
    return height * (slope(t, w.riseDelay, w.riseTime) - slope(t, w.fallDelay, w.fallTime));
  };
  form->nextBreak = [w](double t) { return t < w.riseDelay ? w.riseDelay : t < w.fallDelay ? w.fallDelay : noBreak; };
  return form;
}

}  // namespace

Waveform::Waveform(double constant) {
  requireNumber(constant, "Waveform", "a constant");
  auto form = std::make_shared<Form>();
  form->value = [constant](double) { return constant; };
  form->derivative = [](double) { return 0.; };
  form->nextBreak = [](double) { return noBreak; };
  form->isConstant = true;
  form_ = std::move(form);
}

Waveform::Waveform(std::function<double(double)> f, std::function<double(double)> derivative,
                   std::vector<double> breaks, const char* what) {
  if (!f) throw Error("Waveform", std::string("the ") + what + " is empty.");
  if (std::adjacent_find(breaks.begin(), breaks.end(), [](double a, double b) { return !(a < b); }) != breaks.end()) {
    throw Error("Waveform", "the breaks must ascend.");
  }
  auto form = std::make_shared<Form>();
  if (!derivative) {
    derivative = [f](double t) {
      const double step = 1e-6 * std::max(std::abs(t), 1e-3);
      return (f(t + step) - f(t - step)) / (2. * step);
    };
  }
  form->value = std::move(f);
  form->derivative = std::move(derivative);
  form->hasJumps = !breaks.empty();
  form->nextBreak = [breaks = std::move(breaks)](double t) { return firstAfter(breaks, t); };
  form_ = std::move(form);
}

Waveform::Waveform(const SineWave& wave) : form_(formOf(wave)) {
}
Waveform::Waveform(const PulseWave& wave) : form_(formOf(wave)) {
}
Waveform::Waveform(const ExponentialWave& wave) : form_(formOf(wave)) {
}

Waveform Waveform::piecewiseLinear(std::vector<std::pair<double, double>> points, double period) {
  constexpr const char* name = "Waveform::piecewiseLinear";
  if (points.empty()) throw Error(name, "there must be at least one point.");
  for (std::size_t k = 0; k < points.size(); ++k) {
    requireNumber(points[k].first, name, "a time");
    requireNumber(points[k].second, name, "a value");
    if (k > 0 && points[k].first < points[k - 1].first) {
      throw Error(
          name, "times must not descend, but point " + std::to_string(k) + " is at " + toText(points[k].first) + " s.");
    }
  }
  requireTime(period, name, "the period");
  if (period > 0. && points.back().first - points.front().first > period * (1. + 1e-12)) {
    throw Error(name, "the points must fit in the period of " + toText(period) + " s.");
  }
  Waveform wave(0.);
  const Polyline line(std::move(points));
  wave.form_ = period > 0. ? formOf(line, period) : formOf(line);
  return wave;
}

double Waveform::value(double t) const {
  return form_->value(t);
}

double Waveform::derivative(double t) const {
  return form_->derivative(t);
}

bool Waveform::isConstant() const {
  return form_->isConstant;
}

bool Waveform::hasJumps() const {
  return form_->hasJumps;
}

double Waveform::nextBreak(double t) const {
  return form_->nextBreak(t);
}

}  // namespace delassus
