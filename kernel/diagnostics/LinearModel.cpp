// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <delassus/kernel/diagnostics/LinearModel.hpp>
#include <delassus/kernel/relations/FirstOrderR.hpp>
#include <delassus/kernel/relations/SecondOrderR.hpp>
#include <delassus/kernel/systems/FirstOrderDS.hpp>
#include <delassus/kernel/systems/SecondOrderDS.hpp>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/LUFactorization.hpp>
#include <delassus/numerics/algebra/Products.hpp>

namespace delassus {
namespace {

Matrix inverse(const Matrix& M, const std::string& what) {
  LUFactorization factor;
  factor.factor(M, what);
  Matrix result = identityMatrix(M.size1());
  factor.solve(result);
  return result;
}

void copy(const Matrix& from, std::size_t row, std::size_t column, Matrix& to) {
  for (std::size_t j = 0; j < from.size2(); ++j) {
    for (std::size_t i = 0; i < from.size1(); ++i) to(row + i, column + j) = from(i, j);
  }
}

[[noreturn]] void refuse(const std::string& what, std::string_view className) {
  throw Error(what + " (" + std::string(className) + ")",
              "relative degrees are known for linear time-invariant systems and relations only, and this is not one.");
}

}  // namespace

LinearModel::LinearModel(const NonSmoothDynamicalSystem& model) {
  const Topology& topology = model.topology();
  if (!topology.elements().empty()) {
    throw Error("Force element '" + topology.elements().front()->name() + "'",
                "relative degrees are known for systems one by one only, and it ties some together.");
  }
  for (const auto& system : topology.systems()) {
    FirstOrderDS* const first = system->firstOrder();
    SecondOrderDS* const second = system->secondOrder();
    const bool linear = (first != nullptr && first->isTimeInvariant()) || (second != nullptr && second->isLinear());
    if (!linear) refuse("System '" + system->name() + "'", system->className());
    if (first != nullptr) add(*first, model.t0());
    if (second != nullptr) add(*second, model.t0());
  }
  for (const auto& interaction : topology.interactions()) {
    Relation& relation = interaction->relation();
    FirstOrderR* const first = relation.firstOrder();
    SecondOrderR* const second = relation.secondOrder();
    const bool linear = (first != nullptr && first->isLinear() && first->isTimeInvariant()) ||
                        (second != nullptr && second->isLinear());
    if (!linear) refuse("Interaction '" + interaction->name() + "'", relation.className());
    addRows(*interaction);
  }
  const std::size_t m = rows.size();
  assignZero(B, states, m);
  assignZero(magnitudeB, states, m);
  assignZero(C, m, states);
  assignZero(D, m, m);
  std::size_t row = 0;
  for (std::size_t k = 0; k < topology.interactions().size(); ++k) {
    Interaction& interaction = *topology.interactions()[k];
    std::vector<std::size_t> linked;
    for (std::size_t c = topology.couplingBegin(k); c < topology.couplingEnd(k); ++c) {
      if (topology.couplings()[c].count != SystemPart::all) {
        throw Error("Interaction '" + interaction.name() + "'",
                    "relative degrees are known of links to whole systems only, and it is linked to some coordinates.");
      }
      linked.push_back(topology.couplings()[c].system);
    }
    if (FirstOrderR* const relation = interaction.relation().firstOrder()) add(*relation, row, linked, topology);
    if (SecondOrderR* const relation = interaction.relation().secondOrder()) add(*relation, row, linked, topology);
    row += interaction.size();
  }
}

void LinearModel::add(FirstOrderDS& system, double t) {
  const std::size_t n = system.dimension();
  Matrix M(n, n), byX(n, n), byRate(n, n);
  system.mass(t, system.x(), M);
  system.vectorFieldJacobians(t, system.x(), Vector(n), byX, byRate);
  const Matrix inverseMass = inverse(M, "System '" + system.name() + "': M");
  systems.push_back({states, product(inverseMass, byX), product(magnitudesOf(inverseMass), magnitudesOf(byX))});
  sources_.push_back({inverseMass, states, 0});
  states += n;
}

// x = (q, v): A = [0, 1; M⁻¹ ∂F/∂q, M⁻¹ ∂F/∂v].
void LinearModel::add(SecondOrderDS& system, double t) {
  const std::size_t n = system.dimension();
  Matrix M(n, n), byQ(n, n), byV(n, n);
  system.mass(t, system.q(), M);
  system.forceJacobians(t, system.q(), system.velocity(), byQ, byV);
  const Matrix inverseMass = inverse(M, "System '" + system.name() + "': mass M");
  const Matrix magnitudeInverse = magnitudesOf(inverseMass);
  System blocks{states, Matrix(2 * n, 2 * n), Matrix(2 * n, 2 * n)};
  copy(identityMatrix(n), 0, n, blocks.A);
  copy(product(inverseMass, byQ), n, 0, blocks.A);
  copy(product(inverseMass, byV), n, n, blocks.A);
  copy(identityMatrix(n), 0, n, blocks.magnitudeA);
  copy(product(magnitudeInverse, magnitudesOf(byQ)), n, 0, blocks.magnitudeA);
  copy(product(magnitudeInverse, magnitudesOf(byV)), n, n, blocks.magnitudeA);
  systems.push_back(blocks);
  sources_.push_back({inverseMass, states, n});
  states += 2 * n;
}

void LinearModel::addRows(const Interaction& interaction) {
  const NonSmoothLaw& law = interaction.law();
  Vector lower(law.unknowns()), upper(law.unknowns());
  law.bounds(data(lower), data(upper));
  // Multipliers of laws with auxiliary unknowns have bounds by way of those.
  const bool direct = law.unknowns() == law.size();
  for (std::size_t i = 0; i < interaction.size(); ++i) {
    const std::size_t k = i % law.size();
    rows.push_back({interaction.name(), i, direct && !std::isfinite(lower(k)) && !std::isfinite(upper(k))});
  }
}

void LinearModel::add(FirstOrderR& relation, std::size_t row, const std::vector<std::size_t>& linked,
                      const Topology& topology) {
  Vector x;
  for (const std::size_t i : linked) append(topology.systems()[i]->firstOrder()->x(), x);
  const std::size_t m = relation.size();
  const Vector lambda(m);
  Matrix outputs(m, x.size()), inputs(x.size(), m), feedthrough(m, m);
  relation.computeC(0., x, lambda, outputs);
  relation.computeB(0., x, lambda, inputs);
  if (relation.hasFeedthrough()) relation.computeD(0., x, lambda, feedthrough);
  place(outputs, inputs, feedthrough, row, linked);
}

void LinearModel::add(SecondOrderR& relation, std::size_t row, const std::vector<std::size_t>& linked,
                      const Topology& topology) {
  Vector q;
  for (const std::size_t i : linked) append(topology.systems()[i]->secondOrder()->q(), q);
  const std::size_t m = relation.size();
  const Vector lambda(m);
  Matrix G(m, q.size()), feedthrough(m, m);
  relation.computeJacobian(0., q, lambda, G);
  if (relation.isCompliant()) relation.computeCompliance(0., q, lambda, feedthrough);
  place(G, Matrix(trans(G)), feedthrough, row, linked);
}

// Outputs and inputs of the linked systems, part by part.
void LinearModel::place(const Matrix& outputs, const Matrix& inputs, const Matrix& feedthrough, std::size_t row,
                        const std::vector<std::size_t>& linked) {
  const std::size_t m = feedthrough.size1();
  copy(feedthrough, row, row, D);
  std::size_t column = 0;
  for (const std::size_t i : linked) {
    const Source& source = sources_[i];
    const std::size_t n = source.inverseMass.size1();
    Matrix input(n, m);
    for (std::size_t j = 0; j < m; ++j) {
      for (std::size_t k = 0; k < n; ++k) {
        C(row + j, source.offset + k) = outputs(j, column + k);
        input(k, j) = inputs(column + k, j);
      }
    }
    copy(product(source.inverseMass, input), source.offset + source.input, row, B);
    copy(product(magnitudesOf(source.inverseMass), magnitudesOf(input)), source.offset + source.input, row, magnitudeB);
    column += n;
  }
}

}  // namespace delassus
