// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <delassus/kernel/integrators/IterationNode.hpp>
#include <utility>
#include <vector>

namespace delassus {

void IterationNode::filter(double* x, std::size_t count) const {
  const std::size_t n = W.size1();
  std::vector<double> filtered(n);
  for (std::size_t k = 0; k < count; ++k, x += n) {
    multiply(1., *inputFilter, x, 0., filtered.data());
    std::copy(filtered.begin(), filtered.end(), x);
  }
}

bool IterationNode::recall(const Step& step) {
  constexpr std::size_t most = 3;
  if (isFactored(step)) return true;
  const auto found = std::find_if(kept_.begin(), kept_.end(), [&](const Kept& kept) { return kept.step == step; });
  if (found != kept_.end()) {
    std::swap(found->step, step_);
    found->W.swap(W);
    std::swap(found->factor, factor);
    ++factorVersion;
    return true;
  }
  // The step that finds initial multipliers has no size, and comes once.
  if (!step_ || step_->h == 0.) return false;
  if (kept_.size() < most) kept_.emplace_back();
  std::rotate(kept_.begin(), kept_.end() - 1, kept_.end());
  Kept& oldest = kept_.front();
  oldest.step = std::exchange(step_, std::nullopt);
  oldest.W = W;
  std::swap(oldest.factor, factor);
  return false;
}

bool IterationNode::tryFactor(const Step& step) {
  step_.reset();
  if (!factor.tryFactor(W)) return false;
  step_ = step;
  ++factorVersion;
  return true;
}

void IterationNode::forgetFactors() {
  step_.reset();
  for (Kept& kept : kept_) kept.step.reset();
}

void IterationNode::serializeState(StateArchive& archive) {
  Step step = step_.value_or(Step{-1., 0.});
  archive.value("factoredStep", step.h);
  archive.value("factoredOther", step.other);
  archive.value("factorVersion", factorVersion);
  W.serializeState(archive);
  if (!archive.restores()) return;
  forgetFactors();
  if (step.h >= 0. && factor.tryFactor(W)) step_ = step;
}

}  // namespace delassus
