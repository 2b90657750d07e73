// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <delassus/kernel/hybrid/SundialsSolver.hpp>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/StopRequest.hpp>
#include <limits>
#include <utility>

namespace delassus {

SundialsSolver::SundialsSolver(OdeEquations& equations, const OdeOptions& options, bool withRoots)
    : equations_(equations),
      options_(options),
      maximalStep_(options.maximalStep),
      rootCount_(withRoots ? equations.roots() : 0) {
  const auto isPositive = [](double x) { return x > 0.; };
  if (!isPositive(options.relativeTolerance) || options.relativeTolerance >= 1. ||
      !isPositive(options.absoluteTolerance) || !std::isfinite(options.absoluteTolerance)) {
    throw Error("OdeSolver", "the tolerances must be positive, and the relative one below 1; got " +
                                 toText(options.relativeTolerance) + " and " + toText(options.absoluteTolerance) + ".");
  }
  if (!isPositive(options.maximalStep) || !(options.minimalStep >= 0.) || options.minimalStep > options.maximalStep) {
    throw Error("OdeSolver", "steps must satisfy 0 <= minimal <= maximal and maximal > 0; got " +
                                 toText(options.minimalStep) + " and " + toText(options.maximalStep) + ".");
  }
  if (options.restartAfter == 0) throw Error("OdeSolver", "restartAfter must be at least one step, got 0.");
  z_ = Vector(equations.size());
  found_.assign(rootCount_, 0);
  createContext();
  if (context_ != nullptr) vector_ = N_VNew_Serial(static_cast<sunindextype>(equations.size()), context_);
  if (vector_ == nullptr) throw Error("OdeSolver", "SUNDIALS could not be started.");
  N_VEnableFusedOps_Serial(vector_, 1);
}

SundialsSolver::~SundialsSolver() {
  if (vector_ != nullptr) N_VDestroy(vector_);
  SUNContext_Free(&context_);
}

int SundialsSolver::rates(double t, N_Vector z, N_Vector zDot, void* solver) {
  auto& self = *static_cast<SundialsSolver*>(solver);
  try {
    StopRequest::throwIfOverdue();
    ++self.evaluations_;
    self.equations_.computeRates(t, N_VGetArrayPointer(z), N_VGetArrayPointer(zDot));
    return 0;
  } catch (...) {
    self.thrown_ = std::current_exception();
    return -1;
  }
}

int SundialsSolver::roots(double t, N_Vector z, double* g, void* solver) {
  auto& self = *static_cast<SundialsSolver*>(solver);
  try {
    self.equations_.computeRoots(t, self.stateForRoots(t, N_VGetArrayPointer(z)), g);
    self.rootWasZero_ = self.rootWasZero_ || std::find(g, g + self.rootCount_, 0.) != g + self.rootCount_;
    return 0;
  } catch (...) {
    self.thrown_ = std::current_exception();
    return -1;
  }
}

#if DELASSUS_SUNDIALS_7

void SundialsSolver::createContext() {
  if (SUNContext_Create(SUN_COMM_NULL, &context_) != 0) return;
  SUNContext_ClearErrHandlers(context_);
  SUNContext_PushErrHandler(context_, keepMessage, this);
}

void SundialsSolver::keepMessage(int, const char*, const char*, const char* message, SUNErrCode, void* solver,
                                 SUNContext) {
  static_cast<SundialsSolver*>(solver)->message_ = message;
}

#else

void SundialsSolver::createContext() {
  SUNContext_Create(nullptr, &context_);
}

void SundialsSolver::keepMessage(int, const char*, const char*, char* message, void* solver) {
  static_cast<SundialsSolver*>(solver)->message_ = message;
}

#endif

void SundialsSolver::check(int flag, const char* what) {
  if (flag >= 0) return;
  if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
  throw Error("OdeSolver", std::string(what) + " failed at t = " + toText(t_) + ": " + message_ +
                               " Relax the tolerances, or look for a function of the model that is not smooth there.");
}

// Steps that vanish against t add to the state, but time does not go on.
void SundialsSolver::checkStep(double size, double end) {
  checkProgress(end);
  constexpr double bits = 4. * std::numeric_limits<double>::epsilon();
  constexpr std::size_t most = 20;  // in a row, for a jump that is passed
  vanishing_ = size <= bits * std::abs(t_) ? vanishing_ + 1 : 0;
  if (vanishing_ >= most) {
    vanishing_ = 0;
    throw Error("OdeSolver", "the integration does not get beyond t = " + toText(t_) +
                                 ": the tolerances ask for ever shorter steps, down to " + toText(size) +
                                 " s, which a time of this size does not resolve. A force or a rate grows without "
                                 "bound there, or is not smooth; " +
                                 fastest() + " changes fastest.");
  }
  if (size >= options_.minimalStep) return;
  throw Error("OdeSolver", "at t = " + toText(t_) + " the tolerances ask for a step of " + toText(size) +
                               " s, below the minimal step of " + toText(options_.minimalStep) +
                               " s. Relax them, or look for a function of the model that is not smooth there.");
}

// Steps that time resolves, but of which ten thousand million would be needed: a force that jumps back and forth.
void SundialsSolver::checkProgress(double end) {
  constexpr std::size_t steps = 10000;
  constexpr double least = 1e-6;  // of the way
  if (counted_++ == 0) countedFrom_ = t_;
  if (counted_ < steps) return;
  counted_ = 0;
  if (!(t_ - countedFrom_ < least * (end - countedFrom_))) return;
  throw Error("OdeSolver", "the integration stands still: " + std::to_string(steps) + " steps lead from t = " +
                               toText(countedFrom_) + " to " + toText(t_) + ", on the way to " + toText(end) +
                               ". A force or a rate jumps with the state there; " + fastest() +
                               " changes fastest. Dry friction and switches are laws (RelayNSL, "
                               "NewtonImpactFrictionNSL), not functions with a sign.");
}

std::string SundialsSolver::fastest() {
  std::vector<double> zDot(z_.size());
  equations_.computeRates(t_, data(z_), zDot.data());
  const auto larger = [](double a, double b) { return std::abs(a) < std::abs(b); };
  return equations_.owner(static_cast<std::size_t>(std::max_element(zDot.begin(), zDot.end(), larger) - zDot.begin()));
}

bool SundialsSolver::sleepsAny() {
  return std::exchange(rootWasZero_, false);
}

void SundialsSolver::take(double t) {
  t_ = t;
  std::copy_n(N_VGetArrayPointer(vector_), z_.size(), z_.data().begin());
}

}  // namespace delassus
