// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/relations/FirstOrderLinearR.hpp>

namespace delassus {

/// y = C x + D λ + F z + e, r = B λ with constant C, D, F, e and B. ([Siconos 2017], 1.1 and 9.4.)
///
///     FirstOrderLinearTIR(FirstOrderLinearTIR::Coefficients{.C = C, .D = D, .B = B})
class FirstOrderLinearTIR final : public FirstOrderLinearR {
 public:
  /// Each constructor throws Error if a matrix is empty or not finite, or sizes do not fit.
  ///@{
  FirstOrderLinearTIR(const Matrix& C, const Matrix& B) : FirstOrderLinearR(C, B) {}
  FirstOrderLinearTIR(const Matrix& C, const Matrix& D, const Matrix& B) : FirstOrderLinearR(C, B) { setD(D); }
  explicit FirstOrderLinearTIR(const Coefficients& coefficients) : FirstOrderLinearR(coefficients) {}
  ///@}

  /// Throw Error if they do not fit or are not finite.
  ///@{
  FirstOrderLinearTIR& setD(const Matrix& D) {
    FirstOrderLinearR::setD(D);
    return *this;
  }
  FirstOrderLinearTIR& setE(const Vector& e) {
    FirstOrderLinearR::setE(e);
    return *this;
  }
  ///@}
  /// F and its parameters z, which may be changed later by setZ.
  FirstOrderLinearTIR& setFz(const Matrix& F, const Vector& z) {
    requireSize(z, F.size2(), "FirstOrderLinearTIR: z (one entry a column of F)");
    requireFinite(z, "FirstOrderLinearTIR: z");
    FirstOrderLinearR::setF(F);
    setZ(z);
    return *this;
  }

  std::string_view className() const override { return "FirstOrderLinearTIR"; }
};

}  // namespace delassus
