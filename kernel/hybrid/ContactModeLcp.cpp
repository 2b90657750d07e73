// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/hybrid/ContactModeLcp.hpp>

#include <cmath>
#include <delassus/numerics/algebra/Products.hpp>

namespace delassus {
namespace {

numerics::AutomaticMlcpOptions solverOptions(double tolerance, std::size_t enumeratePairs) {
  numerics::AutomaticMlcpOptions options;
  options.tolerance = tolerance;
  options.enumeratePairs = enumeratePairs;
  return options;
}

}  // namespace

ContactModeLcp::ContactModeLcp(double tolerance, std::size_t enumeratePairs)
    : solver_(solverOptions(tolerance, enumeratePairs)) {
}

void ContactModeLcp::addSticking(const ContactElement& element) {
  const std::size_t normal = equations_.size();
  const std::size_t edge = normal + 1;
  const std::size_t negative = normal + 2;
  shares_.push_back({element.row, normal, 1.});
  shares_.push_back({element.row + 1, normal, -element.mu});
  shares_.push_back({element.row + 1, edge, 1.});
  Equation equation;
  equation.sign = 1.;
  equation.row = element.row;
  equations_.push_back(equation);
  equation.row = element.row + 1;
  equation.coefficients[0] = 1.;
  equation.columns[0] = negative;
  equations_.push_back(equation);
  Equation cone;
  cone.coefficients[0] = 2. * element.mu;
  cone.columns[0] = normal;
  cone.coefficients[1] = -1.;
  cone.columns[1] = edge;
  equations_.push_back(cone);
}

void ContactModeLcp::addBox(const ContactElement& element, Vector& lambda) {
  const bool below = std::isfinite(element.lower);
  const bool above = std::isfinite(element.upper);
  if (element.direction != 0 || element.lower == element.upper) {
    lambda(element.row) = element.direction < 0 ? element.upper : element.lower;
    return;
  }
  const std::size_t column = equations_.size();
  Equation equation;
  equation.row = element.row;
  equation.sign = below || !above ? 1. : -1.;
  if (!below && !above) equation.kind = Row::equality;
  shares_.push_back({element.row, column, equation.sign});
  if (below) lambda(element.row) = element.lower;
  if (!below && above) lambda(element.row) = element.upper;
  if (below && above) {
    equation.coefficients[0] = 1.;
    equation.columns[0] = column + 1;
  }
  equations_.push_back(equation);
  if (!below || !above) return;
  Equation width;
  width.constant = element.upper - element.lower;
  width.coefficients[0] = -1.;
  width.columns[0] = column;
  equations_.push_back(width);
}

void ContactModeLcp::add(const ContactElement& element, Vector& lambda) {
  if (!element.isContact) return addBox(element, lambda);
  if (element.hasFriction() && element.direction == 0) return addSticking(element);
  shares_.push_back({element.row, equations_.size(), 1.});
  if (element.hasFriction()) shares_.push_back({element.row + 1, equations_.size(), -element.direction * element.mu});
  Equation equation;
  equation.sign = 1.;
  equation.row = element.row;
  equations_.push_back(equation);
}

numerics::MixedLinearComplementarityProblem ContactModeLcp::formulate(const Matrix& K, const Vector& b,
                                                                      const Vector& lambda) const {
  const std::size_t m = equations_.size();
  Vector a = b;
  multiply(1., K, lambda, 1., a);
  Matrix M;
  assignZero(M, m, m);
  Vector q(m);
  std::vector<Row> kinds(m);
  for (std::size_t i = 0; i < m; ++i) {
    const Equation& equation = equations_[i];
    kinds[i] = equation.kind;
    q(i) = equation.constant;
    for (std::size_t k = 0; k < 2; ++k) M(i, equation.columns[k]) += equation.coefficients[k];
    if (equation.sign == 0.) continue;
    q(i) += equation.sign * a(equation.row);
    for (const auto& [row, column, coefficient] : shares_)
      M(i, column) += equation.sign * K(equation.row, row) * coefficient;
  }
  return {std::move(M), std::move(q), std::move(kinds)};
}

ContactModeLcp::Outcome ContactModeLcp::solve(const Matrix& K, const Vector& b,
                                              const std::vector<ContactElement>& elements, Vector& lambda) {
  shares_.clear();
  equations_.clear();
  assignZero(lambda, b.size());
  for (const ContactElement& element : elements) add(element, lambda);
  Outcome outcome;
  outcome.solved = true;
  if (equations_.empty()) return outcome;
  const numerics::MixedLinearComplementarityProblem problem = formulate(K, b, lambda);
  Vector z, w;
  const numerics::SolveReport report = solver_.solve(problem, z, w);
  for (const auto& [row, column, coefficient] : shares_) lambda(row) += coefficient * z(column);
  outcome.solved = report.converged();
  outcome.impossible = report.status == numerics::SolveStatus::infeasible;
  outcome.reason = report.reason;
  return outcome;
}

}  // namespace delassus
