// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <cstddef>
#include <span>
#include <vector>

namespace delassus {

/// Fourier coefficients of a periodic signal that was recorded at n equidistant instants of one period, or of `periods`
/// whole ones, begin included and end not:
///
///     u(t) = mean + Σ_k amplitude(k) cos(2π k t/T + phase(k)),   k = 1, 2, …,
///
/// by the trapezoidal rule: exact to rounding for a signal without harmonics above n/(2 periods); others are folded
/// onto lower ones. t = 0 is the first instant.
class FourierSeries {
 public:
  /// Harmonics up to `harmonics`. Throws Error unless these are below n/(2 periods), and all samples finite.
  FourierSeries(std::span<const double> samples, std::size_t harmonics, std::size_t periods = 1);

  double mean() const { return mean_; }                                       ///< of the signal
  double rms() const { return rms_; }                                         ///< root of the mean of its square
  std::size_t harmonics() const { return coefficients_.size(); }              ///< how many were asked for
  double amplitude(std::size_t k) const { return std::abs(coefficient(k)); }  ///< of harmonic k ≥ 1
  double phase(std::size_t k) const { return std::arg(coefficient(k)); }      ///< of harmonic k ≥ 1, rad
  /// Total harmonic distortion: the root of the sum of squares of the amplitudes from 2 to `harmonics`, over that of
  /// the first. Throws Error if that is zero.
  double distortion() const;

 private:
  const std::complex<double>& coefficient(std::size_t k) const;

  double mean_ = 0., rms_ = 0.;
  std::vector<std::complex<double>> coefficients_;  // of harmonics 1, 2, …
};

}  // namespace delassus
