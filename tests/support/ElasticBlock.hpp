// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <delassus/kernel/contacts/MeshContacts.hpp>
#include <delassus/kernel/laws/NewtonImpactFrictionNSL.hpp>
#include <delassus/kernel/laws/NewtonImpactNSL.hpp>
#include <delassus/kernel/model/NonSmoothDynamicalSystem.hpp>
#include <delassus/kernel/systems/LagrangianLinearTIDS.hpp>
#include <elastic_block/PlaneMesh.hpp>
#include <string>
#include <utility>
#include <vector>

namespace delassus::test {

/// A block of 1 m x 0.5 m and 500 kg, soft enough to see how it deforms, whose lower nodes may touch the floor y = 0.
struct ElasticBlock {
  /// How its matrices are stored, and what its contacts are linked to.
  struct Form {
    bool isSparse = true;
    bool byParts = true;
  };

  PlaneMesh mesh;
  PlaneMaterial material{.young = 1e6, .poisson = 0.3, .density = 1000., .thickness = 1.};
  Form form;
  NonSmoothDynamicalSystem model;
  std::shared_ptr<LagrangianLinearTIDS> block;
  std::vector<std::shared_ptr<Interaction>> feet;

  /// It flies with (vx, vy) from a height, without weight.
  ElasticBlock(std::size_t columns, std::size_t rows, Form stored, double height, double vx, double vy, double end)
      : mesh(PlaneMesh::rectangle(columns, rows, 1., 0.5)), form(stored), model(0., end) {
    Vector u(mesh.unknowns()), v(mesh.unknowns());
    for (std::size_t i = 0; i < mesh.nodes().size(); ++i) {
      u(2 * i + 1) = height;
      v(2 * i) = vx;
      v(2 * i + 1) = vy;
    }
    const SparseMatrix M = mesh.mass(material), K = mesh.stiffness(material);
    const auto matrices = form.isSparse ? LagrangianLinearTIDS::Matrices{.M = M, .K = K}
                                        : LagrangianLinearTIDS::Matrices{.M = toDense(M), .K = toDense(K)};
    block = model.insert("block", std::make_shared<LagrangianLinearTIDS>(u, v, matrices));
  }

  Vector placeOf(std::size_t node) const { return makeVector({mesh.nodes()[node][0], mesh.nodes()[node][1]}); }

  /// A foot at each lower node.
  template <class Law>
  void linkFloor(const Law& law, ContactOutputs outputs) {
    for (std::size_t i = 0; i <= mesh.columns(); ++i) feet.push_back(linkFoot(i, law, outputs));
  }
  template <class Law>
  std::shared_ptr<Interaction> linkFoot(std::size_t node, const Law& law, ContactOutputs outputs) {
    const LagrangianLinearTIR plane = nodeToPlane(placeOf(node), makeVector({0., 1.}), makeVector({0., 0.}), outputs);
    const std::string name = "foot " + std::to_string(node);
    if (form.byParts) return model.link(name, law, plane, SystemPart(block, 2 * node, 2));
    Matrix H(plane.size(), mesh.unknowns());
    for (std::size_t i = 0; i < plane.size(); ++i) {
      for (std::size_t j = 0; j < 2; ++j) H(i, 2 * node + j) = plane.H()(i, j);
    }
    return model.link(name, law, LagrangianLinearTIR(H, plane.b()), block);
  }
};

}  // namespace delassus::test
