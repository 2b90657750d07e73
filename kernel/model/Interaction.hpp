// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <delassus/kernel/laws/NonSmoothLaw.hpp>
#include <delassus/kernel/relations/Relation.hpp>
#include <delassus/kernel/systems/Membership.hpp>
#include <delassus/numerics/StateArchive.hpp>
#include <delassus/numerics/algebra/Vector.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace delassus {

/// Whether T is a std::shared_ptr to a Base or what derives from it.
template <class T, class Base>
inline constexpr bool isShared = false;
template <class T, class Base>
inline constexpr bool isShared<std::shared_ptr<T>, Base> = std::derived_from<T, Base>;

/// A law or relation (Base) as Interaction takes it: by value, of which it makes a copy, or shared.
template <class T, class Base>
concept PartOf = std::derived_from<T, Base> || isShared<T, Base>;

/// What comes by value in a copy, and what is shared as it is.
///@{
template <class Base, std::derived_from<Base> T>
std::shared_ptr<Base> sharedPart(T part) {
  return std::make_shared<T>(std::move(part));
}
template <class Base>
std::shared_ptr<Base> sharedPart(std::shared_ptr<Base> part) {
  return part;
}
///@}

/// A nonsmooth law and a relation, with the outputs y and the multipliers λ by level: y(0) = y, y(1) = ẏ; λ(0) a force,
/// λ(1) an impulse over the last step, N·s. Between first-order systems there is only level 0, and λ(0) is a rate (a
/// current, a control). NonSmoothDynamicalSystem::link says which systems it acts on.
///
///     auto floor = std::make_shared<Interaction>(NewtonImpactNSL(0.9), LagrangianLinearTIR(H, b));
///
/// An interaction with more outputs than its law has rows applies the law to each block of them separately.
class Interaction {
 public:
  /// Levels 0 (y, λ a force or a rate) and 1 (ẏ, λ an impulse).
  static constexpr std::size_t maxLevels = 2;

  /// Takes copies of what comes by value, and shares what comes as a std::shared_ptr.
  template <PartOf<NonSmoothLaw> Law, PartOf<Relation> R>
  Interaction(Law law, R relation)
      : Interaction(sharedPart<NonSmoothLaw>(std::move(law)), sharedPart<Relation>(std::move(relation))) {}
  /// The law comes first.
  template <PartOf<Relation> R, PartOf<NonSmoothLaw> Law>
  Interaction(R relation, Law law) = delete;

  /// Shares law and relation with the caller, and with other interactions (except relations with a memory). Throws
  /// Error if one is null or the number of outputs is not a multiple of the law's size.
  Interaction(std::shared_ptr<NonSmoothLaw> law, std::shared_ptr<Relation> relation);

  Interaction(const Interaction&) = delete;
  Interaction& operator=(const Interaction&) = delete;

  /// Used in messages. An interaction without a name gets a number when it is linked.
  ///@{
  const std::string& name() const { return name_; }
  void setName(const std::string& name) { name_ = name; }
  ///@}

  /// Number of outputs, of y and λ at each level.
  std::size_t size() const { return y_[0].size(); }
  /// Number of times that the law is applied.
  std::size_t blocks() const { return active_.size(); }

  /// The law between outputs and multipliers; it does not change.
  const NonSmoothLaw& law() const { return *law_; }
  /// The relation that defines the outputs and the action of the multipliers.
  ///@{
  const Relation& relation() const { return *relation_; }
  Relation& relation() { return *relation_; }
  ///@}

  /// Number of levels that the scheme computes: 1 between first-order systems, 2 between mechanical ones ([Siconos
  /// 2017], 8.3).
  std::size_t levels() const { return levels_; }
  /// Output of a level below levels() at the present state. Throws Error for another level.
  const Vector& y(std::size_t level) const;
  /// Multiplier of a level below levels(), over the last step. Throws Error for another level.
  const Vector& lambda(std::size_t level) const;

  /// True if block `block` of the law was in the problem of the last step: its contact could act (index set I₁ of
  /// mechanics). Laws between first-order systems always act. For SchatzmanPaoliOSI, where all contacts are in the
  /// problem: true if it pushed. Throws Error for a block that does not exist.
  bool isActive(std::size_t block) const;
  /// True if any block is.
  bool isActive() const;

  /// For schemes, which set the number of levels they compute when they are bound, and write outputs, multipliers and
  /// activity when a step is accepted. None of these functions checks a level or a block.
  ///@{
  void setLevels(std::size_t levels) { levels_ = levels; }
  Vector& output(std::size_t level) { return y_[level]; }
  Vector& multiplier(std::size_t level) { return lambda_[level]; }
  void setActive(std::size_t block, bool active) { active_[block] = active ? 1 : 0; }
  ///@}
  /// Forgets multipliers, activity, and that the configuration was found to fit; a link.
  void reset();
  /// For schemes that bind a model: throws Error, as SecondOrderR::checkConfiguration does, if the configuration at t
  /// does not fit the relation, which matters to coordinates of equalities alone. Once it has fitted it is not looked
  /// at again: what comes later is the drift of a scheme.
  void requireConfiguration(double t, const Vector& q);
  /// The model that it is linked in.
  Membership& membership() { return membership_; }

  /// Saves or restores multipliers, outputs and activity, and what the relation remembers.
  void serializeState(StateArchive& archive);

 private:
  std::shared_ptr<NonSmoothLaw> law_;
  std::shared_ptr<Relation> relation_;
  std::string name_;
  std::size_t levels_ = maxLevels;
  std::array<Vector, maxLevels> y_;
  std::array<Vector, maxLevels> lambda_;
  std::vector<char> active_;
  bool fitted_ = false;
  Membership membership_;
};

}  // namespace delassus
