// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/contact/HybridOneContactSolver.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <delassus/numerics/contact/OneContact.hpp>
#include <delassus/numerics/contact/SlidingEquation.hpp>
#include <limits>

namespace delassus::numerics {
namespace {

constexpr int angleSteps = 8;
constexpr std::size_t projections = 1000;

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
    : projection_({.tolerance = std::numeric_limits<double>::min(), .maxIterations = projections}) {
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
