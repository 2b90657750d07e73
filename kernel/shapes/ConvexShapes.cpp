// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/shapes/ConvexShapes.hpp>

#include <array>
#include <delassus/kernel/shapes/BoxShape.hpp>
#include <delassus/kernel/shapes/CapsuleShape.hpp>
#include <delassus/kernel/shapes/ConeShape.hpp>
#include <delassus/kernel/shapes/ConvexHull.hpp>
#include <delassus/kernel/shapes/CylinderShape.hpp>
#include <delassus/kernel/shapes/EllipsoidShape.hpp>
#include <delassus/kernel/shapes/SphereShape.hpp>
#include <delassus/numerics/Error.hpp>
#include <string>

namespace delassus {
namespace {

using Parameters = std::span<const double>;
using ShapePointer = std::shared_ptr<const ConvexShape>;

ShapePointer makeSphere(Parameters p) {
  return std::make_shared<const SphereShape>(p[0]);
}

ShapePointer makeBox(Parameters p) {
  return std::make_shared<const BoxShape>(p[0], p[1], p[2]);
}

ShapePointer makeCapsule(Parameters p) {
  return std::make_shared<const CapsuleShape>(p[0], p[1]);
}

ShapePointer makeCylinder(Parameters p) {
  return std::make_shared<const CylinderShape>(p[0], p[1]);
}

ShapePointer makeCone(Parameters p) {
  return std::make_shared<const ConeShape>(p[0], p[1]);
}

ShapePointer makeEllipsoid(Parameters p) {
  return std::make_shared<const EllipsoidShape>(p[0], p[1], p[2]);
}

ShapePointer makeHull(Parameters p) {
  std::vector<Vector3> points;
  for (std::size_t k = 0; k + 2 < p.size(); k += 3) points.push_back(vector3(&p[k]));
  return std::make_shared<const ConvexHull>(points);
}

struct Line {
  std::string_view name;
  std::size_t parameters;  // 0 for any number of points
  ShapePointer (*make)(Parameters);
};

// Grains in packets and checkpoints have the number of a line: new shapes come last.
constexpr std::array<Line, 7> lines{{{"SphereShape", 1, makeSphere},
                                     {"BoxShape", 3, makeBox},
                                     {"CapsuleShape", 2, makeCapsule},
                                     {"CylinderShape", 2, makeCylinder},
                                     {"EllipsoidShape", 3, makeEllipsoid},
                                     {"ConvexHull", 0, makeHull},
                                     {"ConeShape", 2, makeCone}}};

}  // namespace

std::span<const std::string_view> convexShapeNames() {
  static constexpr std::array<std::string_view, lines.size()> names{
      lines[0].name, lines[1].name, lines[2].name, lines[3].name, lines[4].name, lines[5].name, lines[6].name};
  return names;
}

std::shared_ptr<const ConvexShape> makeConvexShape(std::string_view className, std::span<const double> parameters) {
  for (const Line& line : lines) {
    if (line.name != className) continue;
    const bool fits = line.parameters == 0 ? parameters.size() % 3 == 0 : parameters.size() == line.parameters;
    if (fits) return line.make(parameters);
    throw Error("makeConvexShape",
                std::string(className) + " does not take " + std::to_string(parameters.size()) + " parameters.");
  }
  throw Error("makeConvexShape", "there is no convex shape '" + std::string(className) + "'.");
}

}  // namespace delassus
