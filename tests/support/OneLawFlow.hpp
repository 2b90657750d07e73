// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/hybrid/HybridFlow.hpp>
#include <delassus/kernel/model/Interaction.hpp>
#include <delassus/kernel/model/NonSmoothDynamicalSystem.hpp>
#include <delassus/kernel/systems/FirstOrderLinearTIDS.hpp>
#include <memory>
#include <vector>

namespace delassus::test {

/// The flow of one linear system with one interaction, 'plant' and 'law'.
struct OneLawFlow {
  template <class Law, class R>
  OneLawFlow(const Vector& x0, const Matrix& A, Law law, R relation, const HybridFlowOptions& options = {})
      : model(0., 10.),
        system(std::make_shared<FirstOrderLinearTIDS>(x0, A)),
        interaction(std::make_shared<Interaction>(law, relation)),
        flow(options) {
    interaction->setName("law");
    system->setName("plant");
    model.insert(system);
    model.link(interaction, system);
  }

  /// Binds, starts and enters.
  void begin() {
    flow.bind(model, 0.);
    z.resize(flow.size());
    flow.start(0., true, z.data());
    flow.enter(0., z.data(), events);
  }

  NonSmoothDynamicalSystem model;
  std::shared_ptr<FirstOrderLinearTIDS> system;
  std::shared_ptr<Interaction> interaction;
  HybridFlow flow;
  std::vector<double> z;
  std::vector<Event> events;
};

}  // namespace delassus::test
