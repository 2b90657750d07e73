// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <delassus/kernel/distributed/SpaceDivision.hpp>
#include <random>
#include <string>

namespace {

using namespace delassus;
using namespace delassus::distributed;

std::vector<double> countsOf(const Ranks& ranks, const SpaceDivision& division, const std::vector<Vector3>& points) {
  std::vector<double> counts(ranks.size(), 0.);
  for (const Vector3& x : points) counts[division.rankOf(x)] += 1.;
  ranks.sum(counts);
  return counts;
}

TEST(SpaceDivision, GivesEachRankAboutAsManyPoints) {
  const Ranks ranks;
  std::mt19937 random(static_cast<unsigned>(ranks.rank()) + 1);
  std::normal_distribution<double> normal;
  std::vector<Vector3> points;
  // One rank has many more than the others, and they are not spread evenly.
  for (std::size_t k = 0; k < (ranks.isFirst() ? 4000U : 500U); ++k) {
    points.push_back({normal(random), 0.1 * normal(random), std::exp(normal(random))});
  }
  const SpaceDivision division(ranks, points);
  const double mean = (4000. + 500. * static_cast<double>(ranks.size() - 1)) / static_cast<double>(ranks.size());
  for (const double count : countsOf(ranks, division, points)) EXPECT_NEAR(count, mean, 0.01 * mean);
}

TEST(SpaceDivision, CutsGridsBetweenTheirPlanes) {
  const Ranks ranks;
  std::vector<Vector3> points;
  if (ranks.isFirst()) {
    for (double x = 0.; x < 12.; ++x) {
      for (double y = 0.; y < 3.; ++y) points.push_back({x, y, 0.});
    }
  }
  const SpaceDivision division(ranks, points);
  for (const double count : countsOf(ranks, division, points)) {
    EXPECT_NEAR(count, 36. / static_cast<double>(ranks.size()), 3.);
  }
}

TEST(SpaceDivision, RefusesFewerPlacesThanRanks) {
  const Ranks ranks;
  const std::vector<Vector3> points(5, Vector3{1., 2., 3.});
  if (ranks.size() == 1) {
    EXPECT_NO_THROW(SpaceDivision(ranks, points));
    return;
  }
  try {
    const SpaceDivision division(ranks, points);
    ADD_FAILURE() << "points at one place were divided";
  } catch (const AgreedError& error) {
    EXPECT_NE(std::string(error.what()).find("Take fewer ranks"), std::string::npos) << error.what();
  }
}

}  // namespace
