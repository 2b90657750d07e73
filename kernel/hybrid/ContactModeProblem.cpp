// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/hybrid/ContactModeProblem.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/kernel/hybrid/MotionElement.hpp>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <delassus/numerics/algebra/RankRevealing.hpp>
#include <limits>
#include <optional>

namespace delassus {
namespace {

// K_NN − s μ K_NT relative to K_NN up to this value may be rounding of zero.
constexpr double leastPivot = 1e-12;
constexpr double roundings = 16.;

void requireElement(const ContactElement& element, std::size_t index, std::vector<char>& used) {
  const std::string where = "ContactModeProblem: element " + std::to_string(index);
  for (std::size_t row = element.row; row < element.row + element.rows(); ++row) {
    if (row >= used.size())
      throw Error(where, "row " + std::to_string(row) + " is not one of the " + std::to_string(used.size()) + ".");
    if (used[row]) throw Error(where, "row " + std::to_string(row) + " belongs to another element.");
    used[row] = 1;
  }
  element.element->require(element, where);
}

// The largest known force of elements, in scaled rows.
double knownSize(const std::vector<ContactElement>& elements, const Vector& scales) {
  double size = 0.;
  for (const ContactElement& element : elements) {
    size = std::max(size, element.element->size(element, &scales(element.row)));
  }
  return size;
}

}  // namespace

ContactModeProblem::ContactModeProblem(ContactModeOptions options)
    : options_(options), lcp_(0.1 * options.tolerance, options.enumeratePairs) {
  if (!(options.tolerance > 0. && options.tolerance <= 1e-3))
    throw Error("ContactModeProblem", "the tolerance must be in (0, 1e-3], got " + toText(options.tolerance) + ".");
}

// λ = size · scale · λ̂ and a = size / scale · â.
void ContactModeProblem::scale(const Matrix& K, const Vector& b, const std::vector<ContactElement>& elements,
                               const Vector& magnitudes) {
  const std::size_t n = b.size();
  if (scales_.size() != n) scales_.resize(n, false);
  if (K_.size1() != n) K_.resize(n, n, false);
  for (std::size_t i = 0; i < n; ++i) scales_(i) = K(i, i) > 0. ? 1. / std::sqrt(K(i, i)) : 1.;
  for (const ContactElement& element : elements) element.element->alignScales(&scales_(element.row));
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < n; ++i) K_(i, j) = scales_(i) * K(i, j) * scales_(j);
  }
  size_ = 0.;
  for (std::size_t i = 0; i < n; ++i) size_ = std::max(size_, scales_(i) * std::abs(b(i)));
  elements_ = elements;
  if (size_ == 0.) size_ = knownSize(elements, scales_);
  if (size_ == 0.) size_ = 1.;
  for (ContactElement& element : elements_) element.element->scale(element, &scales_(element.row), size_);
  knownSize_ = knownSize(elements, scales_) / size_;
  assignZero(b_, n);
  assignZero(magnitudes_, n);
  for (std::size_t i = 0; i < n; ++i) {
    b_(i) = scales_(i) * b(i) / size_;
    magnitudes_(i) = std::abs(b_(i));
    if (magnitudes.size() == n) magnitudes_(i) = std::max(magnitudes_(i), scales_(i) * std::abs(magnitudes(i)) / size_);
  }
}

// The noise of a row enters the multipliers of all rows to which it is coupled. Configurations and velocities are
// rounded too, so that no row is more exact than the last bits of the largest one: where nothing accelerates along a
// contact, its a and λ may be rounding of anything.
void ContactModeProblem::computeNoise(const Vector& lambda) {
  const std::size_t n = b_.size();
  assign(magnitudes_, rowNoise_);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < n; ++i) rowNoise_(i) += std::abs(K_(i, j) * lambda(j));
  }
  assign(rowNoise_, noise_);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < n; ++i) {
      if (K_(i, j) != 0.) noise_(i) = std::max(noise_(i), rowNoise_(j));
    }
  }
  const double least = roundings * std::numeric_limits<double>::epsilon() / options_.tolerance * normInf(rowNoise_);
  for (double& noise : noise_) noise = std::max(noise, least);
}

double ContactModeProblem::naturalResidual(const Vector& lambda, const Vector& a) {
  if (!allFinite(lambda) || !allFinite(a)) return std::numeric_limits<double>::infinity();
  computeNoise(lambda);
  Violations violations = {noise_};
  for (const ContactElement& element : elements_) element.element->countViolations(element, lambda, a, violations);
  return violations.largest;
}

// The answer of the solver is exact to its tolerance relative to all data, of which bounds may be far larger than the
// accelerations that b makes: those that are rounding of zero, after an impact. So where no mode fits the noise of the
// rows, they are measured by the bounds.
ContactMode ContactModeProblem::readMode(const ContactElement& element) const {
  const ContactMode first = element.admissible(element.proposed);
  const auto read = [&](const RowTolerance& tolerance) -> std::optional<ContactMode> {
    for (const ContactMode mode : {first, ContactMode::held, ContactMode::forward, ContactMode::backward,
                                   ContactMode::creeping, ContactMode::open}) {
      if (element.admissible(mode) == mode && element.element->fits(element, mode, lambda_, a_, tolerance)) return mode;
    }
    return std::nullopt;
  };
  for (const double tolerance : {options_.tolerance, 1e3 * options_.tolerance}) {
    if (const auto mode = read({noise_, tolerance})) return *mode;
  }
  Vector noise = noise_;
  for (double& value : noise) value = std::max(value, knownSize_);
  return read({noise, options_.tolerance}).value_or(first);
}

