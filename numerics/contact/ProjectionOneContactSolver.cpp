// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/contact/ProjectionOneContactSolver.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/contact/OneContact.hpp>

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

}  // namespace delassus::numerics
