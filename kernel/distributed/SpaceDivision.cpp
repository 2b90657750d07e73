// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/distributed/SpaceDivision.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace delassus::distributed {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double balance = 1e-3;  // of its points, to which a cut is sought

// The box of some points.
struct Extent {
  Vector3 least{infinity, infinity, infinity}, most{-infinity, -infinity, -infinity};

  void include(const Vector3& low, const Vector3& high) {
    for (std::size_t i = 0; i < 3; ++i) {
      least[i] = std::min(least[i], low[i]);
      most[i] = std::max(most[i], high[i]);
    }
  }
  std::size_t longest() const {
    const Vector3 edges = most - least;
    return static_cast<std::size_t>(std::max_element(edges.begin(), edges.end()) - edges.begin());
  }
};

}  // namespace

// Level by level, so that all regions of a level are cut with as many sums as one.
SpaceDivision::SpaceDivision(const Ranks& ranks, std::span<const Vector3> points)
    : regions_{Region{.ranks = ranks.size()}} {
  for (std::size_t level = 0; level < regions_.size();) {
    std::vector<Search> searches = searchesOf(level, points);
    level = regions_.size();
    if (searches.empty()) return;
    measure(ranks, searches);
    bisect(ranks, searches);
    for (const Search& search : searches) cut(search);
  }
}

std::vector<SpaceDivision::Search> SpaceDivision::searchesOf(std::size_t firstRegion,
                                                             std::span<const Vector3> points) const {
  std::vector<Search> searches;
  std::vector<std::size_t> searchOf(regions_.size(), regions_.size());
  for (std::size_t k = firstRegion; k < regions_.size(); ++k) {
    if (regions_[k].ranks == 1) continue;
    searchOf[k] = searches.size();
    searches.emplace_back().region = k;
  }
  for (const Vector3& x : points) {
    const std::size_t search = searchOf[regionOf(x)];
    if (search < searches.size()) searches[search].members.push_back(x);
  }
  return searches;
}

// How many points each region has, and in which direction they reach farthest.
void SpaceDivision::measure(const Ranks& ranks, std::vector<Search>& searches) {
  std::vector<double> own;
  for (const Search& search : searches) {
    Extent extent;
    for (const Vector3& x : search.members) extent.include(x, x);
    own.push_back(static_cast<double>(search.members.size()));
    own.insert(own.end(), extent.least.begin(), extent.least.end());
    own.insert(own.end(), extent.most.begin(), extent.most.end());
  }
  const std::span<const double> all = ranks.gather(own);
  for (std::size_t k = 0; k < searches.size(); ++k) {
    Search& search = searches[k];
    Extent extent;
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
      const double* const of = all.data() + rank * own.size() + 7 * k;
      search.points += of[0];
      extent.include(vector3(of + 1), vector3(of + 4));
    }
    Region& region = regions_[search.region];
    region.axis = extent.longest();
    search.wanted =
        std::round(search.points * static_cast<double>(region.ranksBelow()) / static_cast<double>(region.ranks));
    search.lower = extent.least[region.axis];
    search.upper = std::nextafter(extent.most[region.axis], infinity);
    search.best = infinity;
  }
}

void SpaceDivision::bisect(const Ranks& ranks, std::vector<Search>& searches) {
  for (;;) {
    std::vector<double> middles, below;
    bool allDone = true;
    for (Search& search : searches) {
      const double middle = search.lower + 0.5 * (search.upper - search.lower);
      const std::size_t axis = regions_[search.region].axis;
      search.isDone = search.isDone || !(middle > search.lower && middle < search.upper);
      allDone = allDone && search.isDone;
      middles.push_back(middle);
      below.push_back(static_cast<double>(std::count_if(search.members.begin(), search.members.end(),
                                                        [&](const Vector3& x) { return x[axis] < middle; })));
    }
    if (allDone) return;
    ranks.sum(below);
    for (std::size_t k = 0; k < searches.size(); ++k) {
      if (!searches[k].isDone) take(searches[k], middles[k], below[k]);
    }
  }
}

// Keeps the middle if it is better than what was found, and goes on in one of the halves.
void SpaceDivision::take(Search& search, double middle, double below) {
  Region& region = regions_[search.region];
  const auto ranksBelow = static_cast<double>(region.ranksBelow()), ranks = static_cast<double>(region.ranks);
  const bool leavesEnough = below >= ranksBelow && search.points - below >= ranks - ranksBelow;
  const double difference = std::abs(below - search.wanted);
  if (leavesEnough && difference < search.best) {
    search.best = difference;
    region.cut = middle;
  }
  (below < search.wanted ? search.lower : search.upper) = middle;
  search.isDone = search.best <= balance * search.points;
}

void SpaceDivision::cut(const Search& search) {
  const Region whole = regions_[search.region];
  if (search.best == infinity) {
    throw AgreedError("SpaceDivision: " + std::to_string(static_cast<std::size_t>(search.points)) +
                      " points cannot be divided among " + std::to_string(whole.ranks) +
                      " ranks so that each has one. Take fewer ranks.");
  }
  const std::size_t below = whole.ranksBelow();
  regions_[search.region].lower = regions_.size();
  regions_.push_back({.firstRank = whole.firstRank, .ranks = below});
  regions_.push_back({.firstRank = whole.firstRank + below, .ranks = whole.ranks - below});
}

std::size_t SpaceDivision::regionOf(const Vector3& x) const {
  std::size_t region = 0;
  while (regions_[region].lower != 0) {
    region = regions_[region].lower + (x[regions_[region].axis] < regions_[region].cut ? 0 : 1);
  }
  return region;
}

std::size_t SpaceDivision::rankOf(const Vector3& x) const {
  return regions_[regionOf(x)].firstRank;
}

}  // namespace delassus::distributed
