// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/relations/LagrangianContactR.hpp>
#include <delassus/kernel/relations/LagrangianLinearTIR.hpp>
#include <delassus/numerics/algebra/Vector.hpp>

namespace delassus {

// Contacts of nodes of a mesh, the coordinates of which are displacements u from places X, m, in two or three
// dimensions. They are linked to the nodes (SystemPart), so that nothing has as many numbers as the mesh for each.

/// The outputs of a contact: what its law asks for.
enum class ContactOutputs {
  gap,            ///< for NewtonImpactNSL
  gapAndTangents  ///< and the tangential displacements, one in two dimensions and two in three: for friction
};

/// A node against a plane (a line in two dimensions) through `point`, with the unit vector n along `normal`, of any
/// length, out of what it touches:
///
///     y_N = n · (X + u − point),      y_T = tᵀ u.
///
/// Throws Error unless X, point and normal have the same size, 2 or 3, are finite, and the normal is not zero.
LagrangianLinearTIR nodeToPlane(const Vector& X, const Vector& normal, const Vector& point,
                                ContactOutputs outputs = ContactOutputs::gapAndTangents);

/// A node against a segment of another surface (or the same) in two dimensions, from a to b, which has its outside on
/// the left. The relation sees the displacements of the node, of a and of b, in this order. With s the place of the
/// node along the segment, from 0 to 1, it acts on both ends by the lever rule:
///
///     y_N = n · (x − a),      u_T = t · (v − (1 − s) v_a − s v_b),      n ⟂ t = (b − a)/‖b − a‖.
///
/// Beyond an end the gap is the distance from it, which is not negative, and its rate still that along n: there the
/// next segment is the one that the node touches, and a node slides from one to the other without a jolt. A corner that
/// sticks out is therefore no obstacle from the side. Throws Error unless the places have size 2 and are finite, and a
/// and b are apart.
LagrangianContactR nodeToSegment(const Vector& X, const Vector& a, const Vector& b,
                                 ContactOutputs outputs = ContactOutputs::gapAndTangents);

}  // namespace delassus
