// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/io/VtkScene.hpp>

#include <algorithm>
#include <delassus/numerics/Error.hpp>
#include <utility>

namespace delassus {
namespace {

constexpr double shift = 1e-6;  // s, increment of differences for velocities that the model does not provide

template <class Pointer>
void requireSystem(const Pointer& system, const std::string& name) {
  if (!system) throw Error("VtkWriter", "the system of '" + name + "' is null.");
}

template <class F>
void requireFunction(const F& function, const std::string& name) {
  if (!function) throw Error("VtkWriter", "the function of '" + name + "' is empty.");
}

// q of the system, moved along its velocity for `ahead` seconds.
Vector configuration(const SecondOrderDS& system, double ahead) {
  if (ahead == 0.) return system.q();
  Vector displacement = system.velocity();
  for (double& entry : displacement) entry *= ahead;
  Vector moved(system.q().size());
  system.move(system.q(), displacement, moved);
  return moved;
}

void append(std::vector<float>& to, const Vector3& x) {
  for (const double entry : x) to.push_back(static_cast<float>(entry));
}

void append(std::vector<double>& to, const Vector3& x) {
  to.insert(to.end(), x.begin(), x.end());
}

}  // namespace

// Collects the surfaces and lines of the parts.
struct VtkScene::Surfaces {
  std::vector<float> points, velocities;
  VtkPolyData::Cells lines, polygons;
  std::vector<std::int32_t> lineParts, polygonParts, patches;

  std::int32_t size() const { return static_cast<std::int32_t>(points.size() / 3); }

  void add(const VtkShape& shape, const RigidState& state, std::int32_t part) {
    const std::int32_t first = size();
    for (const Vector3& local : shape.points()) {
      const Vector3 arm = rotations::rotate(state.at.rotation, local);
      append(points, state.at.position + arm);
      append(velocities, state.velocity + cross(state.angularVelocity, arm));
    }
    add(shape.polygons(), first, part);
    patches.insert(patches.end(), shape.patches().begin(), shape.patches().end());
  }

  // Polygons of points that begin with number `first`.
  void add(const std::vector<VtkShape::Polygon>& faces, std::int32_t first, std::int32_t part) {
    for (const VtkShape::Polygon& polygon : faces) {
      for (const std::size_t point : polygon) polygons.connectivity.push_back(first + static_cast<std::int32_t>(point));
      polygons.close();
      polygonParts.push_back(part);
    }
  }

