// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/OptionFields.hpp>
#include <delassus/numerics/Solver.hpp>
#include <delassus/numerics/methods/Momentum.hpp>
#include <string_view>

namespace delassus::numerics {

/// Options of all Gauss–Seidel methods.
struct GaussSeidelOptions {
  DELASSUS_OPTIONS((double, tolerance, 1e-8, range::positive, "for the certificate"),
                   (std::size_t, maxIterations, 10000, range::positive,
                    "sweeps over all blocks; one over some counts as a part"),
                   (double, relaxation, 1., range::between(0., 2.),
                    "factor of a change; 1 is Gauss-Seidel, above 1 over-relaxation"),
                   (bool, momentum, false, range::any,
                    "each sweep starts beyond the last one; with a relaxation of 1 only"),
                   (std::size_t, errorInterval, 20, range::positive,
                    "sweeps between two checks of the certificate, unless a change promises that it holds"),
                   (std::size_t, outlook, 0, range::notNegative,
                    "sweeps after which it gives up if, at their rate, maxIterations will not suffice; 0: never"))
};

/// The iteration of all Gauss–Seidel methods for problems over a product of sets: sweep after sweep, each block of the
/// unknown is moved to a solution of its own law, or by ω towards it, with all other blocks held. Derived classes say
/// what a sweep is; here is what all of them share: when the certificate is computed, momentum, and when to stop.
///
/// The change of a sweep and the error fall together, so that the certificate is next computed where the change has
/// fallen by what the error lacked at the last check. Where none holds, the answer is the best that was checked.
template <class Problem>
class GaussSeidelSolver : public WithOptions<Solver<Problem>, GaussSeidelOptions> {
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

  /// `owner`: the class, for messages. Throws Error on options out of range, and on momentum with relaxation.
  GaussSeidelSolver(std::string_view owner, GaussSeidelOptions options);

  /// The iteration.
  Outcome compute(const Problem& problem, Vector& unknown) override;

  /// The change of a sweep at which the certificate may hold. For sweeps that leave out blocks which move much less;
  /// those are to be visited again where it is lower than in the sweep before: the certificate did not hold.
  double promisingChange() const { return promisingChange_; }

  /// Moves the start of the next sweep beyond `unknown`, where the last one led with this change.
  virtual void extrapolate(double change, Vector& unknown);

 private:
  /// Called first in each solve. May move `unknown` into its sets.
  virtual Start begin(const Problem& problem, Vector& unknown) = 0;
  /// Moves all blocks of `unknown` once.
  virtual Sweep sweep(const Problem& problem, Vector& unknown) = 0;
  /// Writes where the last sweep has led into `unknown`, for methods that keep it elsewhere.
  virtual void read(Vector&) const {}

  bool isToBeChecked(std::size_t iteration, std::size_t blocks, double change) const;
  bool isHopeless(double sweeps, double change);
  Outcome search(const Problem& problem, Vector& unknown);

  Momentum momentum_;
  Vector before_;  // where the sweep before the last one has led
  Vector best_;
  double bestError_ = 0.;        // of best_
  double promisingChange_ = 0.;  // the certificate may hold from here on
  double changeAtOutlook_ = 0.;
  double sweepsAtOutlook_ = 0.;
};

}  // namespace delassus::numerics
