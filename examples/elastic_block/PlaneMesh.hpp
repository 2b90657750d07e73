// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <delassus/kernel/systems/LagrangianLinearTIDS.hpp>
#include <delassus/kernel/systems/LumpedMass.hpp>
#include <delassus/numerics/algebra/SparseMatrix.hpp>
#include <functional>
#include <memory>
#include <vector>

/// An elastic material in plane strain.
struct PlaneMaterial {
  double young = 1e9;      ///< E, Pa
  double poisson = 0.3;    ///< ν
  double density = 1000.;  ///< ρ, kg/m³
  double thickness = 1.;   ///< of the body across the plane, m
};

/// A mesh of bilinear quadrilaterals in the plane, and the matrices of its elasticity: a stand-in for the program of
/// finite elements that a user has. Node i has the displacements 2 i and 2 i + 1.
class PlaneMesh {
 public:
  using Point = std::array<double, 2>;
  using Quadrilateral = std::array<std::size_t, 4>;  ///< numbers of its nodes, anticlockwise

  /// columns x rows elements over the unit square, which `map` takes to the body; node (i, j) is number
  /// i + j (columns + 1).
  PlaneMesh(std::size_t columns, std::size_t rows, const std::function<Point(double, double)>& map)
      : columns_(columns), rows_(rows) {
    for (std::size_t j = 0; j <= rows; ++j) {
      for (std::size_t i = 0; i <= columns; ++i) {
        nodes_.push_back(map(static_cast<double>(i) / static_cast<double>(columns),
                             static_cast<double>(j) / static_cast<double>(rows)));
      }
    }
    for (std::size_t j = 0; j < rows; ++j) {
      for (std::size_t i = 0; i < columns; ++i) {
        elements_.push_back({node(i, j), node(i + 1, j), node(i + 1, j + 1), node(i, j + 1)});
      }
    }
  }
  /// A rectangle with its lower left corner at the origin, m.
  static PlaneMesh rectangle(std::size_t columns, std::size_t rows, double width, double height) {
    return {columns, rows, [=](double x, double y) { return Point{width * x, height * y}; }};
  }

  std::size_t columns() const { return columns_; }
  std::size_t rows() const { return rows_; }
  /// Number of node (i, j).
  std::size_t node(std::size_t i, std::size_t j) const { return i + j * (columns_ + 1); }
  const std::vector<Point>& nodes() const { return nodes_; }
  const std::vector<Quadrilateral>& elements() const { return elements_; }
  std::size_t unknowns() const { return 2 * nodes_.size(); }

  /// Stiffness and lumped mass, by Gauss's rule of 2 x 2 points.
  ///@{
  delassus::SparseMatrix stiffness(const PlaneMaterial& material) const {
    std::vector<delassus::Triplet> entries;
    entries.reserve(64 * elements_.size());
    for (const Quadrilateral& element : elements_) addStiffness(element, material, entries);
    return delassus::sparseFromTriplets(unknowns(), unknowns(), std::move(entries));
  }
  delassus::SparseMatrix mass(const PlaneMaterial& material) const {
    std::vector<delassus::Triplet> entries;
    for (const Quadrilateral& element : elements_) {
      forEachPoint(element, [&](const Gradients& at) {
        for (std::size_t k = 0; k < 4; ++k) {
          const double part = material.density * material.thickness * at.weight * at.value[k];
          for (std::size_t l = 0; l < 4; ++l) {
            for (std::size_t d = 0; d < 2; ++d) {
              entries.push_back({2 * element[k] + d, 2 * element[l] + d, part * at.value[l]});
            }
          }
        }
      });
    }
    return delassus::lumped(delassus::sparseFromTriplets(unknowns(), unknowns(), std::move(entries)));
  }
  ///@}

 private:
  // Values and gradients of the four shape functions at a point, and the weight of the point in an integral.
  struct Gradients {
    std::array<double, 4> value, byX, byY;
    double weight;
  };

  template <class Visit>
  void forEachPoint(const Quadrilateral& element, const Visit& visit) const {
    const double place = 1. / std::sqrt(3.);
    for (const double s : {-place, place}) {
      for (const double t : {-place, place}) visit(gradientsAt(element, s, t));
    }
  }

  Gradients gradientsAt(const Quadrilateral& element, double s, double t) const {
    constexpr std::array<double, 4> sides{-1., 1., 1., -1.}, heights{-1., -1., 1., 1.};
    Gradients at{};
    std::array<double, 4> byS{}, byT{};
    double xs = 0., xt = 0., ys = 0., yt = 0.;
    for (std::size_t k = 0; k < 4; ++k) {
      at.value[k] = 0.25 * (1. + sides[k] * s) * (1. + heights[k] * t);
      byS[k] = 0.25 * sides[k] * (1. + heights[k] * t);
      byT[k] = 0.25 * heights[k] * (1. + sides[k] * s);
      const Point& node = nodes_[element[k]];
      xs += byS[k] * node[0];
      xt += byT[k] * node[0];
      ys += byS[k] * node[1];
      yt += byT[k] * node[1];
    }
    at.weight = xs * yt - xt * ys;
    for (std::size_t k = 0; k < 4; ++k) {
      at.byX[k] = (yt * byS[k] - ys * byT[k]) / at.weight;
      at.byY[k] = (xs * byT[k] - xt * byS[k]) / at.weight;
    }
    return at;
  }

  void addStiffness(const Quadrilateral& element, const PlaneMaterial& material,
                    std::vector<delassus::Triplet>& entries) const {
    const double shear = material.young / (2. * (1. + material.poisson));
    const double lame = 2. * shear * material.poisson / (1. - 2. * material.poisson);
    std::array<std::array<double, 8>, 8> k{};
    forEachPoint(element, [&](const Gradients& at) {
      const double weight = at.weight * material.thickness;
      for (std::size_t a = 0; a < 4; ++a) {
        for (std::size_t b = 0; b < 4; ++b) {
          const double xx = at.byX[a] * at.byX[b], yy = at.byY[a] * at.byY[b];
          const double xy = at.byX[a] * at.byY[b], yx = at.byY[a] * at.byX[b];
          k[2 * a][2 * b] += weight * ((lame + 2. * shear) * xx + shear * yy);
          k[2 * a][2 * b + 1] += weight * (lame * xy + shear * yx);
          k[2 * a + 1][2 * b] += weight * (lame * yx + shear * xy);
          k[2 * a + 1][2 * b + 1] += weight * ((lame + 2. * shear) * yy + shear * xx);
        }
      }
    });
    for (std::size_t i = 0; i < 8; ++i) {
      for (std::size_t j = 0; j < 8; ++j) {
        entries.push_back({2 * element[i / 2] + i % 2, 2 * element[j / 2] + j % 2, k[i][j]});
      }
    }
  }

  std::size_t columns_, rows_;
  std::vector<Point> nodes_;
  std::vector<Quadrilateral> elements_;
};
