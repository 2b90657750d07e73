// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/laws/NormalConeNSL.hpp>

#include <algorithm>
#include <delassus/numerics/Error.hpp>
#include <limits>
#include <string>

namespace delassus {

NormalConeNSL::NormalConeNSL(const Matrix& H, const Vector& k) : H_(H), k_(k) {
  if (H.size1() == 0 || H.size2() == 0) throw Error("NormalConeNSL", "H is empty.");
  requireFinite(H, "NormalConeNSL: H");
  requireSize(k, H.size1(), "NormalConeNSL: k (one entry a row of H)");
  requireFinite(k, "NormalConeNSL: k");
  for (std::size_t i = 0; i < H.size1(); ++i) {
    bool zero = true;
    for (std::size_t j = 0; j < H.size2(); ++j) zero = zero && H(i, j) == 0.;
    if (zero) throw Error("NormalConeNSL", "row " + std::to_string(i) + " of H is zero, so it is no face.");
  }
}

void NormalConeNSL::bounds(double* lower, double* upper) const {
  NonSmoothLaw::bounds(lower, upper);
  std::fill_n(lower, size(), -std::numeric_limits<double>::infinity());
}

void NormalConeNSL::addBlock(double* block) const {
  const std::size_t rows = unknowns();
  const std::size_t m = size();
  for (std::size_t j = 0; j < m; ++j) {
    for (std::size_t i = 0; i < H_.size1(); ++i) {
      block[j + (m + i) * rows] += H_(i, j);
      block[(m + i) + j * rows] -= H_(i, j);
    }
  }
}

void NormalConeNSL::addConstant(double* freeOutput) const {
  for (std::size_t i = 0; i < k_.size(); ++i) freeOutput[size() + i] += k_(i);
}

Settings NormalConeNSL::settings() const {
  Settings settings;
  settings.add("H", H_);
  settings.add("k", k_);
  return settings;
}

}  // namespace delassus
