// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/hybrid/Event.hpp>
#include <delassus/kernel/hybrid/HybridSystem.hpp>
#include <delassus/kernel/hybrid/OdeSolver.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace delassus {

/// A function of the user whose zeros are events.
struct UserGuard {
  std::string name;                                        ///< of the event, for messages
  Crossing crossing = Crossing::both;                      ///< zeros that count
  std::function<double(double t, const double* z)> value;  ///< z of all systems, one after the other
};

/// The hybrid systems of a model as one differential equation for an OdeSolver, whose root functions are the guards of
/// all, after them the derivatives of the guards (a guard at a minimum may have crossed zero and come back within a
/// step), and after these the functions of the user.
///
/// Functions of time may jump at the ends of a piece of time: within the piece they are evaluated strictly inside it.
class HybridEquations final : public OdeEquations {
 public:
  /// z and the guards of the systems, one system after the other.
  void set(std::vector<HybridSystem*> systems);
  /// Replaces the previous ones.
  void setUserGuards(std::vector<UserGuard> guards) { userGuards_ = std::move(guards); }
  /// The piece begins `margin` after `begin` and ends `margin` before `end`, s; the systems are told.
  void setPiece(double begin, double end, double margin);
  /// t, or the nearest time inside the piece.
  double inside(double t) const { return piece_.inside(t); }
  /// Saves or restores the piece of time and the systems; see HybridSystem.
  void serializeState(StateArchive& archive);

  std::size_t size() const override { return size_; }
  std::size_t roots() const override { return 2 * guards_ + userGuards_.size(); }
  int rootDirection(std::size_t i) const override;
  void computeRates(double t, const double* z, double* zDot) override;
  void computeRoots(double t, const double* z, double* g) override;
  /// HybridSystem::sampleGuards of all systems.
  void sampleGuards(double t, const double* z, double* g);
  std::string owner(std::size_t i) const override;

  /// Number of guards of all systems, which are the first root functions.
  std::size_t guards() const { return guards_; }
  /// As given to setUserGuards().
  const std::vector<UserGuard>& userGuards() const { return userGuards_; }
  /// Numbers, among the root functions, of the first of the derivatives of the guards, and of the first function of the
  /// user.
  ///@{
  std::size_t firstMinimum() const { return guards_; }
  std::size_t firstUserGuard() const { return 2 * guards_; }
  ///@}
  /// "event function 'level'", or the name of a guard, also for its derivative: for messages.
  std::string rootName(std::size_t root) const;

  /// Calls f(system, offset of its variables, number of its first guard) for each system.
  template <class F>
  void forEach(F f) const {
    std::size_t offset = 0;
    std::size_t guard = 0;
    for (HybridSystem* const system : systems_) {
      f(*system, offset, guard);
      offset += system->size();
      guard += system->guards();
    }
  }

 private:
  std::vector<HybridSystem*> systems_;
  std::vector<UserGuard> userGuards_;
  std::size_t size_ = 0;
  std::size_t guards_ = 0;
  TimePiece piece_;
};

}  // namespace delassus
