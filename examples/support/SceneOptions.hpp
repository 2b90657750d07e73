// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/io/VtkWriter.hpp>
#include <delassus/kernel/simulation/Simulation.hpp>
#include <memory>
#include <string>

#include "CommandLine.hpp"

/// The options of examples in space for VTK files of what there is to see.
struct SceneOptions {
  double interval = 0.02;  ///< from frame to frame, s
  std::string folder{};    ///< empty: none

  void addTo(CommandLine& line) {
    line.add("--vtk", folder, "Folder for VTK files of bodies and contacts, for ParaView (none)");
    line.add("--vtk-interval", interval, "Time between their frames, s").positive();
  }

  /// Has `addScene(vtk)` say what is drawn and adds the writer to the simulation. Null without a folder.
  template <class AddScene>
  std::shared_ptr<delassus::VtkWriter> watch(delassus::Simulation& simulation, const AddScene& addScene) const {
    if (folder.empty()) return nullptr;
    auto vtk = std::make_shared<delassus::VtkWriter>(folder, delassus::VtkOptions{.interval = interval});
    addScene(*vtk);
    simulation.addObserver(vtk);
    return vtk;
  }
};
