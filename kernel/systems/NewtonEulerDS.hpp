// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/rotations/Rotation.hpp>
#include <delassus/kernel/shapes/Shape.hpp>
#include <delassus/kernel/systems/ExternalForces.hpp>
#include <delassus/kernel/systems/SecondOrderDS.hpp>
#include <delassus/numerics/functions/Differentiation.hpp>
#include <memory>
#include <type_traits>

namespace delassus {

/// How a rigid body moves along a displacement h v = (h v_g, h Ω).
enum class ConfigurationUpdate {
  exponential,  ///< p ∘ exp(h Ω): on the group, the norm stays 1 (the default)
  normalised    ///< (p + h ½ Ψ(p) Ω) / |…|: q + h T(q) v of [Siconos 2017], normalised
};

/// A free rigid body in space. Configuration q = (x_g, p): position of the centre of mass in the inertial frame, m, and
/// unit quaternion of the rotation R from the body's frame to the inertial one. Twist v = (v_g, Ω): velocity of the
/// centre of mass in the inertial frame, m/s, and angular velocity in the body's frame, rad/s.
///
///     m v̇_g        = m g + f_ext(t) − f_int(t, q, v)                                      + p_1..3
///     I Ω̇ + Ω × IΩ = M_ext(t) + Rᵀ m_ext(t) − M_int(t, q, v)                              + p_4..6
///     q̇ = T(q) v,    T(q) = diag(1₃, ½ Ψ(p))
///
/// g the gravity of the model (NonSmoothDynamicalSystem::setGravity), I the inertia about the centre of mass in the
/// body's frame (3 x 3, full), kg m². Forces are given in the inertial frame; moments about the centre of mass in the
/// body's frame, except m_ext, in the inertial frame. All terms are zero unless they are given. Displacements and
/// Jacobians are in twist coordinates: a displacement δ = (δx, δφ) moves x by δx and turns R to R exp δφ~.
///
///     auto body = std::make_shared<NewtonEulerDS>(NewtonEulerDS::at({0., 0., 1.}), Vector(6), mass, inertia);
///     model.insert("body", body);
///
/// ([Siconos 2017], chapter 11.)
class NewtonEulerDS : public SecondOrderDS {
 public:
  /// Wrench (force, moment) of size 6 of (t, q, v), with ∂/∂q (6 x 7) and ∂/∂v (6 x 6).
  using WrenchFunction = SmoothFunction<Arguments<double, Vector, Vector>, WithRespectTo<1, 2>>;

  /// q0 = (x, p) of size 7, v0 of size 6, inertia 3 x 3. Throws Error if sizes do not fit, a number is not finite, p is
  /// not a unit quaternion to 1e-8 (it is normalised to rounding then), the mass is not positive, or the inertia is not
  /// symmetric positive definite with physically possible principal moments (each at most the sum of the others).
  NewtonEulerDS(const Vector& q0, const Vector& v0, double mass, const Matrix& inertia);

  /// A homogeneous body of that density (kg/m³) at rest, found from its shape: its frame has the axes of the shape's
  /// and its origin at the centre of mass, where the shape is at placementInBody(shape); x and p are where the frame of
  /// the shape is. Throws Error as Shape::massProperties, and if p is zero or a number not finite.
  static std::shared_ptr<NewtonEulerDS> ofShape(const Shape& shape, double density, const Vector3& x = {},
                                                const Quaternion& p = {1., 0., 0., 0.});

  /// q = (x, p) with the identity as rotation unless given; p is normalised. Throws Error if p is zero or not finite.
  static Vector at(const Vector3& x, const Quaternion& p = {1., 0., 0., 0.});

  /// Inertia of homogeneous bodies about their centres of mass, kg m²: a ball of that radius, a box with those edges, a
  /// cylinder with its axis along z. Throws Error unless all numbers are positive and finite.
  ///@{
  static Matrix ballInertia(double mass, double radius);
  static Matrix boxInertia(double mass, double lx, double ly, double lz);
  static Matrix cylinderInertia(double mass, double radius, double height);
  ///@}

  std::string_view className() const override { return "NewtonEulerDS"; }

  /// m, kg (mass() gives the 6 x 6 matrix).
  double scalarMass() const { return scalarMass_; }
  /// I about the centre of mass in the body's frame, 3 x 3, kg m².
  const Matrix& inertia() const { return inertia_; }
  /// x_g, the centre of mass in the inertial frame, m.
  Vector3 position() const { return vector3(data(q())); }
  /// Rotation from the body's frame to the inertial one: the unit quaternion p, and R.
  ///@{
  Quaternion orientation() const { return {q()(3), q()(4), q()(5), q()(6)}; }
  Matrix3 rotation() const { return rotations::rotationMatrix(orientation()); }
  ///@}
  /// Ω in the body's frame, and ω = R Ω in the inertial one, rad/s.
  ///@{
  Vector3 angularVelocity() const { return vector3(data(velocity()) + 3); }
  Vector3 inertialAngularVelocity() const { return rotations::rotate(orientation(), angularVelocity()); }
  ///@}
  /// ½ m v² + ½ Ω·IΩ, J.
  double kineticEnergy() const;
  /// R I Ω about the centre of mass in the inertial frame, N m s.
  Vector3 angularMomentum() const;

  /// Parameters of the functions below; empty until they are set.
  const Vector& z() const { return z_; }
  /// Throws Error if a number is not finite.
  void setZ(const Vector& z);

