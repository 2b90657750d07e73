// SPDX-License-Identifier: Apache-2.0
#include "SampleProblems.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <delassus/numerics/problem/GenericMechanicalProblem.hpp>
#include <delassus/numerics/problem/LinearComplementarityProblem.hpp>
#include <delassus/numerics/problem/MixedLinearComplementarityProblem.hpp>
#include <delassus/numerics/problem/RelayProblem.hpp>
#include <limits>
#include <numeric>
#include "../../support/RandomProblems.hpp"

namespace delassus::test {
namespace {

using namespace numerics;

// Numbers of all magnitudes, with zeros of both signs and the smallest and largest doubles among them.
Vector wildVector(Generator& generator, std::size_t size) {
  std::uniform_real_distribution<double> exponent(-300., 300.);
  Vector v = randomVector(generator, size);
  for (double& x : v.data()) x *= std::pow(10., exponent(generator));
  if (size > 3) {
    v(0) = -0.;
    v(1) = std::numeric_limits<double>::denorm_min();
    v(2) = -std::numeric_limits<double>::max();
  }
  return v;
}

Matrix wildMatrix(Generator& generator, std::size_t rows, std::size_t columns) {
  const Vector values = wildVector(generator, rows * columns);
  Matrix A(rows, columns);
  A.data() = values.data();
  return A;
}

// Blocks of `size` on the diagonal, one beside it and, where `full`, one far away.
BlockSparseMatrix blockMatrix(Generator& generator, std::size_t blocks, std::size_t size) {
  BlockSparseMatrix A;
  for (std::size_t row = 0; row < blocks; ++row) {
    A.beginRow(size);
    if (row > 0) A.addBlock(row - 1);
    A.addBlock(row);
    if (row + 2 < blocks) A.addBlock(row + 2);
  }
  A.finish();
  const Vector values = wildVector(generator, A.storedEntries());
  std::copy(values.begin(), values.end(), A.block(0));
  A.touch();
  return A;
}

// Blocks of 1, 2, 3, ... rows, with one row that has none.
BlockSparseMatrix unevenMatrix(Generator& generator) {
  BlockSparseMatrix A;
  A.beginRow(1);
  A.addBlock(0);
  A.addBlock(2);
  A.beginRow(2);
  A.beginRow(3);
  A.addBlock(1);
  A.addBlock(2);
  A.finish();
  const Vector values = wildVector(generator, A.storedEntries());
  std::copy(values.begin(), values.end(), A.block(0));
  A.touch();
  return A;
}

MixedLinearComplementarityProblem mixedProblem(Generator& generator, std::size_t columns) {
  using Row = MixedLinearComplementarityProblem::Row;
  return {wildMatrix(generator, 5, columns),
          wildVector(generator, 5),
          {Row::equality, Row::complementarity, Row::complementarity, Row::equality, Row::complementarity}};
}

RelayProblem relayProblem(Generator& generator, BlockSparseMatrix M) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const std::size_t n = M.size();
  Vector lower(n, -1. / 3.);
  Vector upper(n, 1e300);
  lower(0) = -infinity;
  upper(n - 1) = infinity;
  return {std::move(M), wildVector(generator, n), std::move(lower), std::move(upper)};
}

GlobalFrictionContactProblem globalProblem(Generator& generator, std::size_t dimension, std::size_t contacts) {
  const std::size_t freedom = 7;
  const SparseMatrix M = sparseFromDense(randomSemidefinite(generator, freedom, freedom, 0.1));
  std::vector<Triplet> entries;
  for (std::size_t j = 0; j < dimension * contacts; ++j) {
    entries.push_back({j % freedom, j, 1. / (1. + static_cast<double>(j))});
    entries.push_back({(j + 3) % freedom, j, 0.});
  }
  return {dimension,
          M,
          sparseFromTriplets(freedom, dimension * contacts, entries),
          randomVector(generator, freedom),
          wildVector(generator, dimension * contacts),
          Vector(contacts, 0.1)};
}

GenericMechanicalProblem mechanicalProblem(Generator& generator) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::vector<Part> parts{Part::equality(2),
                          Part::box(1),
                          Part::coulomb(3, 1. / 3.),
                          Part::coulomb(2, 0.),
                          Part::rollingContact(3, 0.7, 1e-3),
                          Part::secondOrderCone(4, 0.3),
                          Part::ball(2, 0.6)};
  const std::size_t n = 19;
  Vector lower(n, -infinity), upper(n, infinity);
  lower(2) = -0.1;
  return {randomSemidefinite(generator, n, n, 0.1), wildVector(generator, n), std::move(parts), std::move(lower),
          std::move(upper)};
}

