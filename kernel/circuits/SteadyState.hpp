// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/kernel/circuits/Circuit.hpp>
#include <delassus/numerics/algebra/Matrix.hpp>
#include <delassus/numerics/algebra/Vector.hpp>

namespace delassus {

/// How findSteadyState goes over a period.
struct SteadyStateOptions {
  double step = 0.;             ///< of time stepping, s; 0: a thousandth of the period
  double theta = 1.;            ///< of EulerMoreauOSI
  bool byEvents = false;        ///< event-driven instead, without an error of the step
  double tolerance = 1e-9;      ///< of the change over a period, relative to the largest state of its kind
  std::size_t mostPasses = 20;  ///< of Newton's method
};

/// A state that comes back after a period, and what is known of it.
struct SteadyState {
  Vector state;        ///< at t = 0, for CircuitInstance::setState
  Matrix derivative;   ///< ∂P/∂x of the period map P there, by differences: the multipliers of disturbances are its
                       ///< eigenvalues
  double change = 0.;  ///< |P(x) − x|, relative
  std::size_t passes = 0;  ///< of Newton's method
};

/// The periodic steady state of a circuit whose sources and gates have this period: a zero of P(x) − x, where P is the
/// motion over one period from t = 0, by Newton's method with a derivative of P by differences. The derivative goes
/// across all switchings, whose instants move with x. (Aprille, Trick, Proc. IEEE 60, 1972.)
///
///     const SteadyState steady = findSteadyState(converter, 20e-6);
///     instance.setState(steady.state);
///
/// n + 1 periods a pass, for n states. A thyristor that conducts from the period before has to be on by its gate at
/// t = 0. Throws Error if the circuit cannot be simulated, if some state is not determined by the period (a capacitor
/// that nothing charges), or if the change is not below the tolerance after the passes.
SteadyState findSteadyState(const Circuit& circuit, double period, const SteadyStateOptions& options = {});

}  // namespace delassus
