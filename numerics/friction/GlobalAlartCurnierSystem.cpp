// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/friction/GlobalAlartCurnierSystem.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/sets/AlartCurnier.hpp>
#include <utility>

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
  madeFrom_.renew(problem.stamp(), [&] {
    contactScales(problem, scales_);
    buildPattern(problem);
  });
  if (value_.size() != problem.size()) value_.resize(problem.size(), false);
  if (velocity_.size() != problem.contactSize()) velocity_.resize(problem.contactSize(), false);
}

// Column by column with ascending rows, so that the position of an entry in the list is its position in J.
void GlobalAlartCurnierSystem::buildPattern(const GlobalFrictionContactProblem& problem) {
  const SparseMatrix& M = problem.M();
  const SparseMatrix& H = problem.H();
  const SparseMatrix rows = transposed(H);
  const std::size_t d = problem.dimension();
  const std::size_t freedoms = problem.degreesOfFreedom();
  std::vector<Triplet> entries;
  arms_.clear();
  for (std::size_t j = 0; j < freedoms; ++j) {
    for (std::size_t k = columnStart(M, j); k < columnStart(M, j + 1); ++k)
      entries.push_back({rowOf(M, k), j, -valueOf(M, k)});
    std::size_t last = problem.contacts();
    for (std::size_t k = columnStart(rows, j); k < columnStart(rows, j + 1); ++k) {
      const std::size_t contact = rowOf(rows, k) / d;
      if (contact != last) {
        last = contact;
        arms_.push_back({contact, entries.size(), {}});
        for (std::size_t i = 0; i < d; ++i) entries.push_back({freedoms + d * contact + i, j, 0.});
      }
      arms_.back().values[rowOf(rows, k) % d] = valueOf(rows, k);
    }
  }
  localEntries_.clear();
  for (std::size_t column = 0; column < H.size2(); ++column) {
    for (std::size_t k = columnStart(H, column); k < columnStart(H, column + 1); ++k)
      entries.push_back({rowOf(H, k), freedoms + column, valueOf(H, k)});
    localEntries_.push_back(entries.size());
    const std::size_t first = column - column % d;
    for (std::size_t i = 0; i < d; ++i) entries.push_back({freedoms + first + i, freedoms + column, 0.});
  }
  J_ = sparseFromTriplets(problem.size(), problem.size(), std::move(entries));
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

const SparseMatrix& GlobalAlartCurnierSystem::jacobian(const Vector& x, double proximal) {
  const double* const P = data(x) + problem_->degreesOfFreedom();
  double* const values = J_.value_data().data();
  assign(problem_->b(), velocity_);
  multiplyTransposed(1., problem_->H(), data(x), 1., data(velocity_));
  withDimension(problem_->dimension(), [&](auto dimension) {
    constexpr std::size_t d = decltype(dimension)::value;
    byU_.resize(d * velocity_.size());
    for (std::size_t contact = 0; contact < problem_->contacts(); ++contact) {
      const GlobalContactScale& scale = scales_[contact];
      const ContactMap<d> map = alartCurnier<d>(problem_->mu()(contact), 1. / scale.normal, 1. / scale.tangent,
                                                data(velocity_) + d * contact, P + d * contact);
      double* const byU = byU_.data() + d * d * contact;
      for (std::size_t j = 0; j < d; ++j) {
        double* const byP = values + localEntries_[d * contact + j];
        for (std::size_t i = 0; i < d; ++i) {
          const std::size_t k = i + j * d;
          const double factor = i == 0 ? scale.normal : scale.tangent;
          byU[k] = factor * map.byU[k];
          byP[i] = factor * map.byP[k] + proximal * scale.mean * byU[k];
        }
      }
    }
    for (const Arm& arm : arms_) {
      const double* const byU = byU_.data() + d * d * arm.contact;
      for (std::size_t i = 0; i < d; ++i) {
        double sum = 0.;
        for (std::size_t j = 0; j < d; ++j) sum += byU[i + j * d] * arm.values[j];
        values[arm.firstEntry + i] = sum;
      }
    }
  });
  return J_;
}

bool GlobalAlartCurnierSystem::newtonStep(const Vector& x, double proximal, Vector& step) {
  if (!factor_.tryFactor(jacobian(x, proximal))) return false;
  assign(value_, step);
  for (double& component : step.data()) component = -component;
  factor_.solve(step);
  return allFinite(step);
}

}  // namespace delassus::numerics
