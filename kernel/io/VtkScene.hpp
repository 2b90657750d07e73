// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <delassus/kernel/io/VtkPolyData.hpp>
#include <delassus/kernel/io/VtkShape.hpp>
#include <delassus/kernel/model/NonSmoothDynamicalSystem.hpp>
#include <delassus/kernel/systems/NewtonEulerDS.hpp>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace delassus {

/// The bodies, lines and obstacles that a VtkWriter draws, as VTK's data at an instant. Its functions are those of
/// VtkWriter; parts are numbered from 0 in the order in which they were added.
class VtkScene {
 public:
  /// The place of a shape that belongs to a system with the configuration q.
  using Place = std::function<VtkPlacement(double t, const Vector& q)>;
  /// Appends the points of a line or a deforming surface, always the same number.
  using Points = std::function<void(double t, const Vector& q, std::vector<Vector3>& points)>;
  /// The place of a moving obstacle.
  using Path = std::function<VtkPlacement(double t)>;

  /// Each adds a part. Throws Error if a system is null, a function empty, or a body was added before.
  ///@{
  void add(std::shared_ptr<NewtonEulerDS> body, VtkShape shape);
  void add(std::string name, std::shared_ptr<SecondOrderDS> system, VtkShape shape, Place place);
  void addLine(std::string name, std::shared_ptr<SecondOrderDS> system, Points points);
  void addMesh(std::string name, std::shared_ptr<SecondOrderDS> system, Points points,
               std::vector<VtkShape::Polygon> polygons);
  void addObstacle(std::string name, VtkShape shape, const VtkPlacement& at);
  void addObstacle(std::string name, VtkShape shape, Path motion);
  ///@}

  /// Throws Error if no part has this name.
  void setHidden(const std::string& name, bool hidden);
  /// Which parts are hidden.
  void serializeState(StateArchive& archive);

  /// True if there are parts of systems (lines, too), or obstacles; hidden or not.
  ///@{
  bool hasBodies() const { return bodies_ > 0; }
  bool hasObstacles() const { return obstacles_ > 0; }
  ///@}
  /// True if an obstacle moves.
  bool obstaclesMove() const { return obstaclesMove_; }

  /// The names of all parts, in the order of their numbers.
  std::vector<std::string> names() const;
  /// Number of a system's (first) part, −1 if it has none.
  std::int32_t partOf(const DynamicalSystem& system) const;

  // Parts that are hidden, and those of systems that are not in the model, are left out.

  /// Surfaces and lines at t, of systems in their present states and of obstacles, with velocities of their points.
  /// Throws Error if a line or deforming surface has another number of points a moment before or after, or a polygon
  /// names one that does not exist.
  ///@{
  VtkPolyData bodies(double t, const NonSmoothDynamicalSystem& model) const { return surfaces(t, model, false); }
  VtkPolyData obstacles(double t, const NonSmoothDynamicalSystem& model) const { return surfaces(t, model, true); }
  ///@}
  /// A point for each body.
  VtkPolyData centres(double t, const NonSmoothDynamicalSystem& model) const;

 private:
  struct RigidState {
    VtkPlacement at;
    Vector3 velocity{};
    Vector3 angularVelocity{};  // in the inertial frame
  };
  struct Part {
    std::string name;                       // empty for a body, which has its own
    std::shared_ptr<SecondOrderDS> system;  // null for an obstacle
    VtkShape shape;
    std::function<RigidState(double t)> state;  // empty for lines and deforming surfaces
    Points points;                              // of these
    std::vector<VtkShape::Polygon> polygons;    // of a deforming surface; none for a line
    bool isHidden = false;

    const std::string& label() const { return name.empty() ? system->name() : name; }
  };
  struct Surfaces;

  void addPart(Part part);
  static bool isShown(const Part& part, const NonSmoothDynamicalSystem& model);
  static RigidState movingState(const std::function<VtkPlacement(double ahead)>& at);
  static void addDeforming(const Part& part, double t, std::int32_t number, Surfaces& all);
  VtkPolyData surfaces(double t, const NonSmoothDynamicalSystem& model, bool ofObstacles) const;

  std::vector<Part> parts_;
  std::map<const DynamicalSystem*, std::int32_t> partOfSystem_;
  std::size_t bodies_ = 0, obstacles_ = 0;
  bool obstaclesMove_ = false;
};

}  // namespace delassus
