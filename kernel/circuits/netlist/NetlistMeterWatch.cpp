// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/circuits/netlist/NetlistMeterWatch.hpp>
#include <delassus/kernel/simulation/Simulation.hpp>

namespace delassus {

void NetlistMeterWatch::beforeActions(Simulation& simulation) {
  meter_.cut(simulation.time());
}

void NetlistMeterWatch::beforeEvents(Simulation& simulation) {
  meter_.cut(simulation.time());
}

void NetlistMeterWatch::afterEvents(Simulation& simulation) {
  meter_.goOn(simulation.time());
}

}  // namespace delassus
