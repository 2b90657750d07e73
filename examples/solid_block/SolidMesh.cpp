// SPDX-License-Identifier: Apache-2.0
#include "SolidMesh.hpp"

#include <deal.II/base/quadrature_lib.h>
#include <deal.II/dofs/dof_handler.h>
#include <deal.II/dofs/dof_tools.h>
#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_system.h>
#include <deal.II/fe/fe_values.h>
#include <deal.II/grid/grid_generator.h>
#include <deal.II/grid/tria.h>
#include <deal.II/lac/dynamic_sparsity_pattern.h>
#include <deal.II/lac/full_matrix.h>
#include <deal.II/lac/sparse_matrix.h>

#include <algorithm>
#include <map>
#include <utility>

using namespace delassus;

struct SolidMesh::Finite {
  dealii::Triangulation<3> mesh;
  dealii::FESystem<3> element{dealii::FE_Q<3>(1), 3};
  dealii::DoFHandler<3> unknowns{mesh};
};

namespace {

using Unknowns = std::vector<dealii::types::global_dof_index>;

// Sums over the elements what `add(values, matrix)` makes of each.
template <class Add>
SparseMatrix assemble(const dealii::DoFHandler<3>& unknowns, const dealii::Quadrature<3>& rule, const Add& add) {
  dealii::DynamicSparsityPattern entries(unknowns.n_dofs());
  dealii::DoFTools::make_sparsity_pattern(unknowns, entries);
  dealii::SparsityPattern pattern;
  pattern.copy_from(entries);
  dealii::SparseMatrix<double> sum(pattern);

  dealii::FEValues<3> values(unknowns.get_fe(), rule,
                             dealii::update_values | dealii::update_gradients | dealii::update_JxW_values);
  const unsigned n = unknowns.get_fe().n_dofs_per_cell();
  dealii::FullMatrix<double> ofElement(n, n);
  Unknowns numbers(n);
  for (const auto& cell : unknowns.active_cell_iterators()) {
    values.reinit(cell);
    ofElement = 0.;
    add(values, ofElement);
    cell->get_dof_indices(numbers);
    sum.add(numbers, ofElement);
  }

  std::vector<Triplet> triplets;
  triplets.reserve(sum.n_nonzero_elements());
  for (const auto& entry : sum) {
    if (entry.value() != 0.) triplets.push_back({entry.row(), entry.column(), entry.value()});
  }
  return sparseFromTriplets(unknowns.n_dofs(), unknowns.n_dofs(), std::move(triplets));
}

Vector3 placeOf(const dealii::Point<3>& point) {
  return {point[0], point[1], point[2]};
}

// visit(cell, number of the face) for each element with a face on the boundary.
template <class Visit>
void forBoundary(const dealii::DoFHandler<3>& unknowns, const Visit& visit) {
  for (const auto& cell : unknowns.active_cell_iterators()) {
    for (const unsigned face : cell->face_indices()) {
      if (cell->face(face)->at_boundary()) visit(cell, face);
    }
  }
}

}  // namespace

SolidMesh::SolidMesh(const std::array<std::size_t, 3>& elements, const Vector3& lengths)
    : finite_(std::make_unique<Finite>()) {
  std::vector<unsigned> counts;
  for (const std::size_t count : elements) counts.push_back(static_cast<unsigned>(count));
  const bool numbersFaces = true;
  dealii::GridGenerator::subdivided_hyper_rectangle(finite_->mesh, counts, dealii::Point<3>(),
                                                    dealii::Point<3>(lengths[0], lengths[1], lengths[2]), numbersFaces);
  finite_->unknowns.distribute_dofs(finite_->element);
}

SolidMesh::~SolidMesh() = default;

std::size_t SolidMesh::unknowns() const {
  return finite_->unknowns.n_dofs();
}

