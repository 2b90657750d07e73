// SPDX-License-Identifier: Apache-2.0
#pragma once

// A circuit of as many nodes as one likes, dense or sparse, whose diodes see all nodes or their own.
#include <cmath>
#include <cstddef>
#include <delassus/kernel/laws/ComplementarityConditionNSL.hpp>
#include <delassus/kernel/model/NonSmoothDynamicalSystem.hpp>
#include <delassus/kernel/model/SystemPart.hpp>
#include <delassus/kernel/relations/FirstOrderLinearTIR.hpp>
#include <delassus/kernel/systems/FirstOrderLinearDS.hpp>
#include <delassus/numerics/algebra/SparseMatrix.hpp>
#include <memory>
#include <string>
#include <vector>

namespace delassus::test {

enum class Storage { dense, sparse };
enum class Links { whole, parts };

/// A line of resistors of 1 ohm with a capacitor of about 2 mF at each node, or none at every seventh; a source at its
/// beginning; and diodes that clamp some nodes to 0.4 V, or go from one node to another.
struct DiodeLine {
  static constexpr std::size_t shortest = 40;

  NonSmoothDynamicalSystem model{0., 0.4};
  std::shared_ptr<FirstOrderLinearDS> line;
  std::vector<std::shared_ptr<Interaction>> diodes;
  Links links;
  std::size_t nodes;

  /// With three clamps and a diode from node 15 to node 25.
  DiodeLine(Storage storage, Links by, bool hasAlgebraicNodes, std::size_t count = shortest) : links(by), nodes(count) {
    std::vector<Triplet> capacitances, conductances;
    for (std::size_t i = 0; i < nodes; ++i) {
      if (!(hasAlgebraicNodes && i % 7 == 3)) {
        capacitances.push_back({i, i, 2e-3 + 1e-4 * static_cast<double>(i % 3)});
      }
      conductances.push_back({i, i, i + 1 < nodes ? -2. : -1.});
      if (i + 1 < nodes) conductances.push_back({i, i + 1, 1.});
      if (i + 1 < nodes) conductances.push_back({i + 1, i, 1.});
    }
    const SparseMatrix M = sparseFromTriplets(nodes, nodes, capacitances);
    const SparseMatrix A = sparseFromTriplets(nodes, nodes, conductances);
    const Vector start(nodes, 0.);
    if (storage == Storage::sparse) {
      line = std::make_shared<FirstOrderLinearDS>(start, A);
      line->setM(M);
    } else {
      line = std::make_shared<FirstOrderLinearDS>(start, toDense(A));
      line->setM(toDense(M));
    }
    line->setB([](double t, Vector& b) { b(0) = 2. * std::sin(30. * t); });
    model.insert("line", line);
    for (const std::size_t node : {std::size_t{5}, std::size_t{10}, std::size_t{30}}) clamp(node);
    connect(15, 25);
  }

  void clamp(std::size_t node) { link("clamp " + std::to_string(node), {node}, {-1.}, 0.4, 0.02); }
  void connect(std::size_t from, std::size_t to) { link("diode", {from, to}, {-1., 1.}, 0.05, 0.); }

  /// y = Σ C x + D λ + e of some nodes, r = Cᵀλ at these.
  void link(const std::string& name, const std::vector<std::size_t>& at, const std::vector<double>& C, double e,
            double D) {
    const bool isWhole = links == Links::whole;
    Matrix output(1, isWhole ? nodes : at.size(), 0.), input(isWhole ? nodes : at.size(), 1, 0.);
    std::vector<SystemPart> seen;
    for (std::size_t k = 0; k < at.size(); ++k) {
      const std::size_t column = isWhole ? at[k] : k;
      output(0, column) = input(column, 0) = C[k];
      seen.emplace_back(line, at[k], 1);
    }
    FirstOrderLinearTIR relation(output, input);
    relation.setE(makeVector({e}));
    if (D > 0.) relation.setD(makeMatrix({{D}}));
    diodes.push_back(isWhole ? model.link(name, ComplementarityConditionNSL(), relation, line)
                             : model.link(name, ComplementarityConditionNSL(), relation, seen));
  }
};

}  // namespace delassus::test
