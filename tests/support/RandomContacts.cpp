// SPDX-License-Identifier: Apache-2.0
#include "RandomContacts.hpp"

#include <array>
#include <cmath>
#include <delassus/numerics/algebra/Products.hpp>
#include <utility>
#include <vector>

namespace delassus::test {
namespace {

using numerics::FactoredDelassus;
using numerics::FrictionContactProblem;
using Frame = std::array<std::array<double, 3>, 3>;  // rows: normal and tangents

constexpr std::size_t ground = static_cast<std::size_t>(-1);

struct Contact {
  std::size_t first, second;  // bodies; the second may be the ground
  Frame frame;
  std::array<double, 3> arm1, arm2;  // from the centres of mass
};

std::size_t freedoms(std::size_t dimension) {
  return dimension == 2 ? 3 : 6;
}

Frame randomFrame(Generator& generator, std::size_t dimension) {
  std::normal_distribution<double> normal;
  std::array<double, 3> n{}, other{};
  double length = 0.;
  for (std::size_t i = 0; i < dimension; ++i) {
    n[i] = normal(generator);
    other[i] = normal(generator);
    length += n[i] * n[i];
  }
  for (double& x : n) x /= std::sqrt(length);
  if (dimension == 2) return {n, {-n[1], n[0], 0.}, {}};
  double along = 0., rest = 0.;
  for (std::size_t i = 0; i < 3; ++i) along += n[i] * other[i];
  for (std::size_t i = 0; i < 3; ++i) other[i] -= along * n[i];
  for (const double x : other) rest += x * x;
  for (double& x : other) x /= std::sqrt(rest);
  return {n,
          other,
          {n[1] * other[2] - n[2] * other[1], n[2] * other[0] - n[0] * other[2], n[0] * other[1] - n[1] * other[0]}};
}

// Adds sign · (direction, arm × direction) to the rows of a body.
void addArm(std::vector<Triplet>& H, std::size_t dimension, std::size_t body, std::size_t column, double sign,
            const std::array<double, 3>& direction, const std::array<double, 3>& arm) {
  const std::size_t row = freedoms(dimension) * body;
  for (std::size_t i = 0; i < dimension; ++i) H.push_back({row + i, column, sign * direction[i]});
  const double z = arm[0] * direction[1] - arm[1] * direction[0];
  if (dimension == 2) {
    H.push_back({row + 2, column, sign * z});
    return;
  }
  H.push_back({row + 3, column, sign * (arm[1] * direction[2] - arm[2] * direction[1])});
  H.push_back({row + 4, column, sign * (arm[2] * direction[0] - arm[0] * direction[2])});
  H.push_back({row + 5, column, sign * z});
}

SparseMatrix leverMatrix(std::size_t dimension, std::size_t bodies, const std::vector<Contact>& contacts) {
  std::vector<Triplet> H;
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    for (std::size_t j = 0; j < dimension; ++j) {
      addArm(H, dimension, contacts[c].first, dimension * c + j, 1., contacts[c].frame[j], contacts[c].arm1);
      if (contacts[c].second == ground) continue;
      addArm(H, dimension, contacts[c].second, dimension * c + j, -1., contacts[c].frame[j], contacts[c].arm2);
    }
  }
  return sparseFromTriplets(freedoms(dimension) * bodies, dimension * contacts.size(), std::move(H));
}

std::vector<Contact> randomContactList(Generator& generator, const ContactSetup& setup) {
  std::uniform_int_distribution<std::size_t> pick(0, setup.bodies - 1);
  std::uniform_real_distribution<double> uniform(-1., 1.);
  std::vector<Contact> contacts(setup.contacts);
  for (Contact& contact : contacts) {
    contact.first = pick(generator);
    contact.second = pick(generator);
    if (contact.second == contact.first) contact.second = ground;
    contact.frame = randomFrame(generator, setup.dimension);
    for (std::size_t i = 0; i < setup.dimension; ++i) {
      contact.arm1[i] = uniform(generator);
      contact.arm2[i] = uniform(generator);
    }
    for (std::size_t i = setup.dimension; i < 3; ++i) contact.arm1[i] = contact.arm2[i] = 0.;
  }
  return contacts;
}

std::vector<Matrix> randomInverseMasses(Generator& generator, const ContactSetup& setup) {
  std::uniform_real_distribution<double> mass(0.5, 2.);
  const std::size_t n = freedoms(setup.dimension);
  std::vector<Matrix> inverse(setup.bodies, Matrix(n, n));
  for (Matrix& block : inverse) {
    const double m = mass(generator);
    for (std::size_t i = 0; i < n; ++i) block(i, i) = i < setup.dimension ? 1. / m : 1. / (0.3 * mass(generator));
  }
  return inverse;
}

Vector randomFriction(Generator& generator, const ContactSetup& setup) {
  std::uniform_real_distribution<double> friction(setup.leastFriction, setup.mostFriction);
  Vector mu(setup.contacts);
  for (double& x : mu.data()) x = friction(generator);
  return mu;
}

// r and u of one contact: 0 open, 1 stick, 2 slide; `border` puts them on the border to another case.
void drawContact(Generator& generator, std::size_t d, std::size_t kind, bool border, double mu, double* r, double* u) {
  std::uniform_real_distribution<double> size(0.1, 1.);
  std::array<double, 3> direction{0., 1., 0.};
  if (d == 3) {
    const double angle = 6.283185307179586 * size(generator);
    direction = {0., std::cos(angle), std::sin(angle)};
  } else if (size(generator) < 0.5) {
    direction[1] = -1.;
  }
  std::fill(r, r + d, 0.);
  std::fill(u, u + d, 0.);
  const double slip = size(generator);
  if (kind == 0) {
    u[0] = border ? 0. : size(generator);
    for (std::size_t i = 1; i < d; ++i) u[i] = slip * direction[i];
    return;
  }
  r[0] = size(generator);
  const double share = kind == 2 || border ? 1. : 0.5 * size(generator);
  for (std::size_t i = 1; i < d; ++i) {
    r[i] = share * mu * r[0] * direction[i];
    if (kind == 2 && !border) u[i] = -slip * direction[i];
  }
}

}  // namespace