SparseMatrix SolidMesh::stiffness(const SolidMaterial& material) const {
  const double shear = material.young / (2. * (1. + material.poisson));
  const double lame = 2. * shear * material.poisson / (1. - 2. * material.poisson);
  return assemble(finite_->unknowns, dealii::QGauss<3>(2), [&](const auto& values, auto& matrix) {
    const auto& u = values[dealii::FEValuesExtractors::Vector(0)];
    for (const unsigned q : values.quadrature_point_indices()) {
      for (const unsigned j : values.dof_indices()) {
        const auto strain = u.symmetric_gradient(j, q);
        const double dilatation = u.divergence(j, q);
        for (const unsigned i : values.dof_indices()) {
          const double energy =
              lame * u.divergence(i, q) * dilatation + 2. * shear * u.symmetric_gradient(i, q) * strain;
          matrix(i, j) += energy * values.JxW(q);
        }
      }
    }
  });
}

SparseMatrix SolidMesh::mass(const SolidMaterial& material) const {
  return assemble(finite_->unknowns, dealii::QTrapezoid<3>(), [&](const auto& values, auto& matrix) {
    const auto& u = values[dealii::FEValuesExtractors::Vector(0)];
    for (const unsigned q : values.quadrature_point_indices()) {
      for (const unsigned i : values.dof_indices()) {
        matrix(i, i) += material.density * (u.value(i, q) * u.value(i, q)) * values.JxW(q);
      }
    }
  });
}

Vector SolidMesh::traction(Face face, const Vector3& direction) const {
  Vector forces(unknowns());
  const dealii::Tensor<1, 3> d({direction[0], direction[1], direction[2]});
  dealii::FEFaceValues<3> values(finite_->element, dealii::QGauss<2>(2),
                                 dealii::update_values | dealii::update_JxW_values);
  Unknowns numbers(finite_->element.n_dofs_per_cell());
  forBoundary(finite_->unknowns, [&](const auto& cell, unsigned number) {
    if (cell->face(number)->boundary_id() != face) return;
    values.reinit(cell, number);
    cell->get_dof_indices(numbers);
    const auto& u = values[dealii::FEValuesExtractors::Vector(0)];
    for (const unsigned q : values.quadrature_point_indices()) {
      for (const unsigned i : values.dof_indices()) forces(numbers[i]) += (u.value(i, q) * d) * values.JxW(q);
    }
  });
  return forces;
}

std::vector<SolidMesh::Node> SolidMesh::nodesOn(Face face) const {
  std::map<std::size_t, Node> nodes;
  forBoundary(finite_->unknowns, [&](const auto& cell, unsigned number) {
    if (cell->face(number)->boundary_id() != face) return;
    for (const unsigned v : cell->face(number)->vertex_indices()) {
      // An FESystem numbers the unknowns of a vertex one after the other.
      const std::size_t first = cell->face(number)->vertex_dof_index(v, 0);
      nodes[first] = {placeOf(cell->face(number)->vertex(v)), first};
    }
  });
  std::vector<Node> list;
  for (const auto& [first, node] : nodes) list.push_back(node);
  return list;
}

SolidMesh::Surface SolidMesh::surface() const {
  Surface surface;
  std::map<std::size_t, std::size_t> numbers;  // by vertex
  forBoundary(finite_->unknowns, [&](const auto& cell, unsigned number) {
    const auto face = cell->face(number);
    // deal.II has the vertices of a quadrilateral line by line.
    std::array<unsigned, 4> around{0, 1, 3, 2};
    const dealii::Tensor<1, 3> normal =
        dealii::cross_product_3d(face->vertex(1) - face->vertex(0), face->vertex(2) - face->vertex(0));
    if (normal * (face->center() - cell->center()) < 0.) std::reverse(around.begin(), around.end());
    auto& quadrilateral = surface.faces.emplace_back();
    for (std::size_t k = 0; k < 4; ++k) {
      const auto [place, isNew] = numbers.try_emplace(face->vertex_index(around[k]), surface.nodes.size());
      if (isNew) surface.nodes.push_back({placeOf(face->vertex(around[k])), face->vertex_dof_index(around[k], 0)});
      quadrilateral[k] = place->second;
    }
  });
  return surface;
}
