// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/laws/NonSmoothLaw.hpp>

namespace delassus {

/// 0 ≤ y ⟂ λ ≥ 0, component by component: an ideal diode (voltage and current), a threshold. ([Siconos 2017], 8.1.)
class ComplementarityConditionNSL final : public NonSmoothLaw {
 public:
  /// Throws Error if the size is 0.
  explicit ComplementarityConditionNSL(std::size_t size = 1);

  std::string_view className() const override { return "ComplementarityConditionNSL"; }
  Settings settings() const override;
  std::size_t size() const override { return size_; }

 private:
  std::size_t size_;
};

}  // namespace delassus
