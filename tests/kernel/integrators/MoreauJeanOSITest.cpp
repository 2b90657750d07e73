// SPDX-License-Identifier: Apache-2.0
//
// The discrete equations of Moreau–Jean's scheme, as the comment of its class has them, written a second time: they are
// evaluated on the states and impulses that steps of random models have accepted, with functions of the test's own.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <delassus/delassus.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <memory>
#include <string>
#include <vector>

#include "EquationModels.hpp"

namespace delassus::test {
namespace {

struct Scheme {
  double theta = 0.5, gamma = 0.5;
  ContactRule rule = ContactRule::pure;
  bool isSemiExplicit = false;

  double forceTheta() const { return isSemiExplicit ? 0. : theta; }
  double relationGamma() const { return isSemiExplicit ? 0. : gamma; }
  MoreauJeanOSI integrator() const {
    if (isSemiExplicit) return MoreauJeanOSI::semiExplicit(theta, gamma, rule);
    return MoreauJeanOSI(MoreauJeanOptions{.theta = theta, .gamma = gamma, .contactRule = rule});
  }
};

using State = std::vector<Vector>;

/// A step from (t, q, v), with the weights ϑ that its displacements have.
struct Step {
  const EquationsModel& m;
  const Scheme& scheme;
  double t, h;
  State q, v;          // at the beginning
  State qNext, vNext;  // at the end
  State qStar;         // where relations and masses are taken
  std::vector<double> weights;
  bool isFirst;

  Step(const EquationsModel& model, const Scheme& s, double begin, double size, bool first)
      : m(model), scheme(s), t(begin), h(size), isFirst(first) {
    for (const Body& body : m.bodies) {
      q.push_back(body.system->q());
      v.push_back(body.system->velocity());
    }
  }

  Vector moved(std::size_t b, double weight, double part) const {
    Vector displacement(v[b].size()), result(q[b].size());
    for (std::size_t i = 0; i < v[b].size(); ++i) {
      displacement(i) = h * part * (weight * vNext[b](i) + (1. - weight) * v[b](i));
    }
    m.bodies[b].system->move(q[b], displacement, result);
    return result;
  }

  void end() {
    for (std::size_t b = 0; b < m.bodies.size(); ++b) {
      qNext.push_back(m.bodies[b].system->q());
      vNext.push_back(m.bodies[b].system->velocity());
      weights.push_back(weightOf(b));
      const bool isEarly = weights[b] > scheme.theta + 1e-9;
      const double part = isEarly ? std::min(scheme.relationGamma(), 1. - weights[b]) : scheme.relationGamma();
      qStar.push_back(moved(b, weights[b], part));
    }
  }

  // ϑ from q⁺ = q ⊕ h (ϑ v⁺ + (1 − ϑ) v), by the coordinates that are displacements.
  double weightOf(std::size_t b) const {
    const std::size_t n = q[b].size() == v[b].size() ? q[b].size() : 3;
    double product = 0., square = 0.;
    for (std::size_t i = 0; i < n; ++i) {
      const double jump = vNext[b](i) - v[b](i);
      product += ((qNext[b](i) - q[b](i)) / h - v[b](i)) * jump;
      square += jump * jump;
    }
    const double fitted = square > 1e-12 ? product / square : scheme.theta;
    // The difference of positions is known to rounding.
    return std::abs(fitted - scheme.theta) * std::sqrt(square) < 1e-11 ? scheme.theta : fitted;
  }

  Vector stacked(const Link& link, const State& all) const {
    Vector both;
    for (const std::size_t b : link.bodies) append(all[b], both);
    return both;
  }
  // ẏ = G(t, q) v + ∂h/∂t(t, q) at the beginning.
  Vector rateBefore(const Link& link) const {
    const Vector place = stacked(link, q);
    return rate(link, link.jacobian(t, place), t, place, v);
  }
  // G(t*, q*)
  Matrix jacobian(const Link& link) const {
    return link.jacobian(t + scheme.relationGamma() * h, stacked(link, qStar));
  }
  // G(t*, q*) v + ∂h/∂t(t, q*) with v and t at the beginning or at the end; of contacts with the mean rate at t*.
  ///@{
  Vector rateOfBegin(const Link& link) const {
    return rate(link, jacobian(link), driftTime(link, t), stacked(link, qStar), v);
  }
  Vector rateOfEnd(const Link& link) const {
    return rate(link, jacobian(link), driftTime(link, t + h), stacked(link, qStar), vNext);
  }
  ///@}
  // Whether the mean rate is taken of what turns.
  bool takesMean(const Link& link) const {
    return scheme.relationGamma() == 0.5 && scheme.theta < 1. && !link.isLinear;
  }

