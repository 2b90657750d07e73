// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/StateArchive.hpp>
#include <delassus/numerics/algebra/Vector.hpp>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace delassus {

/// An ordinary differential equation ż = f(t, z) with root functions. Exceptions pass through the solver.
class OdeEquations {
 public:
  virtual ~OdeEquations() = default;

  virtual std::size_t size() const = 0;            ///< of z and zDot, arrays of the caller
  virtual std::size_t roots() const { return 0; }  ///< size of g, constant as well
  /// +1 or −1 if only roots of that direction count, 0 if both do.
  virtual int rootDirection(std::size_t) const { return 0; }
  /// ż = f(t, z), all size() components.
  virtual void computeRates(double t, const double* z, double* zDot) = 0;
  /// What component i of z belongs to: "system 'ball'", for messages.
  virtual std::string owner(std::size_t i) const { return "component " + std::to_string(i); }
  /// The root functions g(t, z), all roots() components.
  virtual void computeRoots(double, const double*, double*) {}
};

/// The method of an OdeSolver. A piece lasts from one restart to the next.
enum class OdeMethod {
  automatic,   ///< rungeKutta, and bdf for the rest of a piece in which that turns out to be stiff
  rungeKutta,  ///< explicit, of order 8(7), for smooth motion that is not stiff; keeps its order after a restart
  bdf          ///< implicit, of order 1 to 5, for stiff equations
};

/// Options of OdeSolver.
struct OdeOptions {
  OdeMethod method = OdeMethod::automatic;  ///< of the integration
  /// The estimated errors of a step, each divided by relativeTolerance |z_i| + absoluteTolerance, are at most 1 in the
  /// root mean square.
  ///@{
  double relativeTolerance = 1e-10;
  double absoluteTolerance = 1e-12;
  ///@}
  double maximalStep = std::numeric_limits<double>::infinity();  ///< s
  /// s; it is an error if the error control asks for shorter steps. Steps that end at an event may be shorter: there is
  /// no limit to how fast impacts follow each other.
  double minimalStep = 0.;
  /// bdf, and automatic in stiff pieces: the method restarts at the first end of an interval after this many steps. A
  /// checkpoint holds the state at the last restart, and restoring it repeats the steps since then.
  std::size_t restartAfter = 1000;
};

/// Adaptive integration step by step, with root finding, on SUNDIALS (Hindmarsh and others, ACM TOMS 31, 2005). A build
/// without SUNDIALS (`withSundials` of <delassus/Config.hpp>) throws Error instead.
///
/// The state at an end or a restart can be saved, and another solver continues from it to the same bits. Methods with
/// more state than (t, z) save their last start instead, and repeat the steps since then.
class OdeSolver {
 public:
  /// How a step ended.
  enum class Outcome {
    step,  ///< a step was done
    end,   ///< a step was made, and ended at the given end
    root   ///< the first root in a step: time and state are those of the root, as exact as interpolation is
  };

  virtual ~OdeSolver() = default;
  OdeSolver(const OdeSolver&) = delete;
  OdeSolver& operator=(const OdeSolver&) = delete;

  /// `equations` must outlive the solver; roots are looked for if `withRoots`. Throws Error for options that make no
  /// sense.
  static std::unique_ptr<OdeSolver> make(OdeEquations& equations, const OdeOptions& options, bool withRoots);

  /// Restarts from z at t, after a jump of state or equations, with the last step length that the error control chose.
  virtual void restart(double t, const Vector& z) = 0;

  /// From the next restart on steps are at most this long, s, or options.maximalStep where that is less.
  virtual void setMaximalStep(double step) = 0;

  /// One step, not beyond `end` (> time()). Throws Error if the tolerances cannot be met, or only by steps that a time
  /// of this size does not resolve, naming t and the step; Interrupted where a request to stop is overdue; and whatever
  /// the equations throw.
  virtual Outcome step(double end) = 0;

  /// Saves or restores what further steps depend on; only after restart or Outcome::end. resume() makes the restored
  /// data the state.
  virtual void serializeState(StateArchive& archive) = 0;
  /// To be called after restoring, when everything that the equations depend on has been restored too. Evaluates them
  /// as needed; counts do not change. Throws Error if they differ from those of the saved run.
  virtual void resume() {}
  /// Saves or restores only what survives a restart: step lengths.
  virtual void serializeMemory(StateArchive&) {}

  /// Where the last step or restart ended: t and z.
  ///@{
  double time() const { return t_; }
  const Vector& state() const { return z_; }
  ///@}
  /// One number a root function, after Outcome::root: ±1 if it rises or falls through zero at time(), 0 if not.
  const std::vector<int>& foundRoots() const { return found_; }
  /// The end of the last step in which a root was found.
  double stepEnd() const { return stepEnd_; }

  /// Steps, and evaluations of the rates, since the solver was made.
  ///@{
  std::size_t steps() const { return steps_; }
  std::size_t evaluations() const { return evaluations_; }
  ///@}

 protected:
  OdeSolver() = default;

  /// Results of the functions above; derived classes set them.
  ///@{
  double t_ = 0.;
  double stepEnd_ = 0.;
  Vector z_;
  std::vector<int> found_;
  std::size_t steps_ = 0;
  std::size_t evaluations_ = 0;
  ///@}
};

}  // namespace delassus
