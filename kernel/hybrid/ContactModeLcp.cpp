// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/hybrid/ContactModeLcp.hpp>

#include <delassus/kernel/hybrid/MotionElement.hpp>
#include <delassus/numerics/algebra/Products.hpp>

namespace delassus {
namespace {

numerics::AutomaticBoxOptions solverOptions(double tolerance, std::size_t enumeratePairs) {
  numerics::AutomaticBoxOptions options;
  options.tolerance = tolerance;
  options.enumerateSize = options.enumerateOthers = enumeratePairs;
  return options;
}

}  // namespace

ContactModeLcp::ContactModeLcp(double tolerance, std::size_t enumeratePairs)
    : solver_(solverOptions(tolerance, enumeratePairs)) {
}

void ContactLcpRows::clear() {
  kinds.clear();
  constants.clear();
  for (std::vector<Entry>* const entries : {&shares, &rates, &links}) entries->clear();
}

numerics::MixedLinearComplementarityProblem ContactModeLcp::formulate(const Matrix& K, const Vector& b,
                                                                      const Vector& lambda) const {
  const std::size_t m = rows_.kinds.size();
  Vector a = b;
  multiply(1., K, lambda, 1., a);
  Matrix M;
  assignZero(M, m, m);
  Vector q(m);
  for (std::size_t i = 0; i < m; ++i) q(i) = rows_.constants[i];
  for (const auto& [equation, column, coefficient] : rows_.links) M(equation, column) += coefficient;
  for (const auto& [equation, rate, factor] : rows_.rates) {
    q(equation) += factor * a(rate);
    for (const auto& [row, column, coefficient] : rows_.shares)
      M(equation, column) += factor * K(rate, row) * coefficient;
  }
  return {std::move(M), std::move(q), rows_.kinds};
}

ContactModeLcp::Outcome ContactModeLcp::solve(const Matrix& K, const Vector& b,
                                              const std::vector<ContactElement>& elements, Vector& lambda) {
  rows_.clear();
  assignZero(lambda, b.size());
  for (const ContactElement& element : elements) element.element->formulate(element, rows_, lambda);
  Outcome outcome;
  outcome.solved = true;
  if (rows_.kinds.empty()) return outcome;
  const numerics::MixedLinearComplementarityProblem problem = formulate(K, b, lambda);
  Vector z, w;
  const numerics::SolveReport report = solver_.solve(problem, z, w);
  for (const auto& [row, column, coefficient] : rows_.shares) lambda(row) += coefficient * z(column);
  outcome.solved = report.converged();
  outcome.impossible = report.status == numerics::SolveStatus::infeasible;
  outcome.reason = report.reason;
  return outcome;
}

}  // namespace delassus
