// SPDX-License-Identifier: Apache-2.0
//
// The part of EulerMoreauOSI that checkpoints need.
#include <delassus/kernel/integrators/EulerMoreauOSI.hpp>

namespace delassus {

Settings EulerMoreauOSI::settings() const {
  Settings settings;
  settings.add("theta", theta_);
  settings.add("gamma", gamma());
  settings.add("gammaForRelation", usesGammaForRelation());
  return settings;
}

void EulerMoreauOSI::serializeState(StateArchive& archive) {
  archive.section("EulerMoreauOSI");
  archive.value("stepWeight", stepWeight_);
  archive.value("stepTheta", stepTheta_);
  archive.value("stepsToKnowInput", stepsToKnowInput_);
  archive.value("isInputKnown", isInputKnown_);
  archive.value("begin", begin_);
  archive.value("end", end_);
  archive.value("step", h_);
  archive.value("relationTime", relationTime_);
  work_.serializeState(archive);
}

}  // namespace delassus
