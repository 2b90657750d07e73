// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/simulation/SchemeBySystems.hpp>

#include <delassus/kernel/integrators/EulerMoreauOSI.hpp>
#include <delassus/kernel/integrators/MixedOSI.hpp>
#include <delassus/kernel/integrators/MoreauJeanOSI.hpp>
#include <utility>

namespace delassus {
namespace {

// Currents and relays jump: the implicit scheme holds a law at every step, whatever switches.
EulerMoreauOSI flowScheme() {
  return EulerMoreauOSI(1.);
}

}  // namespace

void SchemeBySystems::update(const NonSmoothDynamicalSystem& model, std::unique_ptr<OneStepIntegrator>& scheme) {
  std::vector<std::shared_ptr<DynamicalSystem>> moving, flowing;
  const Topology& topology = model.topology();
  const std::vector<char> moves = topology.movingSystems();
  for (std::size_t i = 0; i < moves.size(); ++i) (moves[i] != 0 ? moving : flowing).push_back(topology.systems()[i]);
  Systems found{!moving.empty(), !flowing.empty(), {}, {}};
  if (found.move && found.flow) {
    found.serials = topology.systemSerials();
    found.moves = moves;
  }
  if (scheme && found == systems_) return;
  if (found.move && found.flow) {
    auto mixed = std::make_unique<MixedOSI>();
    mixed->add(MoreauJeanOSI(), moving).add(flowScheme(), flowing);
    scheme = std::move(mixed);
  } else if (found.flow) {
    scheme = std::make_unique<EulerMoreauOSI>(flowScheme());
  } else {
    scheme = std::make_unique<MoreauJeanOSI>();
  }
  systems_ = std::move(found);
}

}  // namespace delassus
