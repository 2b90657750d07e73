// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "CamMaps.hpp"

/// Statistics of impacts. Impacts that follow each other are correlated, so that sampling errors are those of blocks of
/// turns that are long against the memory of the motion (batch means): the blocks are taken as independent, not the
/// impacts in them.
using CamBlocks = std::vector<std::vector<double>>;

/// Approach velocities ċ − v of the impacts, m/s, in blocks of `turnsABlock` turns; turns left over at the end are not
/// used.
CamBlocks approachesByBlocks(const CamMaps& maps, std::size_t turnsABlock);

struct Estimate {
  double value;
  double standardError;
};

/// Mean over all blocks. Blocks have different numbers of impacts, so it is a ratio of sums; its error is that of the
/// ratio to first order. Throws Error if there are fewer than two blocks or no impacts.
Estimate meanOf(const CamBlocks& blocks);
/// Number of impacts a block.
Estimate countOf(const CamBlocks& blocks);

/// Part of all impacts in [k width, (k + 1) width), over the width: a density, bin by bin.
std::vector<Estimate> histogramOf(const CamBlocks& blocks, double width);

/// Kolmogorov–Smirnov distance of two samples: the largest difference of their distribution functions.
double kolmogorovSmirnov(const CamBlocks& a, const CamBlocks& b);

/// The distance that two samples of one distribution with these blocks stay below with the given probability. Found by
/// resampling: whole blocks are drawn with replacement from each sample, and the difference of the distribution
/// functions is measured from that of the samples (a block bootstrap; Künsch, Ann. Statist. 17, 1989). Deterministic.
double kolmogorovSmirnovBound(const CamBlocks& a, const CamBlocks& b, double probability, std::size_t resamples = 1000,
                              std::uint64_t seed = 1);
