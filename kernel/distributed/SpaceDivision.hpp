// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/kernel/rotations/FixedSize.hpp>
#include <delassus/numerics/distributed/Ranks.hpp>
#include <span>
#include <vector>

namespace delassus::distributed {

/// Space in as many boxes as there are ranks, by recursive coordinate bisection: each cut is across the direction in
/// which the points of its region reach farthest, where as many of them are on both sides as there are ranks for each.
/// All ranks know all cuts. (M. J. Berger, S. H. Bokhari: A partitioning strategy for nonuniform problems on
/// multiprocessors, IEEE Transactions on Computers C-36, 1987.)
class SpaceDivision {
 public:
  /// All space belongs to the first rank.
  SpaceDivision() : regions_(1) {}
  /// Collective. Divides by the points of all ranks, of which each gives its own; on average as many are on each rank,
  /// and on no rank none. Throws AgreedError where that cannot be: fewer points than ranks, or too many in one plane.
  SpaceDivision(const Ranks& ranks, std::span<const Vector3> points);

  /// The rank whose box a point lies in; a cut belongs to the upper side.
  std::size_t rankOf(const Vector3& x) const;

 private:
  // Of a tree: cut in two, or the box of one rank.
  struct Region {
    std::size_t firstRank = 0;
    std::size_t ranks = 1;
    std::size_t lower = 0;  // the two parts are lower and lower + 1; 0 for a box
    std::size_t axis = 0;
    double cut = 0.;

    std::size_t ranksBelow() const { return ranks / 2; }
  };
  // A cut that is being sought.
  struct Search {
    std::size_t region = 0;
    std::vector<Vector3> members;     // points of this rank
    double points = 0., wanted = 0.;  // of all ranks: in the region, and below the cut
    double lower = 0., upper = 0.;    // between which the cut is
    double best = 0.;                 // difference of points below to what is wanted
    bool isDone = false;
  };

  std::size_t regionOf(const Vector3& x) const;
  std::vector<Search> searchesOf(std::size_t firstRegion, std::span<const Vector3> points) const;
  void measure(const Ranks& ranks, std::vector<Search>& searches);
  void bisect(const Ranks& ranks, std::vector<Search>& searches);
  void take(Search& search, double middle, double below);
  void cut(const Search& search);

  std::vector<Region> regions_;
};

}  // namespace delassus::distributed
