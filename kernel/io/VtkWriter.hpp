// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <delassus/kernel/contacts/ContactGeometry.hpp>
#include <delassus/kernel/io/VtkScene.hpp>
#include <delassus/kernel/io/VtkSeries.hpp>
#include <delassus/kernel/io/VtkShape.hpp>
#include <delassus/kernel/model/Interaction.hpp>
#include <delassus/kernel/simulation/SimulationObserver.hpp>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace delassus {

/// Options of a VtkWriter: when and what it writes.
struct VtkOptions {
  std::size_t every = 1;           ///< steps from frame to frame
  double interval = 0.;            ///< if positive: simulated time from frame to frame instead, s
  double largestGap = 1e3;         ///< contacts that are farther open are left out, m
  std::string name = "VtkWriter";  ///< of the observer, in checkpoints
};

/// Writes bodies and contacts as series of VTK files, which ParaView opens:
///
///     auto vtk = std::make_shared<VtkWriter>("results/scene", VtkOptions{.interval = 0.02});
///     vtk->add(ball, VtkShape::sphere(0.1));
///     vtk->addObstacle("floor", VtkShape::rectangle(2., 2.));
///     vtk->addContacts();
///     simulation.addObserver(vtk);
///
/// The folder then has bodies.pvd (surfaces and lines), centres.pvd (a point for each body, with its orientation),
/// contacts.pvd and obstacles.pvd, if there is something to show; docs/visualisation.md lists their data. The first
/// frame shows the initial state, the last the state at the final time. Series are complete at any moment (see
/// VtkSeries), and continue from a checkpoint with the frames that existed when it was made.
class VtkWriter final : public SimulationObserver {
 public:
  /// The place of a shape that belongs to a system with the configuration q.
  using Place = VtkScene::Place;
  /// Appends the points of a line or a deforming surface, always the same number.
  using Points = VtkScene::Points;
  /// The place of a moving obstacle.
  using Path = VtkScene::Path;
  /// Appends the places of the contacts of an interaction, one for each block of its law, with normals (out of the
  /// second body or the obstacle) and, for friction in two dimensions, tangents; q stacks the configurations of its
  /// systems. Gaps are taken from the interaction.
  using ContactPlaces = std::function<void(double t, const Vector& q, std::vector<ContactPoint>& contacts)>;

  /// Throws Error if `every` is 0, or interval or largest gap are negative or not a number. Folders are created with
  /// the first frame.
  explicit VtkWriter(std::filesystem::path folder, VtkOptions options = {});

  // What to draw. Names are used in the tables of the files and by hide(). Each throws Error if a system is null or a
  // function empty, or a body is added twice.

  /// A rigid body, with its name.
  void add(std::shared_ptr<NewtonEulerDS> body, VtkShape shape) { scene_.add(std::move(body), std::move(shape)); }
  /// A rigid part of a model in any coordinates.
  void add(std::string name, std::shared_ptr<SecondOrderDS> system, VtkShape shape, Place place) {
    scene_.add(std::move(name), std::move(system), std::move(shape), std::move(place));
  }
  /// A line through points.
  void addLine(std::string name, std::shared_ptr<SecondOrderDS> system, Points points) {
    scene_.addLine(std::move(name), std::move(system), std::move(points));
  }
  /// A surface that deforms: a mesh. `polygons` name its points from 0, anticlockwise seen from outside.
  void addMesh(std::string name, std::shared_ptr<SecondOrderDS> system, Points points,
               std::vector<VtkShape::Polygon> polygons) {
    scene_.addMesh(std::move(name), std::move(system), std::move(points), std::move(polygons));
  }
  /// An object that does not belong to the model: at rest …
  void addObstacle(std::string name, VtkShape shape, const VtkPlacement& at = {}) {
    scene_.addObstacle(std::move(name), std::move(shape), at);
  }
  /// … or moving in time.
  void addObstacle(std::string name, VtkShape shape, Path motion) {
    scene_.addObstacle(std::move(name), std::move(shape), std::move(motion));
  }

  /// All contacts whose relations know their places, as they appear and vanish: those of rigid bodies, found by
  /// collision detection or linked by hand.
  void addContacts() { allContacts_ = true; }
  /// The contacts of another relation (LagrangianContactR, say), while it is linked.
  void addContact(std::shared_ptr<Interaction> interaction, ContactPlaces places);

  /// Hides or shows all parts of this name from the next frame on. Throws Error if no part has it.
  ///@{
  void hide(const std::string& name) { setHidden(name, true); }
  void show(const std::string& name) { setHidden(name, false); }
  ///@}

  /// Number of frames so far, including those from before a restore.
  std::size_t frames() const { return frames_; }

  std::string_view name() const override { return options_.name; }
  void begin(Simulation& simulation) override;
  void afterStep(Simulation& simulation) override;
  void end(Simulation& simulation, RunEnd how) override;
  void serializeState(StateArchive& archive) override;

 private:
  void setHidden(const std::string& name, bool hidden);
  std::uint64_t intervalsUntil(double t) const;
  bool isDue(const Simulation& simulation) const;
  void writeFrame(Simulation& simulation);
  VtkPolyData contactFile(double t, const NonSmoothDynamicalSystem& model);
  bool findPlaces(double t, Interaction& interaction, const Topology& topology);

  VtkOptions options_;
  VtkScene scene_;
  bool allContacts_ = false;
  std::map<const Interaction*, std::pair<std::shared_ptr<Interaction>, ContactPlaces>> contactPlaces_;
  VtkSeries bodies_, centres_, obstacles_, contacts_;
  std::vector<ContactPoint> places_;

  std::uint64_t frames_ = 0;
  double lastTime_ = 0.;  // of the last frame
  std::uint64_t lastInterval_ = 0;
  std::uint64_t lastStep_ = 0;  // the last step considered
  bool obstaclesChanged_ = true;
};

}  // namespace delassus
