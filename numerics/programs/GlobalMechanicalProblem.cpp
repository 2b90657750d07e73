// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/programs/GlobalMechanicalProblem.hpp>

#include <algorithm>
#include <delassus/numerics/Error.hpp>
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

// A block of W in its row: its column and its values.
struct Block {
  std::size_t column;
  std::vector<double> values;
};

// By block columns, Hᵀ M⁻¹ H_k for each part k; blocks of zeros are left out.
BlockSparseMatrix localMatrix(SparseLUFactorization& mass, const SparseMatrix& H, const std::vector<Part>& parts) {
  std::size_t rows = 0;
  for (const Part& part : parts) rows += part.rows;
  if (rows != H.size2()) {
    throw Error("GlobalMechanicalProblem", "expected parts with as many rows as H has columns, " +
                                               std::to_string(H.size2()) + ", got " + std::to_string(rows) + ".");
  }
  std::vector<std::vector<Block>> blocks(parts.size());
  std::vector<double> v(H.size1()), strip;
  std::size_t column = 0;
  for (std::size_t part = 0; part < parts.size(); ++part) {
    strip.assign(rows * parts[part].rows, 0.);
    for (std::size_t j = 0; j < parts[part].rows; ++j, ++column) {
      std::fill(v.begin(), v.end(), 0.);
      for (std::size_t k = columnStart(H, column); k < columnStart(H, column + 1); ++k) v[rowOf(H, k)] = valueOf(H, k);
      mass.solve(v.data());
      multiplyTransposed(1., H, v.data(), 0., strip.data() + j * rows);
    }
    std::size_t first = 0;
    for (std::size_t other = 0; other < parts.size(); ++other) {
      Block block{part, {}};
      for (std::size_t j = 0; j < parts[part].rows; ++j) {
        const double* const from = strip.data() + j * rows + first;
        block.values.insert(block.values.end(), from, from + parts[other].rows);
      }
      first += parts[other].rows;
      const bool isZero = std::all_of(block.values.begin(), block.values.end(), [](double x) { return x == 0.; });
      if (!isZero || other == part) blocks[other].push_back(std::move(block));
    }
  }
  BlockSparseMatrix W;
  for (std::size_t part = 0; part < parts.size(); ++part) {
    W.beginRow(parts[part].rows);
    for (const Block& block : blocks[part]) W.addBlock(block.column);
  }
  W.finish();
  std::size_t index = 0;
  for (const std::vector<Block>& row : blocks) {
    for (const Block& block : row) std::copy(block.values.begin(), block.values.end(), W.block(index++));
  }
  W.touch();
  return W;
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
