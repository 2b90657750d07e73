// SPDX-License-Identifier: Apache-2.0
#include <delassus/numerics/contact/OneContactSolver.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/contact/OneContact.hpp>
#include <delassus/numerics/contact/SlidingEquation.hpp>
#include <limits>

namespace delassus::numerics {
namespace {

constexpr int polishingSteps = 3;

template <std::size_t d>
struct Candidate {
  typename OneContact<d>::Reaction reaction;
  double residual;
};

// Newton steps while they help.
template <std::size_t d>
Candidate<d> polished(const OneContact<d>& contact, typename OneContact<d>::Reaction r) {
  Candidate<d> best{r, contact.residual(r)};
  typename OneContact<d>::Reaction step;
  for (int k = 0; k < polishingSteps && best.residual > contact.rounding() && best.residual < 1e-3; ++k) {
    if (!contact.newtonStep(best.reaction, contact.velocity(best.reaction), step)) break;
    for (std::size_t i = 0; i < d; ++i) r[i] = best.reaction[i] + step[i];
    const double residual = contact.residual(r);
    if (!(residual < best.residual)) break;
    best = {r, residual};
  }
  return best;
}

// Calls visit(reaction) for each candidate of sliding.
template <class Visit>
void forEachSlide(const OneContact<2>& contact, Visit&& visit) {
  const double* const W = contact.W();
  for (const double side : {-1., 1.}) {
    const double normal = -contact.q()[0] / (W[0] + side * contact.mu() * W[2]);
    if (normal >= 0. && std::isfinite(normal)) visit(OneContact<2>::Reaction{normal, side * contact.mu() * normal});
  }
}

template <class Visit>
void forEachSlide(const OneContact<3>& contact, Visit&& visit) {
  const SlidingEquation equation(contact);
  std::array<SlidingEquation::Direction, 8> directions{};
  std::size_t count = equation.roots(directions);
  // Where the function vanishes, as without friction, any direction will do, such as the one against q_T.
  const double slip = tangentNorm(3, contact.q());
  directions[count++] = slip > 0. ? SlidingEquation::Direction{-contact.q()[1] / slip, -contact.q()[2] / slip}
                                  : SlidingEquation::Direction{1., 0.};
  OneContact<3>::Reaction r;
  for (std::size_t k = 0; k < count; ++k) {
    if (equation.reaction(equation.refined(directions[k], 4), r)) visit(r);
  }
}

// Calls visit(candidate) for each candidate, the cheap and certain ones first, until it returns true.
template <std::size_t d, class Visit>
void forEachCandidate(const OneContact<d>& contact, Visit&& visit) {
  typename OneContact<d>::Reaction r{};
  if (contact.takesOff() && visit(Candidate<d>{r, 0.})) return;
  contact.stick(r);
  if (contact.isInCone(r) && visit(Candidate<d>{r, contact.residual(r)})) return;
  bool done = false;
  forEachSlide(contact, [&](const typename OneContact<d>::Reaction& slide) {
    if (!done) done = visit(polished(contact, slide));
  });
}

template <std::size_t d>
bool solveByCases(const OneContact<d>& contact, double* answer) {
  Candidate<d> best{{}, std::numeric_limits<double>::infinity()};
  forEachCandidate(contact, [&](const Candidate<d>& candidate) {
    if (candidate.residual < best.residual) best = candidate;
    return best.residual <= contact.rounding();
  });
  if (!(best.residual < std::numeric_limits<double>::infinity())) return false;
  std::copy(best.reaction.begin(), best.reaction.end(), answer);
  return best.residual <= contact.rounding();
}

template <std::size_t d>
std::size_t collectSolutions(const OneContact<d>& contact, double distance, double* reactions) {
  std::size_t count = 0;
  forEachCandidate(contact, [&](const Candidate<d>& candidate) {
    if (candidate.residual > contact.rounding()) return false;
    double size = 0.;
    for (const double x : candidate.reaction) size = std::max(size, std::abs(x));
    for (std::size_t k = 0; k < count; ++k) {
      double difference = 0.;
      for (std::size_t i = 0; i < d; ++i)
        difference = std::max(difference, std::abs(candidate.reaction[i] - reactions[k * d + i]));
      if (difference <= distance * size) return false;
    }
    std::copy(candidate.reaction.begin(), candidate.reaction.end(), reactions + d * count++);
    return false;
  });
  return count;
}

}  // namespace

bool QuarticOneContactSolver::solve(std::size_t dimension, const double* W, const double* q, double mu,
                                    double* r) const {
  if (dimension == 2) return solveByCases<2>(OneContact<2>(W, q, mu), r);
  return solveByCases<3>(OneContact<3>(W, q, mu), r);
}

std::size_t QuarticOneContactSolver::allSolutions(std::size_t dimension, const double* W, const double* q, double mu,
                                                  double distance, Solutions& reactions) const {
  if (dimension == 2) return collectSolutions<2>(OneContact<2>(W, q, mu), distance, reactions.data());
  return collectSolutions<3>(OneContact<3>(W, q, mu), distance, reactions.data());
}

}  // namespace delassus::numerics
