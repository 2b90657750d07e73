// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <delassus/kernel/hybrid/HeldRowSystem.hpp>
#include <delassus/numerics/algebra/Products.hpp>

namespace delassus {
namespace {

// Redundant rows contain the rounding of G M⁻¹ Gᵀ.
constexpr double rankTolerance = 1e-11;
// Accelerations by redundant multipliers that are zero up to what that rank leaves.
constexpr double noAcceleration = 1e-12;

}  // namespace

void HeldRowSystem::assemble(const double* K, std::size_t n, const std::vector<HeldRow>& held,
                             const std::vector<std::size_t>& places) {
  places_ = places;
  const std::size_t m = held.size();
  scales_.resize(m);
  if (matrix_.size1() != m) matrix_.resize(m, m, false);
  if (xi_.size() != m) xi_.resize(m, false);
  for (std::size_t a = 0; a < m; ++a) {
    const double diagonal = K[places[a] * (n + 1)];
    scales_[a] = diagonal > 0. ? 1. / std::sqrt(diagonal) : 1.;
  }
  for (std::size_t b = 0; b < m; ++b) {
    for (std::size_t a = 0; a < m; ++a) {
      double entry = K[places[a] + places[b] * n];
      for (std::size_t t = 0; t < held[b].shares(); ++t)
        entry += held[b].share(t) * K[places[a] + (places[b] + 1 + t) * n];
      matrix_(a, b) = scales_[a] * scales_[b] * entry;
    }
  }
  factor_.factor(data(matrix_), m, rankTolerance);
  isChoice_ = false;
  if (!isRedundant()) return;
  findNullSpace();
  // Directions that turn part and meet again: then one choice throughout, or the forces would jump.
  const auto turns = [](const HeldRow& row) { return row.slips && row.turning != HeldRow::Turning::none; };
  isChoice_ = std::any_of(held.begin(), held.end(), turns) || movesBodies(K, n, held);
}

void HeldRowSystem::findNullSpace() {
  constexpr int times = 2;  // once more against rounding
  nullSpace_.resize(factor_.size() - factor_.rank());
  for (std::size_t k = 0; k < nullSpace_.size(); ++k) {
    Vector& own = nullSpace_[k];
    if (own.size() != factor_.size()) own.resize(factor_.size(), false);
    factor_.nullVector(k, data(own));
    for (int i = 0; i < times; ++i) {
      for (std::size_t j = 0; j < k; ++j) addScaled(-dot(nullSpace_[j], own), nullSpace_[j], own);
      const double length = std::sqrt(dot(own, own));
      for (double& entry : own) entry /= length;
    }
  }
}

// Whether redundant multipliers, which leave held rows alone, accelerate others.
bool HeldRowSystem::movesBodies(const double* K, std::size_t n, const std::vector<HeldRow>& held) {
  for (const Vector& own : nullSpace_) {
    force_.assign(n, 0.);
    for (std::size_t a = 0; a < held.size(); ++a) {
      const double x = scales_[a] * own(a);
      force_[places_[a]] += x;
      for (std::size_t t = 0; t < held[a].shares(); ++t) force_[places_[a] + 1 + t] += held[a].share(t) * x;
    }
    for (std::size_t i = 0; i < n; ++i) {
      double sum = 0.;
      double size = 0.;
      for (std::size_t j = 0; j < n; ++j) {
        sum += K[i + j * n] * force_[j];
        size += std::abs(K[i + j * n] * force_[j]);
      }
      if (std::abs(sum) > noAcceleration * size) return true;
    }
  }
  return false;
}

void HeldRowSystem::solve(const double* b, const std::vector<HeldRow>& held, std::vector<double>& x) {
  x.resize(held.size());
  for (std::size_t a = 0; a < x.size(); ++a) x[a] = -scales_[a] * b[places_[a]];
  factor_.solve(x.data());
  for (std::size_t a = 0; a < x.size(); ++a) x[a] *= scales_[a];
  balanced_ = !isRedundant();
  if (isChoice_) balance(held, x);
}

void HeldRowSystem::balance(const std::vector<HeldRow>& held, std::vector<double>& x) {
  for (std::size_t a = 0; a < x.size(); ++a) xi_(a) = x[a] / scales_[a];
  balanceRows(balance_, nullSpace_, held, scales_, isChoice_, xi_);
  for (std::size_t a = 0; a < x.size(); ++a) x[a] = scales_[a] * xi_(a);
  balanced_ = true;
}

}  // namespace delassus
