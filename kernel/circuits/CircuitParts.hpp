// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/kernel/circuits/CircuitEquations.hpp>
#include <delassus/kernel/circuits/CircuitIslands.hpp>
#include <delassus/kernel/circuits/CircuitR.hpp>
#include <delassus/kernel/circuits/CircuitSources.hpp>
#include <delassus/kernel/model/NonSmoothDynamicalSystem.hpp>
#include <delassus/kernel/systems/FirstOrderLinearTIDS.hpp>
#include <memory>
#include <string>
#include <vector>

namespace delassus {

/// Systems and interactions out of the equations of a circuit, as CircuitIslands puts its states and rows together. A
/// large system is sparse. An interaction of an island that is cut sees the states that it is about.
class CircuitParts {
 public:
  /// Where a state or a row stands.
  struct Place {
    std::size_t part = 0;   ///< number of its system or interaction
    std::size_t index = 0;  ///< in x, or in y and λ
  };

  /// Of `equations`, which must stay; `isOn` says of each gate whether it is on.
  CircuitParts(const CircuitEquations& equations, std::shared_ptr<CircuitSources> sources, std::vector<char> isOn);

  /// Inserts and links all under this name.
  void insertInto(NonSmoothDynamicalSystem& model, const std::string& name);

  /// Links interactions of the same laws and relations in a model that has copies of the systems.
  void linkCopies(NonSmoothDynamicalSystem& copy) const;

  /// Rows of a gate take their other form.
  void setGate(std::size_t gate, bool on);
  bool isOn(std::size_t gate) const { return isOn_[gate] != 0; }  ///< whether it is on
  /// A source has another constant value.
  void sourceChanged(std::size_t source);
  void allChanged();                     ///< gates and sources were restored
  bool feels(std::size_t source) const;  ///< whether a rate or an output depends on it, gates on or off

  Place placeOfState(std::size_t state) const { return statePlace_[state]; }  ///< its system and component
  Place placeOfRow(std::size_t row) const { return rowPlace_[row]; }          ///< its interaction and component
  const std::vector<std::shared_ptr<FirstOrderLinearTIDS>>& systems() const { return systems_; }   ///< of islands
  const std::vector<std::shared_ptr<Interaction>>& interactions() const { return interactions_; }  ///< of rows
  /// States of a system and rows of an interaction, by their numbers in the equations; −1 a state that stands for none.
  ///@{
  const std::vector<std::size_t>& statesOf(std::size_t system) const { return parts_[system].states; }
  const std::vector<std::size_t>& rowsOf(std::size_t interaction) const { return links_[interaction].rows; }
  ///@}
  /// Saves or restores the gates.
  void serializeState(StateArchive& archive);

 private:
  struct System {
    std::vector<std::size_t> states;
    std::shared_ptr<SourceVector> sources = std::make_shared<SourceVector>();
    bool varies = false;  // b is a function
  };
  struct Link {
    std::vector<std::size_t> rows;
    std::vector<std::size_t> states;  // that it sees, by their numbers in the equations
    std::size_t system = 0;           // that of its part
    std::shared_ptr<CircuitR> relation;
  };

  void addPart(const CircuitIslands::Part& part);
  void addLink(std::vector<std::size_t> rows, std::vector<std::size_t> states);
  std::vector<std::size_t> statesSeen(const std::vector<std::size_t>& rows) const;
  void makeSystem(const System& each);
  void setDrive(std::size_t system);
  void makeRelation(Link& link);
  std::shared_ptr<NonSmoothLaw> lawOf(const Link& link) const;
  CircuitR::Form formOf(std::size_t row, const LinearForm& output, const std::vector<std::size_t>& place) const;
  void chooseRows(std::size_t gate);
  std::vector<SystemPart> partsOf(const Link& link, const std::vector<std::shared_ptr<DynamicalSystem>>& systems) const;
  bool isEquality(std::size_t row) const;

  const CircuitEquations& equations_;
  std::shared_ptr<CircuitSources> sources_;
  std::vector<char> isOn_;
  std::vector<System> parts_;
  std::vector<Link> links_;
  std::vector<Place> statePlace_, rowPlace_;
  std::vector<std::vector<std::size_t>> rowsOfGate_;
  std::vector<std::vector<std::pair<std::size_t, double>>> inputs_;  // of each row: (state, coefficient of λ in ẋ)
  std::vector<std::shared_ptr<FirstOrderLinearTIDS>> systems_;
  std::vector<std::shared_ptr<Interaction>> interactions_;
};

}  // namespace delassus
