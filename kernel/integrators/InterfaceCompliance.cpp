// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <delassus/kernel/integrators/InterfaceCompliance.hpp>
#include <delassus/kernel/integrators/IterationNode.hpp>
#include <iterator>
#include <utility>

namespace delassus {
namespace {

// Right-hand sides that are solved for at once: the factors are read once for all of them.
constexpr std::size_t mostAtOnce = 32;
// Entries of a column that are at most this times its largest one are taken as zero.
constexpr double negligible = 1e-20;

}  // namespace

InterfaceCompliance::InterfaceCompliance(std::vector<std::uint32_t> unknowns, const IterationNode& node)
    : unknowns_(std::move(unknowns)),
      node_(node),
      columns_(unknowns_.size()),
      isKnown_(unknowns_.size(), 0),
      isDemanded_(unknowns_.size(), 0) {
  columnsFrom_.take(node.factorVersion);
}

std::size_t InterfaceCompliance::placeOf(std::size_t unknown) const {
  return static_cast<std::size_t>(std::lower_bound(unknowns_.begin(), unknowns_.end(), unknown) - unknowns_.begin());
}

// Writes nothing where they are current: threads that assemble read columns at once.
void InterfaceCompliance::forgetStale() {
  columnsFrom_.renew(node_.factorVersion, [this] { std::fill(isKnown_.begin(), isKnown_.end(), 0); });
}

void InterfaceCompliance::demand(std::size_t place) {
  forgetStale();
  if (isKnown_[place] == 0 && std::exchange(isDemanded_[place], 1) == 0) demanded_.push_back(place);
}

void InterfaceCompliance::solve() {
  for (std::size_t first = 0; first < demanded_.size(); first += mostAtOnce) {
    solve(std::span(demanded_).subspan(first, std::min(mostAtOnce, demanded_.size() - first)));
  }
  for (const std::size_t place : demanded_) isDemanded_[place] = 0;
  demanded_.clear();
}

const InterfaceCompliance::Column& InterfaceCompliance::column(std::size_t place) {
  forgetStale();
  if (isKnown_[place] == 0) solve(std::span(&place, 1));
  return columns_[place];
}

void InterfaceCompliance::solve(std::span<const std::size_t> places) {
  const std::size_t n = node_.W.size1();
  rightSides_.assign(places.size() * n, 0.);
  for (std::size_t k = 0; k < places.size(); ++k) rightSides_[k * n + unknowns_[places[k]]] = 1.;
  node_.respond(rightSides_.data(), places.size());
  for (std::size_t k = 0; k < places.size(); ++k) {
    take(rightSides_.data() + k * n, columns_[places[k]]);
    isKnown_[places[k]] = 1;
  }
}

void InterfaceCompliance::take(const double* solution, Column& column) const {
  double largest = 0.;
  for (const std::uint32_t unknown : unknowns_) largest = std::max(largest, std::abs(solution[unknown]));
  // What is not a number, and all beside what is not finite, stays, to be refused with W.
  const auto counts = [&](std::uint32_t unknown) {
    return !std::isfinite(largest) || !(std::abs(solution[unknown]) <= negligible * largest);
  };
  const auto first = std::find_if(unknowns_.begin(), unknowns_.end(), counts);
  const auto end = std::find_if(unknowns_.rbegin(), std::reverse_iterator(first), counts).base();
  column.first = static_cast<std::size_t>(first - unknowns_.begin());
  column.values.clear();
  for (auto unknown = first; unknown != end; ++unknown) {
    column.values.push_back(counts(*unknown) ? solution[*unknown] : 0.);
  }
}

void InterfaceCompliance::serializeState(StateArchive& archive) {
  // Event-driven runs do not save the node: another process counts its factors from the beginning.
  bool areCurrent = columnsFrom_.isCurrent(node_.factorVersion);
  archive.value("columns are current", areCurrent);
  columnsFrom_.forget();
  if (areCurrent) columnsFrom_.take(node_.factorVersion);
  std::vector<char> known = isKnown_;
  archive.value("known columns", known);
  if (known.size() != unknowns_.size()) archive.refuse("contacts see another number of unknowns.");
  isKnown_.swap(known);
  for (std::size_t i = 0; i < unknowns_.size(); ++i) {
    if (isKnown_[i] == 0) continue;
    archive.value("first", columns_[i].first);
    archive.value("column", columns_[i].values);
  }
}

}  // namespace delassus
