// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/laws/NonSmoothLaw.hpp>

namespace delassus {

/// y = 0 with any λ: an algebraic equation, such as Kirchhoff's law at a node.
class EqualityConditionNSL final : public NonSmoothLaw {
 public:
  /// Throws Error if the size is 0.
  explicit EqualityConditionNSL(std::size_t size = 1);

  std::string_view className() const override { return "EqualityConditionNSL"; }
  Settings settings() const override;
  std::size_t size() const override { return size_; }
  bool relatesRates() const override { return true; }

 private:
  std::size_t size_;
};

}  // namespace delassus
