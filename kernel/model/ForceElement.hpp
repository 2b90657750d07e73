// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/kernel/laws/SmoothLaw.hpp>
#include <delassus/kernel/model/SystemPart.hpp>
#include <delassus/kernel/relations/SecondOrderR.hpp>
#include <delassus/kernel/systems/Membership.hpp>
#include <delassus/kernel/systems/SecondOrderDS.hpp>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace delassus {

/// A smooth law and a relation: a spring, a damper or a bearing between mechanical systems (or one and the world), or,
/// by a TransducerR, a motor or an actuator between these and systems of first order, whose states stand among v;
/// which act with p = Gᵀ λ, λ = f(t, y, ẏ), y = h(t, q) on the systems that NonSmoothDynamicalSystem::link names. It is
/// the smooth counterpart of an Interaction: no multiplier of it is unknown, and no one-step problem contains it;
/// systems that elements tie together are one node of a scheme, with one iteration matrix.
class ForceElement {
 public:
  /// Shares law and relation with the caller. Throws Error if one is null, the relation is not one of mechanics, is
  /// compliant, or has a number of outputs that is not a multiple of the law's size.
  ForceElement(std::shared_ptr<SmoothLaw> law, std::shared_ptr<Relation> relation);
  ForceElement(const ForceElement&) = delete;
  ForceElement& operator=(const ForceElement&) = delete;

  /// Used in messages. An element without a name gets a number when it is linked.
  ///@{
  const std::string& name() const { return name_; }
  void setName(std::string name) { name_ = std::move(name); }
  ///@}
  /// Number of outputs.
  std::size_t size() const { return noForce_.size(); }
  const SmoothLaw& law() const { return *law_; }         ///< gives λ
  SecondOrderR& relation() const { return *relation_; }  ///< gives y and G
  /// What it acts on, in the order of the link.
  const std::vector<SystemPart>& parts() const { return parts_; }
  /// The systems of these, each once.
  const std::vector<std::shared_ptr<DynamicalSystem>>& systems() const { return systems_; }

  /// After a change of what a function of the law or the relation has captured.
  void parametersChanged() { relation_->parametersChanged(); }

  // At the present state of its systems and time t; each is valid until the next call of one of them. They throw Error
  // naming the element and what is not finite or has the wrong size.

  const Vector& output(double t);  ///< y
  const Vector& rate(double t);    ///< ẏ
  const Vector& force(double t);   ///< λ, N or N m, on the systems by Gᵀλ
  double energy(double t);         ///< what the law stores, J (see SmoothLaw::energy)

  // For schemes.

  /// Sets what it acts on, which the relation fits.
  void setParts(std::span<const SystemPart> parts);
  /// The model that it is linked in.
  Membership& membership() { return membership_; }
  /// Numbers of coordinates and velocities of its parts.
  ///@{
  std::size_t coordinates() const { return q_.size(); }
  std::size_t velocities() const { return v_.size(); }
  ///@}
  /// True if both Jacobians of p are constant.
  bool isLinear() const { return law_->isLinear() && relation_->isLinear() && !relation_->isTimeDependent(); }
  /// True if evaluations may run while those of other objects do on other threads.
  bool isSelfContained() const { return law_->isSelfContained() && relation_->isSelfContained(); }
  /// p := Gᵀλ at the stacked states (q, v) of its systems.
  void computeInput(double t, const Vector& q, const Vector& v, Vector& p);
  /// ∂p/∂q along displacements, and ∂p/∂v, velocities() x velocities() each. Of relations that are not linear the first
  /// is taken by central differences, and has the change of G and of ẏ with q in it.
  void computeJacobians(double t, const Vector& q, const Vector& v, Matrix& byQ, Matrix& byV);
  /// Throws Error naming the function and the entry if a Jacobian of law or relation is not that of its function.
  void checkJacobians(double t, const JacobianCheck& check);
  /// Saves or restores what the relation remembers.
  void serializeState(StateArchive& archive) { relation_->serializeState(archive); }

 private:
  void takeStates();
  void requireRigid() const;
  void evaluate(double t, const Vector& q, const Vector& v);
  void applyLaw(double t);
  template <class Visit>
  void forEachBlock(const Visit& visit);
  void computeLawJacobians(double t);
  double stepOf(std::size_t velocity) const;
  void differenceByQ(double t, const Vector& q, const Vector& v, Matrix& byQ);
  void move(const Vector& q, const Vector& displacement, Vector& moved) const;
  std::string label() const { return "Force element '" + name_ + "'"; }
  void require(const Vector& v, const char* what, double t) const;

  std::shared_ptr<SmoothLaw> law_;
  std::shared_ptr<SecondOrderR> relation_;
  std::string name_;
  std::vector<SystemPart> parts_;
  std::vector<std::shared_ptr<DynamicalSystem>> systems_;
  Membership membership_;
  // Workspaces.
  Vector q_, v_;
  Vector y_, yDot_, lambda_, noForce_;
  Matrix G_, byY_, byRate_;
  struct Block {
    Vector y, yDot, lambda;
    Matrix byY, byRate;
  };
  Block block_;
  Matrix product_;
  Vector displacement_, moved_, above_, below_;
};

}  // namespace delassus
