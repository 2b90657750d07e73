// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/friction/NonsmoothGaussSeidelSolver.hpp>
#include <memory>
#include <vector>

namespace delassus::numerics {

/// Options of ColouredGaussSeidelSolver.
struct ColouredGaussSeidelOptions : NonsmoothGaussSeidelOptions {
  std::size_t threads = 2;  ///< the caller's among them

  /// Names, ranges and meanings of all members.
  OptionFields fields();
};

/// Nonsmooth Gauss–Seidel on several threads: contacts are coloured so that no two of a colour share a block of W;
/// those of one colour are solved in parallel, colour after colour. The answer is the same to the bit for any number of
/// threads (but differs from that of NonsmoothGaussSeidelSolver, which has another order). Pays off from about a
/// thousand contacts. Needs W as a matrix. Warm starts from r; starts its threads in each solve. (Colouring: greedy in
/// the order of the contacts. Renouf, Dubois and Alart, J. Comput. Appl. Math. 168, 2004.)
class ColouredGaussSeidelSolver final : public GaussSeidelSolver<FrictionContactProblem, ColouredGaussSeidelOptions> {
 public:
  /// `local` solves one contact, on all threads at once; HybridOneContactSolver by default. Throws Error on
  /// options out of range.
  explicit ColouredGaussSeidelSolver(ColouredGaussSeidelOptions options = {},
                                     std::shared_ptr<const OneContactSolver> local = nullptr);

  std::string_view name() const override { return "ColouredGaussSeidelSolver"; }

 private:
  class Team;

  Outcome compute(const FrictionContactProblem& problem, Vector& r) override;
  Start begin(const FrictionContactProblem& problem, Vector& r) override;
  Sweep sweep(const FrictionContactProblem& problem, Vector& r) override;
  void restart(const Vector& r) override { contacts_.begin(*begun_, r); }
  void colour(const FrictionContactProblem& problem, const BlockSparseMatrix& W);
  void sweepShare(const FrictionContactProblem& problem, std::size_t colour, std::size_t share, Vector& r);

  ContactSweep contacts_;
  const FrictionContactProblem* begun_ = nullptr;  // of this solve
  std::vector<std::size_t> order_;                 // contacts, colour after colour
  std::vector<std::size_t> colourStarts_;          // first place of each colour in order_, and the count
  std::vector<double> moved_;                      // of each contact in the last sweep, squared
  Team* team_ = nullptr;                           // of the present solve
};

}  // namespace delassus::numerics
