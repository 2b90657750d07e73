// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/contact/OneContactSolver.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <delassus/numerics/contact/OneContact.hpp>
#include <delassus/numerics/contact/SlidingEquation.hpp>
#include <limits>

namespace delassus::numerics {
namespace {

template <std::size_t d>
using Reaction = typename OneContact<d>::Reaction;

template <std::size_t d>
Reaction<d> corrected(const OneContact<d>& contact, const Reaction<d>& r) {
  Reaction<d> u = contact.velocity(r);
  u[0] += contact.mu() * tangentNorm(d, u.data());
  return u;
}

template <std::size_t d>
Reaction<d> projectedStep(const OneContact<d>& contact, const Reaction<d>& r, double rho, const Reaction<d>& u) {
  Reaction<d> next;
  for (std::size_t i = 0; i < d; ++i) next[i] = r[i] - rho * u[i];
  projectOnCone(d, contact.mu(), next.data());
  return next;
}

template <std::size_t d>
double distance(const Reaction<d>& a, const Reaction<d>& b) {
  double squares = 0.;
  for (std::size_t i = 0; i < d; ++i) squares += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(squares);
}

template <std::size_t d>
bool solveByProjection(const ProjectionOneContactOptions& options, const OneContact<d>& contact, double* answer) {
  Reaction<d> r;
  std::copy(answer, answer + d, r.begin());
  double rho = 1. / contact.scale();
  if (options.maxIterations == 1) {
    r = projectedStep(contact, r, rho, corrected(contact, r));
    std::copy(r.begin(), r.end(), answer);
    return contact.residual(r) <= options.tolerance;
  }
  const double tolerance = std::max(options.tolerance, contact.rounding());
  Reaction<d> best = r;
  double leastResidual = contact.residual(r);
  for (std::size_t iteration = 0; iteration < options.maxIterations && leastResidual > tolerance; ++iteration) {
    const Reaction<d> u = corrected(contact, r);
    Reaction<d> trial = projectedStep(contact, r, rho, u);
    Reaction<d> uTrial = corrected(contact, trial);
    double ratio = 0.;
    for (int reduction = 0; reduction < 60; ++reduction) {
      const double moved = distance<d>(r, trial);
      ratio = moved > 0. ? rho * distance<d>(u, uTrial) / moved : 0.;
      if (ratio <= 0.9) break;
      rho *= 2. / 3. * std::min(1., 1. / ratio);
      trial = projectedStep(contact, r, rho, u);
      uTrial = corrected(contact, trial);
    }
    r = projectedStep(contact, r, rho, uTrial);
    if (ratio < 0.3) rho *= 1.5;
    const double residual = contact.residual(r);
    if (residual < leastResidual) {
      leastResidual = residual;
      best = r;
    }
  }
  std::copy(best.begin(), best.end(), answer);
  return leastResidual <= tolerance;
}

}  // namespace

ProjectionOneContactSolver::ProjectionOneContactSolver(ProjectionOneContactOptions options)
    : options_(inRange("ProjectionOneContactSolver", options)) {
}

bool ProjectionOneContactSolver::solve(std::size_t dimension, const double* W, const double* q, double mu,
                                       double* r) const {
  if (dimension == 2) return solveByProjection<2>(options_, OneContact<2>(W, q, mu), r);
  return solveByProjection<3>(options_, OneContact<3>(W, q, mu), r);
}

namespace {

constexpr int halvings = 8;
constexpr std::size_t rescueSteps = 5;
constexpr int rescues = 4;

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
bool slidingStart(const OneContact<2>& contact, std::size_t k, std::size_t, OneContact<2>::Reaction& r) {
  const double side = k % 2 == 0 ? 1. : -1.;
  r[0] = -contact.q()[0] / (contact.W()[0] + side * contact.mu() * contact.W()[2]);
  r[1] = side * contact.mu() * r[0];
  return k < 2 && r[0] >= 0. && std::isfinite(r[0]);
}

bool slidingStart(const OneContact<3>& contact, std::size_t k, std::size_t starts, OneContact<3>::Reaction& r) {
  const double angle = 2. * M_PI * static_cast<double>(k) / static_cast<double>(starts);
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
  for (std::size_t k = 0; k < options.slidingStarts; ++k) {
    if (slidingStart(contact, k, options.slidingStarts, r) && newton.runFrom(r)) return finish(true);
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

namespace {

constexpr int angleSteps = 8;
constexpr std::size_t projections = 30;  // more are of no use where a sweep comes back, or there is no solution

bool slide(const OneContact<2>& contact, const OneContact<2>::Reaction& start, OneContact<2>::Reaction& r) {
  const double first = start[1] < 0. ? -1. : 1.;
  for (const double side : {first, -first}) {
    r[0] = -contact.q()[0] / (contact.W()[0] + side * contact.mu() * contact.W()[2]);
    r[1] = side * contact.mu() * r[0];
    if (r[0] >= 0. && contact.residual(r) <= contact.rounding()) return true;
  }
  return false;
}

bool slide(const OneContact<3>& contact, const OneContact<3>::Reaction& start, OneContact<3>::Reaction& r) {
  const double length = tangentNorm(3, start.data());
  SlidingEquation::Direction t{1., 0.};
  if (length > 0.) t = {start[1] / length, start[2] / length};
  const SlidingEquation equation(contact);
  return equation.reaction(equation.refined(t, angleSteps), r) && contact.residual(r) <= contact.rounding();
}

template <std::size_t d>
bool sticks(const OneContact<d>& contact, typename OneContact<d>::Reaction& r) {
  // The residual need not be checked if W is regular: L D Lᵀ solves to rounding whatever the condition of W.
  const bool regular = contact.stick(r);
  return contact.isInCone(r) && (regular || contact.residual(r) <= contact.rounding());
}

template <std::size_t d>
bool solveEasy(const OneContact<d>& contact, double* answer) {
  using Reaction = typename OneContact<d>::Reaction;
  if (contact.takesOff()) {
    std::fill(answer, answer + d, 0.);
    return true;
  }
  Reaction start, r;
  std::copy(answer, answer + d, start.begin());
  const double slip = tangentNorm(d, start.data());
  const bool slides = slip > 0. && slip >= (1. - 1e-9) * contact.mu() * start[0];
  bool solved = slides && slide(contact, start, r);
  if (!solved) {
    solved = sticks(contact, r);
    // The direction in which sticking fails is near that of sliding.
    if (!solved) solved = slide(contact, Reaction(r), r);
  }
  if (solved) std::copy(r.begin(), r.end(), answer);
  return solved;
}

}  // namespace

HybridOneContactSolver::HybridOneContactSolver()
    : newton_({.slidingStarts = 0}),  // the quartic has tried all directions
      projection_({.tolerance = std::numeric_limits<double>::min(), .maxIterations = projections}) {
}

bool HybridOneContactSolver::solve(std::size_t dimension, const double* W, const double* q, double mu,
                                   double* r) const {
  const bool solved =
      dimension == 2 ? solveEasy<2>(OneContact<2>(W, q, mu), r) : solveEasy<3>(OneContact<3>(W, q, mu), r);
  return solved || solveHard(dimension, W, q, mu, r);
}

bool HybridOneContactSolver::solveHard(std::size_t dimension, const double* W, const double* q, double mu,
                                       double* r) const {
  std::array<double, 3> start{};
  std::copy(r, r + dimension, start.begin());
  std::array<double, 3> best = start;
  double least = std::numeric_limits<double>::infinity();
  for (const OneContactSolver* const solver :
       {static_cast<const OneContactSolver*>(&quartic_), static_cast<const OneContactSolver*>(&newton_),
        static_cast<const OneContactSolver*>(&projection_)}) {
    // The projections start from the best point so far, the others from the caller's start.
    std::array<double, 3> trial = solver == &projection_ ? best : start;
    const bool solved = solver->solve(dimension, W, q, mu, trial.data());
    const double residual = oneContactResidual(dimension, W, q, mu, trial.data());
    if (residual < least) {
      least = residual;
      best = trial;
    }
    if (solved) break;
  }
  std::copy(best.begin(), best.begin() + static_cast<std::ptrdiff_t>(dimension), r);
  const double rounding = 1e-14 * (1. + mu);
  return least <= rounding;
}

}  // namespace delassus::numerics
