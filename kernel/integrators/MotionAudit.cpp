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
using SystemWork = SecondOrderWorkspace::SystemWork;

// Of lengths of a body, below which a contact that lost its load is none: rounding, and errors of certified steps.
constexpr double roundingOfLengths = 1e-6;

bool isContact(const InteractionWork& work) {
  const NonSmoothLaw& law = work.interaction->law();
  return law.actsOnVelocities() && !law.actsAcrossGaps();
}

// A spring gives back what it took, and a drive gives: an interval of forces, of which zero may be none.
bool mayGive(const InteractionWork& work) {
  const NonSmoothLaw& law = work.interaction->law();
  return work.compliant || (!law.actsOnVelocities() && law.set()->isBox());
}

double deepest(const InteractionWork& work) {
  const std::size_t rows = work.interaction->law().size();
  double smallest = 0.;
  for (std::size_t row = 0; row < work.y.size(); row += rows) smallest = std::min(smallest, work.y(row));
  return -smallest;
}

// The size of the smallest body of an interaction; 0 where none has one.
double lengthOf(const SecondOrderWorkspace& step, const InteractionWork& work) {
  double smallest = 0.;
  for (std::size_t c = work.begin; c < work.end; ++c) {
    const double length = step.systemOf(c).system->length();
    if (length > 0. && (smallest == 0. || length < smallest)) smallest = length;
  }
  return smallest;
}

void take(MotionExtreme& extreme, double value, double length, double t, const std::string& name) {
  const double relative = length > 0. ? value / length : 0.;
  const bool isLarger = length > 0. ? relative > extreme.relative : extreme.relative == 0. && value > extreme.value;
  if (!isLarger) return;
  extreme.relative = relative;
  extreme.value = value;
  extreme.time = t;
  extreme.where = name;
}

void serialize(StateArchive& archive, MotionExtreme& extreme) {
  archive.value("value", extreme.value);
  archive.value("relative", extreme.relative);
  archive.value("time", extreme.time);
  archive.value("where", extreme.where);
}

void describe(std::ostringstream& text, const char* what, const MotionExtreme& extreme) {
  text << (text.tellp() > 0 ? ", " : "") << what << ' ' << extreme.value;
  if (extreme.relative > 0.) text << " (" << extreme.relative << " of the body)";
  if (!extreme.where.empty()) text << " of '" << extreme.where << "'";
  text << " at t = " << extreme.time;
}

}  // namespace

std::string MotionAudit::Report::summary() const {
  std::ostringstream text;
  if (depth.value > 0.) describe(text, "deepest penetration", depth);
  if (drift.value > 0.) describe(text, "largest drift", drift);
  if (lostLoads > 0) {
    text << (text.tellp() > 0 ? ", " : "") << lostLoads << " loads of contacts LOST";
    describe(text, "the worst by", lostLoad);
  }
  if (givenEnergy > 0.) {
    text << (text.tellp() > 0 ? ", " : "") << "energy given by contacts and joints " << givenEnergy << " J";
  }
  return text.str();
}

MotionAudit::MotionAudit(const MotionAuditOptions& options) : options_(options) {
  for (const double limit : {options.depth, options.lostLoad, options.drift, options.energy}) {
    if (limit > 0.) continue;
    throw Error("MotionAudit", "limits must be positive (infinity for none), got " + toText(limit) + '.');
  }
}

void MotionAudit::begin(double t) {
  t_ = t;
  instant_ = {};
  work_ = energy_ = 0.;
  drives_ = false;
}

void MotionAudit::observePositions(const SecondOrderWorkspace& step) {
  for (const InteractionWork& work : step.interactions) {
    if (work.compliant) continue;
    if (isContact(work)) {
      takeDepth(step, work, deepest(work));
    } else if (work.interaction->law().set()->isFree()) {
      takeDrift(step, work, normInf(work.y));
    }
  }
}

void MotionAudit::observeViolation(const SecondOrderWorkspace& step, const InteractionWork& work, double y) {
  if (isContact(work)) {
    takeDepth(step, work, -y);
  } else {
    takeDrift(step, work, std::abs(y));
  }
}

void MotionAudit::takeDepth(const SecondOrderWorkspace& step, const InteractionWork& work, double depth) {
  if (!(depth > 0.)) return;
  instant_.depth = std::max(instant_.depth, depth);
  take(report_.depth, depth, lengthOf(step, work), t_, work.interaction->name());
}

void MotionAudit::takeDrift(const SecondOrderWorkspace& step, const InteractionWork& work, double drift) {
  instant_.drift = std::max(instant_.drift, drift);
  take(report_.drift, drift, work.timeDependent ? 0. : lengthOf(step, work), t_, work.interaction->name());
}

