// SPDX-License-Identifier: Apache-2.0
#include <delassus/kernel/integrators/MotionAudit.hpp>

#include <algorithm>
#include <cmath>
#include <delassus/numerics/Error.hpp>
#include <delassus/numerics/algebra/Products.hpp>
#include <sstream>

namespace delassus {
namespace {

using InteractionWork = SecondOrderWorkspace::InteractionWork;
using Role = SecondOrderWorkspace::Role;
using SystemWork = SecondOrderWorkspace::SystemWork;

// Of lengths of a body, below which a contact that lost its load is none: rounding, and errors of certified steps.
constexpr double roundingOfLengths = 1e-6;

// Quaternions that are normalised in each step are this near to 1: no extreme, of which a report would change often.
constexpr double roundingOfNorms = 1e-12;

// Energies change slowly beside the sum that they are compared with.
constexpr std::size_t stepsOfEnergy = 16;
// Of energies that grow fortyfold from one look to the next, the number in succession that no motion has which the step
// resolves: from rest an energy of tᵏ needs k > 16.
constexpr double growthOfLook = 40.;
constexpr std::size_t mostGrowth = 5;

// A spring gives back what it took, and a drive gives: an interval of forces, of which zero may be none.
bool mayGive(const InteractionWork& work) {
  return work.timeDependent || work.compliant || work.role == Role::motor;
}

double deepest(const InteractionWork& work) {
  double smallest = 0.;
  for (std::size_t row = 0; row < work.y.size(); row += work.blockRows) smallest = std::min(smallest, work.y(row));
  return -smallest;
}

// The size of the smallest body of an interaction; 0 where none has one.
double lengthOf(const SecondOrderWorkspace& step, const InteractionWork& work) {
  double smallest = 0.;
  for (std::size_t c = work.begin; c < work.end; ++c) {
    const double length = step.places[c].length;
    if (length > 0. && (smallest == 0. || length < smallest)) smallest = length;
  }
  return smallest;
}

void serialize(StateArchive& archive, MotionExtreme& extreme) {
  archive.value("value", extreme.value);
  archive.value("relative", extreme.relative);
  archive.value("time", extreme.time);
  archive.value("where", extreme.where);
}

// The work of the impulses on a body, whose velocity was `before` them.
double workOf(const SystemWork& body, const Vector& before) {
  double sum = 0.;
  for (std::size_t i = 0; i < before.size(); ++i) sum += body.p(i) * (body.v(i) + before(i));
  return 0.5 * sum;
}

void describe(std::ostringstream& text, const char* what, const MotionExtreme& extreme) {
  text << (text.tellp() > 0 ? ", " : "") << what << ' ' << extreme.value;
  if (extreme.relative > 0.) text << " (" << extreme.relative << " of its size)";
  if (!extreme.where.empty()) text << " of '" << extreme.where << "'";
  text << " at t = " << extreme.time;
}

}  // namespace

std::string MotionAudit::Report::summary() const {
  std::ostringstream text;
  if (depth.value > 0.) describe(text, "deepest penetration", depth);
  if (drift.value > 0.) describe(text, "largest drift", drift);
  if (lag.value > 0.) describe(text, "largest lag of a drive", lag);
  if (norm.value > 0.) describe(text, "a quaternion off its norm by", norm);
  if (unloaded) {
    text << (text.tellp() > 0 ? ", " : "") << "no contact was ever loaded (the first row of a contact must be its gap)";
  }
  if (lostLoads > 0) {
    text << (text.tellp() > 0 ? ", " : "") << lostLoads << " loads of contacts LOST";
    describe(text, "the worst by", lostLoad);
  }
  if (givenEnergy > 0.) {
    text << (text.tellp() > 0 ? ", " : "") << "energy given by contacts and joints " << givenEnergy << " J";
  }
  if (growth >= mostGrowth) {
    text << (text.tellp() > 0 ? ", " : "") << "energy GROWN fortyfold within 16 steps " << growth << " times";
  }
  return text.str();
}

MotionAudit::MotionAudit(const MotionAuditOptions& options) : options_(options) {
  for (const double limit : {options.depth, options.lostLoad, options.drift, options.energy, options.norm}) {
    if (limit > 0.) continue;
    throw Error("MotionAudit", "limits must be positive (infinity for none), got " + toText(limit) + '.');
  }
}

void MotionAudit::begin(double t) {
  t_ = t;
  hasChanged_ = false;
  ++instants_;
  isRegular_ = instants_ % stepsOfEnergy == 1;
  looks_ = isRegular_ || wantsLook_;
  wantsLook_ = false;
  noExtreme_ = report_.depth.relative * shortest_;
  if (shortest_ == 0. && instants_ > 1) noExtreme_ = report_.depth.value;
  instant_ = {};
  work_ = energy_ = 0.;
  drives_ = false;
}

void MotionAudit::take(MotionExtreme& extreme, double value, double length, const std::string& name) {
  const double relative = length > 0. ? value / length : 0.;
  const bool isLarger = length > 0. ? relative > extreme.relative : extreme.relative == 0. && value > extreme.value;
  if (!isLarger) return;
  extreme.relative = relative;
  extreme.value = value;
  extreme.time = t_;
  extreme.where = name;
  hasChanged_ = true;
}

void MotionAudit::observePositions(const SecondOrderWorkspace& step) {
  for (const InteractionWork& work : step.interactions) {
    if (work.compliant) continue;
    if (work.role == Role::contact) {
      takeDepth(step, work, deepest(work));
    } else if (work.role == Role::equality) {
      takeDrift(step, work, normInf(work.y));
    }
  }
}

void MotionAudit::observeViolation(const SecondOrderWorkspace& step, const InteractionWork& work, double y) {
  if (work.role == Role::contact) {
    takeDepth(step, work, -y);
  } else {
    takeDrift(step, work, std::abs(y));
  }
}

void MotionAudit::takeDepth(const SecondOrderWorkspace& step, const InteractionWork& work, double depth) {
  // Relations without shapes have no depth but their own.
  if (work.thickness > 0. && depth > instant_.depth) {
    depth = work.relation->depth(t_, step.configurations(work, &SystemWork::q), depth);
  }
  if (!(depth > 0.)) return;
  instant_.depth = std::max(instant_.depth, depth);
  const bool isOfThin = depth > report_.depth.relative * work.thickness && work.thickness > 0.;
  if (depth <= noExtreme_ && !isOfThin) return;
  take(report_.depth, depth, work.relation->depthScale(lengthOf(step, work)), work.interaction->name());
}

void MotionAudit::takeDrift(const SecondOrderWorkspace& step, const InteractionWork& work, double drift) {
  instant_.drift = std::max(instant_.drift, drift);
  if (work.timeDependent) return take(report_.lag, drift, 0., work.interaction->name());
  take(report_.drift, drift, lengthOf(step, work), work.interaction->name());
}

void MotionAudit::observeNorms(const SecondOrderWorkspace& step, const Vector SystemWork::*q) {
  static thread_local Vector gradient;
  for (const SystemWork& body : step.systems) {
    for (std::size_t k = 0; k < body.system->configurationConstraints(); ++k) {
      const double off = std::abs(body.system->configurationConstraint(k, body.*q, gradient));
      instant_.norm = std::max(instant_.norm, off);
      if (off > roundingOfNorms) take(report_.norm, off, 0., body.system->name());
    }
  }
}

void MotionAudit::observeImpacts(const SecondOrderWorkspace& step, const std::vector<Vector>& before) {
  std::size_t number = 0;
  for (const SystemWork& body : step.systems) work_ += workOf(body, before[number++]);
  for (const InteractionWork& work : step.interactions) drives_ = drives_ || mayGive(work);
  looks_ = true;
  isRegular_ = false;
  observeEnergy(step, 0.);
}

void MotionAudit::observeImpulses(const SecondOrderWorkspace& step, double h) {
  for (const SystemWork& body : step.systems) work_ += workOf(body, body.system->velocity());
  for (const InteractionWork& work : step.interactions) {
    drives_ = drives_ || mayGive(work);
    if (work.role == Role::contact && !work.compliant) observeLoads(step, work, h);
  }
  if (looks_) observeEnergy(step, h);
}

// Kinetic; and where all is at rest: what forces would do along the body (or its coordinates), and give in a step.
void MotionAudit::observeEnergy(const SecondOrderWorkspace& step, double h) {
  for (const SystemWork& body : step.systems) {
    if (body.length > 0. && (shortest_ == 0. || body.length < shortest_)) shortest_ = body.length;
    energy_ += 0.5 * quadraticForm(body.mass, body.v);
    const double pull = std::max(body.pull, 0.);
    const double length = body.length > 0. ? body.length : normInf(body.q);
    energy_ += pull * (std::sqrt(body.mass.diagonal(0)) * length + 0.5 * h * h * pull);
  }
}

// A contact that was loaded was closed; a step without the load moves it by h ẏ⁺/2 and more.
void MotionAudit::observeLoads(const SecondOrderWorkspace& step, const InteractionWork& work, double h) {
  const double* const impulse = step.equations.multiplier(work.number);
  seesContacts_ = true;
  for (std::size_t row = 0; row < work.y.size(); row += work.blockRows) {
    hasLoads_ = hasLoads_ || impulse[row] > 0.;
    if (impulse[row] > 0. || !(work.y(row) < 0.) || !(work.yDot(row) < 0.)) continue;
    if (!(work.interaction->multiplier(1)(row) > 0.)) continue;
    const double deeper = std::min(work.interaction->output(0)(row), 0.) - work.y(row);
    const double length = lengthOf(step, work);
    if (!(deeper > -0.25 * h * work.yDot(row)) || !(deeper > roundingOfLengths * length)) continue;
    ++report_.lostLoads;
    ++instant_.lostLoads;
    hasChanged_ = true;
    take(report_.lostLoad, deeper, length, work.interaction->name());
  }
}

void MotionAudit::observeProjection(double violation) {
  instant_.projection = violation;
  take(report_.projection, violation, 0., {});
}

// From one regular look to the next.
void MotionAudit::observeGrowth() {
  marks_ = mark_ > 0. && energy_ >= growthOfLook * mark_ ? marks_ + 1 : 0;
  mark_ = energy_;
  hasChanged_ = hasChanged_ || marks_ > report_.growth;
  report_.growth = std::max(report_.growth, marks_);
}

std::string MotionAudit::end() {
  instant_.givenEnergy = drives_ ? 0. : std::max(work_, 0.);
  hasChanged_ = hasChanged_ || energy_ > report_.largestEnergy || instant_.givenEnergy > 0.;
  if (isRegular_) observeGrowth();
  hasChanged_ = hasChanged_ || report_.unloaded != (seesContacts_ && !hasLoads_);
  report_.unloaded = seesContacts_ && !hasLoads_;
  report_.largestEnergy = std::max(report_.largestEnergy, energy_);
  report_.givenEnergy += instant_.givenEnergy;
  // The energies of all systems are looked at before the limit is judged.
  const bool isBeyond = report_.givenEnergy > options_.energy * report_.largestEnergy;
  wantsLook_ = isBeyond && !looks_;
  const bool hasGiven = isBeyond && looks_;
  const bool isWithin = report_.depth.relative <= options_.depth && report_.drift.relative <= options_.drift &&
                        report_.lostLoad.relative <= options_.lostLoad && report_.norm.value <= options_.norm &&
                        !hasGiven && report_.growth < mostGrowth;
  if (hasWarned_ || isWithin) return {};
  std::ostringstream text;
  if (report_.depth.relative > options_.depth) describe(text, "a penetration of", report_.depth);
  if (report_.drift.relative > options_.drift) describe(text, "a drift of", report_.drift);
  if (report_.norm.value > options_.norm) describe(text, "a quaternion is off its norm by", report_.norm);
  if (report_.lostLoad.relative > options_.lostLoad) {
    describe(text, "a contact dropped its load and moved in by", report_.lostLoad);
  }
  if (hasGiven) {
    text << (text.tellp() > 0 ? ", " : "") << "contacts and joints gave " << report_.givenEnergy
         << " J, of energies of " << report_.largestEnergy << " J";
  }
  if (report_.growth >= mostGrowth) {
    text << (text.tellp() > 0 ? ", " : "") << "the energy grew fortyfold within 16 steps, " << report_.growth
         << " times in succession, to " << report_.largestEnergy << " J: explicit forces beyond their stability do so";
  }
  hasWarned_ = true;
  return "the motion up to t = " + toText(t_) + " is not right: " + text.str() + '.';
}

void MotionAudit::serializeState(StateArchive& archive) {
  archive.section("MotionAudit");
  for (MotionExtreme* const extreme :
       {&report_.depth, &report_.lostLoad, &report_.drift, &report_.lag, &report_.projection, &report_.norm}) {
    serialize(archive, *extreme);
  }
  archive.value("lostLoads", report_.lostLoads);
  archive.value("givenEnergy", report_.givenEnergy);
  archive.value("largestEnergy", report_.largestEnergy);
  archive.value("growth", report_.growth);
  archive.value("mark", mark_);
  archive.value("marks", marks_);
  archive.value("hasWarned", hasWarned_);
  archive.value("instants", instants_);
  archive.value("wantsLook", wantsLook_);
  archive.value("shortest", shortest_);
  archive.value("depth of the step", instant_.depth);
  archive.value("drift of the step", instant_.drift);
  archive.value("lostLoads of the step", instant_.lostLoads);
  archive.value("givenEnergy of the step", instant_.givenEnergy);
  archive.value("norm of the step", instant_.norm);
  archive.value("projection of the step", instant_.projection);
  archive.value("unloaded", report_.unloaded);
  archive.value("seesContacts", seesContacts_);
  archive.value("hasLoads", hasLoads_);
}

}  // namespace delassus
