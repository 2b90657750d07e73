// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <delassus/kernel/hybrid/ModeRows.hpp>

namespace delassus {

std::vector<MultiplierBalance::Margin> marginsOf(const std::vector<HeldRow>& rows, const std::vector<double>& scales,
                                                 const double*) {
  std::vector<MultiplierBalance::Margin> margins;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const HeldRow& row = rows[k];
    if (std::isfinite(row.lower)) margins.push_back({{k, k}, {1., 0.}, -row.lower / scales[k]});
    if (std::isfinite(row.upper)) margins.push_back({{k, k}, {-1., 0.}, row.upper / scales[k]});
    if (row.slips || row.tangents == 0) continue;
    for (const double side : {-1., 1.}) {
      margins.push_back({{k, k + 1}, {row.mu * scales[k] / scales[k + 1], side}, 0.});
    }
  }
  return margins;
}

}  // namespace delassus
