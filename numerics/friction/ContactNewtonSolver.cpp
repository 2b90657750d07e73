// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/friction/ContactNewtonSolver.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/friction/AlartCurnier.hpp>
#include <delassus/numerics/friction/ContactScales.hpp>
#include <delassus/numerics/friction/NaturalMap.hpp>

namespace delassus::numerics {
namespace {

constexpr std::size_t remembered = 5;  // merits with which a step is compared
constexpr double largestProximal = 1.;

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
    : WithOptions(name, options), start_(sweeps(options_)) {
}

// Returns ‖d Φ‖₂ / ‖q‖₂ and computes Φ and its derivatives at r.
double ContactNewtonSolver::evaluateAll(const FrictionContactProblem& problem, const Vector& r) {
  const std::size_t d = problem.dimension();
  problem.W().multiply(data(r), data(u_));
  addScaled(1., problem.q(), u_);
  double squares = 0.;
  for (std::size_t contact = 0; contact < problem.contacts(); ++contact) {
    const std::size_t first = d * contact;
    evaluate(d, problem.mu()(contact), 1. / scales_[contact], data(u_) + first, data(r) + first, data(value_) + first,
             byU_.data() + d * first, byR_.data() + d * first);
    for (std::size_t i = first; i < first + d; ++i) {
      squares += scales_[contact] * scales_[contact] * value_(i) * value_(i);
    }
  }
  const double norm = norm2(problem.q());
  return std::sqrt(squares) / (norm > 0. ? norm : 1.);
}

bool ContactNewtonSolver::direction(const FrictionContactProblem& problem, const BlockSparseMatrix& W,
                                    double proximal) {
  const std::size_t entries = problem.dimension() * problem.dimension();
  system_.begin(problem.dimension(), problem.contacts());
  for (std::size_t contact = 0; contact < problem.contacts(); ++contact) {
    const double* const byU = byU_.data() + entries * contact;
    const double* const byR = byR_.data() + entries * contact;
    std::copy_n(byU, entries, system_.left(contact));
    for (std::size_t i = 0; i < entries; ++i) {
      system_.local(contact)[i] = byR[i] + proximal * scales_[contact] * byU[i];
    }
  }
  if (!system_.factor(W)) return false;
  assign(value_, step_);
  system_.solve(data(step_));
  return allFinite(step_);
}

// Non-monotone (Grippo, Lampariello and Lucidi, 1986). Leaves r, its Φ and `merit` unchanged if no step is accepted.
bool ContactNewtonSolver::lineSearch(const FrictionContactProblem& problem, Vector& r, double& merit) {
  const double reference = *std::max_element(history_.begin(), history_.end());
  for (double length = 1.; length > 1e-3; length *= 0.5) {
    assign(r, trial_);
    addScaled(-length, step_, trial_);
    const double tried = evaluateAll(problem, trial_);
    if (!(tried <= (1. - 1e-4 * length) * reference)) continue;
    assign(trial_, r);
    merit = tried;
    return true;
  }
  merit = evaluateAll(problem, r);
  return false;
}

ContactNewtonSolver::Outcome ContactNewtonSolver::compute(const FrictionContactProblem& problem, Vector& r) {
  const BlockSparseMatrix* const W = problem.W().matrix();
  if (W == nullptr) return {SolveStatus::unsupported, 0, "it needs W as a matrix"};
  for (Vector* const v : {&u_, &value_, &step_, &trial_}) {
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
  double merit = evaluateAll(problem, r);
  history_.assign(1, merit);
  double proximal = options_.proximal;
  for (std::size_t iteration = 1; iteration <= options_.maxIterations; ++iteration) {
    observe(iteration, merit);
    if (merit <= 10. * options_.tolerance && certifiedError(problem, r) <= options_.tolerance) {
      return {SolveStatus::converged, iteration, {}};
    }
    if (timeIsUp()) return {SolveStatus::timeLimit, iteration, {}};
    if (!direction(problem, *W, proximal) || !lineSearch(problem, r, merit)) {
      if (proximal >= largestProximal) {
        return {SolveStatus::numericalFailure, iteration, "no step reduces the residual"};
      }
      proximal = std::min(largestProximal, std::max(1e-8, 100. * proximal));
      continue;
    }
    proximal = std::max(options_.proximal, 0.1 * proximal);
    if (history_.size() == remembered) history_.erase(history_.begin());
    history_.push_back(merit);
  }
  return {SolveStatus::iterationLimit, options_.maxIterations, {}};
}

AlartCurnierNewtonSolver::AlartCurnierNewtonSolver(ContactNewtonOptions options)
    : ContactNewtonSolver(options, "AlartCurnierNewtonSolver") {
}

void AlartCurnierNewtonSolver::evaluate(std::size_t dimension, double mu, double rho, const double* u, const double* r,
                                        double* value, double* byU, double* byR) const {
  dimension == 2 ? copy(alartCurnier<2>(mu, rho, rho, u, r), value, byU, byR)
                 : copy(alartCurnier<3>(mu, rho, rho, u, r), value, byU, byR);
}

NaturalMapNewtonSolver::NaturalMapNewtonSolver(ContactNewtonOptions options)
    : ContactNewtonSolver(options, "NaturalMapNewtonSolver") {
}

void NaturalMapNewtonSolver::evaluate(std::size_t dimension, double mu, double rho, const double* u, const double* r,
                                      double* value, double* byU, double* byR) const {
  dimension == 2 ? copy(naturalMap<2>(mu, rho, u, r), value, byU, byR)
                 : copy(naturalMap<3>(mu, rho, u, r), value, byU, byR);
}

}  // namespace delassus::numerics
