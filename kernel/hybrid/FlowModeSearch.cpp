// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/hybrid/FlowModeSearch.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <limits>

namespace delassus {
namespace {

constexpr int decades = 8;
constexpr double mostModes = 250.;    // that are all tried
constexpr double farFromZero = 1e-3;  // of the terms of an output that the state must hold at zero

constexpr double certified = 1e-12;  // of the terms of an output that is zero in a proposal

numerics::AutomaticBoxOptions tight() {
  numerics::AutomaticBoxOptions options;
  options.tolerance = certified;
  options.enumerateSize = 4;    // modes are tried here
  options.enumerateOthers = 7;  // of four intervals
  return options;
}

}  // namespace

FlowModeSearch::FlowModeSearch(FlowModel& model) : model_(model), solver_(tight()) {
}

void FlowModeSearch::explain(const std::string& text) {
  if (reason_.empty()) reason_ = text;
}

bool FlowModeSearch::find(FlowMode& mode, double t, const double* x, const Vector& lambda, double step,
                          const Allowance& allowance, bool mayJump) {
  reason_.clear();
  impulse_.resize(0, false);
  if (model_.rows() == 0) {
    mode.select({}, t, x, lambda);
    mode.solve(t, x);
    return true;
  }
  const double smallest = 64. * std::numeric_limits<double>::epsilon() * std::abs(t);
  double used = step;
  for (int k = 0; k < decades && (k == 0 || step > smallest); ++k, step *= 0.1) {
    used = step;
    seen_.clear();
    isFar_ = false;
    stateProblem(t, x, lambda, step);
    if (k == 0 && goOn(mode, t, x, lambda, step, allowance)) return true;
    Branches branches;
    if (propose(branches)) {
      if (searchFrom(branches, mode, t, x, lambda, step, allowance)) return true;
      for (const std::size_t row : idle_) branches[row] = FlowBranch::held;
      if (!idle_.empty() && searchFrom(branches, mode, t, x, lambda, step, allowance, true)) return true;
    }
    // Smaller ε ask for ever larger multipliers, which solvers certify slowly or not.
    if (k == 0 && isFar_ && mayJump && jump(mode, t, x, lambda, step, allowance, true)) return true;
  }
  if (tryAll(mode, t, x, lambda, used, allowance)) return true;
  if (mayJump && jump(mode, t, x, lambda, step, allowance, false)) return true;
  explain("none that the laws propose goes on smoothly, in steps down to " + toText(used) + " s");
  return false;
}

// In the units in which its diagonal is 1.
void FlowModeSearch::stateProblem(double t, const double* x, const Vector& lambda, double step) {
  const std::size_t n = model_.states();
  const std::size_t m = model_.rows();
  const double after = model_.clamped(t + step);
  Vector place(n), about(m), v1(n), v2(n), v3(n);
  Vector& y = constant_;
  y = Vector(m);
  std::copy_n(x, n, data(place));
  for (std::size_t i = 0; i < m; ++i) about(i) = std::clamp(lambda(i), model_.lower()(i), model_.upper()(i));
  model_.outputs(after, place, about, y);
  model_.rates(after, place, about, v1);
  model_.linearise(after, place, about);
  Matrix A, E = model_.B(), next(n, m);
  Matrix& M = matrix_;
  M = model_.D();
  model_.stateJacobian(after, place, about, A);
  // Horner's scheme for ε (1 + ε A (1 + ε A)), of ẋ and of B.
  multiply(step, A, v1, 0., v2);
  v2 += v1;
  multiply(step, A, v2, 0., v3);
  v3 += v1;
  multiply(step, model_.C(), v3, 1., y);
  for (int k = 0; k < 2; ++k) {
    multiply(step, A, E, 0., next);
    E = next + model_.B();
  }
  multiply(step, model_.C(), E, 1., M);
  multiply(-1., M, about, 1., y);
  Vector scales(m);
  lower_ = model_.lower();
  upper_ = model_.upper();
  for (std::size_t i = 0; i < m; ++i) scales(i) = M(i, i) != 0. ? 1. / std::sqrt(std::abs(M(i, i))) : 1.;
  for (std::size_t j = 0; j < m; ++j) {
    for (std::size_t i = 0; i < m; ++i) M(i, j) *= scales(i) * scales(j);
    y(j) *= scales(j);
    lower_(j) /= scales(j);
    upper_(j) /= scales(j);
  }
}

// Where a row feeds itself, several modes may hold, of which the present one lasts: only rows whose guards have fallen
// change branches.
bool FlowModeSearch::goOn(FlowMode& mode, double t, const double* x, const Vector& lambda, double step,
                          const Allowance& allowance) {
  bool anyTurnsBack = false;
  for (std::size_t i = 0; i < model_.rows(); ++i) anyTurnsBack = anyTurnsBack || turnsBack(i);
  const Branches present = mode.branches();
  return anyTurnsBack && present.size() == model_.rows() && searchFrom(present, mode, t, x, lambda, step, allowance);
}

bool FlowModeSearch::propose(Branches& branches) {
  const std::size_t m = model_.rows();
  const Matrix& M = matrix_;
  const Vector &y = constant_, &lower = lower_, &upper = upper_;
  const numerics::RelayProblem problem(M, y, lower, upper);
  Vector z, w;
  const numerics::SolveReport report = solver_.solve(problem, z, w);
  if (report.status == numerics::SolveStatus::infeasible) {
    std::size_t worst = 0;
    double largest = 0.;
    for (std::size_t i = 0; i < z.size(); ++i) {
      const double off = std::abs(z(i) - std::clamp(z(i) - w(i), lower(i), upper(i)));
      if (off <= largest) continue;
      largest = off;
      worst = i;
    }
    explain(model_.rowName(worst) + ": no multipliers fit the laws (" + std::string(report.reason) + ")");
  }
  if (z.size() != m || !allFinite(z)) return false;
  branches.assign(m, FlowBranch::held);
  idle_.clear();
  for (std::size_t i = 0; i < m; ++i) {
    if (z(i) >= upper(i)) branches[i] = FlowBranch::upper;
    if (z(i) <= lower(i)) branches[i] = FlowBranch::lower;
    if (branches[i] == FlowBranch::held) continue;
    double terms = std::abs(y(i));
    for (std::size_t j = 0; j < m; ++j) terms += std::abs(M(i, j) * z(j));
    if (std::abs(w(i)) <= certified * terms) idle_.push_back(i);
  }
  return true;
}

// `isIdle` where rows are held that may have nothing to bear. The multiplier of a row may be determined by the output
// of such a one alone; multipliers that share what is left are to go first, since outputs follow them.
bool FlowModeSearch::searchFrom(Branches branches, FlowMode& mode, double t, const double* x, const Vector& lambda,
                                double step, const Allowance& allowance, bool isIdle) {
  for (std::size_t round = 0; round < 2 * model_.rows() + 4; ++round) {
    if (!seen_.insert(branches).second) return false;
    const Verdict verdict = examine(mode, branches, t, x, lambda, step, allowance);
    if (verdict == Verdict::holds) return true;
    if (verdict != Verdict::leaves) return false;
    const auto isOutput = [&](std::size_t guard) { return branches[guard / 2] != FlowBranch::held; };
    if (isIdle && !std::all_of(fallen_.begin(), fallen_.end(), isOutput)) std::erase_if(fallen_, isOutput);
    exchange(branches, true);
  }
  return false;
}

// Moves rows whose guards have fallen to the branch that these indicate. One that turns back `leaps` over the branch
// between its bounds, on which it would not stay.
void FlowModeSearch::exchange(Branches& branches, bool leaps) const {
  for (const std::size_t guard : fallen_) {
    const std::size_t row = guard / 2;
    FlowBranch& branch = branches[row];
    if (branch == FlowBranch::held) {
      branch = guard % 2 == 0 ? FlowBranch::lower : FlowBranch::upper;
      continue;
    }
    const bool isLower = branch == FlowBranch::lower;
    const bool hasOther = std::isfinite((isLower ? model_.upper() : model_.lower())(row));
    branch = FlowBranch::held;
    if (leaps && turnsBack(row) && hasOther) branch = isLower ? FlowBranch::upper : FlowBranch::lower;
  }
}

FlowModeSearch::Verdict FlowModeSearch::examine(FlowMode& mode, const Branches& branches, double t, const double* x,
                                                const Vector& lambda, double step, const Allowance& allowance) {
  if (!mode.select(branches, t, x, lambda)) {
    explain(model_.rowName(mode.factors().singularRow()) +
            ": neither the output nor its first derivative determines the multiplier that would hold it at zero "
            "(relative degree 2 or more, or an output that depends on others). Impose the law on a derivative of the "
            "output, or state a mechanical system as one of second order");
    return Verdict::undetermined;
  }
  mode.solve(t, x);
  const FlowMode::Mismatch off = mode.mismatch();
  if (off.time > allowance.time && off.relative > allowance.relative) {
    isFar_ = off.relative > farFromZero;
    explain(model_.rowName(off.row) + ": the output is " + toText(off.output) +
            ", and only a jump of the state could bring it to zero; a state that satisfies the law is needed");
    return Verdict::jumps;
  }
  return flow(mode, t, x, step, std::max(allowance.time, 1e-3 * step));
}

// Guards now and after `step`. A guard that begins below zero must rise so fast that it was below zero for less than
// `violation`; an output that begins at zero must not have fallen after that time, even if it has risen again after
// `step`. One that lets go tangentially has a rate there that is rounding of either sign, and rises by its second
// derivative.
FlowModeSearch::Verdict FlowModeSearch::flow(FlowMode& mode, double t, const double* x, double step, double violation) {
  const std::size_t guards = 2 * model_.rows();
  std::vector<double> now(guards), scales(guards), scalesAfter(guards), early(guards), coarse(guards), fine(guards);
  mode.guards(now.data());
  mode.guardScales(step, scales.data(), FlowMode::Sizes::ofRun);
  const double soon = std::min(violation, step);
  Vector place = mode.x();
  advance(mode, t, place, soon);
  mode.solve(model_.clamped(t + soon), data(place));
  mode.guards(early.data());
  std::copy_n(x, model_.states(), data(place));
  mode.solve(t, data(place));
  place = mode.x();
  advance(mode, t, place, step);
  mode.solve(model_.clamped(t + step), data(place));
  mode.guards(coarse.data());
  std::copy_n(x, model_.states(), data(place));
  mode.solve(t, data(place));
  place = mode.x();
  advance(mode, t, place, 0.5 * step);
  advance(mode, model_.clamped(t + 0.5 * step), place, 0.5 * step);
  mode.solve(model_.clamped(t + step), data(place));
  mode.guards(fine.data());
  mode.guardScales(step, scalesAfter.data(), FlowMode::Sizes::ofRun);
  fallen_.clear();
  bool resolved = true;
  for (std::size_t i = 0; i < guards; ++i) {
    const double zero = guardRounding * std::max(scales[i], scalesAfter[i]);
    const double change = std::abs(fine[i] - now[i]);
    resolved = resolved && std::abs(coarse[i] - fine[i]) <= 0.1 * change + zero;
    const bool dips = mode.branches()[i / 2] != FlowBranch::held && early[i] < std::min(now[i], 0.) - zero;
    if (dips || fine[i] < -zero || now[i] < -zero - change * violation / step) fallen_.push_back(i);
  }
  mode.solve(t, x);
  if (fallen_.empty() && resolved) return Verdict::holds;
  if (fallen_.empty()) return Verdict::jumps;
  explain(model_.rowName(fallen_.front() / 2) + ": the mode that the laws ask for would be left at once, with " +
          toText(fine[fallen_.front()]) + (fallen_.front() % 2 == 0 ? " above" : " below") + " where it must be");
  return Verdict::leaves;
}

// A Runge–Kutta step of order 4.
void FlowModeSearch::advance(FlowMode& mode, double t, Vector& x, double step) {
  const double middle = model_.clamped(t + 0.5 * step);
  const double after = model_.clamped(t + step);
  Vector sum = x, stage;
  mode.solve(t, data(x));
  addScaled(step / 6., mode.xDot(), sum);
  stage = x;
  addScaled(0.5 * step, mode.xDot(), stage);
  mode.solve(middle, data(stage));
  addScaled(step / 3., mode.xDot(), sum);
  stage = x;
  addScaled(0.5 * step, mode.xDot(), stage);
  mode.solve(middle, data(stage));
  addScaled(step / 3., mode.xDot(), sum);
  stage = x;
  addScaled(step, mode.xDot(), stage);
  mode.solve(after, data(stage));
  addScaled(step / 6., mode.xDot(), sum);
  x = sum;
}

double FlowModeSearch::numberOfModes() const {
  double count = 1.;
  for (std::size_t i = 0; i < model_.rows(); ++i) {
    count *= 1. + (std::isfinite(model_.lower()(i)) ? 1. : 0.) + (std::isfinite(model_.upper()(i)) ? 1. : 0.);
  }
  return count;
}

// Up to 3⁵ modes: equalities are held in all of them, complementarities have two branches.
bool FlowModeSearch::tryAll(FlowMode& mode, double t, const double* x, const Vector& lambda, double step,
                            const Allowance& allowance) {
  if (numberOfModes() > mostModes) return false;
  const std::size_t m = model_.rows();
  std::vector<std::vector<FlowBranch>> choices(m);
  for (std::size_t i = 0; i < m; ++i) {
    if (std::isfinite(model_.lower()(i))) choices[i].push_back(FlowBranch::lower);
    if (std::isfinite(model_.upper()(i))) choices[i].push_back(FlowBranch::upper);
    choices[i].push_back(FlowBranch::held);
  }
  std::vector<std::size_t> digits(m, 0);
  for (;;) {
    Branches branches(m);
    for (std::size_t i = 0; i < m; ++i) branches[i] = choices[i][digits[i]];
    if (examine(mode, branches, t, x, lambda, step, allowance) == Verdict::holds) return true;
    std::size_t i = 0;
    while (i < m && ++digits[i] == choices[i].size()) digits[i++] = 0;
    if (i == m) return false;
  }
}

}  // namespace delassus
