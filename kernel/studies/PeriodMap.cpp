// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/studies/PeriodMap.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <limits>
#include <string>

namespace delassus {
namespace {

void requirePeriod(const Simulation& simulation, std::size_t steps) {
  const std::size_t left = simulation.steps() - simulation.stepIndex();
  if (steps == 0 || steps > left) {
    throw Error("PeriodMap", "a period has at least one step and no more than the simulation has left, " +
                                 std::to_string(left) + ", got " + std::to_string(steps) + ".");
  }
}

std::size_t statesOf(const SecondOrderDS& motion) {
  if (motion.q().size() != motion.velocity().size()) {
    throw Error("PeriodMap", "system " + motion.label() + " has " + std::to_string(motion.q().size()) +
                                 " coordinates and " + std::to_string(motion.velocity().size()) +
                                 " velocities; its states cannot be varied one by one.");
  }
  return 2 * motion.q().size();
}

Simulation& initialised(Simulation& simulation, std::size_t steps) {
  requirePeriod(simulation, steps);
  simulation.initialise();
  return simulation;
}

Vector part(const Vector& x, std::size_t first, std::size_t count) {
  Vector entries(count);
  std::copy_n(data(x) + first, count, data(entries));
  return entries;
}

}  // namespace

PeriodMap::PeriodMap(Simulation& simulation, std::size_t steps)
    : simulation_(initialised(simulation, steps)), begin_(simulation), steps_(steps) {
  std::size_t states = 0;
  for (const auto& system : simulation.model().topology().systems()) {
    flows_.push_back(system->firstOrder());
    motions_.push_back(system->secondOrder());
    states += flows_.back() != nullptr ? flows_.back()->dimension() : statesOf(*motions_.back());
  }
  for (Vector* const x : {&start_, &end_, &scales_, &reached_}) *x = Vector(states);
  read(start_);
  measure(start_);
}

void PeriodMap::set(const Vector& x) {
  std::size_t first = 0;
  for (std::size_t k = 0; k < flows_.size(); ++k) {
    const std::size_t n = flows_[k] != nullptr ? flows_[k]->dimension() : motions_[k]->dimension();
    if (flows_[k] != nullptr) {
      flows_[k]->setState(part(x, first, n));
      first += n;
    } else {
      motions_[k]->setState(part(x, first, n), part(x, first + n, n));
      first += 2 * n;
    }
  }
}

void PeriodMap::read(Vector& x) const {
  double* to = data(x);
  for (std::size_t k = 0; k < flows_.size(); ++k) {
    if (flows_[k] != nullptr) {
      to = std::copy(flows_[k]->x().begin(), flows_[k]->x().end(), to);
    } else {
      to = std::copy(motions_[k]->q().begin(), motions_[k]->q().end(), to);
      to = std::copy(motions_[k]->velocity().begin(), motions_[k]->velocity().end(), to);
    }
  }
}

void PeriodMap::measure(const Vector& x) {
  double largest = 0.;
  for (std::size_t i = 0; i < x.size(); ++i) {
    reached_(i) = std::max(reached_(i), std::abs(x(i)));
    largest = std::max(largest, reached_(i));
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    scales_(i) = reached_(i) > 0. ? reached_(i) : (largest > 0. ? largest : 1.);
  }
}

const Vector& PeriodMap::compute(const Vector& x, const std::function<void()>& afterStep) {
  if (x.size() != dimension()) {
    throw Error("PeriodMap",
                "the model has " + std::to_string(dimension()) + " states, got " + std::to_string(x.size()) + ".");
  }
  begin_.restore();
  if (preparation_) preparation_();
  const double begin = simulation_.time();
  set(x);
  setZero(reached_);
  measure(x);
  for (std::size_t k = 0; k < steps_; ++k) {
    simulation_.step();
    read(end_);
    measure(end_);
    if (afterStep) afterStep();
  }
  period_ = simulation_.time() - begin;
  ++evaluations_;
  return end_;
}

Vector PeriodMap::differentiate(const Vector& x, Matrix& byState, const std::function<double()>& output) {
  const std::size_t n = dimension();
  byState.resize(n, n, false);
  compute(x);
  const Vector units = scales_;
  Vector moved = x, above(n), gradient(output ? n : 0);
  for (std::size_t j = 0; j < n; ++j) {
    const double step = std::cbrt(std::numeric_limits<double>::epsilon()) * units(j);
    moved(j) = x(j) + step;
    const double right = moved(j);
    above = compute(moved);
    const double outputAbove = output ? output() : 0.;
    moved(j) = x(j) - step;
    const Vector& below = compute(moved);
    const double width = right - moved(j);
    for (std::size_t i = 0; i < n; ++i) byState(i, j) = (above(i) - below(i)) / width;
    if (output) gradient(j) = (outputAbove - output()) / width;
    moved(j) = x(j);
  }
  return gradient;
}

}  // namespace delassus