  // A line through points, or the faces of a deforming surface.
  void add(const std::vector<Vector3>& places, const std::vector<Vector3>& rates,
           const std::vector<VtkShape::Polygon>& faces, std::int32_t part) {
    const std::int32_t first = size();
    for (std::size_t k = 0; k < places.size(); ++k) {
      if (faces.empty()) lines.connectivity.push_back(size());
      append(points, places[k]);
      append(velocities, rates[k]);
    }
    add(faces, first, part);
    patches.insert(patches.end(), faces.size(), 0);
    if (!faces.empty()) return;
    lines.close();
    lineParts.push_back(part);
  }
};

void VtkScene::add(std::shared_ptr<NewtonEulerDS> body, VtkShape shape) {
  requireSystem(body, "a body");
  if (partOfSystem_.contains(body.get())) {
    throw Error("VtkWriter", "body '" + body->name() +
                                 "' is added already; a body has one shape (VtkShape::with puts several together).");
  }
  const NewtonEulerDS* const of = body.get();
  addPart({{},
           std::move(body),
           std::move(shape),
           [of](double) {
             return RigidState{
                 {of->position(), of->orientation()}, vector3(data(of->velocity())), of->inertialAngularVelocity()};
           },
           {},
           {}});
}

void VtkScene::add(std::string name, std::shared_ptr<SecondOrderDS> system, VtkShape shape, Place place) {
  requireSystem(system, name);
  requireFunction(place, name);
  const SecondOrderDS* const of = system.get();
  auto state = [of, place = std::move(place)](double t) {
    return movingState([&](double ahead) { return place(t + ahead, configuration(*of, ahead)); });
  };
  addPart({std::move(name), std::move(system), std::move(shape), std::move(state), {}, {}});
}

void VtkScene::addLine(std::string name, std::shared_ptr<SecondOrderDS> system, Points points) {
  requireSystem(system, name);
  requireFunction(points, name);
  addPart({std::move(name), std::move(system), VtkShape::mesh({}, {}), {}, std::move(points), {}});
}

void VtkScene::addMesh(std::string name, std::shared_ptr<SecondOrderDS> system, Points points,
                       std::vector<VtkShape::Polygon> polygons) {
  requireSystem(system, name);
  requireFunction(points, name);
  const bool areFaces = std::all_of(polygons.begin(), polygons.end(), [](const auto& face) { return face.size() > 2; });
  if (polygons.empty() || !areFaces) {
    throw Error("VtkWriter", "the mesh '" + name + "' must have polygons, of at least 3 points each.");
  }
  addPart({std::move(name), std::move(system), VtkShape::mesh({}, {}), {}, std::move(points), std::move(polygons)});
}

void VtkScene::addObstacle(std::string name, VtkShape shape, const VtkPlacement& at) {
  const RigidState rest{{at.position, rotations::normalised(at.rotation, "orientation of obstacle '" + name + "'")}};
  addPart({std::move(name), nullptr, std::move(shape), [rest](double) { return rest; }, {}, {}});
}

void VtkScene::addObstacle(std::string name, VtkShape shape, Path motion) {
  requireFunction(motion, name);
  auto state = [motion = std::move(motion)](double t) {
    return movingState([&](double ahead) { return motion(t + ahead); });
  };
  addPart({std::move(name), nullptr, std::move(shape), std::move(state), {}, {}});
  obstaclesMove_ = true;
}

void VtkScene::addPart(Part part) {
  if (part.system) {
    partOfSystem_.emplace(part.system.get(), static_cast<std::int32_t>(parts_.size()));
    ++bodies_;
  } else {
    ++obstacles_;
  }
  parts_.push_back(std::move(part));
}

VtkScene::RigidState VtkScene::movingState(const std::function<VtkPlacement(double ahead)>& at) {
  RigidState state{at(0.)};
  const VtkPlacement after = at(shift);
  const VtkPlacement before = at(-shift);
  const double rate = 0.5 / shift;
  const auto unit = [](const Quaternion& p) { return rotations::normalised(p, "orientation of a VtkPlacement"); };
  state.at.rotation = unit(state.at.rotation);
  state.velocity = rate * (after.position - before.position);
  state.angularVelocity = rate * rotations::logarithm(rotations::product(unit(after.rotation),
                                                                         rotations::conjugate(unit(before.rotation))));
  return state;
}

void VtkScene::setHidden(const std::string& name, bool hidden) {
  bool found = false;
  for (Part& part : parts_) {
    if (part.label() != name) continue;
    part.isHidden = hidden;
    found = true;
  }
  if (!found) throw Error("VtkWriter", "there is nothing of the name '" + name + "' to hide or to show.");
}

void VtkScene::serializeState(StateArchive& archive) {
  std::vector<char> hidden;
  for (const Part& part : parts_) hidden.push_back(part.isHidden ? 1 : 0);
  archive.value("hidden", hidden);
  if (hidden.size() != parts_.size()) {
    archive.refuse("It has " + std::to_string(hidden.size()) + " parts to draw, but there are " +
                   std::to_string(parts_.size()) + ".");
  }
  for (std::size_t k = 0; k < parts_.size(); ++k) parts_[k].isHidden = hidden[k] != 0;
}

std::vector<std::string> VtkScene::names() const {
  std::vector<std::string> list;
  for (const Part& part : parts_) list.push_back(part.label());
  return list;
}

std::int32_t VtkScene::partOf(const DynamicalSystem& system) const {
  const auto found = partOfSystem_.find(&system);
  return found == partOfSystem_.end() ? -1 : found->second;
}

bool VtkScene::isShown(const Part& part, const NonSmoothDynamicalSystem& model) {
  return !part.isHidden && (!part.system || model.topology().contains(*part.system));
}

void VtkScene::addDeforming(const Part& part, double t, std::int32_t number, Surfaces& all) {
  std::vector<Vector3> here, after, before;
  for (auto& [points, ahead] : {std::pair{&here, 0.}, std::pair{&after, shift}, std::pair{&before, -shift}}) {
    part.points(t + ahead, configuration(*part.system, ahead), *points);
  }
  if (here.size() != after.size() || here.size() != before.size()) {
    throw Error("VtkWriter", "the points of '" + part.name + "' must be the same number at all times.");
  }
  for (const VtkShape::Polygon& polygon : part.polygons) {
    if (std::all_of(polygon.begin(), polygon.end(), [&](std::size_t point) { return point < here.size(); })) continue;
    throw Error("VtkWriter", "a polygon of '" + part.name + "' names a point that is not among its " +
                                 std::to_string(here.size()) + ".");
  }
  for (std::size_t i = 0; i < here.size(); ++i) after[i] = 0.5 / shift * (after[i] - before[i]);
  all.add(here, after, part.polygons, number);
}

VtkPolyData VtkScene::surfaces(double t, const NonSmoothDynamicalSystem& model, bool ofObstacles) const {
  Surfaces all;
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    const Part& part = parts_[k];
    if ((part.system == nullptr) != ofObstacles || !isShown(part, model)) continue;
    const auto number = static_cast<std::int32_t>(k);
    if (part.state) {
      all.add(part.shape, part.state(t), number);
    } else {
      addDeforming(part, t, number, all);
    }
  }
  VtkPolyData file(t);
  file.coordinates = std::move(all.points);
  file.pointData.push_back({"velocity", "m/s", 3, std::move(all.velocities)});
  std::vector<std::int32_t> parts = std::move(all.lineParts);
  std::vector<std::int32_t> patches(parts.size(), 0);
  parts.insert(parts.end(), all.polygonParts.begin(), all.polygonParts.end());
  patches.insert(patches.end(), all.patches.begin(), all.patches.end());
  file.cellData.push_back({"part", "", 1, std::move(parts)});
  file.cellData.push_back({"patch", "", 1, std::move(patches)});
  file.lines = std::move(all.lines);
  file.polygons = std::move(all.polygons);
  file.names.emplace_back("names", names());
  return file;
}

VtkPolyData VtkScene::centres(double t, const NonSmoothDynamicalSystem& model) const {
  std::vector<double> points, orientations, velocities, angularVelocities, radii;
  std::vector<std::int32_t> numbers;
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    const Part& part = parts_[k];
    if (!part.system || !part.state || !isShown(part, model)) continue;
    const RigidState state = part.state(t);
    append(points, state.at.position);
    orientations.insert(orientations.end(), state.at.rotation.begin(), state.at.rotation.end());
    append(velocities, state.velocity);
    append(angularVelocities, state.angularVelocity);
    radii.push_back(part.shape.radius());
    numbers.push_back(static_cast<std::int32_t>(k));
  }
  VtkPolyData file(t);
  file.coordinates = std::move(points);
  file.hasVertices = true;
  file.pointData.push_back({"part", "", 1, std::move(numbers)});
  file.pointData.push_back({"orientation", "", 4, std::move(orientations)});
  file.pointData.push_back({"velocity", "m/s", 3, std::move(velocities)});
  file.pointData.push_back({"angular_velocity", "rad/s", 3, std::move(angularVelocities)});
  file.pointData.push_back({"radius", "m", 1, std::move(radii)});
  file.names.emplace_back("names", names());
  return file;
}

}  // namespace delassus
