// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/OptionFields.hpp>
#include <delassus/numerics/algebra/AndersonAcceleration.hpp>
#include <delassus/numerics/friction/FrictionContactSolver.hpp>
#include <delassus/numerics/friction/OneContactSolver.hpp>
#include <memory>
#include <vector>

namespace delassus::numerics {

/// Options of NonsmoothGaussSeidelSolver.
struct NonsmoothGaussSeidelOptions {
  double tolerance = 1e-4;            ///< for the certificate
  std::size_t maxIterations = 10000;  ///< sweeps over all contacts
  double relaxation = 1.;             ///< ω in (0, 2); 1 is Gauss–Seidel
  std::size_t errorInterval =
      20;  ///< sweeps between two checks of the certificate, unless the change of a sweep triggers one
  std::size_t accelerationMemory = 0;  ///< Anderson acceleration of the sweeps with this many differences, while it
                                       ///< pays off; 0: none, 5 is usual
  /// After each block of this many sweeps it gives up if, at their rate, maxIterations will not suffice; 0: never. For
  /// chains of solvers, where another one follows.
  std::size_t outlook = 0;

  /// Names, ranges and meanings of all members.
  OptionFields fields() {
    return {{"tolerance", &tolerance, range::positive, "for the certificate"},
            {"maxIterations", &maxIterations, range::positive, "sweeps over all contacts"},
            {"relaxation", &relaxation, range::between(0., 2.), "factor of a change; 1 is Gauss-Seidel"},
            {"errorInterval", &errorInterval, range::positive, "sweeps between two checks of the certificate"},
            {"accelerationMemory", &accelerationMemory, range::notNegative,
             "differences of Anderson acceleration; 0: none"},
            {"outlook", &outlook, range::notNegative, "sweeps between two decisions whether to give up; 0: never"}};
  }
};

/// Nonsmooth Gauss–Seidel (NSGS): it solves contact after contact with all other reactions held and moves r_c by ω
/// times the change. Robust and cheap to 10⁻³ or 10⁻⁴ whenever W_cc is regular, also for hyperstatic problems; slow
/// beyond. The sweep works on the matrix W or on its factors. Warm starts from r.
///
/// `local` solves one contact; HybridOneContactSolver by default.
/// (Jourdan, Alart and Jean, Comput. Methods Appl. Mech. Engrg. 155, 1998. Acceleration: Anderson, J. ACM 12, 1965;
/// Walker and Ni, 2011.)
class NonsmoothGaussSeidelSolver final : public WithOptions<FrictionContactSolver, NonsmoothGaussSeidelOptions> {
 public:
  /// Throws Error on options out of range.
  explicit NonsmoothGaussSeidelSolver(NonsmoothGaussSeidelOptions options = {},
                                      std::shared_ptr<const OneContactSolver> local = nullptr);

  std::string_view name() const override { return "NonsmoothGaussSeidelSolver"; }

 private:
  Outcome compute(const FrictionContactProblem& problem, Vector& r) override;
  void prepare(const FrictionContactProblem& problem);
  bool accelerationPays(std::size_t iteration, double change);
  bool isHopeless(std::size_t iteration, double change);
  double sweepOnce(const FrictionContactProblem& problem, Vector& r);

  // Whether sweeps with or without acceleration are in use or on trial.
  struct Way {
    bool accelerated = true;
    bool isTrial = false;
    std::size_t sweeps = 0;
    std::size_t sweepsLeft = 0;
    double changeAtBegin = 0.;
    double fallOfOther = 0.;  // of the logarithm of the change, a sweep
  };

  Way way_;
  std::shared_ptr<const OneContactSolver> local_;
  const DelassusOperator* sweepOf_ = nullptr;
  std::uint64_t sweepStamp_ = 0;
  std::unique_ptr<DelassusSweep> sweep_;
  std::vector<double> blocks_;  // diagonal blocks of W
  std::vector<double> scales_;
  AndersonAcceleration acceleration_;
  Vector before_;
  double changeAtOutlook_ = 0.;
};

}  // namespace delassus::numerics
