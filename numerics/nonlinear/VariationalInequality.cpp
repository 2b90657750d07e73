// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/SolverDefinitions.hpp>
#include <delassus/numerics/algebra/MadeFrom.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/nonlinear/VariationalInequality.hpp>
#include <delassus/numerics/problem/NaturalMapError.hpp>
#include <limits>
#include <string>
#include <utility>

namespace delassus::numerics {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::size_t rowsOf(const std::vector<Part>& parts) {
  std::size_t rows = 0;
  for (const Part& part : parts) rows += part.rows;
  return rows;
}

Vector bounds(Vector given, std::size_t size, double value) {
  return given.size() > 0 ? std::move(given) : Vector(size, value);
}

bool isFinite(const Matrix& A) {
  double sum = 0.;
  for (const double entry : A.data()) sum += 0. * entry;
  return sum == 0.;
}

}  // namespace

VariationalInequality::VariationalInequality(Function F, std::vector<Part> parts, Vector lower, Vector upper)
    : F_(std::move(F)),
      parts_(std::move(parts)),
      lower_(bounds(std::move(lower), rowsOf(parts_), -infinity)),
      upper_(bounds(std::move(upper), rowsOf(parts_), infinity)),
      stamp_(newStamp()) {
  validate();
}

void VariationalInequality::validate() const {
  if (!F_) throw Error("VariationalInequality", "expected a function F, got an empty one.");
  if (parts_.empty()) throw Error("VariationalInequality", "expected at least one part, got none.");
  const std::size_t n = rowsOf(parts_);
  requireSize(lower_, n, "VariationalInequality: the lower bounds");
  requireSize(upper_, n, "VariationalInequality: the upper bounds");
  std::size_t first = 0;
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    if (parts_[k].set == nullptr) failPart(k, "expected a set, got none.");
    if (parts_[k].rows == 0) failPart(k, "expected at least one row, got 0.");
    parts_[k].set->validate(k, parts_[k].rows, data(lower_) + first, data(upper_) + first);
    first += parts_[k].rows;
  }
}

bool VariationalInequality::evaluate(const Vector& x, Vector& value) const {
  assignZero(value, size());
  F_.value(x, value);
  requireSize(value, size(), "VariationalInequality: F(x)");
  return allFinite(value);
}

bool VariationalInequality::evaluate(const Vector& x, Vector& value, Matrix& jacobian) const {
  if (!evaluate(x, value)) return false;
  assignZero(jacobian, size(), size());
  F_.jacobian<0>(x, jacobian);
  requireSize(jacobian, size(), size(), "VariationalInequality: the Jacobian of F");
  return isFinite(jacobian);
}

NonlinearComplementarityProblem::NonlinearComplementarityProblem(Function F, std::size_t n)
    : VariationalInequality(std::move(F), {Part::box(n)}, Vector(n)) {
}

MixedComplementarityProblem::MixedComplementarityProblem(Function F, Vector lower, Vector upper)
    : VariationalInequality(std::move(F), {Part::box(lower.size())}, lower, std::move(upper)) {
}

void Linearisation::begin(const VariationalInequality& problem) {
  if (statedFrom_.isCurrent(problem.stamp())) return;
  statedFrom_.forget();
  affine_.parts() = problem.parts();
  BlockSparseMatrix& W = affine_.W();
  W.clear();
  for (const Part& part : problem.parts()) {
    W.beginRow(part.rows);
    for (std::size_t column = 0; column < problem.parts().size(); ++column) W.addBlock(column);
  }
  W.finish();
  affine_.lower() = problem.lower();
  affine_.upper() = problem.upper();
  assignZero(affine_.q(), problem.size());
  statedFrom_.take(problem.stamp());
}

bool Linearisation::compute(const VariationalInequality& problem, const Vector& x) {
  begin(problem);
  if (!problem.evaluate(x, value_, jacobian_)) return false;
  BlockSparseMatrix& W = affine_.W();
  for (std::size_t row = 0; row < W.blockRows(); ++row) {
    for (std::size_t k = W.rowBegin(row); k < W.rowEnd(row); ++k) {
      const std::size_t column = W.column(k);
      double* entry = W.block(k);
      for (std::size_t j = W.offset(column); j < W.offset(column + 1); ++j) {
        for (std::size_t i = W.offset(row); i < W.offset(row + 1); ++i) *entry++ = jacobian_(i, j);
      }
    }
  }
  W.touch();
  assign(value_, affine_.q());
  multiply(-1., jacobian_, x, 1., affine_.q());
  return allFinite(affine_.q());
}

double errorOf(const VariationalInequality& problem, ErrorMeasure measure, const Vector& x, Vector& w,
               double tolerance) {
  requireSize(x, problem.size(), "error of a variational inequality: x");
  Linearisation near;
  const bool isFinite = near.compute(problem, x);
  const double error = isFinite ? errorOf(near.affine(), measure, x, w, tolerance) : infinity;
  assign(near.value(), w);
  return error;
}

template class CertifiedSolver<VariationalInequality>;
template class Solver<VariationalInequality>;

}  // namespace delassus::numerics
