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
