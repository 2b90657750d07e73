// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/hybrid/MotionElement.hpp>
#include <delassus/kernel/laws/NonSmoothLaw.hpp>

namespace delassus {

/// The element of row `row` of an interaction with this law; the only place that looks at laws. Throws Error with the
/// label for a law that motion in modes does not take.
ElementLaw elementOf(const NonSmoothLaw& law, std::size_t row, const std::string& label);

/// A joint or a drive, a = 0: always held.
class JointElement final : public MotionElement {
 public:
  /// The only one.
  static const JointElement& instance();

  ContactMode admissible(const ContactElement&, ContactMode) const override { return ContactMode::held; }
  void countViolations(const ContactElement& element, const Vector& lambda, const Vector& a,
                       Violations& violations) const override;
  bool fits(const ContactElement& element, ContactMode mode, const Vector& lambda, const Vector& a,
            const RowTolerance& tolerance) const override;
  void formulate(const ContactElement& element, ContactLcpRows& problem, Vector& lambda) const override;
  void hold(const ElementLaw& law, ContactMode mode, const SlipDirection& heading, std::size_t row,
            ModeRows& rows) const override;
  void requireConsistent(const ElementState& state, const std::string& label, double t, bool initial) const override;
  void log(const ElementChange& change, std::vector<EventKind>& kinds) const override;
};

/// Dry friction in an axis, λ ∈ [l, u] against a velocity: held, or slips with λ = l forward, λ = u backward.
/// Guards: [u − λ, λ − l] where it is held, [s u] where it slips.
class BoxElement final : public MotionElement {
 public:
  /// The only one.
  static const BoxElement& instance();

  bool isRigid() const override { return false; }
  ContactMode admissible(const ContactElement& element, ContactMode mode) const override;
  void require(const ContactElement& element, const std::string& where) const override;
  double size(const ContactElement& element, const double* scales) const override;
  void scale(ContactElement& element, const double* scales, double size) const override;
  void countViolations(const ContactElement& element, const Vector& lambda, const Vector& a,
                       Violations& violations) const override;
  bool fits(const ContactElement& element, ContactMode mode, const Vector& lambda, const Vector& a,
            const RowTolerance& tolerance) const override;
  void formulate(const ContactElement& element, ContactLcpRows& problem, Vector& lambda) const override;
  void hold(const ElementLaw& law, ContactMode mode, const SlipDirection& heading, std::size_t row,
            ModeRows& rows) const override;

  std::size_t guards() const override { return 2; }
  void computeGuards(const ElementState& state, double* g, double* gDot) const override;
  bool isForceGuard(ContactMode mode, std::size_t slot) const override;
  double guardRounding(const ElementState& state, std::size_t slot) const override;
  SlipDirection slip(const ElementState& state) const override;
  bool comesToRest(const ElementState& state, bool isTied) const override;
  void propose(const ElementState& state, std::size_t slot, PlacedElement& placed) const override;
};

/// A contact without friction, 0 ≤ a ⟂ λ ≥ 0: open or held. Guards: the gap, or the normal force.
class UnilateralElement : public MotionElement {
 public:
  /// The only one of this class.
  static const UnilateralElement& instance();

  bool hasGap() const override { return true; }
  ContactMode admissible(const ContactElement& element, ContactMode mode) const override;
  void countViolations(const ContactElement& element, const Vector& lambda, const Vector& a,
                       Violations& violations) const override;
  bool fits(const ContactElement& element, ContactMode mode, const Vector& lambda, const Vector& a,
            const RowTolerance& tolerance) const override;
  void formulate(const ContactElement& element, ContactLcpRows& problem, Vector& lambda) const override;
  void hold(const ElementLaw& law, ContactMode mode, const SlipDirection& heading, std::size_t row,
            ModeRows& rows) const override;

  std::size_t guards() const override { return 1; }
  const char* guardName(ContactMode mode, std::size_t slot) const override;
  void computeGuards(const ElementState& state, double* g, double* gDot) const override;
  bool isForceGuard(ContactMode mode, std::size_t slot) const override;
  double guardRounding(const ElementState& state, std::size_t slot) const override;
  void propose(const ElementState& state, std::size_t slot, PlacedElement& placed) const override;
  ContactMode impactMode(const ElementState& state, double border, SlipDirection& heading) const override;
  void requireConsistent(const ElementState& state, const std::string& label, double t, bool initial) const override;
  void log(const ElementChange& change, std::vector<EventKind>& kinds) const override;

