// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/Solver.hpp>
#include <delassus/numerics/nonlinear/VariationalInequality.hpp>

namespace delassus::numerics {

/// A method for variational inequalities, nonlinear and mixed complementarity problems. Certificates allocate.
using VariationalInequalitySolver = CertifiedSolver<VariationalInequality>;

}  // namespace delassus::numerics
