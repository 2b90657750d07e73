// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/mechanical/GenericMechanicalProblem.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <limits>
#include <string>
#include <utility>

namespace delassus::numerics {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

bool isParted(const std::vector<Part>& parts, const BlockSparseMatrix& W) {
  if (W.blockRows() != parts.size()) return false;
  for (std::size_t part = 0; part < parts.size(); ++part) {
    if (W.blockSize(part) != parts[part].rows) return false;
  }
  return true;
}

Vector filled(Vector given, std::size_t size, double value) {
  if (given.size() > 0) return given;
  Vector all(size);
  std::fill(all.begin(), all.end(), value);
  return all;
}

}  // namespace

BlockSparseMatrix partedBy(const std::vector<Part>& parts, const BlockSparseMatrix& W) {
  std::size_t rows = 0;
  for (const Part& part : parts) rows += part.rows;
  if (rows != W.size()) {
    throw Error("GenericMechanicalProblem", "expected parts with as many rows as W, " + std::to_string(W.size()) +
                                                ", got " + std::to_string(rows) + ".");
  }
  BlockSparseMatrix parted;
  std::vector<double> strip, values;
  std::size_t first = 0;
  std::size_t blockRow = 0;
  for (std::size_t part = 0; part < parts.size(); ++part) {
    // One dense strip of the part's rows at a time, column-major.
    const std::size_t height = parts[part].rows;
    strip.assign(height * W.size(), 0.);
    for (std::size_t i = 0; i < height; ++i) {
      while (W.offset(blockRow) + W.blockSize(blockRow) <= first + i) ++blockRow;
      const std::size_t inBlock = first + i - W.offset(blockRow);
      for (std::size_t k = W.rowBegin(blockRow); k < W.rowEnd(blockRow); ++k) {
        const std::size_t from = W.offset(W.column(k));
        for (std::size_t j = 0; j < W.blockSize(W.column(k)); ++j) {
          strip[i + height * (from + j)] = W.block(k)[inBlock + j * W.blockSize(blockRow)];
        }
      }
    }
    parted.beginRow(height);
    auto begin = strip.begin();
    for (std::size_t other = 0; other < parts.size(); ++other) {
      const auto end = begin + static_cast<std::ptrdiff_t>(height * parts[other].rows);
      if (other == part || std::any_of(begin, end, [](double x) { return x != 0.; })) {
        parted.addBlock(other);
        values.insert(values.end(), begin, end);
      }
      begin = end;
    }
    first += height;
  }
  parted.finish();
  if (!values.empty()) std::copy(values.begin(), values.end(), parted.block(0));
  parted.touch();
  return parted;
}

const ProblemTraits GenericMechanicalProblem::ofItsClass{"GenericMechanicalProblem", ResidualNorm::energy};

GenericMechanicalProblem::GenericMechanicalProblem(BlockSparseMatrix W, Vector q, std::vector<Part> parts, Vector lower,
                                                   Vector upper)
    : MatrixProblem(ofItsClass) {
  parts_ = std::move(parts);
  own() = isParted(parts_, W) ? std::move(W) : partedBy(parts_, W);
  q_ = std::move(q);
  lower_ = filled(std::move(lower), q_.size(), -infinity);
  upper_ = filled(std::move(upper), q_.size(), infinity);
  validate();
}

GenericMechanicalProblem::GenericMechanicalProblem(const Matrix& W, Vector q, std::vector<Part> parts, Vector lower,
                                                   Vector upper)
    : GenericMechanicalProblem(BlockSparseMatrix(W), std::move(q), std::move(parts), std::move(lower),
                               std::move(upper)) {
}

bool GenericMechanicalProblem::state(const ProblemOverSets& problem) {
  if (!problem.hasMatrix()) return false;
  refer(problem);
  parts_.resize(problem.partCount());
  for (std::size_t part = 0; part < parts_.size(); ++part) parts_[part] = {problem.sharedSet(part), problem.rows(part)};
  assign(problem.lower(), lower_);
  assign(problem.upper(), upper_);
  return true;
}

void GenericMechanicalProblem::validateParts() const {
  if (!isParted(parts_, matrix())) {
    throw Error("GenericMechanicalProblem", "expected a W with one block row for each part, with as many rows; got " +
                                                std::to_string(matrix().blockRows()) + " block rows for " +
                                                std::to_string(parts_.size()) + " parts.");
  }
  for (std::size_t part = 0; part < parts_.size(); ++part) {
    if (parts_[part].set == nullptr) failPart(part, "expected a set, got none.");
    if (parts_[part].rows == 0) failPart(part, "expected at least one row, got 0.");
  }
}

void GenericMechanicalProblem::validateVectors() const {
  validateParts();
  requireSize(q_, matrix().size(), "GenericMechanicalProblem: q");
  requireFinite(q_, "GenericMechanicalProblem: q");
  requireSize(lower_, matrix().size(), "GenericMechanicalProblem: the lower bounds");
  requireSize(upper_, matrix().size(), "GenericMechanicalProblem: the upper bounds");
  for (std::size_t part = 0; part < parts_.size(); ++part) {
    if (set(part).isFree()) continue;
    set(part).validate(part, parts_[part].rows, data(lower_) + offset(part), data(upper_) + offset(part));
  }
}

void GenericMechanicalProblem::validate() const {
  validateVectors();
  requireFinite(matrix(), "GenericMechanicalProblem: W");
}

}  // namespace delassus::numerics
