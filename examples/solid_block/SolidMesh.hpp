// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <delassus/kernel/rotations/FixedSize.hpp>
#include <delassus/numerics/algebra/SparseMatrix.hpp>
#include <delassus/numerics/algebra/Vector.hpp>
#include <memory>
#include <vector>

/// An isotropic elastic material.
struct SolidMaterial {
  double young = 1e9;      ///< E, Pa
  double poisson = 0.3;    ///< ν
  double density = 1000.;  ///< ρ, kg/m³
};

/// What a program of deal.II hands over: mesh, matrices and loads of an elastic box of trilinear hexahedra, with the
/// displacements u of its nodes as unknowns. All of deal.II is in SolidMesh.cpp, in which another mesh, or other
/// elements, may take its place.
class SolidMesh {
 public:
  /// A box from the origin to `lengths` (m) of so many elements along each axis.
  SolidMesh(const std::array<std::size_t, 3>& elements, const delassus::Vector3& lengths);
  ~SolidMesh();

  /// Displacements, three a node.
  std::size_t unknowns() const;
  /// ∫ ε(φ_i) : σ(φ_j) dV by Gauss's rule of 2 x 2 x 2 points.
  delassus::SparseMatrix stiffness(const SolidMaterial& material) const;
  /// ∫ ρ φ_i·φ_j dV by the trapezoidal rule: lumped.
  delassus::SparseMatrix mass(const SolidMaterial& material) const;

  /// The faces of the box, by the numbers that deal.II gives to its boundaries: at the least and the largest x, y, z.
  enum Face : unsigned { rear, front, right, left, bottom, top };
  /// ∫ φ_i·d dA over a face: the nodal forces of a traction of 1 Pa along d.
  delassus::Vector traction(Face face, const delassus::Vector3& direction) const;

  struct Node {
    delassus::Vector3 place;  ///< m
    std::size_t first;        ///< number of its first displacement; the other two follow
  };
  /// The nodes of a face, in the order of their displacements.
  std::vector<Node> nodesOn(Face face) const;
  /// All nodes of the surface, and the quadrilaterals between them, anticlockwise seen from outside.
  struct Surface {
    std::vector<Node> nodes;
    std::vector<std::array<std::size_t, 4>> faces;  ///< numbers in `nodes`
  };
  Surface surface() const;

 private:
  struct Finite;  // elements, and the numbers of their unknowns
  std::unique_ptr<Finite> finite_;
};
