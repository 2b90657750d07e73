// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <delassus/kernel/circuits/CircuitNet.hpp>
#include <delassus/kernel/circuits/LinearForm.hpp>
#include <delassus/kernel/circuits/NormalTree.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace delassus {

/// The equations of a circuit,
///
///     ẋ = A x + B λ + b(u, u̇),     y = C x + D λ + e(u, u̇),
///
/// row by row as linear forms, from a normal tree of its branches. The voltages of branches of the tree and the
/// currents of the others, the links, are its own variables; by Kirchhoff's laws all other voltages and currents are
/// sums of these. Of the own variables
///
/// - those of capacitors in the tree and inductors among the links are states,
/// - those of sources are known, those of switching elements multipliers: the current of a link, minus the voltage of
///   a branch of the tree, so that D has a positive semidefinite symmetric part where the circuit is passive;
/// - those of resistors and controlled sources are unknowns of linear equations, which are solved once;
/// - those of capacitors among the links (loops of capacitors and voltage sources) and inductors in the tree (cut sets
///   of inductors and current sources) are excess: they follow from rates of states and sources, and are eliminated.
///
/// A gate chooses between two forms of a row, while off and while on.
class CircuitEquations {
 public:
  /// A state.
  struct State {
    std::size_t branch = 0;  ///< capacitor or inductor
    double initial = 0.;     ///< x(t₀)
    LinearForm rate;         ///< ẋ
  };
  /// A row of y and λ.
  struct Row {
    std::size_t branch = 0;                  ///< port, amplifier or curve
    double lower = 0.;                       ///< of λ
    double upper = 0.;                       ///< of λ
    std::size_t gate = CircuitBranch::none;  ///< number of the gate that chooses
    std::array<LinearForm, 2> output;        ///< y while off and while on; the first one alone without a gate
    std::string name;                        ///< of λ: "i(D1)", "-v(D1)"
  };

  /// Throws Error naming the circuit and the elements that make no equations.
  CircuitEquations(const CircuitNet& net, std::string label, double t0);

  const std::vector<State>& states() const { return states_; }  ///< in the order of the circuit's elements
  const std::vector<Row>& rows() const { return rows_; }        ///< in the order of the circuit's elements
  /// Whether the voltage of a capacitor or the current of an inductor follows from this source, so that its jump would
  /// move charge or flux at once.
  bool forcesState(std::size_t source) const;
  /// "v(C1)" or "i(L1)".
  std::string stateName(std::size_t state) const;

  /// Present values as forms of states, multipliers, sources and their rates.
  ///@{
  bool areConnected(std::size_t a, std::size_t b) const { return tree_->areConnected(a, b); }
  LinearForm nodeVoltage(std::size_t node) const;
  LinearForm voltageBetween(std::size_t plus, std::size_t minus) const;
  LinearForm current(std::size_t branch) const;
  LinearForm elementCurrent(std::size_t element) const;
  ///@}

 private:
  using Kind = CircuitBranch::Kind;
  using Symbol = CircuitSymbol::Kind;

  void resolveControls();
  void requireTerminals() const;
  // CircuitTopology.cpp
  void chooseTree();
  void orientTransformers();
  NormalTree makeTree() const;
  int preference(const CircuitBranch& branch) const;
  std::size_t misfits(const NormalTree& tree) const;
  void requireTree() const;
  [[noreturn]] void refuseLoop(std::size_t branch) const;
  [[noreturn]] void refuseCut(std::size_t branch) const;
  std::string names(const std::vector<std::size_t>& branches) const;
  void makeForms();

  void nameVariables();
  void namePort(std::size_t branch);
  void nameCurve(std::size_t branch);
  std::size_t addRow(std::size_t branch, double lower, double upper, const std::string& name);
  LinearForm controlOf(const CircuitBranch& branch) const;
  LinearForm sumOfCurrents(std::size_t element) const;
  // CircuitElimination.cpp
  void eliminateUnknowns();
  LinearForm equationOf(std::size_t branch) const;
  void solveUnknowns(const std::vector<std::size_t>& unknowns, const std::vector<LinearForm>& equations,
                     std::vector<std::size_t>& place);
  std::vector<std::size_t> loopOf(std::size_t link) const;
  std::vector<std::size_t> cutSetOf(std::size_t branch) const;
  void findExcess();
  void reduceStates();
  void requireInductances() const;
  LinearForm chargeRate(std::size_t branch) const;
  bool jumps(std::size_t source) const;
  void solveStates(const std::vector<LinearForm>& left, const std::vector<LinearForm>& right);
  void findInitialValues(double t0);
  double initialOf(const CircuitBranch& branch) const;
  double startOf(std::size_t node) const;
  bool hasInitial(const CircuitBranch& branch) const;
  std::optional<double> initialByNodes(const CircuitBranch& branch) const;
  void requireStarts() const;

  void makeRows();
  void makePortRows(std::size_t branch, std::size_t& row);
  LinearForm resolved(const LinearForm& form) const;

  const CircuitNet& net_;
  std::string label_;
  std::vector<CircuitBranch> branches_;
  double meanResistance_ = 0.;
  std::unique_ptr<NormalTree> tree_;
  std::vector<LinearForm> own_, voltage_, current_;          // of branches, with unknowns
  std::vector<std::size_t> unknownOf_, stateOf_, excessOf_;  // of branches, or none
  std::vector<std::size_t> unknowns_, excess_;               // branches
  std::vector<std::size_t> amplifierRows_;                   // branches of amplifiers that have a row
  std::vector<LinearForm> solved_;                           // unknowns
  std::vector<LinearForm> excessValue_;                      // own voltage of a capacitor, current of an inductor
  std::vector<LinearForm> excessFlow_;                       // the other one, in states, multipliers and sources
  std::vector<State> states_;
  std::vector<Row> rows_;
};

}  // namespace delassus
