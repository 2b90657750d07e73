// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/collision/VtkColliders.hpp>

#include <delassus/numerics/Error.hpp>

namespace delassus {
namespace {

struct MakeVtkShape {
  const VtkColliderOptions& options;

  VtkShape operator()(const SphereShape& sphere) const {
    if (options.spheresAsPoints) return VtkShape::ball(sphere.radius());
    return VtkShape::sphere(sphere.radius(), options.segments);
  }
  VtkShape operator()(const BoxShape& box) const {
    const Vector3& half = box.halfEdges();
    return VtkShape::box(2. * half[0], 2. * half[1], 2. * half[2]);
  }
  VtkShape operator()(const Plane&) const {
    if (options.planeSize > 0.) return VtkShape::rectangle(options.planeSize, options.planeSize);
    throw Error("vtkShapeOf", "a plane needs the size of the part that is drawn of it (planeSize).");
  }
};

void addObstacle(VtkWriter& vtk, const Collider& collider, const VtkColliderOptions& options) {
  // An obstacle is always drawn as a surface: its centre would not be drawn.
  VtkColliderOptions asSurfaces = options;
  asSurfaces.spheresAsPoints = false;
  const Plane* const plane = std::get_if<Plane>(&collider.shape());
  if (plane != nullptr && !(options.planeSize > 0.)) return;
  const VtkPlacement at = plane != nullptr ? VtkPlacement::onPlane(*plane)
                                           : VtkPlacement{collider.placement().position,
                                                          rotations::quaternion(collider.placement().rotation)};
  vtk.addObstacle(collider.label(), vtkShapeOf(collider.shape(), asSurfaces), at);
}

}  // namespace

VtkShape vtkShapeOf(const Shape& shape, const VtkColliderOptions& options) {
  return std::visit(MakeVtkShape{options}, shape);
}

void addColliders(VtkWriter& vtk, const CollisionManager& manager, const VtkColliderOptions& options) {
  for (const Collider& collider : manager.colliders()) {
    if (collider.isRemoved()) continue;
    if (collider.body()) {
      vtk.add(collider.body(), vtkShapeOf(collider.shape(), options));
    } else if (options.obstacles) {
      addObstacle(vtk, collider, options);
    }
  }
}

}  // namespace delassus
