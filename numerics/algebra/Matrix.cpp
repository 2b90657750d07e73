// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/algebra/Matrix.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <iomanip>
#include <ostream>
#include <sstream>

namespace delassus {

Matrix makeMatrix(std::initializer_list<std::initializer_list<double>> rows) {
  const std::size_t columns = rows.size() == 0 ? 0 : rows.begin()->size();
  Matrix a(rows.size(), columns);
  std::size_t i = 0;
  for (const auto& row : rows) {
    if (row.size() != columns) {
      throw Error("makeMatrix", "row " + std::to_string(i) + " has " + std::to_string(row.size()) +
                                    " entries, row 0 has " + std::to_string(columns) + ".");
    }
    std::size_t j = 0;
    for (const double entry : row) a(i, j++) = entry;
    ++i;
  }
  return a;
}

std::ostream& operator<<(std::ostream& out, const Matrix& a) {
  const std::streamsize width = out.width(0);
  out << '(';
  for (std::size_t i = 0; i < a.size1(); ++i) {
    for (std::size_t j = 0; j < a.size2(); ++j) {
      out << (j > 0 ? ", " : i > 0 ? "; " : "") << std::setw(static_cast<int>(width)) << a(i, j);
    }
  }
  return out << ')';
}

void detail::failIndex(std::size_t i, std::size_t j, std::size_t rows, std::size_t columns) {
  std::ostringstream text;
  text << "index (" << i << ", " << j << ") is out of range: there are " << rows << " rows and " << columns
       << " columns, numbered from 0 on.";
  throw Error("Matrix", text.str());
}

Matrix identityMatrix(std::size_t size) {
  Matrix a(size, size);
  for (std::size_t i = 0; i < size; ++i) a(i, i) = 1.;
  return a;
}

Matrix diagonalMatrix(std::initializer_list<double> diagonal) {
  Matrix a(diagonal.size(), diagonal.size());
  std::size_t i = 0;
  for (const double entry : diagonal) {
    a(i, i) = entry;
    ++i;
  }
  return a;
}

void setZero(Matrix& a) {
  std::fill(a.data().begin(), a.data().end(), 0.);
}

void assignZero(Matrix& a, std::size_t rows, std::size_t columns) {
  if (a.size1() != rows || a.size2() != columns) a.resize(rows, columns, false);
  setZero(a);
}

bool allFinite(const Matrix& a) {
  double sum = 0.;
  for (const double x : a.data()) sum += 0. * x;
  return sum == 0.;
}

void requireSize(const Matrix& a, std::size_t rows, std::size_t columns, std::string_view what) {
  if (a.size1() == rows && a.size2() == columns) return;
  std::ostringstream text;
  text << "expected a " << rows << " x " << columns << " matrix, got " << a.size1() << " x " << a.size2() << '.';
  throw Error(std::string(what), text.str());
}

void requireFinite(const Matrix& a, std::string_view what) {
  if (allFinite(a)) return;
  for (std::size_t j = 0; j < a.size2(); ++j) {
    for (std::size_t i = 0; i < a.size1(); ++i) {
      if (std::isfinite(a(i, j))) continue;
      std::ostringstream text;
      text << "expected finite numbers, but entry (" << i << ", " << j << ") is " << a(i, j) << '.';
      throw Error(std::string(what), text.str());
    }
  }
}

namespace {

double symmetryMargin(const Matrix& a) {
  double largest = 0.;
  for (const double x : a.data()) largest = std::max(largest, std::abs(x));
  return 1e-12 * largest;
}

}  // namespace

bool isSymmetric(const Matrix& a) {
  if (a.size1() != a.size2()) return false;
  const double margin = symmetryMargin(a);
  for (std::size_t j = 0; j < a.size2(); ++j) {
    for (std::size_t i = 0; i < j; ++i) {
      if (!(std::abs(a(i, j) - a(j, i)) <= margin)) return false;
    }
  }
  return true;
}

void requireSymmetric(const Matrix& a, std::string_view what) {
  requireSize(a, a.size1(), a.size1(), what);
  const double margin = symmetryMargin(a);
  for (std::size_t j = 0; j < a.size2(); ++j) {
    for (std::size_t i = 0; i < j; ++i) {
      if (std::abs(a(i, j) - a(j, i)) <= margin) continue;
      std::ostringstream text;
      text << "expected a symmetric matrix, but entry (" << i << ", " << j << ") is " << a(i, j) << " and entry (" << j
           << ", " << i << ") is " << a(j, i) << '.';
      throw Error(std::string(what), text.str());
    }
  }
}

}  // namespace delassus
