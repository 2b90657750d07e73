// SPDX-License-Identifier: Apache-2.0
#include "PlantedProblems.hpp"

#include <algorithm>
#include <cmath>
#include <delassus/numerics/algebra/Products.hpp>
#include <support/RandomContacts.hpp>
#include <support/RandomGlobalFriction.hpp>
#include <support/RandomMechanical.hpp>
#include <utility>
#include <vector>

namespace delassus::test {
namespace {

using namespace numerics;

PlantedFamily familyOf(std::uint64_t seed) {
  return static_cast<PlantedFamily>(seed % plantedFamilies);
}

// Whether the problem is to have a property: of its family alone, or together with others.
bool is(PlantedFamily family, PlantedFamily property) {
  return family == property || family == PlantedFamily::all;
}

std::size_t pick(Generator& generator, std::size_t least, std::size_t most) {
  return least + generator() % (most - least + 1);
}

double uniform(Generator& generator, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(generator);
}

double powerOfTen(Generator& generator, double exponent) {
  return std::pow(10., uniform(generator, -exponent, exponent));
}

// H Hᵀ with H of `rows` x the rank that the family asks for.
Matrix delassusOf(Generator& generator, std::size_t rows, PlantedFamily family) {
  if (is(family, PlantedFamily::rankDeficient)) return randomSemidefinite(generator, rows, pick(generator, 1, rows));
  if (family != PlantedFamily::nearlyDeficient) return randomSemidefinite(generator, rows, rows + 2);
  const double small = std::pow(10., -uniform(generator, 3., 9.));
  return randomSemidefinite(generator, rows, pick(generator, 1, rows), small);
}

// Units of the rows of W: one for each group of rows.
Vector randomUnits(Generator& generator, const std::vector<std::size_t>& groups) {
  std::vector<double> units;
  for (const std::size_t rows : groups) units.insert(units.end(), rows, powerOfTen(generator, 3.));
  Vector result(units.size());
  std::copy(units.begin(), units.end(), result.begin());
  return result;
}

// D W D and D q, to which D⁻¹ λ belongs.
void scaleBy(const Vector& units, Matrix& W, Vector& q) {
  for (std::size_t i = 0; i < units.size(); ++i) {
    for (std::size_t j = 0; j < units.size(); ++j) W(i, j) *= units(i) * units(j);
    q(i) *= units(i);
  }
}

void divideBy(const Vector& units, Vector& x) {
  for (std::size_t i = 0; i < units.size(); ++i) x(i) /= units(i);
}

double randomMu(Generator& generator) {
  const std::size_t kind = pick(generator, 0, 9);
  if (kind == 0) return 0.;
  if (kind == 1) return uniform(generator, 1., 3.);
  if (kind == 2) return 0.01;
  return uniform(generator, 0.1, 1.);
}

}  // namespace

Planted<FrictionContactProblem> plantedFriction(std::size_t dimension, std::uint64_t seed) {
  Generator generator(seed);
  const PlantedFamily family = familyOf(seed);
  const std::size_t contacts = pick(generator, 1, 6);
  std::vector<Part> parts;
  Vector mu(contacts);
  for (double& x : mu.data()) parts.push_back(Part::coulomb(dimension, x = randomMu(generator)));
  Matrix W = delassusOf(generator, dimension * contacts, family);
  KnownMechanical known = randomKnownMechanical(generator, W, parts, is(family, PlantedFamily::degenerate));
  Vector q = known.problem.q();
  if (is(family, PlantedFamily::badlyScaled)) {
    const Vector units = randomUnits(generator, std::vector<std::size_t>(contacts, dimension));
    scaleBy(units, W, q);
    divideBy(units, known.lambda);
  }
  return {FrictionContactProblem(dimension, W, q, mu), known.lambda};
}

Planted<GlobalFrictionContactProblem> plantedGlobalFriction(std::uint64_t seed) {
  Generator generator(seed);
  const PlantedFamily family = familyOf(seed);
  const bool redundant = is(family, PlantedFamily::rankDeficient) || family == PlantedFamily::nearlyDeficient;
  GlobalFrictionShape shape;
  shape.dimension = pick(generator, 2, 3);
  shape.bodies = pick(generator, 1, redundant ? 2 : 5);
  shape.contacts = redundant ? pick(generator, 2, 8) : pick(generator, 1, 2 * shape.bodies);
  shape.coupling = generator() % 2 == 0 ? 0. : 2.;
  shape.mu = uniform(generator, 0., 1.5);
  shape.degenerate = is(family, PlantedFamily::degenerate);
  shape.spread = is(family, PlantedFamily::badlyScaled) ? 3. : 0.;
  KnownGlobalFriction known = randomGlobalFriction(generator, shape);
  return {std::move(known.problem), std::move(known.solution)};
}

Planted<GenericMechanicalProblem> plantedMechanical(std::uint64_t seed) {
  Generator generator(seed);
  const PlantedFamily family = familyOf(seed);
  std::vector<Part> parts = partsOfAllKinds(generator, 2);
  parts.resize(pick(generator, 1, 6));
  Matrix W = delassusOf(generator, rowsOf(parts), family);
  KnownMechanical known = randomKnownMechanical(generator, W, parts, is(family, PlantedFamily::degenerate));
  if (!is(family, PlantedFamily::badlyScaled)) return {known.problem, known.lambda};
  std::vector<std::size_t> groups;
  for (const Part& part : parts) groups.push_back(part.rows);
  const Vector units = randomUnits(generator, groups);
  Vector q = known.problem.q(), lower = known.problem.lower(), upper = known.problem.upper();
  scaleBy(units, W, q);
  for (Vector* const x : {&known.lambda, &lower, &upper}) divideBy(units, *x);
  return {GenericMechanicalProblem(W, q, parts, lower, upper), known.lambda};
}

Planted<GenericMechanicalProblem> plantedConvex(std::uint64_t seed) {
  Generator generator(seed);
  const PlantedFamily family = familyOf(seed);
  const auto share = [&] { return uniform(generator, 0., 1.); };
  std::vector<Part> parts = {Part::equality(pick(generator, 1, 3)),
                             Part::box(pick(generator, 1, 3)),
                             Part::orthant(pick(generator, 1, 4)),
                             Part::secondOrderCone(pick(generator, 1, 5), 2. * share()),
                             Part::ball(pick(generator, 1, 4), share()),
                             Part::druckerPrager(pick(generator, 2, 4), generator() % 3 == 0 ? 0. : share(), share())};
  std::shuffle(parts.begin(), parts.end(), generator);
  parts.resize(pick(generator, 1, 6));
  const std::size_t n = rowsOf(parts);
  Matrix W = delassusOf(generator, n, family);
  Vector lower(n, -0.3), upper(n, 0.2);
  // λ = P(x) and w = λ − x obey the law.
  const Vector x = randomVector(generator, n), ones(n, 1.);
  Vector lambda = x;
  std::size_t first = 0;
  for (const Part& part : parts) {
    const ConvexSet::Rows rows{part.rows, data(lower) + first, data(upper) + first, data(ones), data(ones)};
    part.set->project(rows, data(lambda) + first);
    first += part.rows;
  }
  Vector q = lambda - x;
  multiply(-1., W, lambda, 1., q);
  if (is(family, PlantedFamily::badlyScaled)) {
    // One unit for all: the coefficients of balls and cones have units, too.
    const double unit = powerOfTen(generator, 3.);
    for (double& entry : W.data()) entry *= unit;
    q *= unit;
  }
  return {GenericMechanicalProblem(W, q, parts, lower, upper), lambda};
}

Planted<LinearComplementarityProblem> plantedGeneralLcp(std::uint64_t seed) {
  Generator generator(seed);
  const PlantedFamily family = familyOf(seed);
  const std::size_t n = pick(generator, 2, 12);
  const std::size_t rank = pick(generator, 1, n);
  Matrix M = randomMatrix(generator, n, n);
  if (is(family, PlantedFamily::rankDeficient) || family == PlantedFamily::nearlyDeficient) {
    M = product(randomMatrix(generator, n, rank), randomMatrix(generator, rank, n));
  }
  if (family == PlantedFamily::nearlyDeficient) {
    const double small = std::pow(10., -uniform(generator, 3., 9.));
    for (double& entry : M.data()) entry += small * uniform(generator, -1., 1.);
  }
  Vector z(n), w(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t kind = generator() % (is(family, PlantedFamily::degenerate) ? 3 : 2);
    if (kind == 0) z(i) = uniform(generator, 0.1, 1.);
    if (kind == 1) w(i) = uniform(generator, 0.1, 1.);
  }
  if (is(family, PlantedFamily::badlyScaled)) {
    for (std::size_t i = 0; i < n; ++i) {
      const double rowUnit = powerOfTen(generator, 2.), columnUnit = powerOfTen(generator, 2.);
      for (std::size_t j = 0; j < n; ++j) M(i, j) *= rowUnit;
      for (std::size_t j = 0; j < n; ++j) M(j, i) *= columnUnit;
      w(i) *= rowUnit;
      z(i) /= columnUnit;
    }
  }
  Vector q = w;
  multiply(-1., M, z, 1., q);
  return {LinearComplementarityProblem(M, q), z};
}

}  // namespace delassus::test