std::shared_ptr<const FactoredDelassus> randomDelassus(Generator& generator, const ContactSetup& setup) {
  const SparseMatrix H = leverMatrix(setup.dimension, setup.bodies, randomContactList(generator, setup));
  return std::make_shared<FactoredDelassus>(setup.dimension, randomInverseMasses(generator, setup), H);
}

KnownContacts randomKnownContacts(Generator& generator, const ContactSetup& setup, bool degenerate) {
  const auto W = randomDelassus(generator, setup);
  const Vector mu = randomFriction(generator, setup);
  const std::size_t size = setup.dimension * setup.contacts;
  KnownContacts known{{}, Vector(size), Vector(size)};
  std::uniform_int_distribution<std::size_t> kind(0, 2), quarter(0, 3);
  for (std::size_t c = 0; c < setup.contacts; ++c) {
    const bool border = degenerate && quarter(generator) == 0;
    drawContact(generator, setup.dimension, kind(generator), border, mu(c), data(known.reaction) + setup.dimension * c,
                data(known.velocity) + setup.dimension * c);
  }
  Vector q(size);
  W->multiply(data(known.reaction), data(q));
  for (std::size_t i = 0; i < size; ++i) q(i) = known.velocity(i) - q(i);
  known.problem = FrictionContactProblem(setup.dimension, W, q, mu);
  return known;
}

FrictionContactProblem randomMovingBodies(Generator& generator, const ContactSetup& setup) {
  const SparseMatrix H = leverMatrix(setup.dimension, setup.bodies, randomContactList(generator, setup));
  const auto W = std::make_shared<FactoredDelassus>(setup.dimension, randomInverseMasses(generator, setup), H);
  const Vector v = randomVector(generator, H.size1());
  Vector q(H.size2());
  multiplyTransposed(1., H, v, 0., q);
  const Vector mu = randomFriction(generator, setup);
  return {setup.dimension, W, q, mu};
}

FrictionContactProblem sphereLattice(std::size_t nx, std::size_t ny, std::size_t nz, double mu) {
  const auto body = [&](std::size_t x, std::size_t y, std::size_t z) { return x + nx * (y + ny * z); };
  const Frame alongX{{{1., 0., 0.}, {0., 1., 0.}, {0., 0., 1.}}};
  const Frame alongY{{{0., 1., 0.}, {0., 0., 1.}, {1., 0., 0.}}};
  const Frame alongZ{{{0., 0., 1.}, {1., 0., 0.}, {0., 1., 0.}}};
  std::vector<Contact> contacts;
  for (std::size_t z = 0; z < nz; ++z) {
    for (std::size_t y = 0; y < ny; ++y) {
      for (std::size_t x = 0; x < nx; ++x) {
        const std::size_t other = z == 0 ? ground : body(x, y, z - 1);
        contacts.push_back({body(x, y, z), other, alongZ, {0., 0., -0.5}, {0., 0., 0.5}});
        if (x > 0) contacts.push_back({body(x, y, z), body(x - 1, y, z), alongX, {-0.5, 0., 0.}, {0.5, 0., 0.}});
        if (y > 0) contacts.push_back({body(x, y, z), body(x, y - 1, z), alongY, {0., -0.5, 0.}, {0., 0.5, 0.}});
      }
    }
  }
  const std::size_t bodies = nx * ny * nz;
  const SparseMatrix H = leverMatrix(3, bodies, contacts);
  Matrix inverse(6, 6);
  for (std::size_t i = 0; i < 6; ++i) inverse(i, i) = i < 3 ? 1. : 10.;
  Generator generator(bodies);
  Vector v = randomVector(generator, 6 * bodies);
  for (std::size_t b = 0; b < bodies; ++b) {
    for (std::size_t i = 0; i < 6; ++i) v(6 * b + i) *= 0.05;
    v(6 * b + 2) -= 0.0981;
  }
  Vector q(H.size2());
  multiplyTransposed(1., H, v, 0., q);
  Vector friction(contacts.size());
  for (double& x : friction.data()) x = mu;
  return {3, std::make_shared<FactoredDelassus>(3, std::vector<Matrix>(bodies, inverse), H), q, friction};
}

FrictionContactProblem assembled(const FrictionContactProblem& problem) {
  BlockSparseMatrix W;
  problem.W().assemble(W);
  return {problem.dimension(), std::move(W), problem.q(), problem.mu()};
}

}  // namespace delassus::test
