// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/kernel/integrators/FlowAsMotion.hpp>
#include <delassus/kernel/model/ForceElement.hpp>
#include <delassus/kernel/systems/SecondOrderDS.hpp>
#include <delassus/numerics/algebra/MadeFrom.hpp>
#include <memory>
#include <utility>
#include <vector>

namespace delassus {

/// The systems that force elements tie together, as one system: q and v stack those of its parts (of first-order
/// systems x, as a velocity), M has their masses on its diagonal, and F is that of the parts and Σ Gᵀλ of the elements.
/// Schemes see such a system in the place of its parts, and so have one iteration matrix for all of them, dense up to
/// forty unknowns and sparse above.
///
/// It has a copy of the states: takeParts() reads them, and accept() gives the accepted state back.
class TiedSystems final : public SecondOrderDS {
 public:
  /// Parts, in their order in the model, and all elements between them, at t.
  TiedSystems(std::vector<std::shared_ptr<DynamicalSystem>> systems,
              std::vector<std::shared_ptr<ForceElement>> elements, double t);

  /// A system, where its coordinates and velocities begin, and the workspace in which they are handed to it.
  struct Part {
    std::shared_ptr<DynamicalSystem> owner;  ///< keeps `system` alive
    std::shared_ptr<FlowAsMotion> flow;      ///< a system of first order as one of mechanics; null for others
    SecondOrderDS* system = nullptr;         ///< the system itself, or this
    std::size_t firstQ = 0;                  ///< of its coordinates in q
    std::size_t firstV = 0;                  ///< of its velocities in v
    bool isSparse = false;                   ///< its mass, as the pattern has it
    MadeFrom<std::size_t> stateFrom;         ///< DynamicalSystem::stateResets, for the copy
    std::vector<std::size_t> unknowns;       ///< the numbers of its velocities in v
    std::vector<std::size_t> places;         ///< of the entries of its dense blocks in the pattern, column by column
    /// Of an evaluation.
    ///@{
    mutable Vector q, v, p, displacement, moved, force;
    mutable Matrix rates;
    SquareMatrix byQ, byV;
    ///@}
  };
  /// In the order of the model.
  const std::vector<Part>& parts() const { return parts_; }

  /// Takes in states that were set, and parameters that have changed: then stateResets() and parameterChanges() change.
  void takeParts();

  std::string_view className() const override { return "TiedSystems"; }
  void serializeState(StateArchive& archive) override;
  void move(const Vector& q, const Vector& displacement, Vector& moved) const override;
  void computeRate(const Vector& q, const Vector& v, Vector& rate) const override;
  double inverseRateMetric(std::size_t i) const override;
  void rates(const Vector& q, Matrix& T) const override;
  std::size_t configurationConstraints() const override { return constraints_.size(); }
  double configurationConstraint(std::size_t k, const Vector& q, Vector& gradient) const override;
  void normalise(Vector& q) const override;
  double length() const override;
  bool isLinear() const override;
  bool hasConstantMass() const override;
  bool isSelfContained() const override;
  bool hasGyroscopicForces() const override;
  void addGyroscopicForces(double factor, const Vector& v, Vector& force) const override;
  void addMeanGyroscopicForces(double h, double factor, const Vector& v, Vector& force) const override;
  void addGyroscopicJacobian(double factor, const Vector& v, SquareMatrix& byV) override;
  double gyroscopicRate(const Vector& v) const override;
  void accept(double before, Vector& q, Vector& v, Vector& p) override;
  void setAcceleration(const Vector& acceleration) override;

 private:
  // The coordinates and velocities of the node that an element sees by a part of its link.
  struct Seen {
    std::size_t firstQ, coordinates, firstV, velocities;
  };
  struct Element {
    std::shared_ptr<ForceElement> force;
    std::vector<Seen> seen;                     // in the order of its link
    std::vector<std::size_t> unknowns, places;  // as of a part
    Vector q, v, p;                             // of an evaluation
    SquareMatrix byQ, byV;
  };

  void computeMass(const Vector& q, Matrix& mass) override;
  void computeForces(double t, const Vector& q, const Vector& v, Vector& force) override;
  void computeForceJacobians(double t, const Vector& q, const Vector& v, Matrix& byQ, Matrix& byV) override;
  void storeMass(const Vector& q, SquareMatrix& mass) override;
  void storeForceJacobians(double t, const Vector& q, const Vector& v, SquareMatrix& byQ, SquareMatrix& byV) override;

  template <class Add>
  void addGyroscopic(const Vector& v, Vector& force, const Add& add) const;
  void addElement(std::shared_ptr<ForceElement> force);
  bool isOther(const Part& part) const;
  void takeStates();
  std::size_t changes() const;
  std::size_t changesOfElements() const;
  void makePattern();
  void growPattern();
  void placeBlocks();
  template <class Fill>
  void fillGrowing(const Fill& fill);
  std::size_t placeOf(std::size_t row, std::size_t column) const;
  void clear(SquareMatrix& matrix) const;
  void add(const SquareMatrix& block, const std::vector<std::size_t>& unknowns, const std::vector<std::size_t>& places,
           SquareMatrix& to);
  const Vector& coordinatesOf(const Part& part, const Vector& q) const;
  const Vector& velocitiesOf(const Part& part, const Vector& v) const;
  void load(Element& element, const Vector& q, const Vector& v) const;
  const Part& partOfVelocity(std::size_t i) const;

  std::vector<Part> parts_;
  std::vector<Element> elements_;
  std::vector<std::pair<std::size_t, std::size_t>> constraints_;  // part, and number in it
  MadeFrom<std::size_t> patternFrom_;                             // parameterChanges of parts and elements
  MadeFrom<std::size_t> elementsFrom_;                            // of these alone
  double time_ = 0.;                                              // of the last evaluation, for messages
  bool hasSparseParts_ = false;
  SparseMatrix pattern_;          // of zeros; empty where the matrices are dense
  std::vector<Triplet> missing_;  // places that a matrix needs, and the pattern does not have
};

}  // namespace delassus
