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
    now_ = present();
  }

  delassus::Simulation& simulation() override { return simulation_; }

  void serializeState(delassus::StateArchive& archive) override {
    CamRun::serializeState(archive);
    for (Instant* const instant : {&before_, &now_}) {
      archive.value("t", instant->t);
      archive.value("coordinate", instant->coordinate);
      archive.value("rate", instant->rate);
      archive.value("gap rate", instant->gapRate);
    }
    archive.value("pushed", pushed_);
  }

 private:
  struct Instant {
    double t, coordinate, rate, gapRate;
  };

  Instant present() const {
    return {simulation_.time(), follower_->coordinate(), follower_->rate(), follower_->gapRate()};
  }

  void takeStep() override {
    before_ = now_;
    now_ = present();
    const double impulse = follower_->lambda();
    impulse_ += impulse;
    if (impulse > 0. && !pushed_ && before_.gapRate < -slowestApproach) {
      events_.push_back({now_.t, "impact", follower_->u(now_.t), follower_->absoluteVelocity(before_.t, before_.rate),
                         follower_->v(now_.t)});
    }
    pushed_ = impulse > 0.;
  }

  bool hasReached(double t) override {
    if (now_.t < t - tolerance_) return false;
    u_ = follower_->u(now_.t);
    v_ = follower_->v(now_.t);
    if (now_.t <= t + tolerance_) return true;
    const double rest = (now_.t - t) / (now_.t - before_.t);
    u_ += rest * (follower_->absolutePosition(before_.t, before_.coordinate) - u_);
    v_ += rest * (follower_->absoluteVelocity(before_.t, before_.rate) - v_);
    return true;
  }

  delassus::TimeStepping simulation_;
  double tolerance_;
  Instant before_{}, now_{};  // beginning and end of the last step
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
    // The acceleration of the cam jumps at its junctions: the integration must stop and restart there.
    simulation_.addTimeEvents("junction", cam().junctions(0., parameters.end));
    simulation_.setEventObserver([this](const delassus::Event& event) { log(event); });
    simulation_.initialise();
  }

  delassus::Simulation& simulation() override { return simulation_; }

  void serializeState(delassus::StateArchive& archive) override {
    CamRun::serializeState(archive);
    archive.value("begin", begin_);
  }

 private:
  void takeStep() override {
    impulse_ += follower_->contactForce() * (simulation_.time() - begin_);
    begin_ = simulation_.time();
  }

  // Every step is one to an output.
  bool hasReached(double t) override {
    if (simulation_.time() < t) return false;
    u_ = follower_->u(t);
    v_ = follower_->v(t);
    return true;
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
  double begin_ = 0.;  // of the last step
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

void CamRun::run(const std::function<void()>& afterOutput) {
  simulation().run([&] {
    takeStep();
    while (outputReached()) {
      afterOutput();
      beginOutput();
    }
  });
}

bool CamRun::advance() {
  if (done_ == outputs_) return false;
  beginOutput();
  while (!outputReached()) {
    simulation().step();
    takeStep();
  }
  return true;
}

bool CamRun::outputReached() {
  if (done_ == outputs_) return false;
  const double next = done_ + 1 == outputs_ ? end_ : static_cast<double>(done_ + 1) * interval_;
  if (!hasReached(next)) return false;
  ++done_;
  time_ = next;
  return true;
}

void CamRun::beginOutput() {
  impulse_ = 0.;
  events_.clear();
}

void CamRun::serializeState(delassus::StateArchive& archive) {
  archive.value("outputs done", done_);
  for (double* const number : {&time_, &u_, &v_, &impulse_}) archive.value("output", *number);
  events_.resize(archive.count("events", events_.size()));
  for (CamEvent& event : events_) {
    archive.value("kind", event.kind);
    for (double* const number : {&event.t, &event.u, &event.vBefore, &event.vAfter}) archive.value("event", *number);
  }
}

std::unique_ptr<CamRun> makeCamRun(const CamFollowerParameters& parameters, const CamRunOptions& options,
                                   double interval) {
  if (options.method == CamMethod::eventDriven) {
    return std::make_unique<EventDrivenCamRun>(parameters, options, interval);
  }
  return std::make_unique<SteppedCamRun>(parameters, options, interval);
}
