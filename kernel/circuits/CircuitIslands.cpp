// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/circuits/CircuitIslands.hpp>

#include <algorithm>
#include <delassus/numerics/algebra/DisjointSets.hpp>
#include <deque>
#include <utility>

namespace delassus {
namespace {

using IslandSymbol = CircuitSymbol::Kind;

// States, and rows, of a part of an island that is cut. More make blocks of zeros in the matrices of systems and
// relations, fewer make systems and interactions whose own costs prevail (measured with ladders of diodes).
constexpr std::size_t mostTogether = 8;

}  // namespace

CircuitIslands::CircuitIslands(const CircuitEquations& equations)
    : equations_(equations), actsOn_(equations.rows().size()) {
  for (std::size_t s = 0; s < equations.states().size(); ++s) {
    for (const LinearForm::Term& term : equations.states()[s].rate.terms()) {
      if (term.symbol.kind == IslandSymbol::multiplier) actsOn_[term.symbol.index].push_back(s);
    }
  }
  for (const Island& island : findIslands()) {
    if (island.states.size() > mostWhole || island.rows.size() > mostWhole) {
      cut(island);
      continue;
    }
    Part& part = parts_.emplace_back();
    part.states = island.states;
    // A system has a state: one that stays zero where there is none.
    if (part.states.empty()) part.states.push_back(CircuitBranch::none);
    if (!island.rows.empty()) part.rows.push_back(island.rows);
  }
}

std::vector<CircuitIslands::Island> CircuitIslands::findIslands() const {
  const std::size_t states = equations_.states().size(), rows = equations_.rows().size();
  Numbers group;
  DisjointSets sets(group, states + rows);
  const auto join = [&](std::size_t member, const LinearForm& form) {
    for (const LinearForm::Term& term : form.terms()) {
      if (term.symbol.kind == IslandSymbol::state) sets.join(member, term.symbol.index);
      if (term.symbol.kind == IslandSymbol::multiplier) sets.join(member, states + term.symbol.index);
    }
  };
  for (std::size_t s = 0; s < states; ++s) join(s, equations_.states()[s].rate);
  for (std::size_t row = 0; row < rows; ++row) {
    const CircuitEquations::Row& each = equations_.rows()[row];
    for (const LinearForm& output : each.output) join(states + row, output);
    if (row > 0 && equations_.rows()[row - 1].branch == each.branch) sets.join(states + row, states + row - 1);
  }
  std::vector<Island> islands(sets.number());
  for (std::size_t s = 0; s < states; ++s) islands[group[s]].states.push_back(s);
  for (std::size_t row = 0; row < rows; ++row) islands[group[states + row]].rows.push_back(row);
  return islands;
}

CircuitIslands::Groups CircuitIslands::groupsOfStates(const Numbers& states) const {
  Groups groups;
  groups.of.assign(equations_.states().size(), CircuitBranch::none);
  Numbers place(equations_.states().size()), group;
  for (std::size_t k = 0; k < states.size(); ++k) place[states[k]] = k;
  DisjointSets sets(group, states.size());
  for (std::size_t k = 0; k < states.size(); ++k) {
    for (const LinearForm::Term& term : equations_.states()[states[k]].rate.terms()) {
      if (term.symbol.kind == IslandSymbol::state) sets.join(k, place[term.symbol.index]);
    }
  }
  groups.members.resize(sets.number());
  for (std::size_t k = 0; k < states.size(); ++k) {
    groups.of[states[k]] = group[k];
    groups.members[group[k]].push_back(states[k]);
  }
  return groups;
}

CircuitIslands::Groups CircuitIslands::groupsOfRows(const Numbers& rows) const {
  Groups groups;
  Numbers place(equations_.rows().size());
  for (std::size_t k = 0; k < rows.size(); ++k) place[rows[k]] = k;
  DisjointSets sets(groups.of, rows.size());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    for (const LinearForm& output : equations_.rows()[rows[k]].output) {
      for (const LinearForm::Term& term : output.terms()) {
        if (term.symbol.kind == IslandSymbol::multiplier) sets.join(k, place[term.symbol.index]);
      }
    }
  }
  groups.members.resize(sets.number());
  for (std::size_t k = 0; k < rows.size(); ++k) groups.members[groups.of[k]].push_back(rows[k]);
  return groups;
}

