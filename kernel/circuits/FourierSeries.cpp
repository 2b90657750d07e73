// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/circuits/FourierSeries.hpp>

#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <numbers>
#include <string>

namespace delassus {

FourierSeries::FourierSeries(std::span<const double> samples, std::size_t harmonics, std::size_t periods)
    : coefficients_(harmonics) {
  const std::size_t n = samples.size();
  if (periods == 0 || 2 * harmonics * periods >= n) {
    throw Error("FourierSeries", std::to_string(harmonics) + " harmonics of " + std::to_string(periods) +
                                     " periods need more than twice as many samples as their product, got " +
                                     std::to_string(n) + '.');
  }
  const double weight = 1. / static_cast<double>(n);
  for (std::size_t j = 0; j < n; ++j) {
    if (!std::isfinite(samples[j])) throw Error("FourierSeries", "sample " + std::to_string(j) + " is not finite.");
    mean_ += weight * samples[j];
    rms_ += weight * samples[j] * samples[j];
  }
  rms_ = std::sqrt(rms_);
  for (std::size_t k = 1; k <= harmonics; ++k) {
    for (std::size_t j = 0; j < n; ++j) {
      // The whole turns are taken off in integers, so that angles of long records are exact.
      const double angle = 2. * std::numbers::pi * weight * static_cast<double>(j * k * periods % n);
      coefficients_[k - 1] += 2. * weight * samples[j] * std::polar(1., -angle);
    }
  }
}

const std::complex<double>& FourierSeries::coefficient(std::size_t k) const {
  if (k >= 1 && k <= coefficients_.size()) return coefficients_[k - 1];
  throw Error("FourierSeries",
              "it has the harmonics 1 to " + std::to_string(coefficients_.size()) + ", not " + std::to_string(k) + '.');
}

double FourierSeries::distortion() const {
  double sum = 0.;
  for (std::size_t k = 2; k <= coefficients_.size(); ++k) sum += std::norm(coefficients_[k - 1]);
  const double first = amplitude(1);
  if (first > 0.) return std::sqrt(sum) / first;
  throw Error("FourierSeries", "the first harmonic is zero, so that there is no distortion relative to it.");
}

}  // namespace delassus
