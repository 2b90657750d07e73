// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <delassus/numerics/contact/FrictionCone.hpp>
#include <support/RandomGlobalFriction.hpp>
#include <vector>

namespace delassus::test {
namespace {

double random(Generator& generator, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(generator);
}

double unit(Generator& generator, const GlobalFrictionShape& shape) {
  return shape.spread > 0. ? std::pow(10., random(generator, -shape.spread, shape.spread)) : 1.;
}

SparseMatrix randomMass(Generator& generator, const GlobalFrictionShape& shape, std::size_t bodySize) {
  const std::size_t size = bodySize * shape.bodies;
  std::vector<Triplet> entries;
  for (std::size_t body = 0; body < shape.bodies; ++body) {
    const Matrix block = randomSemidefinite(generator, bodySize, bodySize, 1.);
    const double mass = random(generator, 0.5, 5.) * unit(generator, shape);
    for (std::size_t i = 0; i < bodySize; ++i) {
      for (std::size_t j = 0; j < bodySize; ++j)
        entries.push_back({body * bodySize + i, body * bodySize + j, mass * block(i, j)});
    }
  }
  // Springs between neighbours: positive semidefinite each.
  for (std::size_t i = 0; shape.coupling > 0. && i + bodySize < size; ++i) {
    const double spring = shape.coupling * random(generator, 0.5, 1.);
    entries.push_back({i, i, spring});
    entries.push_back({i + bodySize, i + bodySize, spring});
    entries.push_back({i, i + bodySize, -spring});
    entries.push_back({i + bodySize, i, -spring});
  }
  return sparseFromTriplets(size, size, std::move(entries));
}

SparseMatrix randomDirections(Generator& generator, const GlobalFrictionShape& shape, std::size_t bodySize,
                              const Vector& units) {
  std::vector<Triplet> entries;
  for (std::size_t contact = 0; contact < shape.contacts; ++contact) {
    // Body 0 first, so that few bodies get many contacts where there are more contacts than bodies.
    const std::size_t first = contact % shape.bodies;
    const std::size_t second = std::uniform_int_distribution<std::size_t>(0, shape.bodies)(generator);
    for (const std::size_t body : {first, second}) {
      const bool isGround = body == shape.bodies || (body == second && second == first);
      for (std::size_t i = 0; !isGround && i < bodySize; ++i) {
        for (std::size_t j = 0; j < shape.dimension; ++j)
          entries.push_back(
              {body * bodySize + i, contact * shape.dimension + j, units(contact) * random(generator, -1., 1.)});
      }
    }
  }
  return sparseFromTriplets(bodySize * shape.bodies, shape.dimension * shape.contacts, std::move(entries));
}

// kind 0: take-off, 1: stick, 2: slide.
void choosePair(Generator& generator, std::size_t kind, std::size_t d, double mu, double* r, double* u) {
  std::fill(r, r + d, 0.);
  std::fill(u, u + d, 0.);
  if (kind == 0) {
    for (std::size_t i = 0; i < d; ++i) u[i] = random(generator, -1., 1.);
    u[0] = std::abs(u[0]);
    return;
  }
  for (std::size_t i = 0; i < d; ++i) r[i] = random(generator, -1., 1.);
  r[0] = 0.1 + std::abs(r[0]);
  const double share = (kind == 1 ? random(generator, 0., 0.95) : 1.) * mu * r[0] / numerics::tangentNorm(d, r);
  const double slip = random(generator, 0.1, 2.);
  for (std::size_t i = 1; i < d; ++i) {
    if (kind == 2) u[i] = -slip * r[i];
    r[i] *= share;
  }
}

}  // namespace

KnownGlobalFriction randomGlobalFriction(Generator& generator, const GlobalFrictionShape& shape) {
  const std::size_t d = shape.dimension;
  const std::size_t bodySize = d == 3 ? 6 : 3;
  const SparseMatrix M = randomMass(generator, shape, bodySize);
  Vector units(shape.contacts);
  for (double& x : units.data()) x = unit(generator, shape);
  const SparseMatrix H = randomDirections(generator, shape, bodySize, units);
  const Vector v = randomVector(generator, M.size1());
  Vector r(d * shape.contacts), u(d * shape.contacts), mu(shape.contacts);
  for (std::size_t contact = 0; contact < shape.contacts; ++contact) {
    mu(contact) = random(generator, 0., 2. * shape.mu);
    double* const velocity = data(u) + d * contact;
    choosePair(generator, contact % 3, d, mu(contact), data(r) + d * contact, velocity);
    if (shape.degenerate && generator() % 3 == 0) {
      // Touching, or about to slide.
      if (contact % 3 == 0) velocity[0] = 0.;
      if (contact % 3 == 2) std::fill(velocity, velocity + d, 0.);
    }
    for (std::size_t i = d * contact; i < d * (contact + 1); ++i) {
      r(i) /= units(contact);
      u(i) *= units(contact);
    }
  }
  Vector f(M.size1()), b = u;
  multiply(1., M, v, 0., f);
  multiply(-1., H, r, 1., f);
  multiplyTransposed(-1., H, v, 1., b);
  KnownGlobalFriction known;
  known.solution = r;
  known.velocity = u;
  known.generalised = v;
  known.problem = numerics::GlobalFrictionContactProblem(d, M, H, f, b, mu);
  return known;
}

}  // namespace delassus::test