// Of a mechanism with these parts, where row 1 is bounded by `end`.
GlobalMechanicalProblem globalMechanical(Generator& generator, std::vector<Part> parts, double end) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const std::size_t freedom = 7;
  const std::size_t n = std::accumulate(parts.begin(), parts.end(), std::size_t{0},
                                        [](std::size_t rows, const Part& part) { return rows + part.rows; });
  const SparseMatrix M = sparseFromDense(randomSemidefinite(generator, freedom, freedom, 0.1));
  std::vector<Triplet> entries;
  for (std::size_t j = 0; j < n; ++j) entries.push_back({j % freedom, j, 1. / (1. + static_cast<double>(j))});
  Vector upper(n, infinity);
  upper(1) = end;
  return {M,
          sparseFromTriplets(freedom, n, entries),
          randomVector(generator, freedom),
          wildVector(generator, n),
          std::move(parts),
          Vector(n, -infinity),
          std::move(upper)};
}

bool sameBits(const double* a, const double* b, std::size_t count) {
  return count == 0 || std::memcmp(a, b, count * sizeof(double)) == 0;
}

bool same(const Vector& a, const Vector& b) {
  return a.size() == b.size() && sameBits(data(a), data(b), a.size());
}

bool same(const Matrix& a, const Matrix& b) {
  return a.size1() == b.size1() && a.size2() == b.size2() && sameBits(data(a), data(b), a.size1() * a.size2());
}

bool same(const BlockSparseMatrix& a, const BlockSparseMatrix& b) {
  Matrix denseA, denseB;
  a.toDense(denseA);
  b.toDense(denseB);
  return same(denseA, denseB);
}

bool same(const SparseMatrix& a, const SparseMatrix& b) {
  return same(toDense(a), toDense(b));
}

bool sameProblem(const LinearComplementarityProblem& a, const LinearComplementarityProblem& b) {
  return same(a.M(), b.M()) && same(a.q(), b.q());
}

bool sameProblem(const MixedLinearComplementarityProblem& a, const MixedLinearComplementarityProblem& b) {
  bool isSame = same(a.M(), b.M()) && same(a.q(), b.q());
  for (std::size_t i = 0; isSame && i < a.size(); ++i) isSame = a.row(i) == b.row(i);
  return isSame;
}

bool sameProblem(const RelayProblem& a, const RelayProblem& b) {
  return same(a.M(), b.M()) && same(a.q(), b.q()) && same(a.lower(), b.lower()) && same(a.upper(), b.upper());
}

bool sameProblem(const FrictionContactProblem& a, const FrictionContactProblem& b) {
  BlockSparseMatrix Wa, Wb;
  a.W().assemble(Wa);
  b.W().assemble(Wb);
  return a.dimension() == b.dimension() && same(Wa, Wb) && same(a.q(), b.q()) && same(a.mu(), b.mu());
}

bool sameProblem(const GlobalFrictionContactProblem& a, const GlobalFrictionContactProblem& b) {
  return a.dimension() == b.dimension() && same(a.M(), b.M()) && same(a.H(), b.H()) && same(a.f(), b.f()) &&
         same(a.b(), b.b()) && same(a.mu(), b.mu());
}

bool same(const std::vector<Part>& a, const std::vector<Part>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Part& x, const Part& y) {
    return x.set->name() == y.set->name() && x.rows == y.rows && x.set->coefficients() == y.set->coefficients();
  });
}

