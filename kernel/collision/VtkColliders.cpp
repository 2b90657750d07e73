// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/collision/VtkColliders.hpp>

#include <delassus/numerics/Error.hpp>
#include <utility>

namespace delassus {
namespace {

void addObstacle(VtkWriter& vtk, const Collider& collider, const VtkColliderOptions& options) {
  // An obstacle is always drawn as a surface: its centre would not be drawn.
  VtkColliderOptions asSurfaces = options;
  asSurfaces.spheresAsPoints = false;
  const Plane* const plane = collider.plane();
  if (plane != nullptr && !(options.planeSize > 0.)) return;
  const VtkPlacement own = plane != nullptr ? VtkPlacement::onPlane(*plane) : VtkPlacement{};
  const Placement inFrame = collider.at().place(Placement::at(own.position, own.rotation));
  const auto placeAt = [motion = collider.motion(), inFrame](double t) {
    const Placement at = motion.at(t).place.place(inFrame);
    return VtkPlacement{at.position, rotations::quaternion(at.rotation)};
  };
  VtkShape shape = vtkShapeOf(collider.shape(), asSurfaces);
  if (collider.isFixed()) {
    vtk.addObstacle(collider.label(), std::move(shape), placeAt(0.));
  } else {
    vtk.addObstacle(collider.label(), std::move(shape), placeAt);
  }
}

// Draws all parts of a body, the first of which has this number, as one shape.
VtkShape bodyShape(const std::vector<Collider>& colliders, std::size_t first, const VtkColliderOptions& options) {
  const bool isWhole = first + 1 == colliders.size() || colliders[first + 1].whole() != first;
  if (isWhole && colliders[first].at().isIdentity()) return vtkShapeOf(colliders[first].shape(), options);
  Surface all;
  for (std::size_t k = first; k < colliders.size() && colliders[k].whole() == first; ++k) {
    all = all.with(colliders[k].shape().surface(options.segments), colliders[k].at());
  }
  return VtkShape(std::move(all));
}

}  // namespace

VtkShape vtkShapeOf(const Shape& shape, const VtkColliderOptions& options) {
  if (shape.plane() != nullptr) {
    if (options.planeSize > 0.) return VtkShape::rectangle(options.planeSize, options.planeSize);
    throw Error("vtkShapeOf", "a plane needs the size of the part that is drawn of it (planeSize).");
  }
  const double radius = shape.convex() != nullptr ? shape.convex()->ballRadius() : 0.;
  if (radius > 0. && options.spheresAsPoints) return VtkShape::ball(radius);
  return VtkShape(shape.surface(options.segments));
}

void addColliders(VtkWriter& vtk, const CollisionManager& manager, const VtkColliderOptions& options) {
  const std::vector<Collider>& colliders = manager.colliders();
  for (std::size_t k = 0; k < colliders.size(); ++k) {
    const Collider& collider = colliders[k];
    if (collider.isRemoved()) continue;
    if (!collider.body()) {
      if (options.obstacles) addObstacle(vtk, collider, options);
    } else if (collider.whole() == k) {
      vtk.add(collider.body(), bodyShape(colliders, k, options));
    }
  }
}

}  // namespace delassus
