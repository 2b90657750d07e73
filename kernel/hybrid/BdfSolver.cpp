// SPDX-License-Identifier: Apache-2.0
#include <cvode/cvode.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <algorithm>
#include <cmath>
#include <delassus/kernel/hybrid/BdfSolver.hpp>
#include <delassus/numerics/Error.hpp>
#include <limits>
#include <utility>

namespace delassus {

BdfSolver::BdfSolver(OdeEquations& equations, const OdeOptions& options, bool withRoots)
    : SundialsSolver(equations, options, withRoots) {
}

BdfSolver::~BdfSolver() {
  if (memory_ != nullptr) CVodeFree(&memory_);
  if (linear_ != nullptr) SUNLinSolFree(linear_);
  if (matrix_ != nullptr) SUNMatDestroy(matrix_);
}

void BdfSolver::create() {
  memory_ = CVodeCreate(CV_BDF, context_);
  if (memory_ == nullptr) throw Error("OdeSolver", "CVODE could not be started.");
#if !DELASSUS_SUNDIALS_7
  CVodeSetErrHandlerFn(memory_, keepMessage, static_cast<SundialsSolver*>(this));
#endif
  check(CVodeInit(memory_, rates, t_, vector_), "The start");
  CVodeSetUserData(memory_, static_cast<SundialsSolver*>(this));
  check(CVodeSStolerances(memory_, options_.relativeTolerance, options_.absoluteTolerance), "The start");
  const auto n = static_cast<sunindextype>(equations_.size());
  matrix_ = SUNDenseMatrix(n, n, context_);
  linear_ = SUNLinSol_Dense(vector_, matrix_, context_);
  check(CVodeSetLinearSolver(memory_, linear_, matrix_), "The start");
  CVodeSetMaxNumSteps(memory_, -1);
  findRoots();
}

void BdfSolver::findRoots() {
  if (rootCount_ == 0) return;
  check(CVodeRootInit(memory_, static_cast<int>(rootCount_), roots), "The start of root finding");
  std::vector<int> directions(rootCount_);
  for (std::size_t i = 0; i < rootCount_; ++i) directions[i] = equations_.rootDirection(i);
  CVodeSetRootDirection(memory_, directions.data());
  CVodeSetNoInactiveRootWarn(memory_);
}

void BdfSolver::restart(double t, const Vector& z) {
  forgetProgress();
  t_ = restartTime_ = t;
  assign(z, z_);
  assign(z, restartState_);
  begin();
}

// From t_ and z_.
void BdfSolver::begin() {
  stepEnd_ = t_;
  stepsSince_ = 0;
  atRoot_ = false;
  ends_.clear();
  std::copy(z_.data().begin(), z_.data().end(), N_VGetArrayPointer(vector_));
  if (memory_ == nullptr) {
    create();
  } else {
    check(CVodeReInit(memory_, t_, vector_), "The restart");
    if (sleepsAny()) {
      CVodeRootInit(memory_, 0, nullptr);
      findRoots();
    }
  }
  longest_ = maximalStep_;
  CVodeSetMaxStep(memory_, std::isfinite(longest_) ? longest_ : 0.);  // 0: no limit
}

OdeSolver::Outcome BdfSolver::step(double end) {
  // CVODE refuses to choose a first step if the remaining interval is only a few last bits of the time.
  constexpr double bits = 100. * std::numeric_limits<double>::epsilon();
  if (stepsSince_ == 0) {
    const bool close = end - t_ < bits * std::max(std::abs(t_), std::abs(end));
    CVodeSetInitStep(memory_, close ? end - t_ : options_.minimalStep);
  }
  check(CVodeSetStopTime(memory_, end), "The step");
  double reached = t_;
  const int flag = CVode(memory_, end, vector_, &reached, CV_ONE_STEP);
  if (std::exchange(atRoot_, false) && flag == CV_ILL_INPUT) return finishStep(end);
  check(flag, "The step");
  ++steps_;
  ++stepsSince_;
  double done = 0.;
  CVodeGetLastStep(memory_, &done);
  CVodeGetCurrentTime(memory_, &stepEnd_);
  take(reached);
  if (flag == CV_ROOT_RETURN) {
    check(CVodeGetRootInfo(memory_, found_.data()), "Root finding");
    atRoot_ = true;
    return Outcome::root;
  }
  // A step to the end with a root in it is reported as usual when it is continued.
  if (flag == CV_TSTOP_RETURN || reached >= end) {
    ends_.push_back(end);
    if (stepsSince_ >= options_.restartAfter) restart(t_, Vector(z_));
    return Outcome::end;
  }
  checkStep(done, end);
  return Outcome::step;
}

// As RungeKuttaSolver::finishStep.
OdeSolver::Outcome BdfSolver::finishStep(double end) {
  CVodeGetCurrentTime(memory_, &stepEnd_);
  check(CVodeGetDky(memory_, stepEnd_, 0, vector_), "The end of the step");
  take(stepEnd_);
  restart(t_, Vector(z_));
  return t_ >= end ? Outcome::end : Outcome::step;
}

void BdfSolver::serializeState(StateArchive& archive) {
  archive.value("time", t_);
  archive.value("state", z_);
  archive.value("restart", restartTime_);
  archive.value("state there", restartState_);
  archive.value("ends", ends_);
  archive.value("longest step", longest_);
}

void BdfSolver::resume() {
  const double t = t_;
  const Vector z = z_;
  const std::vector<double> ends = ends_;
  const std::size_t steps = steps_;
  const std::size_t evaluations = evaluations_;
  const double set = std::exchange(maximalStep_, longest_);
  const auto putBack = [&] {
    maximalStep_ = set;
    t_ = t;
    assign(z, z_);
    ends_ = ends;
    steps_ = steps;
    evaluations_ = evaluations;
  };
  bool same = false;
  try {
    restart(restartTime_, Vector(restartState_));
    for (const double end : ends) {
      while (step(end) != Outcome::end) {
      }
    }
    same = t_ == t && std::equal(z.begin(), z.end(), z_.begin());
    putBack();
  } catch (...) {
    putBack();
    throw;
  }
  if (same) return;
  throw Error("OdeSolver", "the steps since t = " + toText(restartTime_) +
                               " that a checkpoint needs again do not lead to its state at t = " + toText(t) +
                               ": the functions of the model are not those of the run that was saved.");
}

}  // namespace delassus