std::size_t ContactModeProblem::findParadox() const {
  std::vector<std::size_t> rows;
  for (const ContactElement& element : elements_) {
    if (element.element->isEquality()) rows.push_back(element.row);
  }
  Matrix block(rows.size(), rows.size());
  for (std::size_t j = 0; j < rows.size(); ++j) {
    for (std::size_t i = 0; i < rows.size(); ++i) block(i, j) = K_(rows[i], rows[j]);
  }
  SemidefiniteCholesky factor;
  const bool eliminate = !rows.empty() && factor.tryFactor(data(block), rows.size());
  Vector response(rows.size());
  for (std::size_t k = 0; k < elements_.size(); ++k) {
    const ContactElement& element = elements_[k];
    if (element.mu == 0. || !element.isSliding()) continue;
    const std::size_t i = element.row;
    // A column of K with the friction of the contact.
    const auto column = [&](std::size_t row) {
      double sum = K_(row, i);
      for (std::size_t t = 0; t + 1 < element.rows(); ++t)
        sum -= element.mu * element.direction[t] * K_(row, i + 1 + t);
      return sum;
    };
    double pivot = column(i);
    const double normal = K_(i, i);
    if (eliminate) {
      for (std::size_t e = 0; e < rows.size(); ++e) response(e) = column(rows[e]);
      factor.solve(data(response));
      for (std::size_t e = 0; e < rows.size(); ++e) pivot -= K_(i, rows[e]) * response(e);
    }
    if (pivot <= leastPivot * normal) return k;
  }
  return ContactDecision::none;
}

void ContactModeProblem::explain(const ContactModeLcp::Outcome& outcome) {
  decision_.status = outcome.impossible ? ContactDecision::Status::impossible : ContactDecision::Status::notFound;
  if (decision_.paradox != ContactDecision::none) {
    decision_.reason =
        "a slipping contact has K_NN - s mu K_NT <= 0, so that no normal force keeps it closed (Painleve's paradox)";
  } else if (outcome.impossible) {
    decision_.reason = "no modes of the contacts meet all laws";
  } else {
    decision_.reason = "no modes were found that meet all laws";
  }
  if (!outcome.reason.empty()) decision_.reason += "; solver: " + std::string(outcome.reason);
}

// The decision gets these modes, or those that λ and a indicate instead, if they meet the laws better than the present
// ones.
void ContactModeProblem::solveModes(std::vector<ContactMode> modes, std::vector<SlipDirection> headings) {
  constexpr int mostRevisions = 20;
  Vector lambda, a;
  for (int k = 0; k < mostRevisions; ++k) {
    system_.solve(K_, b_, elements_, modes, headings, lambda, a);
    system_.balance(K_, b_, lambda, a);
    const double residual = naturalResidual(lambda, a);
    if (residual <= std::max(options_.tolerance, decision_.residual)) {
      decision_.modes = modes;
      decision_.headings = headings;
      decision_.residual = residual;
      lambda_ = lambda;
      a_ = a;
    }
    if (decision_.residual <= options_.tolerance) return;
    bool revised = false;
    for (std::size_t i = 0; i < elements_.size(); ++i)
      revised = elements_[i].element->revise(elements_[i], lambda, a, modes[i], headings[i]) || revised;
    if (!revised) return;
  }
}

void ContactModeProblem::decide() {
  using Status = ContactDecision::Status;
  std::vector<SlipDirection> headings;
  proposed_.clear();
  for (const ContactElement& element : elements_) {
    proposed_.push_back(element.admissible(element.proposed));
    headings.push_back(element.isSliding() ? element.direction : element.heading);
  }
  decision_.reason.clear();
  decision_.paradox = findParadox();
  decision_.residual = std::numeric_limits<double>::infinity();
  solveModes(proposed_, headings);
  ContactModeLcp::Outcome outcome;
  if (!(decision_.residual <= options_.tolerance)) {
    outcome = lcp_.solve(K_, b_, elements_, lambda_);
    assign(b_, a_);
    multiply(1., K_, lambda_, 1., a_);
    decision_.residual = naturalResidual(lambda_, a_);
    for (std::size_t k = 0; k < elements_.size(); ++k) {
      decision_.modes[k] = readMode(elements_[k]);
      decision_.headings[k] = elements_[k].element->heading(elements_[k], lambda_);
    }
    solveModes(decision_.modes, decision_.headings);
  }
  if (!(decision_.residual <= options_.tolerance)) return explain(outcome);
  decision_.status = decision_.modes == proposed_ ? Status::kept : Status::changed;
}

const ContactDecision& ContactModeProblem::solve(const Matrix& K, const Vector& b,
                                                 const std::vector<ContactElement>& elements,
                                                 const Vector& magnitudes) {
  requireSize(K, b.size(), b.size(), "ContactModeProblem: K");
  requireFinite(K, "ContactModeProblem: K");
  requireFinite(b, "ContactModeProblem: b");
  if (magnitudes.size() > 0) {
    requireSize(magnitudes, b.size(), "ContactModeProblem: magnitudes");
    requireFinite(magnitudes, "ContactModeProblem: magnitudes");
  }
  std::vector<char> used(b.size(), 0);
  for (std::size_t k = 0; k < elements.size(); ++k) requireElement(elements[k], k, used);
  scale(K, b, elements, magnitudes);
  decide();
  decision_.lambda = lambda_;
  decision_.a = a_;
  for (std::size_t i = 0; i < b.size(); ++i) {
    decision_.lambda(i) *= size_ * scales_(i);
    decision_.a(i) *= size_ / scales_(i);
  }
  return decision_;
}

void ContactModeProblem::serializeState(StateArchive& archive) {
  lcp_.serializeState(archive);
}

}  // namespace delassus
