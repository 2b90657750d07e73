// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/kernel/io/Checkpoint.hpp>
#include <delassus/kernel/simulation/Simulation.hpp>
#include <delassus/kernel/systems/FirstOrderDS.hpp>
#include <delassus/kernel/systems/SecondOrderDS.hpp>
#include <delassus/numerics/algebra/Matrix.hpp>
#include <delassus/numerics/algebra/Vector.hpp>
#include <functional>
#include <utility>
#include <vector>

namespace delassus {

/// Where a periodically driven model is one period later: the stroboscopic map P of Poincaré,
///
///     P(x) = state at t₀ + T,   x the state at t₀,
///
/// by a simulation of any kind. x stacks the states of all systems in the order of the model: x of a system of first
/// order, (q, v) of a mechanical one. T is a number of the simulation's steps; t₀ is where it stands when the map is
/// made. Each evaluation brings the simulation, with the multipliers and the states of the user (Simulation::addState),
/// back to t₀, sets x, and makes the steps: what switches within the period does so as in any other run, and P has a
/// kink where the sequence of switchings changes.
///
///     EventDriven simulation(model, TimeDiscretisation(0., T / 20.));
///     PeriodMap map(simulation, 20);
///     const PeriodicState steady = findPeriodicState(map);
///
/// The simulation must outlive the map.
class PeriodMap {
 public:
  /// At the present instant of the simulation, which is initialised; its observers see all trial periods. Throws Error
  /// if `steps` is 0 or more than the simulation has left, or a mechanical system has coordinates that are not as many
  /// as its velocities (a rigid body's quaternion), by name.
  PeriodMap(Simulation& simulation, std::size_t steps);

  std::size_t dimension() const { return start_.size(); }  ///< of x
  double period() const { return period_; }                ///< T
  /// The state when the map was made.
  const Vector& start() const { return start_; }
  /// The largest magnitude that each state has had at the steps of the last period: its unit. States that were zero
  /// have that of the largest one, and 1 if all were.
  const Vector& scales() const { return scales_; }
  /// Periods that were simulated so far.
  std::size_t evaluations() const { return evaluations_; }

  /// Called in each evaluation after the simulation was brought back to t₀, before x is set: for parameters that belong
  /// to the map and not to the states of the user. Empty: nothing.
  void setPreparation(std::function<void()> preparation) { preparation_ = std::move(preparation); }

  /// P(x); the simulation stands at the end of the period then. Throws Error if x has another size, and what the
  /// simulation throws. `afterStep`, where it is given, is called after each step.
  const Vector& compute(const Vector& x, const std::function<void()>& afterStep = {});
  /// ∂P/∂x at x, dimension() x dimension(), by central differences with steps of ε^{1/3} scales() in the period from x:
  /// 2n + 1 periods. With `output`, which is read at the end of each of them, its gradient comes back; without,
  /// nothing. Throws Error as compute does.
  Vector differentiate(const Vector& x, Matrix& byState, const std::function<double()>& output = {});

 private:
  void set(const Vector& x);
  void read(Vector& x) const;
  void measure(const Vector& x);

  Simulation& simulation_;
  Snapshot begin_;
  std::size_t steps_;
  double period_ = 0.;
  std::vector<FirstOrderDS*> flows_;     // one a system; null for mechanical ones
  std::vector<SecondOrderDS*> motions_;  // one a system; null for those of first order
  Vector start_, end_, scales_, reached_;
  std::function<void()> preparation_;
  std::size_t evaluations_ = 0;
};

}  // namespace delassus
