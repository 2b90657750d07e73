// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/methods/HalfLineForm.hpp>

namespace delassus::numerics {
namespace {

// Sums of products with larger ones may overflow.
constexpr double largestBound = 1e150;

}  // namespace

bool HalfLineForm::sort(const BoxView& view) {
  const std::size_t n = view.size();
  const bool wasPlain = isPlain_;
  bool isNew = kinds_.size() != n;
  kinds_.resize(n);
  isPlain_ = true;
  for (std::size_t i = 0; i < n; ++i) {
    const double lower = view.lower(i), upper = view.upper(i);
    const bool hasLower = lower > -largestBound, hasUpper = upper < largestBound;
    const Kind kind = lower == upper ? fixed
                      : hasLower     ? (hasUpper ? box : fromLower)
                                     : (hasUpper ? fromUpper : equality);
    isPlain_ = isPlain_ && (kind == equality || (kind == fromLower && lower == 0.));
    isNew = isNew || kinds_[i] != kind;
    kinds_[i] = kind;
  }
  return isNew || isPlain_ != wasPlain;
}

void HalfLineForm::takeMatrix(const BoxView& view) {
  moving_.clear();
  boxed_.clear();
  free_.clear();
  bounded_.clear();
  const std::size_t n = view.size();
  if (isPlain_) {
    for (std::size_t i = 0; i < n; ++i) (kinds_[i] == equality ? free_ : bounded_).push_back(i);
    return;
  }
  for (std::size_t i = 0; i < n; ++i) {
    if (kinds_[i] == equality) moving_.push_back(i);
  }
  for (std::size_t k = 0; k < moving_.size(); ++k) free_.push_back(k);
  for (std::size_t i = 0; i < n; ++i) {
    if (kinds_[i] == equality || kinds_[i] == fixed) continue;
    if (kinds_[i] == box) boxed_.push_back(moving_.size());
    moving_.push_back(i);
  }
  const std::size_t count = moving_.size(), size = count + boxed_.size();
  for (std::size_t k = free_.size(); k < size; ++k) bounded_.push_back(k);
  const double largest = normMax(view.M);
  assignZero(M_, size, size);
  for (std::size_t j = 0; j < count; ++j) {
    for (std::size_t i = 0; i < count; ++i) {
      const double entry = view.M(moving_[i], moving_[j]);
      M_(i, j) = goesDown(moving_[i]) == goesDown(moving_[j]) ? entry : -entry;
    }
  }
  scale_.resize(boxed_.size(), false);
  for (std::size_t k = 0; k < boxed_.size(); ++k) {
    const double diagonal = view.M(moving_[boxed_[k]], moving_[boxed_[k]]);
    scale_(k) = diagonal > 0. ? diagonal : (largest > 0. ? largest : 1.);
    M_(boxed_[k], count + k) = scale_(k);
    M_(count + k, boxed_[k]) = -scale_(k);
  }
}

void HalfLineForm::takeVectors(const BoxView& view) {
  if (isPlain_) return;
  assignZero(base_, view.size());
  for (std::size_t i = 0; i < view.size(); ++i) {
    if (kinds_[i] != equality) base_(i) = goesDown(i) ? view.upper(i) : view.lower(i);
  }
  assign(view.q, shifted_);
  multiply(1., view.M, base_, 1., shifted_);
  if (q_.size() != M_.size1()) q_.resize(M_.size1(), false);
  for (std::size_t k = 0; k < moving_.size(); ++k) {
    q_(k) = goesDown(moving_[k]) ? -shifted_(moving_[k]) : shifted_(moving_[k]);
  }
  for (std::size_t k = 0; k < boxed_.size(); ++k) {
    const std::size_t i = moving_[boxed_[k]];
    q_(moving_.size() + k) = scale_(k) * (view.upper(i) - view.lower(i));
  }
}

void HalfLineForm::start(const BoxView& view, const Vector& z, Vector& x) const {
  if (isPlain_) return assign(z, x);
  assignZero(x, M_.size1());
  for (std::size_t k = 0; k < moving_.size(); ++k) {
    const std::size_t i = moving_[k];
    x(k) = kinds_[i] == equality ? z(i) : goesDown(i) ? view.upper(i) - z(i) : z(i) - view.lower(i);
  }
}

void HalfLineForm::expand(const BoxView& view, const Vector& x, Vector& z) const {
  if (isPlain_) {
    assign(x, z);
  } else {
    assign(base_, z);
    for (std::size_t k = 0; k < moving_.size(); ++k) {
      const std::size_t i = moving_[k];
      z(i) += goesDown(i) ? -x(k) : x(k);
    }
  }
  view.enterBox(z);
}

}  // namespace delassus::numerics