// The groups of states that outputs of each group of rows depend on, or that their multipliers act on, as often as it
// sees a state of them.
std::vector<CircuitIslands::Numbers> CircuitIslands::groupsSeen(const Groups& rows, const Groups& states) const {
  std::vector<Numbers> seen(rows.members.size());
  for (std::size_t r = 0; r < seen.size(); ++r) {
    for (const std::size_t row : rows.members[r]) {
      for (const std::size_t state : actsOn_[row]) seen[r].push_back(states.of[state]);
      for (const LinearForm& output : equations_.rows()[row].output) {
        for (const LinearForm::Term& term : output.terms()) {
          if (term.symbol.kind == IslandSymbol::state) seen[r].push_back(states.of[term.symbol.index]);
        }
      }
    }
  }
  return seen;
}

void CircuitIslands::cut(const Island& island) {
  const Groups states = groupsOfStates(island.states), rows = groupsOfRows(island.rows);
  const std::vector<Numbers> seen = groupsSeen(rows, states);
  const std::size_t firstPart = parts_.size();
  Numbers partOf(states.members.size(), CircuitBranch::none);
  grow(states, seen, partOf);
  if (parts_.size() == firstPart) parts_.emplace_back().states.push_back(CircuitBranch::none);
  addRows(rows, seen, partOf, firstPart);
  for (std::size_t k = firstPart; k < parts_.size(); ++k) parts_[k].isCut = true;
}

// Lets parts grow from one group of states to those that the same rows see, until they are full; the next part begins
// where the last ones have stopped.
void CircuitIslands::grow(const Groups& states, const std::vector<Numbers>& seen, Numbers& partOf) {
  std::vector<Numbers> seenBy(states.members.size());
  for (std::size_t r = 0; r < seen.size(); ++r) {
    for (const std::size_t g : seen[r]) seenBy[g].push_back(r);
  }
  std::vector<char> isPassed(seen.size());
  std::deque<std::size_t> seeds, near;
  for (std::size_t first = 0; first < states.members.size(); ++first) {
    for (seeds.push_back(first); !seeds.empty(); seeds.pop_front()) {
      if (partOf[seeds.front()] != CircuitBranch::none) continue;
      Part& part = parts_.emplace_back();
      for (near.push_back(seeds.front()); !near.empty(); near.pop_front()) {
        const std::size_t g = near.front();
        if (partOf[g] != CircuitBranch::none) continue;
        if (!part.states.empty() && part.states.size() + states.members[g].size() > mostTogether) {
          seeds.push_back(g);
          continue;
        }
        partOf[g] = parts_.size() - 1;
        part.states.insert(part.states.end(), states.members[g].begin(), states.members[g].end());
        for (const std::size_t r : seenBy[g]) {
          if (std::exchange(isPassed[r], 1) == 0) near.insert(near.end(), seen[r].begin(), seen[r].end());
        }
      }
      std::sort(part.states.begin(), part.states.end());
    }
  }
}

// Gives each group of rows to the part whose states it sees most.
void CircuitIslands::addRows(const Groups& rows, const std::vector<Numbers>& seen, const Numbers& partOf,
                             std::size_t firstPart) {
  Numbers count(parts_.size());
  for (std::size_t r = 0; r < rows.members.size(); ++r) {
    std::size_t most = firstPart;
    for (const std::size_t g : seen[r]) {
      const std::size_t part = partOf[g];
      if (++count[part] > count[most] || (count[part] == count[most] && part < most)) most = part;
    }
    for (const std::size_t g : seen[r]) count[partOf[g]] = 0;
    std::vector<Numbers>& interactions = parts_[most].rows;
    const Numbers& members = rows.members[r];
    if (interactions.empty() || interactions.back().size() + members.size() > mostTogether) interactions.emplace_back();
    interactions.back().insert(interactions.back().end(), members.begin(), members.end());
  }
}

}  // namespace delassus
