// SPDX-License-Identifier: Apache-2.0
#include "CamRun.hpp"

#include <cmath>
#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <delassus/kernel/problems/LCP.hpp>
#include <delassus/kernel/simulation/TimeStepping.hpp>
#include <delassus/numerics/Error.hpp>
#include <utility>

using delassus::Error;
using delassus::TimeDiscretisation;

namespace {

// Slower approaches are rounding of a contact that lasts.
constexpr double slowestApproach = 1e-6;

double checkedStep(double step) {
  if (!(step > 0.) || !std::isfinite(step)) {
    throw Error("CamRun", "the step must be positive, but " + delassus::toText(step) + " came.");
  }
  return step;
}

class SteppedCamRun final : public CamRun {
 public:
  SteppedCamRun(const CamFollowerParameters& parameters, const CamRunOptions& options, double interval)
      : CamRun(makeCamFollower(options.formulation, parameters), parameters.end, interval),
        stepsAnOutput_(static_cast<std::size_t>(std::ceil(interval / checkedStep(options.step) - 1e-9))),
        simulation_(follower_->model(), TimeDiscretisation(0., interval / static_cast<double>(stepsAnOutput_)),
                    delassus::MoreauJeanOSI(options.theta), delassus::LCP()) {
    simulation_.initialise();
  }

  bool advance() override {
    if (!simulation_.hasNextStep()) return false;
    events_.clear();
    impulse_ = 0.;
    for (std::size_t k = 0; k < stepsAnOutput_ && simulation_.hasNextStep(); ++k) step();
    return true;
  }

  double time() const override { return simulation_.time(); }
  std::string summary() const override { return simulation_.statistics().summary(); }

 private:
  void step() {
    const double before = follower_->v(time());
    const double gapRate = follower_->gapRate();
    simulation_.step();
    const double impulse = follower_->lambda();
    impulse_ += impulse;
    if (impulse > 0. && !pushed_ && gapRate < -slowestApproach) {
      events_.push_back({time(), "impact", u(), before, v()});
    }
    pushed_ = impulse > 0.;
  }

  std::size_t stepsAnOutput_;
  delassus::TimeStepping simulation_;
  bool pushed_ = false;
};

}  // namespace

CamRun::CamRun(std::unique_ptr<CamFollower> follower, double end, double interval)
    : follower_(std::move(follower)), outputs_(TimeDiscretisation(0., interval).stepsUntil(end)) {
}

std::unique_ptr<CamRun> makeCamRun(const CamFollowerParameters& parameters, const CamRunOptions& options,
                                   double interval) {
  return std::make_unique<SteppedCamRun>(parameters, options, interval);
}
