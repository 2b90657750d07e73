// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/kernel/hybrid/FlowMode.hpp>
#include <delassus/kernel/hybrid/FlowModeSearch.hpp>
#include <delassus/kernel/hybrid/FlowModel.hpp>
#include <delassus/kernel/hybrid/HybridOptions.hpp>
#include <delassus/kernel/hybrid/HybridSystem.hpp>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace delassus {

/// The first-order systems of a model with complementarity, relay, equality and mixed laws, as a hybrid system. In a
/// mode each row has its multiplier at a bound, or its output held at zero:
///
///     λ_i = l_i, y_i ≥ 0     or     λ_i = u_i, y_i ≤ 0     or     y_i = 0, l_i ≤ λ_i ≤ u_i.
///
/// The multipliers of held rows follow from y = 0 where the rows have feedthrough (relative degree 0), from ẏ = 0 where
/// they have none (relative degree 1), combination by combination where they are mixed (see FlowFactors). The second
/// kind is sliding: λ is the equivalent control, and nothing chatters. Rates are taken at the state projected on y = 0,
/// so that it does not drift.
///
/// A mode ends where an output of a row at a bound, or the distance of the multiplier of a held row to a bound, falls
/// through zero; guards are scaled by their terms. The next mode is decided for all rows together (see FlowModeSearch).
/// The state is continuous in a mode. Where a switching, or a state that was set, leaves outputs that no mode satisfies
/// (a switch that closes between two capacitors), the state jumps along B by impulses that the laws allow, which
/// conserves what the multipliers do not act on: charge, flux (FlowModeSearch::find). Where a row of relative
/// degree 2 or more would have to be held, and where no mode and no jump satisfies the laws, an Error names the row. If
/// several modes are possible (a state on a surface that repels on both sides) the first that holds is taken.
///
/// Switchings that accumulate (Filippov's spiral) are followed down to `minimalDwell`; then the rows are held and the
/// event says how much longer the series would have lasted.
///
/// Relations may be linear or not; if C, D, B and M are constant, factors are stored for each mode. ∂h/∂t is taken by
/// differences of order 6 within the piece of time given to setPiece, where outputs must be smooth in t.
class HybridFlow final : public HybridSystem {
 public:
  /// Throws Error unless the minimal dwell is positive and finite.
  explicit HybridFlow(HybridFlowOptions options = {});

  /// After bind the piece is the interval of the model.
  void setPiece(const TimePiece& piece) override;

  void bind(const NonSmoothDynamicalSystem& model, double t) override;
  std::size_t size() const override { return model_.states(); }
  std::string owner(std::size_t i) const override { return "system '" + model_.systemName(i) + "'"; }
  /// Two a row.
  std::size_t guards() const override { return 2 * model_.rows(); }
  std::string guardName(std::size_t guard) const override;
  std::optional<StatePlace> placeOf(const DynamicalSystem& system) const override;
  void start(double t, bool initial, double* z) override;
  void enter(double t, double* z, std::vector<Event>& events) override;
  void rates(double t, const double* z, double* zDot) override;
  void computeGuards(double t, const double* z, double* g, double* gDot) override;
  void sampleGuards(double t, const double* z, double* g) override { computeGuards(t, z, g, nullptr); }
  void cross(double t, double* z, const std::vector<std::size_t>& fallen, std::vector<Event>& events) override;
  void accept(double t, const double* z) override;
  bool hasChanged() const override { return model_.hasChanged(); }
  void serializeState(StateArchive& archive) override;
  void serializeMemory(StateArchive& archive) override { search_.serializeState(archive); }
  void resume() override;

  /// Branches of the rows, interaction after interaction; empty before enter.
  const FlowMode::Branches& mode() const { return present_; }

 private:
  void decide(double t, const double* z, const FlowModeSearch::Allowance& allowance, double step, bool mayJump);
  void reportJump(double t, std::vector<Event>& events);
  double stepFor(double t, const double* z);
  void measure(double t);
  void begin(double t);
  void report(double t, const FlowMode::Branches& before, const double* z, std::vector<Event>& events) const;
  double accumulating() const;
  double instantOf(double t) const;
  double slopeOf(std::size_t guard, double now, double ahead, double step) const;

  HybridFlowOptions options_;
  double dwell_ = 0.;  // the minimal one, s
  FlowModel model_;
  TimePiece piece_;
  FlowMode mode_;
  FlowModeSearch search_;
  FlowMode::Branches present_;
  Vector lambda_, beginState_;   // with which the mode began
  Vector impulse_, jumpedFrom_;  // of a jump that was not reported yet, else empty
  double beginTime_ = 0.;
  std::vector<double> offsets_, scales_;  // of the guards
  std::vector<double> switchings_;        // the last instants
  double acceptedTime_ = 0.;
  double step_ = 1e-6;                                             // of the difference for guards
  double timeConstant_ = std::numeric_limits<double>::infinity();  // the shortest that A may have, s
  Matrix A_;
  Vector throughput_;
};

}  // namespace delassus
