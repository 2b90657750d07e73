// SPDX-License-Identifier: Apache-2.0
//
// Replaces OdeSolver.cpp and its solvers in a build without SUNDIALS.
#include <delassus/kernel/hybrid/OdeSolver.hpp>
#include <delassus/numerics/Error.hpp>

namespace delassus {

std::unique_ptr<OdeSolver> OdeSolver::make(OdeEquations&, const OdeOptions&, bool) {
  throwAbsent("Event-driven simulation", "SUNDIALS", "DELASSUS_WITH_SUNDIALS");
}

}  // namespace delassus
