// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/systems/FirstOrderLinearDS.hpp>

namespace delassus {

/// M ẋ = A x + b + r with constant M and A: its iteration matrix is factored once for each step size. b may vary in
/// time (setB). ([Siconos 2017], 2.3 and 9.4.)
class FirstOrderLinearTIDS final : public FirstOrderLinearDS {
 public:
  /// Each constructor throws Error if sizes do not fit or a number is not finite.
  ///@{
  FirstOrderLinearTIDS(const Vector& x0, const SquareMatrix& A) : FirstOrderLinearDS(x0, A) {}
  FirstOrderLinearTIDS(const Vector& x0, const SquareMatrix& A, const Vector& b) : FirstOrderLinearDS(x0, A, b) {}
  ///@}

  /// Only constants; throw Error as in the base classes.
  ///@{
  void setA(const SquareMatrix& A) { FirstOrderLinearDS::setA(A); }
  void setM(const SquareMatrix& M) { FirstOrderLinearDS::setM(M); }
  ///@}

  std::string_view className() const override { return "FirstOrderLinearTIDS"; }
};

}  // namespace delassus
