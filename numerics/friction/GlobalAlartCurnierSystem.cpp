// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/friction/GlobalAlartCurnierSystem.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/friction/AlartCurnier.hpp>

namespace delassus::numerics {
namespace {

// Calls work(std::integral_constant<d>) for the dimension, which the contact kernels have as a constant.
template <class Work>
void withDimension(std::size_t dimension, Work&& work) {
  if (dimension == 2) {
    work(std::integral_constant<std::size_t, 2>{});
  } else {
    work(std::integral_constant<std::size_t, 3>{});
  }
}

}  // namespace

void GlobalAlartCurnierSystem::begin(const GlobalFrictionContactProblem& problem) {
  problem_ = &problem;
  if (scaledStamp_ != problem.stamp()) {
    contactScales(problem, scales_);
    scaledStamp_ = problem.stamp();
  }
  system_.begin(problem);
  if (value_.size() != problem.size()) value_.resize(problem.size(), false);
  if (velocity_.size() != problem.contactSize()) velocity_.resize(problem.contactSize(), false);
}

void GlobalAlartCurnierSystem::rescale(const Vector& x) {
  const std::size_t freedoms = problem_->degreesOfFreedom();
  multiply(1., problem_->H(), data(x) + freedoms, 0., data(value_));
  double force = 0.;
  for (std::size_t i = 0; i < freedoms; ++i) force += value_(i) * value_(i);
  multiplyTransposed(1., problem_->H(), data(x), 0., data(velocity_));
  forceSize_ = std::max(norm2(problem_->f()), std::sqrt(force));
  velocitySize_ = std::max(norm2(problem_->b()), norm2(velocity_));
  if (!(forceSize_ > 0.)) forceSize_ = 1.;
  if (!(velocitySize_ > 0.)) velocitySize_ = 1.;
}

double GlobalAlartCurnierSystem::evaluate(const Vector& x) {
  const std::size_t freedoms = problem_->degreesOfFreedom();
  const double* const P = data(x) + freedoms;
  std::copy(problem_->f().begin(), problem_->f().end(), value_.begin());
  multiply(1., problem_->H(), P, 1., data(value_));
  multiply(-1., problem_->M(), data(x), 1., data(value_));
  assign(problem_->b(), velocity_);
  multiplyTransposed(1., problem_->H(), data(x), 1., data(velocity_));
  double dynamics = 0.;
  for (std::size_t i = 0; i < freedoms; ++i) dynamics += value_(i) * value_(i);
  double contactPart = 0.;
  withDimension(problem_->dimension(), [&](auto dimension) {
    constexpr std::size_t d = decltype(dimension)::value;
    for (std::size_t contact = 0; contact < problem_->contacts(); ++contact) {
      const GlobalContactScale& scale = scales_[contact];
      const auto phi = alartCurnierValue<d>(problem_->mu()(contact), 1. / scale.normal, 1. / scale.tangent,
                                            data(velocity_) + d * contact, P + d * contact);
      for (std::size_t i = 0; i < d; ++i) {
        const double value = phi[i] * (i == 0 ? scale.normal : scale.tangent);
        value_(freedoms + d * contact + i) = value;
        contactPart += value * value;
      }
    }
  });
  return std::hypot(std::sqrt(dynamics) / forceSize_, std::sqrt(contactPart) / velocitySize_);
}

void GlobalAlartCurnierSystem::setBlocks(const Vector& x, double proximal) {
  const double* const P = data(x) + problem_->degreesOfFreedom();
  assign(problem_->b(), velocity_);
  multiplyTransposed(1., problem_->H(), data(x), 1., data(velocity_));
  withDimension(problem_->dimension(), [&](auto dimension) {
    constexpr std::size_t d = decltype(dimension)::value;
    for (std::size_t contact = 0; contact < problem_->contacts(); ++contact) {
      const GlobalContactScale& scale = scales_[contact];
      const ContactMap<d> map = alartCurnier<d>(problem_->mu()(contact), 1. / scale.normal, 1. / scale.tangent,
                                                data(velocity_) + d * contact, P + d * contact);
      double* const byU = system_.byU(contact);
      double* const byP = system_.byP(contact);
      for (std::size_t j = 0; j < d; ++j) {
        for (std::size_t i = 0; i < d; ++i) {
          const std::size_t k = i + j * d;
          const double factor = i == 0 ? scale.normal : scale.tangent;
          byU[k] = factor * map.byU[k];
          byP[k] = factor * map.byP[k] + proximal * scale.mean * byU[k];
        }
      }
    }
  });
}

const SparseMatrix& GlobalAlartCurnierSystem::jacobian(const Vector& x, double proximal) {
  setBlocks(x, proximal);
  return system_.assemble();
}

bool GlobalAlartCurnierSystem::newtonStep(const Vector& x, double proximal, Vector& step) {
  setBlocks(x, proximal);
  if (!system_.factor()) return false;
  assign(value_, step);
  for (double& component : step.data()) component = -component;
  system_.solve(data(step));
  return allFinite(step);
}

}  // namespace delassus::numerics
