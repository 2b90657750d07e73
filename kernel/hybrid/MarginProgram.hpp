// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <delassus/numerics/algebra/CholeskyFactorization.hpp>
#include <delassus/numerics/algebra/LUFactorization.hpp>
#include <delassus/numerics/algebra/Matrix.hpp>
#include <delassus/numerics/algebra/Vector.hpp>
#include <vector>

namespace delassus {

/// The program of a MultiplierBalance in a few unknowns x,
///
///     max t − ½ ε |x|²   such that   u(x) − |w(x)| ≥ t for each piece,   1 ≥ t,
///
/// with affine functions u of one row and w of none (a half-space) or two (a cone). ε > 0 makes x unique.
///
/// Newton's method follows the central path of the barrier Σ log(u − t) + Σ log((u − t)² − |w|²) + log(1 − t) to 1e-8
/// (Boyd and Vandenberghe, Convex Optimization, 2004, section 11.3), and then solves the optimality conditions of the
/// pieces that are active there, to rounding. It begins at x = 0 each time: the result depends on the data alone. Does
/// not allocate after the first program of a size.
class MarginProgram {
 public:
  /// Begins a program in n unknowns.
  void begin(std::size_t n);
  /// Adds a piece, whose numbers are to be set.
  ///@{
  void addHalfSpace() { addPiece(1); }
  void addCone() { addPiece(3); }
  ///@}
  /// A row of the last piece, u or after it those of w: the constant, and n coefficients after it.
  double* row(std::size_t i) { return rows_.data() + (pieces_.back().row + i) * (n_ + 1); }

  /// The largest margin or part of one at x = 0, by which all constants are divided.
  double scale();
  /// Solves it; false if not even the central path was found.
  bool solve(double epsilon);
  /// x_i.
  double x(std::size_t i) const { return point_(i); }

 private:
  struct Piece {
    std::size_t row = 0;
    bool isCone = false;
    bool isActive = false;  // u − |w| = t …
    bool isApex = false;    // … by w = 0
    std::size_t multiplier = 0;
  };

  void addPiece(std::size_t rows);
  void evaluate(const Vector& point);
  double slack(const Piece& piece) const;
  double length(const Piece& piece) const;
  // MarginProgram.cpp: the central path
  bool followPath(double epsilon);
  bool center(double weight, double epsilon);
  double barrier(const Vector& point, double weight, double epsilon);
  void differentiate(double weight, double epsilon);
  void stack(std::size_t row, double byT, Vector& vector) const;
  void addProduct(double factor, const Vector& vector);
  // MarginProgramEnd.cpp: the optimality conditions
  bool finish(double epsilon);
  bool finishWith(double apex, double epsilon);
  void chooseActive(double apex);
  bool solveActive(double epsilon);
  bool hasConverged() const;
  void assemble(double epsilon);
  void addRow(std::size_t row, double byT, double residual, std::size_t at);
  void addCurved(const Piece& piece);
  bool revise();
  bool isOptimal() const;

  std::size_t n_ = 0;
  std::vector<Piece> pieces_;
  std::vector<double> rows_, values_;
  Vector point_;  // (x, t)
  Vector gradient_, trial_, last_, work_;
  Matrix hessian_;
  CholeskyFactorization factor_;
  std::size_t active_ = 0;  // rows of multipliers
  Vector multipliers_, right_;
  Matrix system_;
  LUFactorization systemFactor_;
};

}  // namespace delassus