bool sameProblem(const GenericMechanicalProblem& a, const GenericMechanicalProblem& b) {
  return same(a.W(), b.W()) && same(a.q(), b.q()) && same(a.lower(), b.lower()) && same(a.upper(), b.upper()) &&
         same(a.parts(), b.parts());
}

bool sameProblem(const GlobalMechanicalProblem& a, const GlobalMechanicalProblem& b) {
  return same(a.M(), b.M()) && same(a.H(), b.H()) && same(a.f(), b.f()) && same(a.b(), b.b()) &&
         same(a.lower(), b.lower()) && same(a.upper(), b.upper()) && same(a.parts(), b.parts());
}

}  // namespace

std::vector<SampleProblem> sampleProblems() {
  Generator generator(20240611);
  std::vector<SampleProblem> samples;
  const auto add = [&](std::string name, AnyProblem problem) {
    samples.push_back({std::move(name), std::move(problem)});
  };
  add("lcpDense", LinearComplementarityProblem(wildMatrix(generator, 4, 4), wildVector(generator, 4)));
  add("lcpBlocks", LinearComplementarityProblem(unevenMatrix(generator), wildVector(generator, 6)));
  add("lcpOfOne", LinearComplementarityProblem(makeMatrix({{1. / 3.}}), makeVector({-0.1})));
  add("mlcpSquare", mixedProblem(generator, 5));
  add("mlcpWide", mixedProblem(generator, 7));
  add("mlcpTall", mixedProblem(generator, 4));
  add("relayDense", relayProblem(generator, BlockSparseMatrix(wildMatrix(generator, 3, 3))));
  add("relayBlocks", relayProblem(generator, unevenMatrix(generator)));
  add("mechanical", mechanicalProblem(generator));
  for (const std::size_t d : {std::size_t{2}, std::size_t{3}}) {
    const std::string suffix = std::to_string(d) + "d";
    add("friction" + suffix,
        FrictionContactProblem(d, blockMatrix(generator, 4, d), wildVector(generator, 4 * d), Vector(4, 1. / 3.)));
    add("globalFriction" + suffix, globalProblem(generator, d, 3));
    add("globalFrictionWithoutContacts" + suffix, globalProblem(generator, d, 0));
  }
  add("globalMechanical",
      globalMechanical(generator, {Part::equality(1), Part::box(1), Part::coulomb(3, 1. / 3.), Part::ball(2, 0.6)},
                       1. / 3.));
  add("globalRolling",
      globalMechanical(generator, {Part::rollingContact(3, 0.7, 1e-3), Part::rollingContact(3, 1. / 3., 0.)},
                       std::numeric_limits<double>::infinity()));
  return samples;
}

std::vector<std::string> otherLayouts() {
  return {"1 1 1 1  0 1 2  0 1  0 3 2 3 2  1 -1 1  -1 -1 1  0 1  1 1 -1 1 0 -1",
          "1 9 9 5 5 5  1 3 5 8 9  1 3 5 8 9  6 5  0 1 2 3 4 5  0 1 2 3 4  0 2  1 2 0 0 2  2 2 0 0 2 "
          " 3 2 0 0 0 2 0 0 0 2  4 2  -2 4 -6 -2 0.4 -4 3 0 5  0  2  3 0.5  4 0.3  9 -1 inf",
          "3 2 0 6 6 6 6  2 0 0 0 0 0  0 2 0 0 0 0  0 0 2 0 0 0  0 0 0 2 0 0  0 0 0 0 2 0  0 0 0 0 0 2 "
          " -4 3 0 -4 3 0  0.5 0.5  0 0.5"};
}

bool same(const AnyProblem& a, const AnyProblem& b) {
  if (a.index() != b.index()) return false;
  return std::visit(
      [&](const auto& problem) { return sameProblem(problem, std::get<std::decay_t<decltype(problem)>>(b)); }, a);
}

}  // namespace delassus::test
