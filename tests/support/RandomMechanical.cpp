// SPDX-License-Identifier: Apache-2.0
#include "RandomMechanical.hpp"

#include "ContactRows.hpp"

#include <algorithm>
#include <cmath>
#include <delassus/numerics/algebra/Products.hpp>
#include <limits>
#include <utility>

namespace delassus::test {
namespace {

using numerics::GenericMechanicalProblem;
using numerics::Part;

constexpr double unbounded = std::numeric_limits<double>::infinity();

struct Draw {
  Generator& generator;
  bool degenerate;
  Vector lambda, w, lower, upper;

  double uniform() { return randomVector(generator, 1)(0); }
  double positive() { return 0.1 + std::abs(uniform()); }
  bool onBorder() { return degenerate && generator() % 3 == 0; }

  void box(std::size_t row);
  void contact(const Part& part, std::size_t first);
  void disc(double mu, std::size_t normal, std::size_t first, std::size_t rows);
};

void Draw::box(std::size_t row) {
  lower(row) = generator() % 4 == 0 ? -unbounded : uniform() - 0.6;
  upper(row) = generator() % 4 == 0 ? unbounded : std::max(lower(row), -1.5) + positive();
  const double force = onBorder() ? 0. : positive();
  const std::size_t choice = generator() % 3;
  if (choice == 0 && std::isfinite(lower(row))) {
    lambda(row) = lower(row);
    w(row) = force;
  } else if (choice == 1 && std::isfinite(upper(row))) {
    lambda(row) = upper(row);
    w(row) = -force;
  } else {
    lambda(row) = std::clamp(uniform(), lower(row), upper(row));
  }
}

// Slides, sticks, or both at the border.
void Draw::disc(double mu, std::size_t normal, std::size_t first, std::size_t rows) {
  Vector direction = randomVector(generator, rows);
  const double length = norm2(direction);
  const bool slides = generator() % 2 == 0;
  const double share = slides || onBorder() ? 1. : 0.8 * std::abs(uniform());
  const double speed = slides && !onBorder() ? positive() : 0.;
  for (std::size_t i = 0; i < rows; ++i) {
    lambda(first + i) = -share * mu * lambda(normal) * direction(i) / length;
    w(first + i) = speed * direction(i) / length;
  }
}

void Draw::contact(const Part& part, std::size_t first) {
  if (generator() % 3 == 0) {
    w(first) = onBorder() ? 0. : positive();
    for (std::size_t i = 1; i < part.rows; ++i) w(first + i) = uniform();
    return;
  }
  lambda(first) = positive();
  const ContactRows contact(part);
  disc(contact.friction, first, first + 1, contact.tangents);
  if (contact.rolls > 0) disc(contact.rolling, first, first + 1 + contact.tangents, contact.rolls);
}

}  // namespace

std::size_t rowsOf(const std::vector<Part>& parts) {
  std::size_t rows = 0;
  for (const Part& part : parts) rows += part.rows;
  return rows;
}

KnownMechanical randomKnownMechanical(Generator& generator, const Matrix& W, std::vector<Part> parts, bool degenerate) {
  const std::size_t n = W.size1();
  Draw draw{generator, degenerate, Vector(n), Vector(n), Vector(n), Vector(n)};
  std::size_t first = 0;
  for (const Part& part : parts) {
    if (part.set->isContact()) draw.contact(part, first);
    for (std::size_t i = first; i < first + part.rows; ++i) {
      if (part.set->isBox()) draw.box(i);
      if (part.set->isFree()) draw.lambda(i) = draw.uniform();
    }
    first += part.rows;
  }
  Vector q = draw.w;
  multiply(-1., W, draw.lambda, 1., q);
  return {GenericMechanicalProblem(W, std::move(q), std::move(parts), draw.lower, draw.upper), draw.lambda, draw.w};
}

std::vector<Part> partsOfAllKinds(Generator& generator, std::size_t times) {
  std::vector<Part> parts;
  for (std::size_t k = 0; k < times; ++k) {
    const Vector r = randomVector(generator, 6);
    parts.push_back(Part::equality(1 + generator() % 4));
    parts.push_back(Part::box(1 + generator() % 3));
    parts.push_back(Part::coulomb(3, generator() % 5 == 0 ? 0. : 0.6 * std::abs(r(0))));
    parts.push_back(Part::coulomb(2, 0.6 * std::abs(r(1))));
    parts.push_back(Part::rollingContact(3, 0.6 * std::abs(r(2)), 0.2 * std::abs(r(3))));
    parts.push_back(Part::rollingContact(2, 0.6 * std::abs(r(4)), 0.2 * std::abs(r(5))));
  }
  std::shuffle(parts.begin(), parts.end(), generator);
  return parts;
}

Linkage randomLinkage(Generator& generator, std::size_t bodies, const std::vector<Part>& ends, bool closed) {
  constexpr std::size_t freedoms = 6, joint = 5;
  Linkage linkage;
  const std::size_t joints = bodies + (closed ? 1 : 0);
  for (std::size_t j = 0; j < joints; ++j) linkage.parts.push_back(Part::equality(joint));
  linkage.parts.insert(linkage.parts.end(), ends.begin(), ends.end());
  const std::size_t rows = rowsOf(linkage.parts);
  // Columns of H M^(−1/2).
  Matrix H(freedoms * bodies, rows);
  for (std::size_t j = 0; j < bodies; ++j) {
    for (std::size_t column = joint * j; column < joint * (j + 1); ++column) {
      for (std::size_t i = 0; i < freedoms; ++i) {
        H(freedoms * j + i, column) = randomVector(generator, 1)(0);
        if (j > 0) H(freedoms * (j - 1) + i, column) = randomVector(generator, 1)(0);
      }
    }
  }
  if (closed) {
    // Each row a combination of the others.
    const Matrix shares = randomMatrix(generator, joint * bodies, joint);
    for (std::size_t k = 0; k < joint; ++k) {
      for (std::size_t i = 0; i < H.size1(); ++i) {
        for (std::size_t c = 0; c < joint * bodies; ++c) H(i, joint * bodies + k) += H(i, c) * shares(c, k);
      }
    }
  }
  for (std::size_t column = joint * joints; column < rows; ++column) {
    for (std::size_t i = freedoms * (bodies - 1); i < H.size1(); ++i) H(i, column) = randomVector(generator, 1)(0);
  }
  const Matrix Ht = boost::numeric::ublas::trans(H);
  linkage.W = product(Ht, H);
  for (std::size_t j = 0; j < rows; ++j) {
    for (std::size_t i = 0; i < j; ++i) linkage.W(i, j) = linkage.W(j, i);
  }
  return linkage;
}

numerics::GenericMechanicalProblem randomMechanisms(Generator& generator, std::size_t count) {
  std::vector<Linkage> mechanisms;
  for (std::size_t m = 0; m < count; ++m) {
    mechanisms.push_back(randomLinkage(generator, 1 + m % 3, partsOfAllKinds(generator, 1), m % 4 == 3));
  }
  struct Place {
    std::size_t mechanism, first;
  };
  std::vector<Place> places;
  std::vector<numerics::Part> parts;
  for (std::size_t i = 0, before = 1; before > 0; ++i) {
    before = 0;
    for (std::size_t m = 0; m < count; ++m) {
      if (i >= mechanisms[m].parts.size()) continue;
      std::size_t first = 0;
      for (std::size_t k = 0; k < i; ++k) first += mechanisms[m].parts[k].rows;
      places.push_back({m, first});
      parts.push_back(mechanisms[m].parts[i]);
      ++before;
    }
  }
  Matrix W(rowsOf(parts), rowsOf(parts));
  std::size_t row = 0;
  for (std::size_t a = 0; a < parts.size(); row += parts[a++].rows) {
    std::size_t column = 0;
    for (std::size_t b = 0; b < parts.size(); column += parts[b++].rows) {
      for (std::size_t i = 0; i < parts[a].rows; ++i) {
        for (std::size_t j = 0; j < parts[b].rows; ++j) {
          const bool isOfOne = places[a].mechanism == places[b].mechanism;
          W(row + i, column + j) =
              isOfOne ? mechanisms[places[a].mechanism].W(places[a].first + i, places[b].first + j) : 0.;
        }
      }
    }
  }
  return randomKnownMechanical(generator, W, parts).problem;
}

}  // namespace delassus::test
