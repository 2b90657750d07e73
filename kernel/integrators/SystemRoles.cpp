// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/integrators/SystemRoles.hpp>

namespace delassus {

void TrialState::serializeState(StateArchive& archive) {
  for (Vector* const x : {&q, &v, &p, &qStar, &displacement}) archive.value("trial state", *x);
}

void NodeEquations::serializeState(StateArchive& archive) {
  for (Vector* const x : {&forcesBefore, &forces, &residual, &vFree, &vChange}) archive.value("equations", *x);
  mass.serializeState(archive);
}

void NodeMagnitudes::serializeState(StateArchive& archive) {
  archive.value("pull", pull);
  archive.value("pulls", pulls);
  for (Vector* const x : {&pReach, &vReach}) archive.value("reach", *x);
}

void DisplacementWeight::serializeState(StateArchive& archive) {
  archive.value("excess", excess);
  archive.value("isJointed", isJointed);
}

void SleepState::serializeState(StateArchive& archive) {
  archive.value("isAsleep", isAsleep);
  archive.value("knowsForces", knowsForces);
  archive.value("rest", rest);
  archive.value("linksAsleep", linksAsleep);
  archive.value("forcesAsleep", forcesAsleep);
}

}  // namespace delassus
