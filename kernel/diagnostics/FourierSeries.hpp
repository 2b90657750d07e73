// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <cstddef>
#include <vector>

namespace delassus {

/// Fourier coefficients of a signal over the whole periods that its samples cover,
///
///     y(t) = Σ_k c_k exp(2πi k (t − t₀)/T),     c_k = 1/(N T) ∫ y exp(−2πi k (t − t₀)/T) dt,   c_−k = conj c_k,
///
/// where y is linear between samples and the integrals of that are exact: samples need not be equidistant, and a jump
/// is two samples at one instant. So what is left is the error of the linear interpolation, O(h²).
///
///     FourierSeries series(simulation.time(), 1. / 50., 40);
///     series.add(simulation.time(), circuit.current("L1"));
///     simulation.run([&] { series.add(simulation.time(), circuit.current("L1")); });
///     std::cout << series.mean() << ' ' << series.amplitude(1) << ' ' << series.distortion() << '\n';
class FourierSeries {
 public:
  /// From `begin` on, with coefficients up to `harmonics`. Throws Error unless begin is finite, the period positive and
  /// finite, and there is at least one harmonic.
  FourierSeries(double begin, double period, std::size_t harmonics);

  /// The next sample. Those before `begin` only serve as the left end of the first interval; rounding of t at the ends
  /// of periods does not matter. Throws Error if t is smaller than that of the sample before, the first one is after
  /// `begin`, or a number is not finite.
  void add(double t, double value);

  std::size_t periods() const { return periods_; }            ///< whole ones so far, N
  std::size_t harmonics() const { return sums_.size() - 1; }  ///< the highest k
  /// c_k, k ≤ harmonics(). This and the functions below throw Error if there is no whole period, or no such k.
  std::complex<double> coefficient(std::size_t k) const;
  double mean() const;                    ///< c₀
  double amplitude(std::size_t k) const;  ///< 2 |c_k|, of k > 0; |c₀| of 0
  double phase(std::size_t k) const;      ///< arg c_k, of the cosine, rad
  double rms() const;                     ///< of all of y, its mean included
  /// Total harmonic distortion: the rms value of all but the mean and the fundamental over that of the fundamental, all
  /// harmonics counted (also those above harmonics()).
  /// Infinite, or NaN, without a fundamental.
  double distortion() const;

 private:
  void addSegment(double from, double valueFrom, double to, double valueTo);
  void finishPeriod();
  double endOfPeriod() const;
  void requirePeriod() const;

  double begin_, period_;
  std::vector<std::complex<double>> sums_, present_;  // of whole periods, and of the present one, times its length
  double squares_ = 0., presentSquares_ = 0.;
  std::size_t periods_ = 0;
  bool hasSample_ = false;
  double t_ = 0., value_ = 0.;
};

}  // namespace delassus
