// SPDX-License-Identifier: Apache-2.0
#include "CamStatistics.hpp"

#include <algorithm>
#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <numeric>
#include <random>
#include <span>

namespace {

// A ratio of sums over blocks, Σ x / Σ n, and its error to first order.
Estimate ratio(const std::vector<double>& x, const std::vector<double>& n) {
  const auto blocks = static_cast<double>(x.size());
  const double total = std::accumulate(n.begin(), n.end(), 0.);
  if (x.size() < 2 || total == 0.) {
    throw delassus::Error("CamStatistics", "sampling errors need two blocks of turns at least, and impacts in them.");
  }
  const double value = std::accumulate(x.begin(), x.end(), 0.) / total;
  double squares = 0.;
  for (std::size_t b = 0; b < x.size(); ++b) squares += (x[b] - value * n[b]) * (x[b] - value * n[b]);
  return {value, std::sqrt(squares * blocks / (blocks - 1.)) / total};
}

std::vector<double> counts(const CamBlocks& blocks) {
  std::vector<double> n;
  for (const auto& block : blocks) n.push_back(static_cast<double>(block.size()));
  return n;
}

// For each block, how many of its values are at most each of the (sorted) levels; a row a block.
std::vector<std::vector<double>> cumulated(const CamBlocks& blocks, const std::vector<double>& levels) {
  std::vector<std::vector<double>> rows;
  for (const auto& block : blocks) {
    std::vector<double> sorted = block;
    std::sort(sorted.begin(), sorted.end());
    std::vector<double>& row = rows.emplace_back();
    for (const double level : levels) {
      const auto end = std::upper_bound(sorted.begin(), sorted.end(), level);
      row.push_back(static_cast<double>(end - sorted.begin()));
    }
  }
  return rows;
}

// The distribution function at the levels, of the blocks `chosen`; the last level is above all values.
void distribution(const std::vector<std::vector<double>>& rows, std::span<const std::size_t> chosen,
                  std::vector<double>& F) {
  std::fill(F.begin(), F.end(), 0.);
  for (const std::size_t b : chosen) {
    for (std::size_t k = 0; k < F.size(); ++k) F[k] += rows[b][k];
  }
  const double all = F.back();
  for (double& value : F) value /= all;
}

std::vector<double> flatten(const CamBlocks& blocks) {
  std::vector<double> values;
  for (const auto& block : blocks) values.insert(values.end(), block.begin(), block.end());
  std::sort(values.begin(), values.end());
  return values;
}

}  // namespace

CamBlocks approachesByBlocks(const CamMaps& maps, std::size_t turnsABlock) {
  CamBlocks blocks(maps.turns / turnsABlock);
  for (const CamImpact& impact : maps.impacts) {
    const double turn = std::max(0., impact.turn - static_cast<double>(maps.firstTurn));
    const auto block = static_cast<std::size_t>(turn) / turnsABlock;
    if (block < blocks.size()) blocks[block].push_back(impact.approach);
  }
  return blocks;
}

Estimate meanOf(const CamBlocks& blocks) {
  std::vector<double> sums;
  for (const auto& block : blocks) sums.push_back(std::accumulate(block.begin(), block.end(), 0.));
  return ratio(sums, counts(blocks));
}

Estimate countOf(const CamBlocks& blocks) {
  return ratio(counts(blocks), std::vector<double>(blocks.size(), 1.));
}

std::vector<Estimate> histogramOf(const CamBlocks& blocks, double width) {
  const std::vector<double> n = counts(blocks);
  const std::vector<double> values = flatten(blocks);
  constexpr double most = 1e5;
  if (!values.empty() && !(values.back() / width < most)) {
    throw delassus::Error("CamStatistics", "expected a histogram of at most " + delassus::toText(most) +
                                               " bins, but those of width " + delassus::toText(width) + " are more.");
  }
  const std::size_t bins = values.empty() ? 0 : static_cast<std::size_t>(values.back() / width) + 1;
  std::vector<Estimate> histogram;
  for (std::size_t k = 0; k < bins; ++k) {
    const double begin = static_cast<double>(k) * width;
    std::vector<double> inside;
    for (const auto& block : blocks) {
      const auto count =
          std::count_if(block.begin(), block.end(), [=](double x) { return begin <= x && x < begin + width; });
      inside.push_back(static_cast<double>(count));
    }
    const Estimate part = ratio(inside, n);
    histogram.push_back({part.value / width, part.standardError / width});
  }
  return histogram;
}

double kolmogorovSmirnov(const CamBlocks& a, const CamBlocks& b) {
  const std::vector<double> first = flatten(a);
  const std::vector<double> second = flatten(b);
  double distance = 0.;
  std::size_t j = 0;
  std::size_t i = 0;
  while (i < first.size() && j < second.size()) {
    const double level = std::min(first[i], second[j]);
    while (i < first.size() && first[i] <= level) ++i;
    while (j < second.size() && second[j] <= level) ++j;
    distance = std::max(distance, std::abs(static_cast<double>(i) / static_cast<double>(first.size()) -
                                           static_cast<double>(j) / static_cast<double>(second.size())));
  }
  return distance;
}

double kolmogorovSmirnovBound(const CamBlocks& a, const CamBlocks& b, double probability, std::size_t resamples,
                              std::uint64_t seed) {
  // The functions are looked at on 200 quantiles, which misses 1/200 of them at most.
  const std::vector<double> values = flatten(a);
  std::vector<double> levels;
  for (std::size_t k = 1; k < 200; ++k) levels.push_back(values[k * values.size() / 200]);
  levels.push_back(std::max(values.back(), flatten(b).back()));
  const auto rowsA = cumulated(a, levels);
  const auto rowsB = cumulated(b, levels);

  std::vector<std::size_t> chosenA(a.size());
  std::vector<std::size_t> chosenB(b.size());
  std::iota(chosenA.begin(), chosenA.end(), std::size_t{0});
  std::iota(chosenB.begin(), chosenB.end(), std::size_t{0});
  std::vector<double> F(levels.size()), G(levels.size()), FDrawn(levels.size()), GDrawn(levels.size());
  distribution(rowsA, chosenA, F);
  distribution(rowsB, chosenB, G);

  std::mt19937_64 generator(seed);
  std::vector<double> distances;
  for (std::size_t n = 0; n < resamples; ++n) {
    for (std::size_t& block : chosenA) block = generator() % a.size();
    for (std::size_t& block : chosenB) block = generator() % b.size();
    distribution(rowsA, chosenA, FDrawn);
    distribution(rowsB, chosenB, GDrawn);
    double distance = 0.;
    for (std::size_t k = 0; k < levels.size(); ++k) {
      distance = std::max(distance, std::abs((FDrawn[k] - F[k]) - (GDrawn[k] - G[k])));
    }
    distances.push_back(distance);
  }
  std::sort(distances.begin(), distances.end());
  return distances[static_cast<std::size_t>(probability * static_cast<double>(resamples - 1))] +
         1. / static_cast<double>(levels.size());
}
