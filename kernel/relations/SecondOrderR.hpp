// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/functions/MadeOnUse.hpp>
#include <delassus/kernel/relations/Relation.hpp>
#include <delassus/numerics/algebra/Matrix.hpp>
#include <delassus/numerics/algebra/Vector.hpp>
#include <delassus/numerics/functions/Differentiation.hpp>
#include <string>
#include <vector>

namespace delassus {

struct ContactPoint;

/// A relation between mechanical systems,
///
///     y = h(t, q, λ),     ẏ = G v + ∂h/∂t,     p = Gᵀ λ,
///
/// where q and v stack the configurations and velocities of the linked systems in the order of the link. It provides
/// all that a scheme needs: h, the Jacobian G on velocities, the drift ∂h/∂t and the compliance ∂h/∂λ. A derived class
/// overrides computeOutput, and the others if it has something better than central differences of it.
class SecondOrderR : public Relation {
 public:
  SecondOrderR* secondOrder() final { return this; }

  /// y = h(t, q, λ); λ is a force here, and only compliant relations depend on it. `y` is zero on entry.
  virtual void computeOutput(double t, const Vector& q, const Vector& lambda, Vector& y) = 0;
  /// G, size() x (velocities); zero on entry. The default differences h.
  virtual void computeJacobian(double t, const Vector& q, const Vector& lambda, Matrix& G);
  /// Both at once, where they have most of the work in common: true if y and G are set. False by default: a scheme then
  /// asks for one after the other. Not asked of linear relations.
  virtual bool computeOutputAndJacobian(double, const Vector&, const Vector&, Vector&, Matrix&) { return false; }
  /// ∂h/∂t into `drift` (zero on entry); called only for relations that depend on time.
  virtual void computeDrift(double t, const Vector& q, Vector& drift);
  /// The bias of ÿ = G v̇ + bias, the time derivative of G v + ∂h/∂t at constant v, into `bias` (zero on entry).
  /// Returns false if the relation does not know it, as by default; event-driven simulations, the only callers, then
  /// take differences of G v + ∂h/∂t.
  virtual bool computeBias(double t, const Vector& q, const Vector& v, Vector& bias);
  /// ∂h/∂λ into `D`, size() x size() (zero on entry); called only for compliant relations.
  virtual void computeCompliance(double t, const Vector& q, const Vector& lambda, Matrix& D);

  /// Where the contacts are at (t, q), one for each application of the law, into `contacts`; Returns false if the
  /// relation has no contacts, or knows their gaps but not their places, as by default. Used for pictures only, not in
  /// steps.
  virtual bool findContacts(double t, const Vector& q, std::vector<ContactPoint>& contacts);

  /// Of contacts, ContactGeometry::thickness; 0 where it is not known.
  virtual double thickness() const { return 0.; }
  /// Of contacts, ContactGeometry::depth: how deep the bodies are at (t, q) where −y says `found`.
  virtual double depth(double, const Vector&, double found) const { return found; }
  /// What the depth of a contact is measured by: the size of the smaller body, or thickness() where that is less; 0
  /// where neither is known.
  double depthScale(double size) const {
    const double thin = thickness();
    return thin > 0. && (size == 0. || thin < size) ? thin : size;
  }

  /// Number of states of first-order systems that stand before the velocities, in force elements alone (TransducerR).
  virtual std::size_t firstOrderStates() const { return 0; }
  /// True if h depends on t.
  virtual bool isTimeDependent() const { return false; }
  /// True if h depends on λ.
  virtual bool isCompliant() const { return false; }
  /// True if G and ∂h/∂λ are constant and ∂h/∂t is zero.
  virtual bool isLinear() const { return false; }

  /// True for a coordinate that laws other than equalities limit, or drive with a limited force: for these it need not
  /// be where it is prescribed to be.
  virtual bool isCoordinate() const { return false; }
  /// Throws Error beginning with `label` if the configuration at t does not fit the relation: a joint whose anchors are
  /// apart, say. Asked once in each link, when the model is bound. By default every configuration fits.
  virtual void checkConfiguration(double t, const Vector& q, const std::string& label);

  /// Throws Error if the relation cannot act on systems of these sizes in all (a wrong number of columns, say).
  virtual void checkDimensions(std::size_t configurations, std::size_t velocities) const;

  /// Throws Error naming `label` and the entry of a Jacobian that is not that of computeOutput, by central differences.
  virtual void checkJacobians(double t, const Vector& q, std::size_t velocities, const JacobianCheck& check,
                              const std::string& label);

 protected:
  /// Takes the derivatives `byQ` (size() x configurations) of a function of the stacked q along velocities, into G. A
  /// copy by default, where q̇ = v.
  virtual void alongVelocities(const Matrix& byQ, const Vector& q, Matrix& G) const;

  /// For the Jacobians that are not overridden: the size that arguments typically have (default 1, see
  /// CentralDifferences). Throws Error unless it is positive and finite.
  void setTypicalSize(double typicalSize);

 private:
  void checkOutputJacobian(double t, const Vector& q, std::size_t velocities, const JacobianCheck& check,
                           const std::string& label);

  // Of Jacobians that are not overridden.
  struct Differences {
    CentralDifferences<double, Vector, Vector> method;
    Vector noForce;
    Matrix byQ;
  };

  double typicalSize_ = 1.;
  MadeOnUse<Differences> differences_;
};

}  // namespace delassus
