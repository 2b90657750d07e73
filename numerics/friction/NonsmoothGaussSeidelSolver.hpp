// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/GaussSeidelSolver.hpp>
#include <delassus/numerics/friction/FrictionContactSolver.hpp>
#include <delassus/numerics/friction/OneContactSolver.hpp>
#include <memory>
#include <vector>

namespace delassus::numerics {

/// Options of NonsmoothGaussSeidelSolver.
struct NonsmoothGaussSeidelOptions : GaussSeidelOptions {
  /// A tolerance of 1e-4: sweeps are slow beyond.
  NonsmoothGaussSeidelOptions() { tolerance = 1e-4; }
};

/// Nonsmooth Gauss–Seidel (NSGS): it solves contact after contact with all other reactions held and moves r_c by ω
/// times the change. Robust and cheap to 10⁻³ or 10⁻⁴ whenever W_cc is regular, also for hyperstatic problems; slow
/// beyond. The sweep works on the matrix W or on its factors. Warm starts from r.
///
/// `local` solves one contact; HybridOneContactSolver by default.
/// (Jourdan, Alart and Jean, Comput. Methods Appl. Mech. Engrg. 155, 1998.)
class NonsmoothGaussSeidelSolver final : public GaussSeidelSolver<FrictionContactProblem> {
 public:
  /// Throws Error on options out of range.
  explicit NonsmoothGaussSeidelSolver(NonsmoothGaussSeidelOptions options = {},
                                      std::shared_ptr<const OneContactSolver> local = nullptr);

  std::string_view name() const override { return "NonsmoothGaussSeidelSolver"; }

 private:
  Start begin(const FrictionContactProblem& problem, Vector& r) override;
  Sweep sweep(const FrictionContactProblem& problem, Vector& r) override;
  void restart(const Vector& r) override { sweep_->begin(data(r)); }
  void prepare(const FrictionContactProblem& problem);

  std::shared_ptr<const OneContactSolver> local_;
  SweptOperator sweepOf_;
  std::uint64_t sweepStamp_ = 0;
  std::unique_ptr<DelassusSweep> sweep_;
  std::vector<double> blocks_;  // diagonal blocks of W
  std::vector<double> scales_;
  double normOfData_ = 1.;
};

}  // namespace delassus::numerics