  /// g, m/s²: that of the model that it was inserted in last.
  const Vector3& gravity() const { return gravity_; }
  void takeGravity(const Vector3& g) override;
  void checkStart(double t) override;
  double gravityPotential() const override { return -scalarMass_ * dot(gravity_, position()); }

  Settings settings() const override;
  void serializeState(StateArchive& archive) override;

  // Each of these: a constant vector of size 3 (throws Error if it does not fit), or a function f(t, F) or f(t, z, F).

  /// f_ext, N, in the inertial frame. The log warns where it is m g to a hundredth, with the gravity g of the model,
  /// which gives the body its weight already: of a constant at once, of a function where it is so at the start of a
  /// run.
  template <class F>
  void setExternalForces(F f) {
    set(externalForces_, std::move(f), "external force");
    if (externalForces_.isConstant()) warnOfTwoWeights(externalForces_.constant());
  }
  /// M_ext, N m, in the body's frame.
  template <class F>
  void setExternalMoments(F f) {
    set(externalMoments_, std::move(f), "external moment");
  }
  /// m_ext, N m, in the inertial frame.
  template <class F>
  void setInertialExternalMoments(F f) {
    set(inertialMoments_, std::move(f), "external moment in the inertial frame");
    hasInertialMoments_ = true;
  }

  /// (f_int, M_int)(t, q, v), which are subtracted in the equations: withJacobians(f, byQ, byV), differenced(f) or
  /// automatic(f), where byQ is with respect to the seven numbers of q. Not for forces of other systems: see
  /// LagrangianDS::setInternalForces.
  void setInternalForces(WrenchFunction internalForces);

  /// How move() turns the body.
  ///@{
  ConfigurationUpdate configurationUpdate() const { return update_; }
  void setConfigurationUpdate(ConfigurationUpdate update) {
    update_ = update;
    parametersChanged();
  }
  ///@}

  /// True if the inertia is the same about all axes and all forces depend on time alone.
  bool isLinear() const override { return isotropic_ && !hasInertialMoments_ && !internalForces_; }
  bool hasConstantMass() const final { return true; }
  /// True without functions of the user. A derived class whose overrides write to what objects share overrides this.
  bool isSelfContained() const override;
  void move(const Vector& q, const Vector& displacement, Vector& moved) const override;
  /// (tr I/(2m))^½: half the edge of a cube, 0.77 of the radius of a ball.
  double length() const override;
  void inertialForces(const Vector& q, const Vector& v, Vector& force) override;
  bool hasGyroscopicForces() const override { return !isotropic_; }
  void addGyroscopicForces(double factor, const Vector& v, Vector& force) const override;
  void addMeanGyroscopicForces(double h, double factor, const Vector& v, Vector& force) const override;
  void addGyroscopicJacobian(double factor, const Vector& v, SquareMatrix& byV) override {
    addGyroscopicJacobian(factor, v, byV.dense());
  }
  double gyroscopicRate(const Vector& v) const override;
  void checkJacobians(double t, const JacobianCheck& check) override;

  /// (TᵀT)⁻¹ = diag(1, 1, 1, 4, 4, 4), since ΨᵀΨ = 1.
  double inverseRateMetric(std::size_t i) const override { return i < 3 ? 1. : 4.; }
  void rates(const Vector& q, Matrix& T) const override;
  std::size_t configurationConstraints() const override { return 1; }
  /// c = |p| − 1, with its gradient by the seven numbers of q.
  double configurationConstraint(std::size_t k, const Vector& q, Vector& gradient) const override;
  void normalise(Vector& q) const override;

 protected:
  void requireConfiguration(Vector& q, const std::string& what) const override;

 private:
  template <class F>
  void set(ExternalForces& forces, F f, const char* what) {
    if constexpr (std::is_convertible_v<F, Vector>) {
      const Vector constant = std::move(f);
      requireTriple(constant, what);
      forces.set(constant);
    } else {
      forces.set(std::move(f), z_);
    }
    parametersChanged();
  }
  void warnOfTwoWeights(const Vector& force) const;
  void requireTriple(const Vector& constant, const char* what) const;
  void computeMass(const Vector& q, Matrix& mass) final;
  void computeForces(double t, const Vector& q, const Vector& v, Vector& force) final;
  void computeForceJacobians(double t, const Vector& q, const Vector& v, Matrix& byQ, Matrix& byV) final;
  void requireFiniteForces(double t, const Vector& q, const Vector& v) final;
  void addGyroscopicJacobian(double factor, const Vector& v, Matrix& byV) const;
  /// The three numbers of a force or moment at t; throws Error naming `what` if there are not three.
  Vector3 evaluate(const ExternalForces& forces, double t, const char* what);

  double scalarMass_;
  Matrix inertia_;
  Matrix3 I_;
  bool isotropic_;
  bool hasInertialMoments_ = false;
  ConfigurationUpdate update_ = ConfigurationUpdate::exponential;
  Vector3 gravity_{0., 0., 0.};
  Vector z_;
  ExternalForces externalForces_, externalMoments_, inertialMoments_;
  Vector triple_;
  // Apart, since few bodies of many have any.
  struct InternalForces {
    WrenchFunction function;
    Vector wrench;
    Matrix byQ, byV;
  };
  std::unique_ptr<InternalForces> internalForces_;
};

}  // namespace delassus
