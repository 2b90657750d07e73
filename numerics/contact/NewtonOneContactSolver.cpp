// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/contact/NewtonOneContactSolver.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/contact/OneContact.hpp>
#include <delassus/numerics/contact/SlidingEquation.hpp>
#include <limits>

namespace delassus::numerics {
namespace {

constexpr int halvings = 8;
constexpr std::size_t rescueSteps = 5;
constexpr int rescues = 4;
constexpr std::size_t slidingStarts = 16;

template <std::size_t d>
class DampedNewton {
 public:
  using Reaction = typename OneContact<d>::Reaction;

  DampedNewton(const OneContact<d>& contact, const NewtonOneContactOptions& options,
               const ProjectionOneContactSolver& rescue)
      : contact_(contact),
        rescue_(rescue),
        tolerance_(std::max(options.tolerance, contact.rounding())),
        maxIterations_(options.maxIterations) {}

  // True once a start has led to a solution; best() is the best of all.
  bool runFrom(Reaction r);
  const Reaction& best() const { return best_; }

 private:
  bool step(Reaction& r, double& residual) const;
  void keep(const Reaction& r, double residual) {
    if (residual >= leastResidual_) return;
    leastResidual_ = residual;
    best_ = r;
  }

  const OneContact<d>& contact_;
  const ProjectionOneContactSolver& rescue_;
  double tolerance_;
  std::size_t maxIterations_;
  Reaction best_{};
  double leastResidual_ = std::numeric_limits<double>::infinity();
};

template <std::size_t d>
bool DampedNewton<d>::step(Reaction& r, double& residual) const {
  Reaction change;
  if (!contact_.newtonStep(r, contact_.velocity(r), change)) return false;
  double length = 1.;
  for (int halving = 0; halving <= halvings; ++halving, length *= 0.5) {
    Reaction trial;
    for (std::size_t i = 0; i < d; ++i) trial[i] = r[i] + length * change[i];
    const double reached = contact_.residual(trial);
    if (reached > (1. - 1e-4 * length) * residual) continue;
    r = trial;
    residual = reached;
    return true;
  }
  return false;
}

template <std::size_t d>
bool DampedNewton<d>::runFrom(Reaction r) {
  double residual = contact_.residual(r);
  int rescuesLeft = rescues;
  for (std::size_t iteration = 0; iteration < maxIterations_ && residual > tolerance_; ++iteration) {
    if (step(r, residual)) continue;
    keep(r, residual);
    if (rescuesLeft-- == 0) return false;
    rescue_.solve(d, contact_.W(), contact_.q(), contact_.mu(), r.data());
    residual = contact_.residual(r);
  }
  keep(r, residual);
  return residual <= tolerance_;
}

// The k-th of several reactions around the border of the cone with u_N = 0; false if there is none in that direction.
bool slidingStart(const OneContact<2>& contact, std::size_t k, OneContact<2>::Reaction& r) {
  const double side = k % 2 == 0 ? 1. : -1.;
  r[0] = -contact.q()[0] / (contact.W()[0] + side * contact.mu() * contact.W()[2]);
  r[1] = side * contact.mu() * r[0];
  return k < 2 && r[0] >= 0. && std::isfinite(r[0]);
}

bool slidingStart(const OneContact<3>& contact, std::size_t k, OneContact<3>::Reaction& r) {
  const double angle = 2. * M_PI * static_cast<double>(k) / static_cast<double>(slidingStarts);
  return SlidingEquation(contact).reaction({std::cos(angle), std::sin(angle)}, r);
}

template <std::size_t d>
bool solveByNewton(const NewtonOneContactOptions& options, const ProjectionOneContactSolver& rescue,
                   const OneContact<d>& contact, double* answer) {
  using Reaction = typename OneContact<d>::Reaction;
  DampedNewton<d> newton(contact, options, rescue);
  const auto finish = [&newton, answer](bool solved) {
    std::copy(newton.best().begin(), newton.best().end(), answer);
    return solved;
  };
  Reaction r;
  std::copy(answer, answer + d, r.begin());
  if (newton.runFrom(r)) return finish(true);
  contact.stick(r);
  projectOnCone(d, contact.mu(), r.data());
  if (newton.runFrom(r) || newton.runFrom(Reaction{})) return finish(true);
  for (std::size_t k = 0; k < slidingStarts; ++k) {
    if (slidingStart(contact, k, r) && newton.runFrom(r)) return finish(true);
  }
  return finish(false);
}

}  // namespace

NewtonOneContactSolver::NewtonOneContactSolver(NewtonOneContactOptions options)
    : options_(inRange("NewtonOneContactSolver", options)), rescue_({options.tolerance, rescueSteps}) {
}

bool NewtonOneContactSolver::solve(std::size_t dimension, const double* W, const double* q, double mu,
                                   double* r) const {
  if (dimension == 2) return solveByNewton<2>(options_, rescue_, OneContact<2>(W, q, mu), r);
  return solveByNewton<3>(options_, rescue_, OneContact<3>(W, q, mu), r);
}

}  // namespace delassus::numerics
