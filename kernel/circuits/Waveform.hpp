// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace delassus {

/// A sine from `delay` on, before which it stays at its first value; SPICE: SIN. With ϑ = t − delay,
///
///     u(t) = offset + amplitude e^(−damping ϑ) sin(2π frequency ϑ + phase).
struct SineWave {
  double amplitude = 1.;  ///< V or A
  double frequency = 1.;  ///< Hz
  double offset = 0.;     ///< V or A
  double delay = 0.;      ///< s
  double damping = 0.;    ///< 1/s
  double phase = 0.;      ///< rad
};

/// A train of trapezoids from `delay` on; SPICE: PULSE. Edges may be vertical (rise = 0, fall = 0). A period of
/// infinity is one pulse.
struct PulseWave {
  double low = 0.;                                          ///< first value, V or A
  double high = 1.;                                         ///< pulsed value, V or A
  double delay = 0.;                                        ///< s
  double rise = 0.;                                         ///< time from low to high, s
  double fall = 0.;                                         ///< time from high to low, s
  double width = std::numeric_limits<double>::infinity();   ///< time at high, s
  double period = std::numeric_limits<double>::infinity();  ///< s
};

/// Two exponentials; SPICE: EXP. low before riseDelay, then towards high with riseTime as time constant, and from
/// fallDelay on back towards low with fallTime.
struct ExponentialWave {
  double low = 0.;                                             ///< first value, V or A
  double high = 1.;                                            ///< value that it rises to, V or A
  double riseDelay = 0.;                                       ///< s
  double riseTime = 1.;                                        ///< s
  double fallDelay = std::numeric_limits<double>::infinity();  ///< s
  double fallTime = 1.;                                        ///< s
};

/// The voltage or current of an independent source as a function of time, with its derivative and the instants at which
/// it jumps or has a kink: event-driven runs need both, capacitors across a source the first.
///
///     circuit.source("V1", "in", "0", sine(325., 50.));
///     circuit.source("V2", "b", "0", 12.);
///     circuit.source("V3", "c", "0", Waveform([](double t) { return t * t; }));
class Waveform {
 public:
  /// Constant. Throws Error if it is not finite.
  Waveform(double constant);  // NOLINT: implicit by intention
  /// A function of time, smooth but for `breaks`, ascending instants; its derivative is taken by differences where
  /// `derivative` is not given. Throws Error if it is empty or breaks do not ascend.
  template <class F>
  requires(std::convertible_to<std::invoke_result_t<F&, double>, double>) explicit Waveform(
      F f, std::function<double(double)> derivative = {}, std::vector<double> breaks = {})
      : Waveform(std::function<double(double)>(std::move(f)), std::move(derivative), std::move(breaks), "function") {}
  /// Each throws Error if a number is not finite where it has to be, or a time is negative.
  ///@{
  Waveform(const SineWave& wave);         // NOLINT: implicit by intention
  Waveform(const PulseWave& wave);        // NOLINT: implicit by intention
  Waveform(const ExponentialWave& wave);  // NOLINT: implicit by intention
  ///@}
  /// Straight lines between points (time, value), constant before the first and after the last; two points of one time
  /// are a jump. With a positive `period` it is repeated from the first point on. SPICE: PWL. Throws Error if there is
  /// no point or times descend.
  static Waveform piecewiseLinear(std::vector<std::pair<double, double>> points, double period = 0.);

  double value(double t) const;       ///< u(t); at a jump the value after it
  double derivative(double t) const;  ///< u̇(t); at a kink that after it
  bool isConstant() const;            ///< whether u is the same at all times
  bool hasJumps() const;              ///< whether u jumps anywhere
  /// The first instant after t at which u jumps or has a kink; infinite past the last one.
  double nextBreak(double t) const;

  /// What stands behind one of the constructors above; shared by copies.
  struct Form;

 private:
  Waveform(std::function<double(double)> f, std::function<double(double)> derivative, std::vector<double> breaks,
           const char* what);

  std::shared_ptr<const Form> form_;
};

/// offset + amplitude sin(2π frequency t + phase).
inline Waveform sine(double amplitude, double frequency, double phase = 0., double offset = 0.) {
  return Waveform(SineWave{.amplitude = amplitude, .frequency = frequency, .offset = offset, .phase = phase});
}

}  // namespace delassus
