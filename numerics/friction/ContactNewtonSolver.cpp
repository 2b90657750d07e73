// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/friction/ContactNewtonSolver.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/friction/AlartCurnier.hpp>
#include <delassus/numerics/friction/ContactScales.hpp>
#include <delassus/numerics/friction/NaturalMap.hpp>
#include <limits>

namespace delassus::numerics {
namespace {

NonsmoothGaussSeidelOptions sweeps(const ContactNewtonOptions& options) {
  NonsmoothGaussSeidelOptions start;
  start.tolerance = options.tolerance;
  start.maxIterations = std::max<std::size_t>(1, options.startSweeps);
  return start;
}

template <std::size_t d>
void copy(const ContactMap<d>& map, double* value, double* byU, double* byR) {
  std::copy(map.value.begin(), map.value.end(), value);
  std::copy(map.byU.begin(), map.byU.end(), byU);
  std::copy(map.byP.begin(), map.byP.end(), byR);
}

}  // namespace

ContactNewtonSolver::ContactNewtonSolver(ContactNewtonOptions options, std::string_view name)
    : SemismoothNewtonSolver(name, options), start_(sweeps(options_)) {
}

// Returns ‖d Φ‖₂ / ‖q‖₂ and computes Φ and its derivatives at r.
double ContactNewtonSolver::evaluate(const FrictionContactProblem& problem, const Vector& r) {
  const std::size_t d = problem.dimension();
  problem.W().multiply(data(r), data(u_));
  addScaled(1., problem.q(), u_);
  double squares = 0.;
  for (std::size_t contact = 0; contact < problem.contacts(); ++contact) {
    const std::size_t first = d * contact;
    evaluateContact(d, problem.mu()(contact), 1. / scales_[contact], data(u_) + first, data(r) + first,
                    data(value_) + first, byU_.data() + d * first, byR_.data() + d * first);
    for (std::size_t i = first; i < first + d; ++i) {
      squares += scales_[contact] * scales_[contact] * value_(i) * value_(i);
    }
  }
  const double norm = norm2(problem.q());
  const double merit = std::sqrt(squares) / (norm > 0. ? norm : 1.);
  return std::isfinite(merit) ? merit : std::numeric_limits<double>::infinity();
}

bool ContactNewtonSolver::direction(const FrictionContactProblem& problem, double shift, Vector& step) {
  const std::size_t entries = problem.dimension() * problem.dimension();
  system_.begin(problem.dimension(), problem.contacts());
  for (std::size_t contact = 0; contact < problem.contacts(); ++contact) {
    const double* const byU = byU_.data() + entries * contact;
    const double* const byR = byR_.data() + entries * contact;
    std::copy_n(byU, entries, system_.left(contact));
    for (std::size_t i = 0; i < entries; ++i) {
      system_.local(contact)[i] = byR[i] + shift * scales_[contact] * byU[i];
    }
  }
  if (!system_.factor(problem.matrix())) return false;
  assign(value_, step);
  system_.solve(data(step));
  return true;
}

ContactNewtonSolver::Outcome ContactNewtonSolver::compute(const FrictionContactProblem& problem, Vector& r) {
  if (!problem.requireMatrix()) return {SolveStatus::unsupported, 0, problem.whyNoMatrix};
  for (Vector* const v : {&u_, &value_}) {
    if (v->size() != problem.size()) v->resize(problem.size(), false);
  }
  byU_.resize(problem.dimension() * problem.size());
  byR_.resize(problem.dimension() * problem.size());
  contactScales(problem, scales_);
  if (options_.startSweeps > 0) {
    start_.setTimeLimit(remainingTime());
    start_.setMeasure(measure());
    start_.setObserver(observer());
    start_.solve(problem, r, u_);
  }
  return iterate(problem, r, evaluate(problem, r), options_.proximal);
}

AlartCurnierNewtonSolver::AlartCurnierNewtonSolver(ContactNewtonOptions options)
    : ContactNewtonSolver(options, "AlartCurnierNewtonSolver") {
}

void AlartCurnierNewtonSolver::evaluateContact(std::size_t dimension, double mu, double rho, const double* u,
                                               const double* r, double* value, double* byU, double* byR) const {
  dimension == 2 ? copy(alartCurnier<2>(mu, rho, rho, u, r), value, byU, byR)
                 : copy(alartCurnier<3>(mu, rho, rho, u, r), value, byU, byR);
}

NaturalMapNewtonSolver::NaturalMapNewtonSolver(ContactNewtonOptions options)
    : ContactNewtonSolver(options, "NaturalMapNewtonSolver") {
}

void NaturalMapNewtonSolver::evaluateContact(std::size_t dimension, double mu, double rho, const double* u,
                                             const double* r, double* value, double* byU, double* byR) const {
  dimension == 2 ? copy(naturalMap<2>(mu, rho, u, r), value, byU, byR)
                 : copy(naturalMap<3>(mu, rho, u, r), value, byU, byR);
}

}  // namespace delassus::numerics
