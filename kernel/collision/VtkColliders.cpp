// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/collision/VtkColliders.hpp>

#include <delassus/numerics/Error.hpp>
#include <utility>

namespace delassus {
namespace {

// All parts of a body or an obstacle, the first of which has this number, as one shape in its frame.
VtkShape wholeShape(const std::vector<Collider>& colliders, std::size_t first, const VtkColliderOptions& options) {
  const bool isWhole = first + 1 == colliders.size() || colliders[first + 1].whole() != first;
  if (isWhole && colliders[first].at().isIdentity()) return vtkShapeOf(colliders[first].shape(), options);
  Surface all;
  for (std::size_t k = first; k < colliders.size() && colliders[k].whole() == first; ++k) {
    all.add(colliders[k].shape().surface(options.segments), colliders[k].at());
  }
  return VtkShape(std::move(all));
}

void addObstacle(VtkWriter& vtk, const std::vector<Collider>& colliders, std::size_t first,
                 const VtkColliderOptions& options) {
  const Collider& collider = colliders[first];
  // An obstacle is always drawn as a surface: its centre would not be drawn.
  VtkColliderOptions asSurfaces = options;
  asSurfaces.spheresAsPoints = false;
  const Plane* const plane = collider.plane();
  if (plane != nullptr && !(options.planeSize > 0.)) return;
  VtkShape shape =
      plane != nullptr ? vtkShapeOf(collider.shape(), asSurfaces) : wholeShape(colliders, first, asSurfaces);
  Placement inFrame;
  if (plane != nullptr) {
    const VtkPlacement own = VtkPlacement::onPlane(*plane);
    inFrame = collider.at().place(Placement::at(own.position, own.rotation));
  }
  const auto placeAt = [motion = collider.motion(), inFrame](double t) {
    const Placement at = motion.at(t).place.place(inFrame);
    return VtkPlacement{at.position, rotations::quaternion(at.rotation)};
  };
  const std::string name = "obstacle " + std::to_string(first);
  if (!collider.motion().movesFrame()) {
    vtk.addObstacle(name, std::move(shape), placeAt(0.));
  } else {
    vtk.addObstacle(name, std::move(shape), placeAt);
  }
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
    if (collider.whole() != k) continue;
    if (collider.body()) {
      vtk.add(collider.body(), wholeShape(colliders, k, options));
    } else if (options.obstacles) {
      addObstacle(vtk, colliders, k, options);
    }
  }
}

}  // namespace delassus
