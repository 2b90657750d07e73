// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <delassus/kernel/contacts/ContactGeometry.hpp>
#include <delassus/kernel/relations/NewtonEulerR.hpp>
#include <memory>
#include <utility>
#include <vector>

namespace delassus {

/// Contact of a rigid body with another, or with an obstacle, at the points of a ContactGeometry. At each point, with
/// the frame (n, t₁, t₂) of the contact, the outputs are the gap and zeros, and their rates the local velocities
///
///     u = R_cᵀ (v₁ + ω₁ × r₁ − v₂ − ω₂ × r₂),    r_i from the centre of mass of body i to the point,
///
/// followed by the components of the relative rotation R_cᵀ (ω₁ − ω₂) that a derived class selects. On twists this is G
/// = R_cᵀ [1, −r̃₁R₁, −1, r̃₂R₂]; its first row is the derivative of the gap. Both bodies are taken at the same point,
/// so that the impulses of a contact change neither linear nor angular momentum of the two at that configuration.
/// ([Siconos 2017], chapter 12.)
///
/// A relation of k points has k times the rows, and its interaction applies the law to each point separately.
class NewtonEulerContactR : public NewtonEulerR {
 public:
  /// The shapes that touch.
  const ContactGeometry& geometry() const { return *geometry_; }
  /// The points at the configuration of the last call.
  const std::vector<ContactPoint>& contacts() const { return contacts_; }

  bool findContacts(double t, const Vector& q, std::vector<ContactPoint>& contacts) final;
  double thickness() const final { return geometry_->thickness(); }
  double depth(double t, const Vector& q, double found) const final { return geometry_->depth(t, q, found); }
  bool isTimeDependent() const final { return geometry_->isTimeDependent(); }
  Settings settings() const override;
  void serializeState(StateArchive& archive) override;
  bool hasMemory() const final { return geometry_->hasMemory(); }
  bool isSelfContained() const final { return geometry_->isSelfContained(); }
  void computeOutput(double t, const Vector& q, const Vector& lambda, Vector& y) final;
  void computeJacobian(double t, const Vector& q, const Vector& lambda, Matrix& G) final;
  bool computeOutputAndJacobian(double t, const Vector& q, const Vector& lambda, Vector& y, Matrix& G) final;
  void computeDrift(double t, const Vector& q, Vector& drift) final;
  void checkDimensions(std::size_t configurations, std::size_t velocities) const final;
  /// Checks the rows of the gap and its drift; the others are not derivatives of an output.
  void checkJacobians(double t, const Vector& q, std::size_t velocities, const JacobianCheck& check,
                      const std::string& label) final;

 protected:
  /// `velocityRows` of (n, t₁, t₂) and then `rotationAxes` of them. Throws Error if the geometry is null.
  NewtonEulerContactR(std::shared_ptr<ContactGeometry> geometry, std::size_t velocityRows,
                      std::vector<std::size_t> rotationAxes);

 private:
  void takeGaps(Vector& y) const;
  void fillRows(const Vector& q, Matrix& G) const;
  void fillRows(const Vector3& arm, double sign, const Matrix3& frame, const Matrix3& R, double* row) const;

  std::shared_ptr<ContactGeometry> geometry_;
  std::size_t velocityRows_;
  std::vector<std::size_t> rotationAxes_;
  std::vector<ContactPoint> contacts_;
};

/// Contact without friction: one row a point, for NewtonImpactNSL.
class NewtonEuler1DR final : public NewtonEulerContactR {
 public:
  /// Shares a geometry, or takes a copy. Throws Error if it is null.
  ///@{
  explicit NewtonEuler1DR(std::shared_ptr<ContactGeometry> geometry)
      : NewtonEulerContactR(std::move(geometry), 1, {}) {}
  template <std::derived_from<ContactGeometry> Geometry>
  explicit NewtonEuler1DR(Geometry geometry) : NewtonEuler1DR(std::make_shared<Geometry>(std::move(geometry))) {}
  ///@}
  std::string_view className() const override { return "NewtonEuler1DR"; }
};

/// Contact with friction in the plane of n and t₁: two rows a point, for NewtonImpactFrictionNSL. For planar motion t₁
/// must lie in its plane: by ContactPoint::tangent, which DiskPlane and DiskDisk set, and others take from their Plane.
class NewtonEuler2DR final : public NewtonEulerContactR {
 public:
  /// Shares a geometry, or takes a copy. Throws Error if it is null.
  ///@{
  explicit NewtonEuler2DR(std::shared_ptr<ContactGeometry> geometry)
      : NewtonEulerContactR(std::move(geometry), 2, {}) {}
  template <std::derived_from<ContactGeometry> Geometry>
  explicit NewtonEuler2DR(Geometry geometry) : NewtonEuler2DR(std::make_shared<Geometry>(std::move(geometry))) {}
  ///@}
  std::string_view className() const override { return "NewtonEuler2DR"; }
};

/// Contact with friction: three rows a point, (n, t₁, t₂), for NewtonImpactFrictionNSL.
class NewtonEuler3DR final : public NewtonEulerContactR {
 public:
  /// Shares a geometry, or takes a copy. Throws Error if it is null.
  ///@{
  explicit NewtonEuler3DR(std::shared_ptr<ContactGeometry> geometry)
      : NewtonEulerContactR(std::move(geometry), 3, {}) {}
  template <std::derived_from<ContactGeometry> Geometry>
  explicit NewtonEuler3DR(Geometry geometry) : NewtonEuler3DR(std::make_shared<Geometry>(std::move(geometry))) {}
  ///@}
  std::string_view className() const override { return "NewtonEuler3DR"; }
};

/// Contact with friction and rolling resistance: five rows a point, (n, t₁, t₂) and the relative rotation about t₁ and
/// t₂, for NewtonImpactRollingFrictionNSL.
class NewtonEuler5DR final : public NewtonEulerContactR {
 public:
  /// Shares a geometry, or takes a copy. Throws Error if it is null.
  ///@{
  explicit NewtonEuler5DR(std::shared_ptr<ContactGeometry> geometry)
      : NewtonEulerContactR(std::move(geometry), 3, {1, 2}) {}
  template <std::derived_from<ContactGeometry> Geometry>
  explicit NewtonEuler5DR(Geometry geometry) : NewtonEuler5DR(std::make_shared<Geometry>(std::move(geometry))) {}
  ///@}
  std::string_view className() const override { return "NewtonEuler5DR"; }
};

}  // namespace delassus
