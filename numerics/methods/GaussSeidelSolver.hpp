// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <delassus/numerics/OptionFields.hpp>
#include <delassus/numerics/Solver.hpp>
#include <limits>
#include <string_view>

namespace delassus::numerics {

/// Momentum of an iteration x ↦ S(x) whose changes fall slowly: it starts from y = x + β (x − x before), with
/// β = (t − 1) / t⁺ and t⁺ = (1 + √(1 + 4 t²)) / 2. Where a change exceeds the least so far by a fifth, the iteration
/// has gone beyond its aim, and t begins at 1 again. After 2000 iterations β is at most 0.8: what is not solved by then
/// wanders with a larger one and settles with this (measured on piles of spheres). (Nesterov, Soviet Math. Dokl. 27,
/// 1983; restart: O'Donoghue and Candès, Found. Comput. Math. 15, 2015.)
class Momentum {
 public:
  /// Begins anew, with another start.
  void restart() { *this = Momentum(); }

  /// β for the next iteration, after one that made this change.
  double next(double change) {
    constexpr double mostGrowth = 1.2;
    constexpr std::size_t boldIterations = 2000;
    constexpr double careful = 0.8;
    if (change > mostGrowth * least_) {
      t_ = 1.;
      least_ = change;
    }
    least_ = std::min(least_, change);
    const double later = 0.5 * (1. + std::sqrt(1. + 4. * t_ * t_));
    const double factor = (t_ - 1.) / later;
    t_ = later;
    return ++iterations_ > boldIterations ? std::min(factor, careful) : factor;
  }

 private:
  std::size_t iterations_ = 0;
  double t_ = 1.;
  double least_ = std::numeric_limits<double>::infinity();  // change since the last restart
};

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
  bool isChecked_ = false;       // certifiedError() was that of the last sweep
  double promisingChange_ = 0.;  // the certificate may hold from here on
  double changeAtOutlook_ = 0.;
  double sweepsAtOutlook_ = 0.;
};

}  // namespace delassus::numerics
