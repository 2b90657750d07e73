// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/problem/GlobalMechanicalProblem.hpp>

#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/BlockCongruence.hpp>
#include <string>
#include <utility>

namespace delassus::numerics {
namespace {

std::shared_ptr<SparseLUFactorization> factorOf(const SparseMatrix& M, const SparseMatrix& H, const Vector& f,
                                                const Vector& b) {
  requireSize(M, f.size(), f.size(), "GlobalMechanicalProblem: M");
  requireSize(H, f.size(), b.size(), "GlobalMechanicalProblem: H");
  requireFinite(M, "GlobalMechanicalProblem: M");
  requireFinite(H, "GlobalMechanicalProblem: H");
  requireFinite(f, "GlobalMechanicalProblem: f");
  requireFinite(b, "GlobalMechanicalProblem: b");
  auto factor = std::make_shared<SparseLUFactorization>();
  factor->factor(M, "GlobalMechanicalProblem: M");
  return factor;
}

Vector localVector(SparseLUFactorization& mass, const SparseMatrix& H, const Vector& f, const Vector& b) {
  Vector v = f, q = b;
  mass.solve(v);
  multiplyTransposed(1., H, v, 1., q);
  return q;
}

BlockSparseMatrix localMatrix(SparseLUFactorization& mass, const SparseMatrix& H, const std::vector<Part>& parts) {
  std::vector<std::size_t> sizes;
  std::size_t rows = 0;
  for (const Part& part : parts) {
    sizes.push_back(part.rows);
    rows += part.rows;
  }
  if (rows == H.size2()) return congruence(H, sizes, [&](double* x) { mass.solve(x); });
  throw Error("GlobalMechanicalProblem", "expected parts with as many rows as H has columns, " +
                                             std::to_string(H.size2()) + ", got " + std::to_string(rows) + ".");
}

}  // namespace

GlobalMechanicalProblem::GlobalMechanicalProblem(const SparseMatrix& M, const SparseMatrix& H, const Vector& f,
                                                 const Vector& b, std::vector<Part> parts, Vector lower, Vector upper)
    : GlobalMechanicalProblem(factorOf(M, H, f, b), H, f, b, std::move(parts), std::move(lower), std::move(upper)) {
}

GlobalMechanicalProblem::GlobalMechanicalProblem(std::shared_ptr<SparseLUFactorization> mass, const SparseMatrix& H,
                                                 const Vector& f, const Vector& b, std::vector<Part> parts,
                                                 Vector lower, Vector upper)
    : GenericMechanicalProblem(localMatrix(*mass, H, parts), localVector(*mass, H, f, b), parts, std::move(lower),
                               std::move(upper)),
      mass_(std::move(mass)),
      H_(H),
      f_(f) {
}

Vector GlobalMechanicalProblem::velocities(const Vector& lambda) const {
  requireSize(lambda, size(), "GlobalMechanicalProblem: λ");
  Vector v = f_;
  delassus::multiply(1., H_, lambda, 1., v);
  mass_->solve(v);
  return v;
}

}  // namespace delassus::numerics
