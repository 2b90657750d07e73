// SPDX-License-Identifier: Apache-2.0
//
// Replaces GranularRecorder.cpp where PETSc or Delassus was built without HDF5.
#include <delassus/kernel/distributed/GranularRecorder.hpp>

namespace delassus::distributed {

void GranularRecorder::record(const GranularSimulation&) {
  throw AgreedError("GranularRecorder: this build has no parallel HDF5: PETSc or Delassus was built without it.");
}

}  // namespace delassus::distributed
