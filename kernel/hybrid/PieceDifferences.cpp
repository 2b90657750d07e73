// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <delassus/kernel/hybrid/PieceDifferences.hpp>

namespace delassus {
namespace {

constexpr int reach = 3;  // nodes on each side
constexpr std::array<double, PieceDifferences::nodes> central = {-1. / 60., 3. / 20.,  -3. / 4., 0.,
                                                                 3. / 4.,   -3. / 20., 1. / 60.};

// Weights of the values at −3 … 3 in the derivative at `place` of the polynomial through them.
std::array<double, PieceDifferences::nodes> weightsAt(double place) {
  std::array<double, PieceDifferences::nodes> weights{};
  for (int j = -reach; j <= reach; ++j) {
    double sum = 0.;
    for (int m = -reach; m <= reach; ++m) {
      if (m == j) continue;
      double term = 1. / (j - m);
      for (int l = -reach; l <= reach; ++l) {
        if (l != j && l != m) term *= (place - l) / (j - l);
      }
      sum += term;
    }
    weights[static_cast<std::size_t>(j + reach)] = sum;
  }
  return weights;
}

}  // namespace

PieceDifferences::PieceDifferences(double t, double increment, double begin, double end)
    : t_(t), begin_(begin), end_(end), increment_(std::min(increment, (end - begin) / (2. * reach))) {
  const double side = reach * increment_;
  const double centre = std::max(begin + side, std::min(t, end - side));
  shift_ = centre - t;
  central_ = centre == t && increment_ == increment;
  weights_ = centre == t ? central : weightsAt((t - centre) / increment_);
  for (double& weight : weights_) weight /= increment_;
}

}  // namespace delassus
