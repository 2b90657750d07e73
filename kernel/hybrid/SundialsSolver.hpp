// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>

#include <algorithm>
#include <delassus/kernel/hybrid/OdeSolver.hpp>
#include <delassus/kernel/hybrid/SundialsVersion.hpp>
#include <exception>
#include <string>

namespace delassus {

/// The common part of the solvers of SUNDIALS: a context, a vector, and callbacks that hold exceptions until the C code
/// in between has returned.
class SundialsSolver : public OdeSolver {
 public:
  ~SundialsSolver() override;

  void setMaximalStep(double step) final { maximalStep_ = std::min(step, options_.maximalStep); }

 protected:
  SundialsSolver(OdeEquations& equations, const OdeOptions& options, bool withRoots);

  // Callbacks, with this as their data.
  static int rates(double t, N_Vector z, N_Vector zDot, void* solver);
  static int roots(double t, N_Vector z, double* g, void* solver);
#if DELASSUS_SUNDIALS_7
  static void keepMessage(int line, const char* function, const char* file, const char* message, SUNErrCode code,
                          void* solver, SUNContext context);
#else
  static void keepMessage(int code, const char* module, const char* function, char* message, void* solver);
#endif

  /// If `flag` is a failure, throws what a callback has thrown, or Error with the message of SUNDIALS; `what` names the
  /// operation.
  void check(int flag, const char* what);
  /// Throws Error if a step that was not cut short is below the minimal step, or one of many that vanish against t or
  /// lead nowhere on the way to `end`.
  void checkStep(double size, double end);
  /// What checkStep() counts begins anew, after a restart.
  void forgetProgress() {
    counted_ = vanishing_ = 0;
  }
  void take(double t);
  /// SUNDIALS disables root functions that are zero at a restart until they are nonzero, even over further restarts.
  /// True if they should be enabled again, since one was zero after the last call.
  bool sleepsAny();
  /// The state at which the root functions are to be evaluated where SUNDIALS asks for them at (t, z).
  virtual const double* stateForRoots(double, const double* z) {
    return z;
  }

  OdeEquations& equations_;
  OdeOptions options_;
  double maximalStep_;
  std::size_t rootCount_ = 0;
  SUNContext context_ = nullptr;
  N_Vector vector_ = nullptr;
  std::exception_ptr thrown_;
  std::string message_;
  bool rootWasZero_ = false;
  std::size_t vanishing_ = 0;  // steps in a row, against t
  bool atRoot_ = false;        // the last step returned a root, and no step has begun since

 private:
  void createContext();
  void checkProgress(double end);
  std::string fastest();

  std::size_t counted_ = 0;  // steps
  double countedFrom_ = 0.;  // time of the first of them
};

}  // namespace delassus
