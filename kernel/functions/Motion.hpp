// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

namespace delassus {

/// A prescribed motion f(t) with its rate ḟ(t), for drives and moving supports.
class Motion {
 public:
  /// A number as a function of time, s.
  using Function = std::function<double(double)>;

  /// The rate by central differences (an error of about 1e-10 of f at times of the order of a second). Each
  /// constructor throws Error if a function is empty.
  explicit Motion(Function f);
  /// With its rate, the derivative of f; this is not checked.
  Motion(Function f, Function rate);

  double at(double t) const { return f_(t); }  ///< f(t)
  double rate(double t) const;                 ///< ḟ(t)

 private:
  Function f_;
  Function rate_;
};

}  // namespace delassus
