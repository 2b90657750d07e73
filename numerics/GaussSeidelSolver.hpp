// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/OptionFields.hpp>
#include <delassus/numerics/Solver.hpp>
#include <delassus/numerics/algebra/AndersonAcceleration.hpp>
#include <string_view>

namespace delassus::numerics {

/// Options of all Gauss–Seidel methods.
struct GaussSeidelOptions {
  double tolerance = 1e-8;            ///< for the certificate
  std::size_t maxIterations = 10000;  ///< sweeps over all blocks; one over some counts as a part
  double relaxation = 1.;             ///< ω in (0, 2); 1 is Gauss–Seidel, above 1 is over-relaxation
  /// Cycles: after `plainSweeps` sweeps with `relaxation`, `overSweeps` with `overRelaxation`, and so on; 0: none. What
  /// over-relaxed sweeps leave is rough, and plain ones take it away: only after them the certificate is computed.
  std::size_t overSweeps = 0;
  double overRelaxation = 1.5;   ///< see overSweeps
  std::size_t plainSweeps = 40;  ///< see overSweeps
  /// Sweeps between two checks of the certificate, unless the change of a sweep promises that it holds.
  std::size_t errorInterval = 20;
  /// Anderson acceleration of the sweeps with this many differences, while it pays off; 0: none, 5 is usual. Not in
  /// cycles.
  std::size_t accelerationMemory = 0;
  /// After each block of this many sweeps it gives up if, at their rate, maxIterations will not suffice; 0: never. For
  /// chains of solvers, where another one follows.
  std::size_t outlook = 0;

  /// Names, ranges and meanings of all members.
  OptionFields fields();
};

/// The iteration of all Gauss–Seidel methods for problems over a product of sets: sweep after sweep, each block of the
/// unknown is moved to a solution of its own law, or by ω towards it, with all other blocks held. Derived classes say
/// what a sweep is; here is what all of them share: when the certificate is computed, acceleration, and when to stop.
///
/// The change of a sweep and the error fall together, so that the certificate is next computed where the change has
/// fallen by what the error lacked at the last check. Where none holds, the answer is the best that was checked.
/// (Acceleration: Anderson, J. ACM 12, 1965; Walker and Ni, 2011.)
template <class Problem, class Options = GaussSeidelOptions>
class GaussSeidelSolver : public WithOptions<Solver<Problem>, Options> {
 protected:
  /// That of Solver.
  using Outcome = typename Solver<Problem>::Outcome;

  /// What a method finds when it looks at a problem.
  struct Start {
    std::size_t blocks = 0;         ///< blocks of the problem; one is solved in one sweep
    double squares = 0.;            ///< of its data, in the unit of Sweep::squares
    std::string_view refusal = {};  ///< why the method does not take the problem (a literal), or empty
  };
  /// What a sweep did.
  struct Sweep {
    double squares = 0.;            ///< of the changes of the unknown
    std::string_view failure = {};  ///< why sweeps cannot go on (a literal), or empty
    double work = 1.;               ///< share of the blocks that it visited, by which it counts
  };

  /// `owner`: the class, for messages. Throws Error on options out of range.
  GaussSeidelSolver(std::string_view owner, Options options);

  /// The iteration.
  Outcome compute(const Problem& problem, Vector& unknown) override;

  /// The change of a sweep at which the certificate may hold. For sweeps that leave out blocks which move much less;
  /// those are to be visited again where it is lower than in the sweep before: the certificate did not hold.
  double promisingChange() const { return promisingChange_; }

  /// ω of the present sweep.
  double relaxation() const { return isOver_ ? this->options_.overRelaxation : this->options_.relaxation; }

 private:
  /// Called first in each solve. May move `unknown` into its sets.
  virtual Start begin(const Problem& problem, Vector& unknown) = 0;
  /// Moves all blocks of `unknown` once.
  virtual Sweep sweep(const Problem& problem, Vector& unknown) = 0;
  /// Called where `unknown` was changed between two sweeps.
  virtual void restart(const Vector& unknown) { static_cast<void>(unknown); }

  bool isToBeChecked(std::size_t iteration, std::size_t blocks, double change) const;
  bool accelerationPays(std::size_t iteration, double change, double work);
  bool isHopeless(double sweeps, double change);
  Outcome search(const Problem& problem, Vector& unknown);

  // Whether sweeps with or without acceleration are in use or on trial.
  struct Way {
    bool accelerated = true;
    bool isTrial = false;
    double sweeps = 0.;  // counted by their work
    double sweepsLeft = 0.;
    double changeAtBegin = 0.;
    double fallOfOther = 0.;  // of the logarithm of the change, a sweep
  };

  Way way_;
  AndersonAcceleration acceleration_;
  Vector before_, best_;
  double bestError_ = 0.;        // of best_
  bool isOver_ = false;          // the present sweep is over-relaxed
  double promisingChange_ = 0.;  // the certificate may hold from here on
  double changeAtOutlook_ = 0.;
  double sweepsAtOutlook_ = 0.;
};

}  // namespace delassus::numerics
