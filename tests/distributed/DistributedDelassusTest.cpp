// SPDX-License-Identifier: Apache-2.0
//
// Products, sums and certificates over ranks against those of one process.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/distributed/Distribution.hpp>
#include <delassus/numerics/problem/NaturalMapError.hpp>
#include <support/Matchers.hpp>
#include <support/RandomContacts.hpp>
#include <support/RandomProblems.hpp>

namespace {

using namespace delassus;
using namespace delassus::distributed;
using namespace delassus::numerics;
using namespace delassus::test;

// The entries of a vector of the whole problem that belong to this rank.
Vector partOf(const Distribution& distribution, const Vector& whole) {
  const std::size_t d = distribution.W()->dimension();
  Vector part(d * distribution.contacts().size());
  for (std::size_t k = 0; k < distribution.contacts().size(); ++k) {
    for (std::size_t i = 0; i < d; ++i) part(d * k + i) = whole(d * distribution.contacts()[k] + i);
  }
  return part;
}

TEST(DistributedDelassus, MultipliesAsTheWholeMatrixDoes) {
  const Ranks ranks;
  const FrictionContactProblem whole = assembled(sphereLattice(5, 5, 4, 0.5));
  const Distribution distribution(ranks, &whole);
  Generator generator(5);
  const Vector r = randomVector(generator, whole.size());
  Vector expected(whole.size());
  whole.multiply(data(r), data(expected));
  const Vector part = partOf(distribution, r);
  Vector u(part.size());
  distribution.W()->multiply(data(part), data(u));
  expectNear(u, partOf(distribution, expected), 1e-13);
  std::vector<long double> extended(part.size(), 1.L);
  distribution.W()->addExtended(data(part), extended.data());
  std::vector<double> bounds(part.size(), 0.);
  distribution.W()->addRounding(data(part), bounds.data());
  for (std::size_t i = 0; i < part.size(); ++i) {
    EXPECT_LE(std::abs(static_cast<double>(extended[i] - 1.L) - u(i)), bounds[i]);
  }
}

// All contacts once, and each rank about as many.
TEST(DistributedDelassus, PartsContactsEvenly) {
  const Ranks ranks;
  const FrictionContactProblem whole = assembled(sphereLattice(6, 6, 5, 0.5));
  const Distribution distribution(ranks, &whole);
  std::vector<double> owners(whole.contacts(), 0.);
  for (const std::size_t contact : distribution.contacts()) owners[contact] += 1.;
  ranks.sum(owners);
  EXPECT_EQ(owners, std::vector<double>(whole.contacts(), 1.));
  EXPECT_LT(static_cast<double>(distribution.contacts().size() * ranks.size()),
            1.5 * static_cast<double>(whole.contacts()));
  EXPECT_EQ(distribution.W()->contactsOfAll(), whole.contacts());
  EXPECT_TRUE(std::is_sorted(distribution.contacts().begin(), distribution.contacts().end()));
}

TEST(DistributedDelassus, GivesTheCertificateOfTheWholeProblem) {
  const Ranks ranks;
  Generator generator(8);
  for (const std::size_t dimension : {2U, 3U}) {
    const FrictionContactProblem whole =
        assembled(randomMovingBodies(generator, {.dimension = dimension, .contacts = 40, .bodies = 25}));
    const Distribution distribution(ranks, &whole);
    const Vector r = randomVector(generator, whole.size());
    for (const ErrorMeasure measure : {ErrorMeasure::published, ErrorMeasure::scaled}) {
      Vector u, wholeU;
      const double expected = errorOf(whole, measure, r, wholeU);
      const double error = errorOf(distribution.problem(), measure, partOf(distribution, r), u);
      EXPECT_NEAR(error, expected, 1e-12 * expected);
      expectNear(u, partOf(distribution, wholeU), 1e-12);
      // The bound of rounding, which is asked for where the error meets the tolerance, is one over all ranks too.
      const double tight = errorOf(distribution.problem(), measure, partOf(distribution, r), u, 1.0001 * expected);
      EXPECT_LE(tight, 1.0001 * expected);
    }
  }
}

TEST(DistributedDelassus, RefusesWhatItIsNotFor) {
  const Ranks ranks;
  const FrictionContactProblem whole = assembled(sphereLattice(2, 2, 2, 0.5));
  const Distribution distribution(ranks, &whole);
  BlockSparseMatrix W;
  expectError([&] { distribution.W()->assemble(W); }, {"DistributedDelassus"});
  std::unique_ptr<DelassusSweep> sweep;
  expectError([&] { distribution.W()->renew(sweep); }, {"DistributedGaussSeidelSolver"});
  EXPECT_FALSE(distribution.problem().requireMatrix());
  expectError(
      [&] {
        DistributedDelassus(ranks, 3, {{{1000000}, std::vector<double>(9, 1.)}});
      },
      {"column 1000000", "contacts"});
  expectError(
      [&] {
        DistributedDelassus(ranks, 3, {{{0}, std::vector<double>(8, 1.)}});
      },
      {"1 columns of 9 numbers, but 8"});
  expectError([&] { DistributedDelassus(ranks, 3, {}); }, {"rank 0 has no contact"});
}

}  // namespace
