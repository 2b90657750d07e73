// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/algebra/Matrix.hpp>
#include <delassus/numerics/algebra/Vector.hpp>
#include <vector>

namespace delassus::test {

/// The exact motion of a piecewise linear system, mode by mode:
///
///     ẋ = A_i x + b_i   until a guard n·x + c of the mode turns negative; then x := x + jump, and on in its target
///     mode.
///
/// Motion in a mode is by matrix exponentials, instants of switching by bisection to rounding, so that only one thing
/// depends on a step: whether a guard can be negative for less than `scan` unnoticed. Time, where a mode or a guard
/// depends on it, is a state of its own, and so are the sine and cosine of a source.
class PiecewiseLinear {
 public:
  struct Guard {
    Vector normal;
    double offset;
    std::size_t target;
    Vector jump = {};  // none where it is empty
  };
  struct Mode {
    Matrix A;
    Vector b;
    std::vector<Guard> guards;  // the first one that is negative is taken
  };

  /// Starts at t = 0 in mode `mode`. Throws Error if sizes do not fit or scan is not positive.
  PiecewiseLinear(std::vector<Mode> modes, double scan, const Vector& x0, std::size_t mode);

  /// To time t, not before the present one. Throws Error if modes follow each other without end.
  void advanceTo(double t);

  const Vector& x() const { return x_; }
  double time() const { return time_; }
  std::size_t mode() const { return mode_; }
  std::size_t switchings() const { return switchings_; }

 private:
  const Guard* violated(const Vector& x) const;
  double advanceInMode(double duration);

  std::vector<Mode> modes_;
  double scan_;
  std::vector<std::vector<Matrix>> flows_;  // by mode and k: (x, 1) over the time scan / 2^k
  Vector x_;
  Vector trial_;
  Vector beyond_;
  double time_ = 0.;
  std::size_t mode_;
  std::size_t switchings_ = 0;
};

}  // namespace delassus::test
