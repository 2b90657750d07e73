// SPDX-License-Identifier: Apache-2.0
//
// The part of TiedSystems that stores the matrices of its parts and elements.
#include <algorithm>
#include <delassus/kernel/integrators/TiedSystems.hpp>

namespace delassus {
namespace {

// Of unknowns: below, dense factors are faster.
constexpr std::size_t fewestOfSparse = 40;

constexpr std::size_t none = static_cast<std::size_t>(-1);

}  // namespace

// Adds a block of a part or element, the rows and columns of which are these unknowns.
void TiedSystems::add(const SquareMatrix& block, const std::vector<std::size_t>& unknowns,
                      const std::vector<std::size_t>& places, SquareMatrix& to) {
  if (!to.isSparse()) {
    forEachEntry(block,
                 [&](std::size_t i, std::size_t j, double entry) { to.dense()(unknowns[i], unknowns[j]) += entry; });
    return;
  }
  auto& values = to.values();
  if (!block.isSparse() && !places.empty()) {
    std::size_t next = 0;
    forEachEntry(block, [&](std::size_t, std::size_t, double entry) { values[places[next++]] += entry; });
    return;
  }
  forEachEntry(block, [&](std::size_t i, std::size_t j, double entry) {
    if (entry == 0.) return;
    const std::size_t place = placeOf(unknowns[i], unknowns[j]);
    if (place == none) {
      missing_.push_back({unknowns[i], unknowns[j], 0.});
    } else {
      values[place] += entry;
    }
  });
}

// Fills matrices, and once more where entries of sparse parts had no place in the pattern.
template <class Fill>
void TiedSystems::fillGrowing(const Fill& fill) {
  fill();
  if (missing_.empty()) return;
  growPattern();
  fill();
}

void TiedSystems::clear(SquareMatrix& matrix) const {
  if (dimension() > fewestOfSparse) {
    matrix.makeSparse(pattern_);
  } else {
    matrix.makeDense(dimension());
  }
}

void TiedSystems::storeMass(const Vector& q, SquareMatrix& mass) {
  fillGrowing([&] {
    clear(mass);
    for (Part& part : parts_) {
      part.system->mass(time_, coordinatesOf(part, q), part.byQ);
      add(part.byQ, part.unknowns, part.places, mass);
    }
  });
}

void TiedSystems::storeForceJacobians(double t, const Vector& q, const Vector& v, SquareMatrix& byQ,
                                      SquareMatrix& byV) {
  fillGrowing([&] {
    clear(byQ);
    clear(byV);
    for (Part& part : parts_) {
      part.system->forceJacobians(t, coordinatesOf(part, q), velocitiesOf(part, v), part.byQ, part.byV);
      add(part.byQ, part.unknowns, part.places, byQ);
      add(part.byV, part.unknowns, part.places, byV);
    }
    for (Element& element : elements_) {
      load(element, q, v);
      element.force->computeJacobians(t, element.q, element.v, element.byQ.dense(), element.byV.dense());
      add(element.byQ, element.unknowns, element.places, byQ);
      add(element.byV, element.unknowns, element.places, byV);
    }
  });
}

void TiedSystems::addGyroscopicJacobian(double factor, const Vector& v, SquareMatrix& byV) {
  for (Part& part : parts_) {
    if (!part.system->hasGyroscopicForces()) continue;
    part.byV.makeDense(part.system->dimension());
    part.system->addGyroscopicJacobian(factor, velocitiesOf(part, v), part.byV);
    add(part.byV, part.unknowns, part.places, byV);
  }
}

void TiedSystems::computeMass(const Vector& q, Matrix& mass) {
  SquareMatrix stored;
  storeMass(q, stored);
  mass = toDense(stored);
}

void TiedSystems::computeForceJacobians(double t, const Vector& q, const Vector& v, Matrix& byQ, Matrix& byV) {
  SquareMatrix first, second;
  storeForceJacobians(t, q, v, first, second);
  byQ = toDense(first);
  byV = toDense(second);
}

// All entries of dense blocks; of sparse ones those of mass and Jacobians as they are now, and have been.
void TiedSystems::makePattern() {
  if (dimension() <= fewestOfSparse) return;
  std::vector<Triplet>& entries = missing_;
  const auto addAll = [&](const std::vector<std::size_t>& unknowns) {
    for (const std::size_t j : unknowns) {
      for (const std::size_t i : unknowns) entries.push_back({i, j, 0.});
    }
  };
  hasSparseParts_ = false;
  SquareMatrix mass;
  for (Part& part : parts_) {
    part.system->mass(time_, part.system->q(), mass);
    part.isSparse = mass.isSparse();
    hasSparseParts_ = hasSparseParts_ || part.isSparse;
    if (!part.isSparse) {
      addAll(part.unknowns);
      continue;
    }
    part.system->forceJacobians(time_, part.system->q(), part.system->velocity(), part.byQ, part.byV);
    for (const SquareMatrix* const matrix : {&mass, &part.byQ, &part.byV}) {
      forEachEntry(*matrix, [&](std::size_t i, std::size_t j, double) {
        entries.push_back({part.unknowns[i], part.unknowns[j], 0.});
      });
    }
  }
  for (const Element& element : elements_) addAll(element.unknowns);
  growPattern();
}

void TiedSystems::growPattern() {
  forEachEntry(pattern_, [&](std::size_t i, std::size_t j, double) { missing_.push_back({i, j, 0.}); });
  pattern_ = sparseFromTriplets(dimension(), dimension(), std::move(missing_));
  missing_.clear();
  placeBlocks();
}

void TiedSystems::placeBlocks() {
  const auto findPlaces = [&](const std::vector<std::size_t>& unknowns, std::vector<std::size_t>& places) {
    places.clear();
    for (const std::size_t j : unknowns) {
      for (const std::size_t i : unknowns) places.push_back(placeOf(i, j));
    }
  };
  for (Element& element : elements_) findPlaces(element.unknowns, element.places);
  for (Part& part : parts_) {
    if (!part.isSparse) findPlaces(part.unknowns, part.places);
  }
}

// `none` if the pattern does not have it.
std::size_t TiedSystems::placeOf(std::size_t row, std::size_t column) const {
  const auto rows = pattern_.index2_data().begin();
  const auto begin = rows + static_cast<std::ptrdiff_t>(columnStart(pattern_, column));
  const auto end = rows + static_cast<std::ptrdiff_t>(columnStart(pattern_, column + 1));
  const auto found = std::lower_bound(begin, end, row);
  return found != end && *found == row ? static_cast<std::size_t>(found - rows) : none;
}

}  // namespace delassus
