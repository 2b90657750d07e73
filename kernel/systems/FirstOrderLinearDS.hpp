// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/functions/TimeFunction.hpp>
#include <delassus/kernel/systems/FirstOrderDS.hpp>

namespace delassus {

/// M ẋ = A(t, z) x + b(t, z) + r; A and b are constant or functions of time, zero where they are not given. Use b for a
/// source that varies in time. A is dense or sparse, by what is given. ([Siconos 2017], 2.3.)
///
///     FirstOrderLinearDS tank(x0, A);
///     tank.setB([=](double t, Vector& b) { b(0) = amplitude * std::sin(omega * t); });
class FirstOrderLinearDS : public FirstOrderDS {
 public:
  /// Each constructor throws Error if sizes do not fit or a number is not finite.
  ///@{
  explicit FirstOrderLinearDS(const Vector& x0);
  FirstOrderLinearDS(const Vector& x0, const SquareMatrix& A);
  FirstOrderLinearDS(const Vector& x0, const SquareMatrix& A, const Vector& b);
  ///@}

  /// Constant; throws Error if it does not fit or is not finite.
  ///@{
  void setA(const SquareMatrix& A);
  void setB(const Vector& b);
  ///@}
  /// Functions (t, A) or (t, z, A), whose A is a Matrix& of zeros or a SparseMatrix& as the last call left it, and (t,
  /// b) or (t, z, b).
  ///@{
  template <class F>
  requires(!std::is_convertible_v<F, SquareMatrix>) void setA(F A) {
    constexpr bool isDense =
        std::is_invocable_v<F&, double, Matrix&> || std::is_invocable_v<F&, double, const Vector&, Matrix&>;
    if constexpr (detail::Differentiated<F>) {
      setA(std::move(A.f));  // no scheme asks for the derivative
    } else if constexpr (isDense) {
      setFunctionA(storing<Matrix>(std::move(A), [](SquareMatrix& out, auto fill) { fill(out.dense()); }), false);
    } else {
      setFunctionA(
          storing<SparseMatrix>(std::move(A),
                                [last = SparseMatrix(dimension(), dimension())](SquareMatrix& out, auto fill) mutable {
                                  fill(last);
                                  out = last;
                                }),
          true);
    }
  }
  template <class F>
  requires(!std::is_convertible_v<F, Vector>) void setB(F b) {
    b_.set(std::move(b));
    parametersChanged();
  }
  ///@}

  /// A(t), as it is stored or with all entries, and b(t); throw Error if a size is wrong or a number not finite.
  ///@{
  void A(double t, SquareMatrix& A) const;
  void A(double t, Matrix& A) const;
  void b(double t, Vector& b) const;
  ///@}

  std::string_view className() const override { return "FirstOrderLinearDS"; }
  Settings settings() const override;

 private:
  void computeF(double t, const Vector& x, Vector& f) override;
  void computeJacobianFx(double t, const Vector& x, Matrix& jacobian) override;
  void storeJacobianFx(double t, const Vector& x, SquareMatrix& jacobian) override;
  bool hasSparseField() const override { return isSparseA_; }
  bool hasLinearField() const override { return true; }
  bool hasConstantJacobian() const override { return A_.isConstant(); }
  bool hasConstantSource() const override { return b_.isConstant(); }

  // A function of the user, in either form, as one that stores its result in a SquareMatrix by way of `store`.
  template <class Storage, class F, class Store>
  static auto storing(F f, Store store) {
    if constexpr (std::is_invocable_v<F&, double, const Vector&, Storage&>) {
      return [f = std::move(f), store = std::move(store)](double t, const Vector& z, SquareMatrix& out) mutable {
        store(out, [&](Storage& A) { f(t, z, A); });
      };
    } else {
      static_assert(std::is_invocable_v<F&, double, Storage&>,
                    "A must be a constant or a function (double t, A) or (double t, const Vector& z, A), whose A is a "
                    "Matrix& or a SparseMatrix& to fill");
      return [f = std::move(f), store = std::move(store)](double t, SquareMatrix& out) mutable {
        store(out, [&](Storage& A) { f(t, A); });
      };
    }
  }
  template <class F>
  void setFunctionA(F A, bool isSparse) {
    requireNoControl(isSparse);
    isSparseA_ = isSparse;
    A_.set(std::move(A));
    parametersChanged();
  }

  TimeFunction<SquareMatrix> A_;
  TimeFunction<Vector> b_;
  bool isSparseA_ = false;
  SquareMatrix present_;  // A(t)
};

}  // namespace delassus
