// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/collision/CollisionManager.hpp>
#include <delassus/kernel/io/VtkWriter.hpp>

namespace delassus {

/// How addColliders draws.
struct VtkColliderOptions {
  bool spheresAsPoints = true;  ///< of bodies, in centres.pvd with their radii, 130 bytes each; surfaces otherwise
  std::size_t segments = 24;    ///< of the surfaces of spheres
  bool obstacles = true;        ///< draws them too
  double planeSize = 0.;        ///< edge of the square that is drawn of a plane about the origin, m; 0 for no planes
};

/// The shape of a body or an obstacle for pictures. Throws Error for a plane if planeSize is 0.
VtkShape vtkShapeOf(const Shape& shape, const VtkColliderOptions& options = {});

/// Draws all bodies and obstacles that are in `manager` now, obstacles by the names that the manager has for them
/// ("obstacle 3", by number). Contacts are drawn by VtkWriter::addContacts.
void addColliders(VtkWriter& vtk, const CollisionManager& manager, const VtkColliderOptions& options = {});

}  // namespace delassus
