// SPDX-License-Identifier: Apache-2.0
//
// In the place of OdeSolver.cpp and the solvers that it makes, in a build without SUNDIALS.
#include <delassus/kernel/hybrid/OdeSolver.hpp>
#include <delassus/numerics/Absent.hpp>

namespace delassus {

std::unique_ptr<OdeSolver> OdeSolver::make(OdeEquations&, const OdeOptions&, bool) {
  throwAbsent("Event-driven simulation", "SUNDIALS", "DELASSUS_WITH_SUNDIALS");
}

}  // namespace delassus
