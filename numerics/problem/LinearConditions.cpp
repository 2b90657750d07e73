// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <delassus/numerics/algebra/LeastSquares.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/algebra/ProofSums.hpp>
#include <delassus/numerics/problem/LinearConditions.hpp>
#include <limits>

namespace delassus::numerics {
namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();

}  // namespace

LinearConditions::LinearConditions(const Matrix& M, const Vector& q)
    : M_(M), q_(q), signs_(M.size1(), Sign::any), lower_(M.size2()), upper_(M.size2()) {
  for (std::size_t j = 0; j < M.size2(); ++j) bound(j, -unbounded, unbounded);
}

void LinearConditions::bound(std::size_t column, double lower, double upper) {
  lower_(column) = lower;
  upper_(column) = upper;
}

bool LinearConditions::areContradictedBy(const Vector& y) const {
  const auto signedEntry = [&](std::size_t i) {
    switch (signs_[i]) {
      case Sign::zero:
        return y(i);
      case Sign::nonnegative:
        return std::max(0., y(i));
      case Sign::nonpositive:
        return std::min(0., y(i));
      case Sign::any:
        break;
    }
    return 0.;
  };
  const double rounding = roundingOfProof(M_.size1() + 1);
  ProofSum sum;
  for (std::size_t i = 0; i < M_.size1(); ++i) sum.add(static_cast<long double>(q_(i)) * signedEntry(i));
  for (std::size_t j = 0; j < M_.size2(); ++j) {
    ProofSum product;
    for (std::size_t i = 0; i < M_.size1(); ++i) product.add(static_cast<long double>(M_(i, j)) * signedEntry(i));
    const double best = product.value > 0.L ? upper_(j) : lower_(j);
    if (std::isfinite(best)) {
      sum.add(product.value * best);
    } else if (!product.isZero(rounding)) {
      return false;
    }
  }
  return sum.isNegative(clearPart(rounding));
}

// min ‖C x − d‖₂ over x = (z, s), w = s up to the signs of s, each x_j in its bounds: columns and rows are scaled, and
// finite lower bounds moved to zero. Active sets: what is between its bounds is found by least squares, on the way
// there a variable stops at the bound that it meets, and one at a bound leaves it where that lowers the residual.
// (Lawson and Hanson, Solving Least Squares Problems, 1974, chapter 23; Stark and Parker, Computational Statistics 10,
// 1995.)
class LinearConditions::Nearest {
 public:
  explicit Nearest(const LinearConditions& conditions) {
    const Matrix& M = conditions.M_;
    std::vector<std::size_t> rows;
    for (std::size_t i = 0; i < M.size1(); ++i) {
      if (conditions.signs_[i] != Sign::any) rows.push_back(i);
    }
    addVariables(conditions, rows);
    fill(conditions, rows);
    rows_ = std::move(rows);
    total_ = M.size1();
  }

