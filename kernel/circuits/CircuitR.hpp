// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/relations/FirstOrderLinearR.hpp>

namespace delassus {

/// The relation of a circuit's rows: linear, with constant B, and C, D and e that change where a gate does. So these
/// are no parameters by which a checkpoint is known: the gates that it has set them again.
class CircuitR final : public FirstOrderLinearR {
 public:
  using FirstOrderLinearR::FirstOrderLinearR;

  std::string_view className() const override { return "CircuitR"; }
  Settings settings() const override { return {}; }
};

}  // namespace delassus
