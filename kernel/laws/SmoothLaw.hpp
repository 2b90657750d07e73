// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/Settings.hpp>
#include <delassus/numerics/algebra/Matrix.hpp>
#include <delassus/numerics/algebra/Vector.hpp>
#include <delassus/numerics/functions/Differentiation.hpp>
#include <string>
#include <string_view>

namespace delassus {

/// A law that gives the force of a relation between mechanical systems as a smooth function of its outputs,
///
///     λ = f(t, y, ẏ),     p = Gᵀ λ,
///
/// in the place of a nonsmooth law: a spring, a damper, a controller that is not sampled. Linked with a relation it is
/// a ForceElement, which ties its systems together: schemes integrate them as one, implicitly where they are implicit.
///
///     model.link("drag", SmoothLaw(1, automatic([=](double, const auto& y, const auto& yDot, auto& force) {
///                  force(0) = -c * yDot(0) * sqrt(yDot(0) * yDot(0) + eps);
///                })), relation, body);
class SmoothLaw {
 public:
  /// f(t, y, ẏ, λ) with ∂f/∂y and ∂f/∂ẏ, in this order.
  using Function = SmoothFunction<Arguments<double, Vector, Vector>, WithRespectTo<1, 2>>;

  /// `size` outputs; f as withJacobians(f, byY, byRate), differenced(f) or automatic(f). Throws Error if size is 0 or f
  /// is empty.
  SmoothLaw(std::size_t size, Function f);
  virtual ~SmoothLaw() = default;
  /// Copies have functions of their own.
  ///@{
  SmoothLaw(const SmoothLaw&) = default;
  SmoothLaw(SmoothLaw&&) = default;
  SmoothLaw& operator=(const SmoothLaw&) = default;
  SmoothLaw& operator=(SmoothLaw&&) = default;
  ///@}

  /// Name of the class; for messages and checkpoints.
  virtual std::string_view className() const { return "SmoothLaw"; }
  /// Outputs that belong together. A relation with k times as many has the law k times.
  std::size_t size() const { return size_; }
  /// Parameters that do not change.
  virtual Settings settings() const { return {}; }

  /// True if ∂f/∂y and ∂f/∂ẏ are constant, whatever the parameters are.
  virtual bool isLinear() const { return false; }
  /// True if its functions may be called while those of systems and relations run on other threads.
  virtual bool isSelfContained() const { return false; }

  /// λ for size() outputs; zero on entry.
  virtual void computeForce(double t, const Vector& y, const Vector& yDot, Vector& lambda) const;
  /// ∂λ/∂y and ∂λ/∂ẏ, size() x size() each; zero on entry.
  virtual void computeJacobians(double t, const Vector& y, const Vector& yDot, Matrix& byY, Matrix& byRate) const;
  /// The energy that the law stores at y, J, with −∂E/∂y the part of λ that stores it; 0 by default.
  virtual double energy(const Vector& y) const;

  /// Throws Error beginning with `label` and naming the entry of a Jacobian that is not that of computeForce, by
  /// central differences.
  void checkJacobians(double t, const Vector& y, const Vector& yDot, const JacobianCheck& check,
                      const std::string& label) const;

 protected:
  /// For laws that override the functions. Throws Error if size is 0.
  explicit SmoothLaw(std::size_t size);

 private:
  std::size_t size_;
  Function f_;
};

}  // namespace delassus
