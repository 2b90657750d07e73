// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/algebra/AndersonAcceleration.hpp>

#include <cmath>
#include <delassus/numerics/algebra/Products.hpp>

namespace delassus {
namespace {

// ‖f‖ may grow by this factor before the differences are dropped.
constexpr double allowedGrowth = 2.;
// Of the Gram matrix, relative to its trace: differences are nearly parallel close to the solution.
constexpr double regularisation = 1e-10;

}  // namespace

void AndersonAcceleration::begin(std::size_t size) {
  count_ = next_ = 0;
  hasPrevious_ = false;
  changesX_.resize(memory_);
  changesF_.resize(memory_);
  gram_.resize(memory_ * memory_);
  gamma_.resize(memory_);
  if (f_.size() == size) return;
  for (Vector* const v : {&f_, &previousX_, &previousF_}) v->resize(size, false);
  for (Vector& v : changesX_) v.resize(size, false);
  for (Vector& v : changesF_) v.resize(size, false);
}

void AndersonAcceleration::remember(const Vector& x) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    changesX_[next_](i) = x(i) - previousX_(i);
    changesF_[next_](i) = f_(i) - previousF_(i);
  }
  next_ = (next_ + 1) % memory_;
  if (count_ < memory_) ++count_;
}

bool AndersonAcceleration::accelerate(const Vector& x, Vector& g) {
  if (memory_ == 0) return false;
  for (std::size_t i = 0; i < x.size(); ++i) f_(i) = g(i) - x(i);
  const double norm = norm2(f_);
  const bool grown = hasPrevious_ && norm > allowedGrowth * previousNorm_;
  if (grown) {
    count_ = next_ = 0;
  } else if (hasPrevious_) {
    remember(x);
  }
  assign(x, previousX_);
  assign(f_, previousF_);
  hasPrevious_ = true;
  previousNorm_ = norm;
  return count_ > 0 && combine(g);
}

// Normal equations by Cholesky: m is small, and the regularisation exceeds the loss from squaring the condition number.
bool AndersonAcceleration::combine(Vector& g) {
  const std::size_t m = count_;
  double trace = 0.;
  for (std::size_t j = 0; j < m; ++j) {
    for (std::size_t i = j; i < m; ++i) gram_[i + j * m] = dot(changesF_[i], changesF_[j]);
    gamma_[j] = dot(changesF_[j], f_);
    trace += gram_[j + j * m];
  }
  if (!(trace > 0.) || !std::isfinite(trace)) return false;
  for (std::size_t j = 0; j < m; ++j) {
    gram_[j + j * m] += regularisation * trace;
    for (std::size_t k = 0; k < j; ++k) {
      for (std::size_t i = j; i < m; ++i) gram_[i + j * m] -= gram_[i + k * m] * gram_[j + k * m];
    }
    if (!(gram_[j + j * m] > 0.)) return false;
    const double root = std::sqrt(gram_[j + j * m]);
    for (std::size_t i = j; i < m; ++i) gram_[i + j * m] /= root;
  }
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t k = 0; k < i; ++k) gamma_[i] -= gram_[i + k * m] * gamma_[k];
    gamma_[i] /= gram_[i + i * m];
  }
  for (std::size_t i = m; i-- > 0;) {
    for (std::size_t k = i + 1; k < m; ++k) gamma_[i] -= gram_[k + i * m] * gamma_[k];
    gamma_[i] /= gram_[i + i * m];
  }
  for (std::size_t j = 0; j < m; ++j) {
    addScaled(-gamma_[j], changesX_[j], g);
    addScaled(-gamma_[j], changesF_[j], g);
  }
  return true;
}

}  // namespace delassus
