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

// Of energies that grow tenfold within ten steps, the number in succession that no motion has which the step resolves:
// from rest an energy of tᵏ needs k > 8.
constexpr std::size_t stepsOfGrowth = 10, mostGrowth = 12;

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
  if (growth >= mostGrowth) {
    text << (text.tellp() > 0 ? ", " : "") << "energy GROWN tenfold within ten steps " << growth << " times";
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
  given_ = energy_ = 0.;
  drives_ = false;
}

void MotionAudit::observePositions(const SecondOrderWorkspace& step) {
  for (const InteractionWork& work : step.interactions) {
    if (work.compliant) continue;
    const std::string& name = work.interaction->name();
    if (isContact(work)) {
      const double depth = deepest(work);
      if (!(depth > 0.)) continue;
      take(report_.depth, depth, lengthOf(step, work), t_, name);
    } else if (work.interaction->law().set()->isFree()) {
      take(report_.drift, normInf(work.y), work.timeDependent ? 0. : lengthOf(step, work), t_, name);
    }
  }
}

void MotionAudit::observeImpulses(const SecondOrderWorkspace& step, double h) {
  for (const SystemWork& body : step.systems) {
    const Vector& before = body.system->velocity();
    const std::size_t n = body.v.size();
    for (std::size_t j = 0; j < n; ++j) {
      given_ += 0.5 * body.p(j) * (body.v(j) + before(j));
      double momentum = 0.;
      for (std::size_t i = 0; i < n; ++i) momentum += body.mass(i, j) * body.v(i);
      energy_ += 0.5 * body.v(j) * momentum;
    }
    // Where all is at rest: what forces would do along the body (or its coordinates), and give in a step.
    const double pull = std::max(body.pull, 0.);
    const double length = body.system->length() > 0. ? body.system->length() : normInf(body.q);
    energy_ += pull * (std::sqrt(body.mass(0, 0)) * length + 0.5 * h * h * pull);
  }
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
    take(report_.lostLoad, deeper, length, t_, work.interaction->name());
  }
}

void MotionAudit::observeProjection(double violation) {
  take(report_.projection, violation, 0., t_, {});
}

void MotionAudit::observeGrowth() {
  ++sinceMark_;
  if (!(energy_ >= 10. * mark_) || energy_ == 0.) return;
  marks_ = mark_ > 0. && sinceMark_ <= stepsOfGrowth ? marks_ + 1 : 0;
  mark_ = energy_;
  sinceMark_ = 0;
  report_.growth = std::max(report_.growth, marks_);
}

std::string MotionAudit::end() {
  observeGrowth();
  report_.largestEnergy = std::max(report_.largestEnergy, energy_);
  if (!drives_) report_.givenEnergy += std::max(given_, 0.);
  const bool isWithin = report_.depth.relative <= options_.depth && report_.drift.relative <= options_.drift &&
                        report_.lostLoad.relative <= options_.lostLoad &&
                        report_.givenEnergy <= options_.energy * report_.largestEnergy && report_.growth < mostGrowth;
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
  if (report_.growth >= mostGrowth) {
    text << (text.tellp() > 0 ? ", " : "") << "the energy grew tenfold within ten steps, " << report_.growth
         << " times in succession, to " << report_.largestEnergy << " J: explicit forces beyond their stability do so";
  }
  hasWarned_ = true;
  return "the motion up to t = " + toText(t_) + " is not right: " + text.str() +
         ". Take a smaller step, or see the page on what positions a scheme keeps.";
}

void MotionAudit::serializeState(StateArchive& archive) {
  archive.section("MotionAudit");
  for (MotionExtreme* const extreme : {&report_.depth, &report_.lostLoad, &report_.drift, &report_.projection}) {
    serialize(archive, *extreme);
  }
  archive.value("lostLoads", report_.lostLoads);
  archive.value("givenEnergy", report_.givenEnergy);
  archive.value("largestEnergy", report_.largestEnergy);
  archive.value("growth", report_.growth);
  archive.value("mark", mark_);
  archive.value("sinceMark", sinceMark_);
  archive.value("marks", marks_);
  archive.value("hasWarned", hasWarned_);
}

}  // namespace delassus
