// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/friction/NormalScaling.hpp>

#include <algorithm>

namespace delassus::numerics {

void NormalScaling::begin(const FrictionContactProblem& problem, const BlockSparseMatrix& W) {
  const std::size_t d = problem.dimension();
  factors_.resize(problem.contacts());
  bool any = false;
  for (std::size_t contact = 0; contact < problem.contacts(); ++contact) {
    factors_[contact] = std::max(1., problem.mu()(contact));
    any = any || factors_[contact] > 1.;
  }
  scaled_ = &problem;
  matrix_ = &W;
  if (!any) return;
  friction_.resize(problem.contacts(), false);
  if (stamp_ != W.stamp() || scaledFactors_ != factors_) {
    copy_ = std::make_shared<AssembledDelassus>(d, W);
    scaleMatrix(W);
    own_ = FrictionContactProblem(d, copy_, problem.q(), problem.mu());
    stamp_ = W.stamp();
    scaledFactors_ = factors_;
  }
  for (std::size_t contact = 0; contact < problem.contacts(); ++contact) {
    for (std::size_t i = d * contact; i < d * (contact + 1); ++i) own_.q()(i) = problem.q()(i);
    own_.q()(d * contact) /= factors_[contact];
    friction_(contact) = problem.mu()(contact) / factors_[contact];
  }
  own_.setFriction(friction_);
  scaled_ = &own_;
  matrix_ = copy_->matrix();
}

void NormalScaling::scaleMatrix(const BlockSparseMatrix& W) {
  BlockSparseMatrix& scaled = copy_->blocks();
  for (std::size_t row = 0; row < W.blockRows(); ++row) {
    const std::size_t d = W.blockSize(row);
    for (std::size_t k = W.rowBegin(row); k < W.rowEnd(row); ++k) {
      double* const block = scaled.block(k);
      for (std::size_t i = 0; i < d; ++i) {
        block[i] /= factors_[W.column(k)];
        block[i * d] /= factors_[row];
      }
    }
  }
  scaled.touch();
}

void NormalScaling::toScaled(const Vector& r, Vector& x) const {
  assign(r, x);
  const std::size_t d = scaled_->dimension();
  for (std::size_t contact = 0; contact < factors_.size(); ++contact) x(d * contact) *= factors_[contact];
}

void NormalScaling::toOriginal(const Vector& x, Vector& r) const {
  assign(x, r);
  const std::size_t d = scaled_->dimension();
  for (std::size_t contact = 0; contact < factors_.size(); ++contact) r(d * contact) /= factors_[contact];
}

}  // namespace delassus::numerics
