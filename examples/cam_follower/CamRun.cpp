// SPDX-License-Identifier: Apache-2.0
#include "CamRun.hpp"

#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/problems/LCP.hpp>
#include <delassus/kernel/simulation/EventDriven.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <utility>

using delassus::TimeDiscretisation;

namespace {

// Slower approaches are rounding of a contact that lasts.
constexpr double slowestApproach = 1e-6;

class SteppedCamRun final : public CamRun {
 public:
  SteppedCamRun(const CamFollowerParameters& parameters, const CamRunOptions& options, double interval)
      : CamRun(makeCamFollower(options.formulation, parameters), parameters.end, interval),
        simulation_(follower_->model(), TimeDiscretisation(0., options.step), delassus::MoreauJeanOSI(options.theta),
                    delassus::LCP()),
        tolerance_(1e-9 * options.step) {
    simulation_.initialise();
  }

  std::string summary() const override { return simulation_.statistics().summary(); }

 private:
  void advanceTo(double t) override {
    while (simulation_.time() < t - tolerance_) step();
    u_ = follower_->u(simulation_.time());
    v_ = follower_->v(simulation_.time());
    if (simulation_.time() <= t + tolerance_) return;
    const double rest = (simulation_.time() - t) / (simulation_.time() - tBefore_);
    u_ += rest * (follower_->absolutePosition(tBefore_, coordinateBefore_) - u_);
    v_ += rest * (follower_->absoluteVelocity(tBefore_, rateBefore_) - v_);
  }

  void step() {
    tBefore_ = simulation_.time();
    coordinateBefore_ = follower_->coordinate();
    rateBefore_ = follower_->rate();
    const double gapRate = follower_->gapRate();
    simulation_.step();
    const double impulse = follower_->lambda();
    impulse_ += impulse;
    if (impulse > 0. && !pushed_ && gapRate < -slowestApproach) {
      const double t = simulation_.time();
      const double before = follower_->absoluteVelocity(tBefore_, rateBefore_);
      events_.push_back({t, "impact", follower_->u(t), before, follower_->v(t)});
    }
    pushed_ = impulse > 0.;
  }

  delassus::TimeStepping simulation_;
  double tolerance_;
  double tBefore_ = 0., coordinateBefore_ = 0., rateBefore_ = 0.;  // at the begin of the last step
  bool pushed_ = false;
};

delassus::EventDrivenOptions eventDrivenOptions(const CamRunOptions& options) {
  delassus::EventDrivenOptions result;
  result.integration.relativeTolerance = options.tolerance;
  result.integration.absoluteTolerance = options.tolerance;
  result.keepEvents = false;
  return result;
}

class EventDrivenCamRun final : public CamRun {
 public:
  EventDrivenCamRun(const CamFollowerParameters& parameters, const CamRunOptions& options, double interval)
      : CamRun(makeCamFollower(options.formulation, parameters), parameters.end, interval),
        simulation_(follower_->model(), TimeDiscretisation(0., interval), delassus::LCP(),
                    eventDrivenOptions(options)) {
    // The acceleration of the cam jumps at its junctions: the integration has to stop there and begin anew.
    simulation_.addTimeEvents("junction", cam().junctions(0., parameters.end));
    simulation_.setEventObserver([this](const delassus::Event& event) { log(event); });
    simulation_.initialise();
  }

  std::string summary() const override { return simulation_.statistics().summary(); }

 private:
  void advanceTo(double t) override {
    const double begin = simulation_.time();
    simulation_.step();
    u_ = follower_->u(t);
    v_ = follower_->v(t);
    impulse_ += follower_->contactForce() * (t - begin);
  }

  void log(const delassus::Event& event) {
    const double t = event.t;
    if (event.kind == delassus::EventKind::user) {
      const double v = follower_->v(t);
      events_.push_back({t, event.source, follower_->u(t), v, v});
      return;
    }
    if (event.impulse.size() > 0) impulse_ += event.impulse(0);
    events_.push_back({t, std::string(toString(event.kind)), follower_->absolutePosition(t, event.q(0)),
                       follower_->absoluteVelocity(t, event.before(0)),
                       follower_->absoluteVelocity(t, event.after(0))});
  }

  delassus::EventDriven simulation_;
};

}  // namespace

CamRun::CamRun(std::unique_ptr<CamFollower> follower, double end, double interval)
    : follower_(std::move(follower)),
      u_(follower_->u(0.)),
      v_(follower_->v(0.)),
      end_(end),
      interval_(interval),
      outputs_(TimeDiscretisation(0., interval).stepsUntil(end)) {
}

bool CamRun::advance() {
  if (done_ == outputs_) return false;
  ++done_;
  time_ = done_ == outputs_ ? end_ : static_cast<double>(done_) * interval_;
  impulse_ = 0.;
  events_.clear();
  advanceTo(time_);
  return true;
}

std::unique_ptr<CamRun> makeCamRun(const CamFollowerParameters& parameters, const CamRunOptions& options,
                                   double interval) {
  if (options.method == CamMethod::eventDriven) {
    return std::make_unique<EventDrivenCamRun>(parameters, options, interval);
  }
  return std::make_unique<SteppedCamRun>(parameters, options, interval);
}
