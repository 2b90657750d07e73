// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/circuits/CircuitParts.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/kernel/laws/ComplementarityConditionNSL.hpp>
#include <delassus/kernel/laws/EqualityConditionNSL.hpp>
#include <delassus/kernel/laws/MixedComplementarityConditionNSL.hpp>
#include <delassus/kernel/laws/RelayNSL.hpp>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/SparseMatrix.hpp>

namespace delassus {
namespace {

using Numbers = std::vector<std::size_t>;
using Symbol = CircuitSymbol::Kind;

// Up to this many states a dense system is faster than a sparse one.
constexpr std::size_t mostDense = CircuitIslands::mostWhole;
constexpr std::size_t noState = CircuitBranch::none;

}  // namespace

CircuitParts::CircuitParts(const CircuitEquations& equations, std::shared_ptr<CircuitSources> sources,
                           std::vector<char> isOn)
    : equations_(equations),
      sources_(std::move(sources)),
      isOn_(std::move(isOn)),
      statePlace_(equations.states().size()),
      rowPlace_(equations.rows().size()),
      rowsOfGate_(isOn_.size()),
      inputs_(equations.rows().size()) {
  for (std::size_t s = 0; s < statePlace_.size(); ++s) {
    for (const LinearForm::Term& term : equations_.states()[s].rate.terms()) {
      if (term.symbol.kind == Symbol::multiplier) inputs_[term.symbol.index].emplace_back(s, term.value);
    }
  }
  const CircuitIslands islands(equations_);
  for (const CircuitIslands::Part& part : islands.parts()) addPart(part);
  // A model has a system, if only to have a time.
  if (parts_.empty()) parts_.emplace_back().states = {noState};
  for (const System& each : parts_) makeSystem(each);
  for (Link& link : links_) makeRelation(link);
  for (std::size_t row = 0; row < rowPlace_.size(); ++row) {
    if (equations_.rows()[row].gate != CircuitBranch::none) rowsOfGate_[equations_.rows()[row].gate].push_back(row);
  }
  for (std::size_t gate = 0; gate < isOn_.size(); ++gate) chooseRows(gate);
}

void CircuitParts::addPart(const CircuitIslands::Part& part) {
  for (std::size_t k = 0; k < part.states.size(); ++k) {
    if (part.states[k] != noState) statePlace_[part.states[k]] = {parts_.size(), k};
  }
  parts_.emplace_back().states = part.states;
  for (const Numbers& rows : part.rows) {
    Numbers states = part.isCut ? statesSeen(rows) : part.states;
    if (states.empty()) states.push_back(part.states.front());
    addLink(rows, std::move(states));
  }
}

// States that outputs of rows depend on, and that their multipliers act on.
Numbers CircuitParts::statesSeen(const Numbers& rows) const {
  Numbers states;
  for (const std::size_t row : rows) {
    for (const auto& [state, value] : inputs_[row]) states.push_back(state);
    for (const LinearForm& output : equations_.rows()[row].output) {
      for (const LinearForm::Term& term : output.terms()) {
        if (term.symbol.kind == Symbol::state) states.push_back(term.symbol.index);
      }
    }
  }
  std::sort(states.begin(), states.end());
  states.erase(std::unique(states.begin(), states.end()), states.end());
  return states;
}

bool CircuitParts::isEquality(std::size_t row) const {
  return std::isinf(equations_.rows()[row].lower) && std::isinf(equations_.rows()[row].upper);
}

// Equalities come first, as the mixed law has them.
void CircuitParts::addLink(Numbers rows, Numbers states) {
  std::stable_partition(rows.begin(), rows.end(), [this](std::size_t row) { return isEquality(row); });
  Link link{.rows = std::move(rows), .states = std::move(states), .system = parts_.size() - 1, .relation = {}};
  for (std::size_t k = 0; k < link.rows.size(); ++k) rowPlace_[link.rows[k]] = {links_.size(), k};
  links_.push_back(std::move(link));
}

void CircuitParts::makeSystem(const System& each) {
  const std::size_t n = each.states.size();
  Vector x0(n);
  std::vector<Triplet> entries;
  for (std::size_t k = 0; k < n; ++k) {
    if (each.states[k] == noState) continue;
    const CircuitEquations::State& state = equations_.states()[each.states[k]];
    x0(k) = state.initial;
    for (const LinearForm::Term& term : state.rate.terms()) {
      if (term.symbol.kind == Symbol::state) entries.push_back({k, statePlace_[term.symbol.index].index, term.value});
    }
    each.sources->add(k, state.rate);
  }
  const SparseMatrix A = sparseFromTriplets(n, n, std::move(entries));
  systems_.push_back(n > mostDense ? std::make_shared<FirstOrderLinearTIDS>(x0, A)
                                   : std::make_shared<FirstOrderLinearTIDS>(x0, toDense(A)));
  setDrive(systems_.size() - 1);
}

void CircuitParts::setDrive(std::size_t number) {
  FirstOrderLinearTIDS& system = *systems_[number];
  System& part = parts_[number];
  if (part.sources->empty()) return;
  if (part.sources->isConstant(*sources_)) {
    Vector b(system.dimension());
    part.sources->addTo(*sources_, 0., b);
    system.setB(b);
    part.varies = false;
  } else if (part.varies) {
    system.parametersChanged();
  } else {
    system.setB([terms = part.sources, sources = sources_](double t, Vector& b) { terms->addTo(*sources, t, b); });
    part.varies = true;
  }
}

void CircuitParts::makeRelation(Link& link) {
  Numbers place(statePlace_.size());
  for (std::size_t k = 0; k < link.states.size(); ++k) {
    if (link.states[k] != noState) place[link.states[k]] = k;
  }
  Matrix B(link.states.size(), link.rows.size());
  std::vector<CircuitR::Row> rows(link.rows.size());
  for (std::size_t j = 0; j < link.rows.size(); ++j) {
    for (const auto& [state, value] : inputs_[link.rows[j]]) B(place[state], j) = value;
    for (std::size_t form = 0; form < 2; ++form) {
      rows[j][form] = formOf(j, equations_.rows()[link.rows[j]].output[form], place);
    }
  }
  link.relation = std::make_shared<CircuitR>(std::move(B), std::move(rows), sources_);
}

CircuitR::Form CircuitParts::formOf(std::size_t row, const LinearForm& output, const Numbers& place) const {
  CircuitR::Form form;
  for (const LinearForm::Term& term : output.terms()) {
    if (term.symbol.kind == Symbol::state) form.byState.emplace_back(place[term.symbol.index], term.value);
    if (term.symbol.kind == Symbol::multiplier) {
      form.byMultiplier.emplace_back(rowPlace_[term.symbol.index].index, term.value);
    }
  }
  form.sources.add(row, output);
  return form;
}

std::shared_ptr<NonSmoothLaw> CircuitParts::lawOf(const Link& link) const {
  const std::size_t m = link.rows.size();
  std::size_t equalities = 0;
  bool isMixed = true;
  Vector lower(m), upper(m);
  for (std::size_t k = 0; k < m; ++k) {
    lower(k) = equations_.rows()[link.rows[k]].lower;
    upper(k) = equations_.rows()[link.rows[k]].upper;
    if (isEquality(link.rows[k])) {
      ++equalities;
    } else {
      isMixed = isMixed && lower(k) == 0. && std::isinf(upper(k));
    }
  }
  if (!isMixed) return std::make_shared<RelayNSL>(lower, upper);
  if (equalities == 0) return std::make_shared<ComplementarityConditionNSL>(m);
  if (equalities == m) return std::make_shared<EqualityConditionNSL>(m);
  return std::make_shared<MixedComplementarityConditionNSL>(m, equalities);
}

// The states that an interaction sees, as runs of consecutive ones of a system.
std::vector<SystemPart> CircuitParts::partsOf(const Link& link,
                                              const std::vector<std::shared_ptr<DynamicalSystem>>& systems) const {
  if (link.states.front() == noState) return {SystemPart(systems[link.system])};
  std::vector<SystemPart> parts;
  for (std::size_t k = 0; k < link.states.size();) {
    const auto [system, first] = statePlace_[link.states[k]];
    std::size_t count = 1;
    while (k + count < link.states.size() && statePlace_[link.states[k + count]].part == system &&
           statePlace_[link.states[k + count]].index == first + count) {
      ++count;
    }
    if (count == systems_[system]->dimension()) {
      parts.emplace_back(systems[system]);
    } else {
      parts.emplace_back(systems[system], first, count);
    }
    k += count;
  }
  return parts;
}

void CircuitParts::insertInto(NonSmoothDynamicalSystem& model, const std::string& name) {
  const auto numbered = [&](std::size_t k, std::size_t count) {
    return count == 1 ? name : name + "." + std::to_string(k + 1);
  };
  const std::vector<std::shared_ptr<DynamicalSystem>> all(systems_.begin(), systems_.end());
  std::size_t inserted = 0;
  try {
    for (; inserted < all.size(); ++inserted) model.insert(numbered(inserted, all.size()), all[inserted]);
    for (std::size_t k = 0; k < links_.size(); ++k) {
      interactions_.push_back(
          model.link(numbered(k, links_.size()), lawOf(links_[k]), links_[k].relation, partsOf(links_[k], all)));
    }
  } catch (...) {
    // A name is taken. What acts on a system goes with it.
    while (inserted > 0) model.remove(all[--inserted]);
    throw;
  }
}

void CircuitParts::linkCopies(NonSmoothDynamicalSystem& copy) const {
  for (const Link& link : links_) {
    copy.link("", lawOf(link), link.relation, partsOf(link, copy.systems()));
  }
}

void CircuitParts::setGate(std::size_t gate, bool on) {
  if (isOn(gate) == on) return;
  isOn_[gate] = on ? 1 : 0;
  chooseRows(gate);
}

void CircuitParts::chooseRows(std::size_t gate) {
  for (const std::size_t row : rowsOfGate_[gate]) {
    links_[rowPlace_[row].part].relation->choose(rowPlace_[row].index, isOn(gate));
  }
}

void CircuitParts::sourceChanged(std::size_t source) {
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    if (parts_[k].sources->has(source)) setDrive(k);
  }
  for (Link& link : links_) {
    if (link.relation->feels(source)) link.relation->sourcesChanged();
  }
}

bool CircuitParts::feels(std::size_t source) const {
  const auto& states = equations_.states();
  const auto& rows = equations_.rows();
  return std::any_of(states.begin(), states.end(), [=](const auto& state) { return state.rate.hasSource(source); }) ||
         std::any_of(rows.begin(), rows.end(), [=](const auto& row) {
           return row.output[0].hasSource(source) || row.output[1].hasSource(source);
         });
}

void CircuitParts::allChanged() {
  for (std::size_t k = 0; k < parts_.size(); ++k) setDrive(k);
  for (std::size_t gate = 0; gate < isOn_.size(); ++gate) chooseRows(gate);
  for (Link& link : links_) link.relation->sourcesChanged();
}

void CircuitParts::serializeState(StateArchive& archive) {
  archive.value("gates", isOn_);
  if (archive.restores()) allChanged();
}

}  // namespace delassus
