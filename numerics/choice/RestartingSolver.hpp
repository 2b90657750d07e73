// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/RandomGenerator.hpp>
#include <delassus/numerics/Solver.hpp>
#include <delassus/numerics/methods/Trials.hpp>
#include <memory>

namespace delassus::numerics {

/// How far the chains of contacts and of mechanisms go with Newton's method from many starts.
struct ManyStarts {
  static constexpr std::size_t mostRows = 60;  ///< of a problem that is tried so
  static constexpr std::size_t starts = 100;   ///< at most
  static constexpr std::size_t near = 12;      ///< before dear methods, all near the best answer
  static constexpr std::size_t steps = 100;  ///< from each; hyperstatic contacts take 20 to 100, what is regular fewer
};

/// One method from many starts that are drawn, near the caller's or far, until an answer is certified; otherwise the
/// answer with the least error, or the first with which the caller is content (setLeniency). For problems without a
/// theory that names a method (M of any kind, many contacts without unique reactions), where a Newton method ends in a
/// minimum of its residual that is not a solution, or sweeps in a cycle, and finds one from another start. Draws the
/// same starts in every solve. `infeasible` is not passed on.
template <class Problem>
class RestartingSolver final : public Solver<Problem> {
 public:
  /// Draws the start of this number, from 0 on; `given` is the caller's start, and `start` holds the last answer, at
  /// first the caller's start.
  using Draw = void (*)(const Problem& problem, std::size_t number, RandomGenerator& generator, const Vector& given,
                        Vector& start);

  /// Throws Error if there is no method, no way to draw, or no start.
  RestartingSolver(std::unique_ptr<AnySolver<Problem>> method, Draw draw, std::size_t starts);

  std::string_view name() const override { return "RestartingSolver"; }
  double tolerance() const override { return method_->tolerance(); }
  Settings settings() const override;
  void serializeState(StateArchive& archive) override { method_->serializeState(archive); }

 private:
  using Outcome = typename Solver<Problem>::Outcome;

  Outcome compute(const Problem& problem, Vector& unknown) override;

  std::unique_ptr<AnySolver<Problem>> method_;
  Draw draw_;
  std::size_t starts_;
  Trials trials_;
  Vector given_, last_;
};

}  // namespace delassus::numerics
