// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <delassus/kernel/model/Topology.hpp>
#include <delassus/numerics/StateArchive.hpp>
#include <delassus/numerics/algebra/Vector.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace delassus {

/// The work of the force elements of a model over the segments of a run, and the energy that they store, for
/// EnergyBalance: by the trapezoidal rule, h p̄·v̄ with p = Gᵀλ, as that takes the work of forces.
class ElementWorks {
 public:
  /// Of an element.
  struct Work {
    std::string name;          ///< of the element
    double work = 0.;          ///< on mechanical systems since the beginning, J; negative where it takes energy
    double stored = 0.;        ///< now, J (see SmoothLaw::energy)
    double storedBefore = 0.;  ///< at the beginning, J, adjusted for jumps that the user made
    /// What dampers and other parts that store nothing have taken, J, less what the motion of a relation that depends
    /// on time, or a system of first order, has put in: −`work` for a motor, whose electrical side is not counted. Not
    /// negative in a passive element between mechanical systems, to the order of the trapezoidal rule.
    double dissipated() const { return storedBefore - stored - work; }
  };

  /// Velocity and force of a system, at an instant; null of a system of first order, on which work is none of
  /// mechanics.
  struct Place {
    const Vector* velocity = nullptr;  ///< v
    Vector* force = nullptr;           ///< F, to which p is added
  };
  /// The place of a system of the model.
  using PlaceOf = std::function<Place(const DynamicalSystem&)>;

  /// Keeps the sums of elements that remain in the model.
  void bind(const Topology& topology);
  /// True if there are none.
  bool isEmpty() const { return entries_.empty(); }
  /// Adds the forces of all elements at t, with configurations as they are and velocities by `placeOf`, to those of
  /// their systems.
  void addForces(double t, const PlaceOf& placeOf);
  /// Adds the work over a segment h between the last snapshot and the last addForces.
  void account(double h);
  /// Makes the last addForces the snapshot; t is for the energies that are stored. Where the state has jumped by
  /// something other than the motion, `jumped`, the change of what is stored counts as if it had been so before.
  void takeSnapshot(double t, bool jumped);

  /// In the order of the model.
  std::vector<Work> all() const;
  /// Saves or restores the sums and the snapshot, for the same model.
  void serializeState(StateArchive& archive, const Topology& topology);

 private:
  struct Entry {
    std::uint64_t serial = 0;
    std::shared_ptr<ForceElement> element;
    bool isNew = true;  // no snapshot was taken
    Vector v, p, vLast, pLast, q;
    Work sum;
  };

  std::vector<Entry> entries_;
};

}  // namespace delassus