 protected:
  /// True unless the event is one of friction alone: when the normal force vanishes, the bounds of friction do with it.
  bool opens(const ElementState& state, std::size_t slot) const;
};

/// A contact with Coulomb friction in 2D: open, sticks, or slips with λ_T = −s μ λ_N.
/// Guards: [gap] open; [λ_N, μλ_N − λ_T, μλ_N + λ_T] where it sticks; [λ_N, s u_T] where it slips.
class PlanarFrictionElement final : public UnilateralElement {
 public:
  /// The only one.
  static const PlanarFrictionElement& instance();

  std::size_t rows() const override { return 2; }
  ContactMode admissible(const ContactElement& element, ContactMode mode) const override;
  void require(const ContactElement& element, const std::string& where) const override;
  void scale(ContactElement& element, const double* scales, double size) const override;
  void countViolations(const ContactElement& element, const Vector& lambda, const Vector& a,
                       Violations& violations) const override;
  bool fits(const ContactElement& element, ContactMode mode, const Vector& lambda, const Vector& a,
            const RowTolerance& tolerance) const override;
  void formulate(const ContactElement& element, ContactLcpRows& problem, Vector& lambda) const override;
  void hold(const ElementLaw& law, ContactMode mode, const SlipDirection& heading, std::size_t row,
            ModeRows& rows) const override;

  std::size_t guards() const override { return 3; }
  void computeGuards(const ElementState& state, double* g, double* gDot) const override;
  bool isForceGuard(ContactMode mode, std::size_t slot) const override;
  double guardRounding(const ElementState& state, std::size_t slot) const override;
  SlipDirection slip(const ElementState& state) const override;
  bool comesToRest(const ElementState& state, bool isTied) const override;
  void propose(const ElementState& state, std::size_t slot, PlacedElement& placed) const override;
  ContactMode impactMode(const ElementState& state, double border, SlipDirection& heading) const override;
};

/// A contact with Coulomb friction in 3D: open, sticks, slips with λ_T = −μ λ_N u_T/|u_T|, or creeps.
///
/// Near u_T = 0 the direction of u_T is ill-conditioned. So a slip keeps the direction e with which it has begun, and
/// its velocity along e is mirrored where it is negative: a slip that runs straight into rest crosses zero smoothly. It
/// ends where u_T · e = 0. Where the direction has turned by 60° it becomes the new e, which is no event of the log. A
/// slip that has ended below the creep speed (ElementTolerances) is at rest.
///
/// A slip that begins at rest takes its direction from the forces (HeldRow::Turning::withForce) until it has the creep
/// speed: then a direction that follows the velocity would be stiff, since it relaxes within |u_T| / (μ λ_N) times the
/// mass.
///
/// Guards: [gap] open; [λ_N, μ λ_N − |λ_T|] where it sticks; [λ_N, u_T · e, u_T · e − ½ |u_T|] where it slips;
/// [λ_N, creep speed − |u_T|, a_T · d] where it creeps.
class SpatialFrictionElement final : public UnilateralElement {
 public:
  /// The only one.
  static const SpatialFrictionElement& instance();

  std::size_t rows() const override { return 3; }
  ContactMode admissible(const ContactElement& element, ContactMode mode) const override;
  void require(const ContactElement& element, const std::string& where) const override;
  void alignScales(double* scales) const override;
  void scale(ContactElement& element, const double* scales, double size) const override;
  void countViolations(const ContactElement& element, const Vector& lambda, const Vector& a,
                       Violations& violations) const override;
  bool fits(const ContactElement& element, ContactMode mode, const Vector& lambda, const Vector& a,
            const RowTolerance& tolerance) const override;
  void formulate(const ContactElement& element, ContactLcpRows& problem, Vector& lambda) const override;
  SlipDirection heading(const ContactElement& element, const Vector& lambda) const override;
  bool revise(const ContactElement& element, const Vector& lambda, const Vector& a, ContactMode& mode,
              SlipDirection& heading) const override;
  void hold(const ElementLaw& law, ContactMode mode, const SlipDirection& heading, std::size_t row,
            ModeRows& rows) const override;

  std::size_t guards() const override { return 3; }
  void computeGuards(const ElementState& state, double* g, double* gDot) const override;
  bool isForceGuard(ContactMode mode, std::size_t slot) const override;
  double guardRounding(const ElementState& state, std::size_t slot) const override;
  SlipDirection slip(const ElementState& state) const override;
  bool comesToRest(const ElementState& state, bool isTied) const override;
  void propose(const ElementState& state, std::size_t slot, PlacedElement& placed) const override;
  ContactMode impactMode(const ElementState& state, double border, SlipDirection& heading) const override;
  void log(const ElementChange& change, std::vector<EventKind>& kinds) const override;
};

}  // namespace delassus
