// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/numerics/algebra/SparseMatrix.hpp>
#include <delassus/numerics/algebra/Vector.hpp>
#include <functional>

namespace delassus {

/// A force F(t, q, v) of a mesh with sparse Jacobians. The J of a Jacobian is as its last call has left it, without
/// entries at first: make its pattern once, and fill its values afterwards. Entries that are zero now and may not be
/// later have to be stored, too.
///
///     SparseForce{.f = [=](double, const Vector& q, const Vector&, Vector& F) { … },
///                 .byQ = [=](double, const Vector& q, const Vector&, SparseMatrix& J) { … }}
struct SparseForce {
  /// (t, q, v, J)
  using Jacobian = std::function<void(double, const Vector&, const Vector&, SparseMatrix&)>;

  std::function<void(double, const Vector&, const Vector&, Vector&)> f;  ///< (t, q, v, F), F zero on entry
  Jacobian byQ = {};                                                     ///< ∂F/∂q, n x n; empty: zero
  Jacobian byV = {};                                                     ///< ∂F/∂v, n x n; empty: zero
};

}  // namespace delassus