  // The proof, if there is one: d − C x in the rows of M. Zero where `stop` says so, or where scales overflow.
  Vector residual(const std::function<bool()>& stop) {
    const std::size_t limit = 20 + 10 * variables_.size();
    for (std::size_t step = 0; step < limit; ++step) {
      if (stop() || !allFinite(C_) || !allFinite(misfit())) return Vector(total_);
      if (!moveToLeastSquares()) continue;
      if (!release()) break;
    }
    // What is 0 up to rounding is 0: alone in its column, it would be all of a product that must be zero.
    constexpr double dust = 16. * std::numeric_limits<double>::epsilon();
    const Vector r = orthogonal();
    const double least = dust * normInf(r);
    Vector y(total_);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (std::abs(r(i)) > least) y(rows_[i]) = r(i) * rowScales_[i];
    }
    return y;
  }

 private:
  struct Variable {
    std::size_t column;     // of M, or of w behind them
    double length;          // upper bound, from 0
    bool hasLower;          // false if it is free
    double origin = 0.;     // of z
    double sign = 1.;       // z = origin + sign · x
    bool isFree = false;    // between its bounds
    bool isBarred = false;  // came back to its bound as soon as it was freed, and nothing has moved since
    double value = 0.;
  };

  void addVariables(const LinearConditions& conditions, const std::vector<std::size_t>& rows) {
    for (std::size_t j = 0; j < conditions.M_.size2(); ++j) {
      const double lower = conditions.lower_(j), upper = conditions.upper_(j);
      if (std::isfinite(lower)) {
        variables_.push_back({j, upper - lower, true, lower, 1.});
      } else if (std::isfinite(upper)) {
        variables_.push_back({j, unbounded, true, upper, -1.});
      } else {
        variables_.push_back({j, unbounded, false});
        variables_.back().isFree = true;
      }
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const Sign sign = conditions.signs_[rows[i]];
      if (sign == Sign::zero) continue;
      variables_.push_back({conditions.M_.size2() + i, unbounded, true, 0., sign == Sign::nonnegative ? 1. : -1.});
    }
  }

  void fill(const LinearConditions& conditions, const std::vector<std::size_t>& rows) {
    const Matrix& M = conditions.M_;
    C_ = Matrix(rows.size(), variables_.size());
    d_ = Vector(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) d_(i) = -conditions.q_(rows[i]);
    for (std::size_t v = 0; v < variables_.size(); ++v) {
      const Variable& variable = variables_[v];
      if (variable.column >= M.size2()) {
        C_(variable.column - M.size2(), v) = -variable.sign;
        continue;
      }
      for (std::size_t i = 0; i < rows.size(); ++i) {
        const double entry = M(rows[i], variable.column);
        C_(i, v) = variable.sign * entry;
        d_(i) -= entry * variable.origin;
      }
    }
    rowScales_.assign(rows.size(), 1.);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      double largest = 0.;
      for (std::size_t j = 0; j < M.size2(); ++j) largest = std::max(largest, std::abs(M(rows[i], j)));
      if (largest > 0.) rowScales_[i] = 1. / largest;
      for (std::size_t v = 0; v < variables_.size(); ++v) C_(i, v) *= rowScales_[i];
      d_(i) *= rowScales_[i];
    }
    for (std::size_t v = 0; v < variables_.size(); ++v) {
      double largest = 0.;
      for (std::size_t i = 0; i < rows.size(); ++i) largest = std::max(largest, std::abs(C_(i, v)));
      if (!(largest > 0.)) continue;
      for (std::size_t i = 0; i < rows.size(); ++i) C_(i, v) /= largest;
      variables_[v].length *= largest;
    }
  }

  Vector misfit() const {
    Vector r = d_;
    for (std::size_t v = 0; v < variables_.size(); ++v) {
      if (variables_[v].value == 0.) continue;
      for (std::size_t i = 0; i < r.size(); ++i) r(i) -= C_(i, v) * variables_[v].value;
    }
    return r;
  }

  Matrix freeColumns() const {
    Matrix columns(d_.size(), free_.size());
    for (std::size_t k = 0; k < free_.size(); ++k) {
      for (std::size_t i = 0; i < d_.size(); ++i) columns(i, k) = C_(i, free_[k]);
    }
    return columns;
  }

  void collectFree() {
    free_.clear();
    for (std::size_t v = 0; v < variables_.size(); ++v) {
      if (variables_[v].isFree) free_.push_back(v);
    }
  }

  // False if a bound was met on the way.
  bool moveToLeastSquares() {
    collectFree();
    if (free_.empty()) return true;
    const Vector step = leastSquares(freeColumns(), misfit(), "linear conditions").x;
    double part = 1.;
    std::size_t blocking = variables_.size();
    for (std::size_t k = 0; k < free_.size(); ++k) {
      const Variable& variable = variables_[free_[k]];
      if (!variable.hasLower || step(k) == 0.) continue;
      const double room = step(k) < 0. ? -variable.value : variable.length - variable.value;
      if (!(room / step(k) < part)) continue;
      part = std::max(0., room / step(k));
      blocking = free_[k];
    }
    for (std::size_t k = 0; k < free_.size(); ++k) variables_[free_[k]].value += part * step(k);
    if (part > 0.) {
      for (Variable& variable : variables_) variable.isBarred = false;
    }
    if (blocking == variables_.size()) return true;
    Variable& stopped = variables_[blocking];
    stopped.isBarred = part == 0.;
    stopped.value = stopped.value > 0.5 * stopped.length ? stopped.length : 0.;
    stopped.isFree = false;
    return false;
  }

  // Frees the variable whose bound costs most; false if none does.
  bool release() {
    const Vector r = misfit();
    const double rounding = roundingOfProof(r.size() + 1);
    std::size_t best = variables_.size();
    double largest = 0.;
    for (std::size_t v = 0; v < variables_.size(); ++v) {
      if (variables_[v].isFree || variables_[v].isBarred || !(variables_[v].length > 0.)) continue;
      double slope = 0., terms = 0.;
      for (std::size_t i = 0; i < r.size(); ++i) {
        slope += C_(i, v) * r(i);
        terms += std::abs(C_(i, v) * r(i));
      }
      if (variables_[v].value > 0.) slope = -slope;
      if (!(slope > rounding * terms) || !(slope > largest)) continue;
      largest = slope;
      best = v;
    }
    if (best == variables_.size()) return false;
    variables_[best].isFree = true;
    return true;
  }

  // The misfit without what rounding left of it in the range of the free columns.
  Vector orthogonal() {
    collectFree();
    Vector r = misfit();
    if (free_.empty()) return r;
    const Matrix columns = freeColumns();
    constexpr int passes = 2;
    for (int pass = 0; pass < passes; ++pass) {
      multiply(-1., columns, leastSquares(columns, r, "linear conditions").x, 1., r);
    }
    return r;
  }

  std::vector<Variable> variables_;
  Matrix C_;
  Vector d_;
  std::vector<double> rowScales_;
  std::vector<std::size_t> rows_, free_;
  std::size_t total_ = 0;
};

bool LinearConditions::areContradictory(const std::function<bool()>& stop) const {
  return allFinite(M_) && allFinite(q_) && areContradictedBy(Nearest(*this).residual(stop));
}

}  // namespace delassus::numerics
