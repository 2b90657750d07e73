// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <delassus/kernel/integrators/OneStepIntegrator.hpp>
#include <delassus/kernel/model/NonSmoothDynamicalSystem.hpp>
#include <memory>
#include <vector>

namespace delassus {

/// The scheme that follows from the systems of a model: MoreauJeanOSI() for what moves (Topology::movingSystems),
/// EulerMoreauOSI(1.) for other first-order systems, and MixedOSI of both where there are both. TimeStepping takes it
/// where no scheme is given.
class SchemeBySystems {
 public:
  /// Replaces `scheme` if the systems, as they are now, ask for another one than they did before.
  void update(const NonSmoothDynamicalSystem& model, std::unique_ptr<OneStepIntegrator>& scheme);

 private:
  /// What the last choice followed from: whether there are systems of either order, and which, where there are both.
  struct Systems {
    bool move = false, flow = false;
    std::vector<std::uint64_t> serials;
    std::vector<char> moves;
    bool operator==(const Systems&) const = default;
  };

  Systems systems_;
};

}  // namespace delassus
