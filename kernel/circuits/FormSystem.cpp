// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/circuits/FormSystem.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/RandomGenerator.hpp>
#include <delassus/numerics/algebra/LUFactorization.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/algebra/SparseLUFactorization.hpp>
#include <limits>
#include <map>
#include <utility>

namespace delassus {
namespace {

constexpr double roundingOfForms = 1e-14;
constexpr std::size_t samples = 4;

// An entry of a right side, with the magnitude of the terms that it is the sum of.
struct RightEntry {
  std::size_t row = 0;
  double value = 0.;
  double magnitude = 0.;
};

std::map<CircuitSymbol, std::vector<RightEntry>> columnsOf(const std::vector<LinearForm>& forms) {
  std::map<CircuitSymbol, std::vector<RightEntry>> columns;
  for (std::size_t row = 0; row < forms.size(); ++row) {
    for (const LinearForm::Term& term : forms[row].terms())
      columns[term.symbol].push_back({row, term.value, term.magnitude});
  }
  return columns;
}

// Root mean squares of what rounding by 1 of each term of S z makes of z, estimated by random signs.
void measureErrors(SparseLUFactorization& factors, const Vector& terms, numerics::RandomGenerator& generator,
                   Vector& errors) {
  Vector sample(terms.size());
  setZero(errors);
  for (std::size_t s = 0; s < samples; ++s) {
    for (std::size_t i = 0; i < terms.size(); ++i) sample(i) = generator() % 2 == 0 ? terms(i) : -terms(i);
    factors.solve(sample);
    for (std::size_t i = 0; i < terms.size(); ++i) errors(i) += sample(i) * sample(i) / samples;
  }
  for (double& error : errors) error = std::sqrt(error);
}

Matrix absoluteEntries(Matrix a) {
  for (double& x : a.data()) x = std::abs(x);
  return a;
}

// One step of iterative refinement, X := X + X R with the residual R = 1 − S X, and the magnitudes by whose rounding
// the entries of X are known. Elimination alone is as exact as its own intermediate numbers allow, |L| |U| in the place
// of |S|: where pivots mix rows that do not share unknowns it leaves 10⁻¹⁷ in the place of zeros, with nothing beside
// them in |X| |S| |X| to tell so. A step takes these out. It leaves the rounding of |X| |R|, and the change times R,
// which is the product of both errors.
void refine(const Matrix& S, Matrix& X, Matrix& magnitudes) {
  const std::size_t n = S.size1();
  Matrix residual = identityMatrix(n), change(n, n), product(n, n);
  multiply(-1., S, X, 1., residual);
  multiply(1., X, residual, 0., change);
  residual = absoluteEntries(residual);
  magnitudes.resize(n, n, false);
  multiply(1., absoluteEntries(X), residual, 0., magnitudes);
  multiply(2. / roundingOfForms, absoluteEntries(change), residual, 1., magnitudes);
  X += change;
  const Matrix absolute = absoluteEntries(X);
  multiply(1., absolute, absoluteEntries(S), 0., product);
  multiply(1., product, absolute, 1., magnitudes);
}

}  // namespace

bool FormSystem::solve(std::vector<LinearForm>& forms) {
  return size_ <= mostInverted ? solveByInverse(forms) : solveBySymbols(forms);
}

// Divides each row by its largest entry.
bool FormSystem::scaleRows(Vector& scale) {
  assignZero(scale, size_);
  for (const Triplet& entry : entries_) scale(entry.row) = std::max(scale(entry.row), std::abs(entry.value));
  for (Triplet& entry : entries_) entry.value /= scale(entry.row);
  return std::all_of(scale.begin(), scale.end(), [](double each) { return each > 0.; });
}

bool FormSystem::solveByInverse(std::vector<LinearForm>& forms) const {
  FormSystem scaled = *this;
  Vector scale;
  if (!scaled.scaleRows(scale)) return false;
  Matrix S(size_, size_);
  for (const Triplet& entry : scaled.entries_) S(entry.row, entry.column) = entry.value;
  LUFactorization lu;
  if (!lu.tryFactor(S)) return false;
  Matrix inverse = identityMatrix(size_), magnitudes;
  lu.solve(inverse);
  refine(S, inverse, magnitudes);
  std::vector<LinearForm> solved(size_);
  for (std::size_t i = 0; i < size_; ++i) {
    for (std::size_t j = 0; j < size_; ++j) {
      if (std::abs(inverse(i, j)) <= roundingOfForms * magnitudes(i, j)) continue;
      // What cancels in a sum of entries is as inexact as these.
      for (const LinearForm::Term& term : forms[j].terms()) {
        solved[i].append(
            {term.symbol, inverse(i, j) / scale(j) * term.value, magnitudes(i, j) / scale(j) * term.magnitude});
      }
    }
  }
  forms.swap(solved);
  return true;
}

bool FormSystem::solveBySymbols(std::vector<LinearForm>& forms) {
  Vector scale;
  if (!scaleRows(scale)) return false;
  const SparseMatrix S = sparseFromTriplets(size_, size_, entries_);
  SparseLUFactorization factors;
  if (!factors.tryFactor(S)) return false;
  if (!(factors.reciprocalCondition() > std::numeric_limits<double>::epsilon())) return false;
  numerics::RandomGenerator generator(1);
  std::vector<LinearForm> solved(size_);
  Vector z(size_), terms(size_), errors(size_);
  for (const auto& [symbol, column] : columnsOf(forms)) {
    setZero(z);
    for (const RightEntry& entry : column) z(entry.row) = entry.value / scale(entry.row);
    factors.solve(z);
    setZero(terms);
    for (const RightEntry& entry : column) terms(entry.row) = entry.magnitude / scale(entry.row);
    for (const Triplet& entry : entries_) terms(entry.row) += std::abs(entry.value * z(entry.column));
    measureErrors(factors, terms, generator, errors);
    for (std::size_t i = 0; i < size_; ++i) {
      if (std::abs(z(i)) > roundingOfForms * errors(i))
        solved[i].append({symbol, z(i), std::max(std::abs(z(i)), errors(i))});
    }
  }
  forms.swap(solved);
  return true;
}

}  // namespace delassus