 private:
  double driftTime(const Link& link, double time) const {
    const bool isMiddle = scheme.rule == ContactRule::kept && link.isContact && takesMean(link);
    return isMiddle ? t + 0.5 * h : time;
  }
  Vector rate(const Link& link, const Matrix& G, double time, const Vector& place, const State& velocities) const {
    Vector sum = link.drift(time, place);
    multiply(1., G, stacked(link, velocities), 1., sum);
    return sum;
  }
};

// What is left of q⁺ = q ⊕ h (ϑ v⁺ + (1 − ϑ) v).
double motionLeft(const Step& s) {
  double worst = 0.;
  for (std::size_t b = 0; b < s.q.size(); ++b) {
    worst = std::max(worst, normInf(Vector(s.moved(b, s.weights[b], 1.) - s.qNext[b])));
  }
  return worst;
}

// Gyroscopic forces are those of θ v⁺ + (1 − θ) v; where forces are those at v, of the mean of v and of what they alone
// make of it in the step.
Vector gyroscopicLeft(const Step& s, std::size_t b) {
  const Body& body = s.m.bodies[b];
  if (s.scheme.forceTheta() > 0.) {
    return s.h * (1. - s.scheme.forceTheta()) * s.scheme.forceTheta() * body.gyroscopic(s.vNext[b] - s.v[b]);
  }
  const Matrix mass = body.mass(s.qStar[b]);  // diagonal
  Vector mean = s.v[b];
  for (int k = 0; k < 100; ++k) {
    const Vector force = body.gyroscopic(mean);
    for (std::size_t i = 0; i < mean.size(); ++i) mean(i) = s.v[b](i) + 0.5 * s.h * force(i) / mass(i, i);
  }
  return s.h * (body.gyroscopic(s.v[b]) - body.gyroscopic(mean));
}

// What is left of M(q*) (v⁺ − v) = h θ F(t⁺, q_θ, v⁺) + h (1 − θ) F(t, q, v) + G(t*, q*)ᵀ p, with q_θ = q ⊕ h (θ v⁺ +
// (1 − θ) v), which is q⁺ but for steps with impacts under ContactRule::kept.
double dynamicsLeft(const Step& s) {
  const double after = s.h * s.scheme.forceTheta(), before = s.h - after;
  double worst = 0.;
  for (std::size_t b = 0; b < s.q.size(); ++b) {
    const Body& body = s.m.bodies[b];
    Vector left = -before * body.force(s.t, s.q[b], s.v[b]);
    if (after > 0.) left -= after * body.force(s.t + s.h, s.moved(b, s.scheme.theta, 1.), s.vNext[b]);
    const Vector change = s.vNext[b] - s.v[b];
    if (body.gyroscopic) left += gyroscopicLeft(s, b);
    multiply(1., body.mass(s.qStar[b]), change, 1., left);
    for (const Link& link : s.m.links) {
      const Matrix G = s.jacobian(link);
      std::size_t column = 0;
      for (const std::size_t linked : link.bodies) {
        const std::size_t n = s.v[linked].size();
        for (std::size_t i = 0; linked == b && i < n; ++i) {
          for (std::size_t row = 0; row < G.size1(); ++row) {
            left(i) -= G(row, column + i) * link.interaction->lambda(1)(row);
          }
        }
        column += n;
      }
    }
    worst = std::max(worst, normInf(left));
  }
  return worst;
}

// The rate that a law is imposed on: ẏ⁺ = G(t*, q*) v⁺ + ∂h/∂t⁺, or the mean rate less the contribution of the rate
// before, divided by θ.
Vector lawRate(const Step& s, const Link& link, bool isMean) {
  const Vector rate = s.rateOfEnd(link);
  if (!isMean) return rate;
  const double factor = (1. - s.scheme.theta) / s.scheme.theta;
  return rate + factor * (s.rateOfBegin(link) - s.rateBefore(link));
}

// An equality is imposed on ẏ⁺ itself after a start with a rate that is not zero.
double equalityLeft(const Step& s, const Link& link) {
  const bool isJolted = s.isFirst && normInf(s.rateBefore(link)) > 1e-9;
  return normInf(lawRate(s, link, s.takesMean(link) && !isJolted));
}

// What is left of −μ p_N ≤ p_T ≤ μ p_N against the sliding w_T: p_T = proj(p_T − w_T).
double frictionLeft(const Vector& w, const Vector& p, double mu) {
  std::vector<double> onto;
  double size = 0.;
  for (std::size_t i = 1; i < p.size(); ++i) {
    onto.push_back(p(i) - w(i));
    size += onto.back() * onto.back();
  }
  const double bound = mu * std::max(p(0), 0.);
  const double part = std::sqrt(size) > bound ? bound / std::sqrt(size) : 1.;
  double left = 0.;
  for (std::size_t i = 1; i < p.size(); ++i) left = std::max(left, std::abs(p(i) - part * onto[i - 1]));
  return left;
}

// if y + γ h ẏ ≤ 0: 0 ≤ ẏ⁺ + e ẏ ⟂ p ≥ 0, else p = 0.
double pureContactLeft(const Step& s, const Link& link) {
  const Vector& p = link.interaction->lambda(1);
  const Vector before = s.rateBefore(link);
  const double forecast = link.output(s.t, s.stacked(link, s.q))(0) + s.scheme.gamma * s.h * before(0);
  if (forecast > 1e-13) return normInf(p);
  // Laws of friction with restitution take ẏ in the frame of q*.
  const Vector inFrame = link.mu > 0. && link.e > 0. ? s.rateOfBegin(link) : before;
  Vector w = lawRate(s, link, false);
  w(0) += link.e * inFrame(0);
  const double closed = std::abs(std::min(w(0), p(0)));
  return link.mu > 0. ? std::max(closed, frictionLeft(w, p, link.mu)) : closed;
}

// ContactRule::kept, by ContactForecast: with u = −ẏ, a contact that its own motion closes has ẏ⁺ ≥ e u, or with e = 0
// ẏ⁺ ≥ −max(y − (1 − θ) h u, 0)/h; one that is loaded has the latter. A depth adds to the bound what takes back a fifth
// of it in a step, at most. Where p = 0 nothing gets deeper than forces may do in a step.
double keptContactLeft(const Step& s, const Link& link) {
  const Vector& p = link.interaction->lambda(1);
  const double y = link.output(s.t, s.stacked(link, s.q))(0), u = -s.rateBefore(link)(0);
  const double landing = -std::max(y - (1. - s.scheme.theta) * s.h * u, 0.) / s.h;
  const bool closes = y <= s.h * u;
  double least = closes && link.e > 0. ? link.e * u : landing;
  const Vector w = lawRate(s, link, s.takesMean(link));
  if (closes && y < 0.) least = std::max(least, std::min(-0.2 * y / s.h, std::max(w(0), 0.)));
  double left = std::max(-p(0), 0.);
  if (p(0) > 0.) left = std::max(left, std::min(p(0), std::abs(w(0) - least)));
  if (closes) left = std::max(left, least - w(0));
  if (link.mu > 0.) left = std::max(left, frictionLeft(w, p, link.mu));
  return left;
}

double lawsLeft(const Step& s) {
  double worst = 0.;
  for (const Link& link : s.m.links) {
    const bool isKept = s.scheme.rule == ContactRule::kept;
    worst = std::max(worst, !link.isContact ? equalityLeft(s, link)
                            : isKept        ? keptContactLeft(s, link)
                                            : pureContactLeft(s, link));
  }
  return worst;
}

/// Contacts that pushed, and of these the ones that slid, over a run; and steps whose ϑ was not θ.
struct Seen {
  std::size_t pressed = 0, slid = 0, early = 0;
};

void look(const Step& s, Seen& seen) {
  for (const Link& link : s.m.links) {
    if (!link.isContact || !(link.interaction->lambda(1)(0) > 1e-9)) continue;
    ++seen.pressed;
    const Vector& p = link.interaction->lambda(1);
    const double tangential = p.size() < 2 ? 0. : p.size() < 3 ? std::abs(p(1)) : std::hypot(p(1), p(2));
    if (link.mu > 0. && tangential > (1. - 1e-6) * link.mu * p(0)) ++seen.slid;
  }
  for (const double weight : s.weights) seen.early += weight > s.scheme.theta + 1e-9 ? 1 : 0;
}

// Steps of h with the equations of each. Impulses are of order one or less: dynamics are left to rounding where they
// are linear and to Newton's tolerance of 1e-12 otherwise, laws to the accuracy of solvers, 1e-10 of velocities up
// to 10.
Seen expectEquations(EquationsModel& m, const Scheme& scheme, double h, double dynamics, double laws) {
  TimeStepping simulation(
      m.model, TimeDiscretisation(0., h), scheme.integrator(),
      TimeSteppingOptions{.newtonTolerance = 1e-12, .accuracy = Accuracy::high, .audit = {.drift = 1.}});
  Seen seen;
  while (simulation.hasNextStep()) {
    Step step(m, scheme, simulation.time(), h, simulation.stepIndex() == 0);
    simulation.step();
    step.end();
    const std::string where = "theta " + toText(scheme.theta) + ", gamma " + toText(scheme.gamma) +
                              (scheme.rule == ContactRule::kept ? ", kept" : ", pure") +
                              (scheme.isSemiExplicit ? ", semi-explicit" : "") + ", t = " + toText(step.t);
    EXPECT_LE(motionLeft(step), 1e-13) << where;
    EXPECT_LE(dynamicsLeft(step), dynamics) << where;
    EXPECT_LE(lawsLeft(step), laws) << where;
    for (const double weight : step.weights) {
      EXPECT_GE(weight, scheme.theta - 1e-9) << where;
      EXPECT_LE(weight, scheme.rule == ContactRule::kept ? 1. + 1e-9 : scheme.theta) << where;
    }
    look(step, seen);
    if (motionLeft(step) > 1e-13 || dynamicsLeft(step) > dynamics || lawsLeft(step) > laws) break;  // one is enough
  }
  return seen;
}

std::vector<Scheme> schemesOf(ContactRule rule) {
  std::vector<Scheme> all;
  for (const auto& [theta, gamma] : {std::pair(0.5, 0.5), {0.5, 1.}, {0.8, 0.5}, {1., 1.}}) {
    all.push_back({theta, gamma, rule, false});
  }
  all.push_back({0.5, 0.5, rule, true});
  return all;
}

TEST(MoreauJeanOSI, SatisfiesItsEquationsOnLinearModels) {
  for (const ContactRule rule : {ContactRule::pure, ContactRule::kept}) {
    Seen seen;
    for (const Scheme& scheme : schemesOf(rule)) {
      for (const unsigned seed : {1U, 2U, 3U}) {
        const Seen one = expectEquations(*linearModel(seed), scheme, 1e-2, 1e-13, 1e-9);
        seen.pressed += one.pressed;
        seen.slid += one.slid;
        seen.early += one.early;
      }
    }
    EXPECT_GT(seen.pressed, 100U);
    EXPECT_GT(seen.slid, 10U);
    EXPECT_EQ(seen.early > 0, rule == ContactRule::kept);
  }
}

TEST(MoreauJeanOSI, SatisfiesItsEquationsOnModelsThatTurn) {
  for (const ContactRule rule : {ContactRule::pure, ContactRule::kept}) {
    Seen seen;
    for (const Scheme& scheme : schemesOf(rule)) {
      // A joint that an impact jolts takes another weight in the step after it: see ImpactIslands.
      const Seen one = expectEquations(*turningModel(rule == ContactRule::pure), scheme, 5e-3, 1e-11, 1e-9);
      seen.pressed += one.pressed;
      seen.slid += one.slid;
      seen.early += one.early;
    }
    EXPECT_GT(seen.pressed, 100U);
    EXPECT_GT(seen.slid, 10U);
    EXPECT_EQ(seen.early > 0, rule == ContactRule::kept);
  }
}

TEST(MoreauJeanOSI, SatisfiesItsEquationsOnRigidBodies) {
  Seen seen;
  for (const Scheme& scheme : schemesOf(ContactRule::pure)) {
    const Seen one = expectEquations(*bodiesModel(), scheme, 5e-3, 1e-11, 1e-9);
    seen.pressed += one.pressed;
    seen.slid += one.slid;
  }
  EXPECT_GT(seen.pressed, 100U);
  EXPECT_GT(seen.slid, 10U);
}

}  // namespace
}  // namespace delassus::test