void MotionAudit::observeWork(const SystemWork& body, const Vector& before, double h) {
  const std::size_t n = body.v.size();
  for (std::size_t j = 0; j < n; ++j) {
    work_ += 0.5 * body.p(j) * (body.v(j) + before(j));
    double momentum = 0.;
    for (std::size_t i = 0; i < n; ++i) momentum += body.mass(i, j) * body.v(i);
    energy_ += 0.5 * body.v(j) * momentum;
  }
  // Where all is at rest: what forces would do along the body (or its coordinates), and give in a step.
  const double pull = std::max(body.pull, 0.);
  const double length = body.system->length() > 0. ? body.system->length() : normInf(body.q);
  energy_ += pull * (std::sqrt(body.mass(0, 0)) * length + 0.5 * h * h * pull);
}

void MotionAudit::observeImpacts(const SecondOrderWorkspace& step, const std::vector<Vector>& before) {
  std::size_t number = 0;
  for (const SystemWork& body : step.systems) observeWork(body, before[number++], 0.);
  for (const InteractionWork& work : step.interactions) drives_ = drives_ || work.timeDependent;
}

void MotionAudit::observeImpulses(const SecondOrderWorkspace& step, double h) {
  for (const SystemWork& body : step.systems) observeWork(body, body.system->velocity(), h);
  for (const InteractionWork& work : step.interactions) {
    drives_ = drives_ || work.timeDependent || mayGive(work);
    if (isContact(work) && !work.compliant) observeLoads(step, work, h);
  }
}

// A contact that was loaded was closed; a step without the load moves it by h ẏ⁺/2 and more.
void MotionAudit::observeLoads(const SecondOrderWorkspace& step, const InteractionWork& work, double h) {
  const std::size_t rows = work.interaction->law().size();
  const Vector& gapBefore = work.interaction->output(0);
  const Vector& impulseBefore = work.interaction->multiplier(1);
  const double* const impulse = step.equations.multiplier(work.number);
  for (std::size_t row = 0; row < work.y.size(); row += rows) {
    if (!(impulseBefore(row) > 0.) || impulse[row] > 0. || !(work.y(row) < 0.) || !(work.yDot(row) < 0.)) continue;
    const double deeper = std::min(gapBefore(row), 0.) - work.y(row);
    const double length = lengthOf(step, work);
    if (!(deeper > -0.25 * h * work.yDot(row)) || !(deeper > roundingOfLengths * length)) continue;
    ++report_.lostLoads;
    ++instant_.lostLoads;
    take(report_.lostLoad, deeper, length, t_, work.interaction->name());
  }
}

void MotionAudit::observeProjection(double violation) {
  take(report_.projection, violation, 0., t_, {});
}

std::string MotionAudit::end() {
  report_.largestEnergy = std::max(report_.largestEnergy, energy_);
  instant_.givenEnergy = drives_ ? 0. : std::max(work_, 0.);
  report_.givenEnergy += instant_.givenEnergy;
  const bool isWithin = report_.depth.relative <= options_.depth && report_.drift.relative <= options_.drift &&
                        report_.lostLoad.relative <= options_.lostLoad &&
                        report_.givenEnergy <= options_.energy * report_.largestEnergy;
  if (hasWarned_ || isWithin) return {};
  std::ostringstream text;
  if (report_.depth.relative > options_.depth) describe(text, "a penetration of", report_.depth);
  if (report_.drift.relative > options_.drift) describe(text, "a drift of", report_.drift);
  if (report_.lostLoad.relative > options_.lostLoad) {
    describe(text, "a contact dropped its load and moved in by", report_.lostLoad);
  }
  if (report_.givenEnergy > options_.energy * report_.largestEnergy) {
    text << (text.tellp() > 0 ? ", " : "") << "contacts and joints gave " << report_.givenEnergy
         << " J, of energies of " << report_.largestEnergy << " J";
  }
  hasWarned_ = true;
  return "the motion up to t = " + toText(t_) + " is not right: " + text.str() + '.';
}

void MotionAudit::serializeState(StateArchive& archive) {
  archive.section("MotionAudit");
  for (MotionExtreme* const extreme : {&report_.depth, &report_.lostLoad, &report_.drift, &report_.projection}) {
    serialize(archive, *extreme);
  }
  archive.value("lostLoads", report_.lostLoads);
  archive.value("givenEnergy", report_.givenEnergy);
  archive.value("largestEnergy", report_.largestEnergy);
  archive.value("hasWarned", hasWarned_);
  archive.value("depth of the step", instant_.depth);
  archive.value("drift of the step", instant_.drift);
  archive.value("lostLoads of the step", instant_.lostLoads);
  archive.value("givenEnergy of the step", instant_.givenEnergy);
}

}  // namespace delassus
