// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace delassus {

/// The instants t_0 < t_1 < … of a simulation: uniform (t_k = t_0 + k h, computed from k and so without drift over
/// any number of steps) or given one by one.
class TimeDiscretisation {
 public:
  /// Uniform, without end. Throws Error unless t0 is finite, and h positive and finite.
  TimeDiscretisation(double t0, double h);
  /// Uniform, from t0 of the model on that a simulation is made for: `TimeStepping(model, 1e-3)`. Throws Error unless h
  /// is positive and finite.
  TimeDiscretisation(double h) : TimeDiscretisation(0., h) {
    startsWithModel_ = true;
  }  // NOLINT: implicit by intention
  /// Given instants. Throws Error unless there are at least two, all finite and increasing.
  explicit TimeDiscretisation(std::vector<double> instants);

  /// For simulations: the same, from t0 of their model on where nothing else was said.
  TimeDiscretisation startingWith(double modelT0) && {
    if (startsWithModel_) t0_ = modelT0;
    return std::move(*this);
  }

  /// t_0, the first instant.
  double t0() const { return t0_; }

  /// Number of steps until T: the last one ends at T exactly, and is shorter if h does not divide T − t0 (to
  /// 10⁻⁹ h). Given instants must end at or before T, with the last one; throws Error if they go beyond.
  std::size_t stepsUntil(double T) const;

  /// t_k; for given instants k must be at most their number less one.
  double instant(std::size_t k) const;
  /// t_{k+1} − t_k; exactly h when uniform.
  double step(std::size_t k) const;

  /// False for given instants.
  bool isUniform() const { return instants_.empty(); }

 private:
  double t0_ = 0.;
  double h_ = 0.;
  bool startsWithModel_ = false;
  std::vector<double> instants_;
};

}  // namespace delassus
